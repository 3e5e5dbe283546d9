"""Systems as the verifier reads them, operations on them, and the verifier's limits."""

# ruff: noqa: D101, D102, D103
import hashlib
import re
from collections import defaultdict

ROW = re.compile(r"\(\s*([0-9]{1,20})\s*,(.*),\s*([0-9]{1,20})\s*\)", re.DOTALL)
HEADER = re.compile(r"(?:\ufeff)?\s*des\s*\(" + ",".join([r"\s*([0-9]{1,20})\s*"] * 3) + r"\)")
MOST_BYTES = 100_000_000  # largest file
MOST_STATES = 2_000_000
MOST_WORK = 1_000_000_000  # steps of the algorithms: a few minutes


class Invalid(Exception): ...


class Unreadable(Exception): ...


def require(condition, message):
    if not condition:
        raise Invalid(message)


class Work:
    done = 0


def spend(work):
    Work.done += work
    if Work.done > MOST_WORK:
        raise Unreadable("this takes too long to verify")


def content(path):
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unreadable(f"{quoted(path)} has more than {MOST_BYTES} bytes")
    return data


class System:
    """An LTS: `rows` are (source, label, target), `moves[s]` are (label or None, target)."""

    def __init__(self, initial, count, rows):
        self.initial, self.count, self.rows = initial, count, rows

    @classmethod
    def read(cls, path):
        name, rows, known = quoted(path), [], {}
        lines = content(path).decode("utf-8", "surrogateescape").split("\n")
        lines = [line for line in (line.strip(" \t\r") for line in lines) if line]
        if not lines or (header := HEADER.fullmatch(lines[0])) is None:
            raise Unreadable(f"{name}: no header `des (initial, transitions, states)`")
        initial, transitions, count = map(int, header.groups())
        if max(transitions, count) > MOST_STATES:
            raise Unreadable(f"{name}: more than {MOST_STATES} states or transitions")
        for line in lines[1:]:
            row = ROW.fullmatch(line)
            if row is None:
                raise Unreadable(f"{name}: not a transition: {quoted(line[:80])}")
            label = row[2].strip(" \t\r")
            if not label or label == '"' or (label[0] == '"' != label[-1]):
                raise Unreadable(f"{name}: not a label: {quoted(line[:80])}")
            label = label[1:-1] if label[0] == '"' else label
            rows.append((int(row[1]), known.setdefault(label, label), int(row[3])))
        if len(rows) != transitions or max((initial, *(max(s, t) for s, _, t in rows))) >= count:
            raise Unreadable(f"{name}: the numbers in the header do not match the file")
        return cls(initial, count, rows)

    def fingerprint(self):
        """Return the hash of the transitions in order, in a normal form."""
        digest = hashlib.sha256(f"des ({self.initial},{len(self.rows)},{self.count})\n".encode())
        for s, a, t in self.rows:
            digest.update(f'({s},"{a}",{t})\n'.encode("utf-8", "surrogateescape"))
        return "sha256:" + digest.hexdigest()

    def with_internal(self, internal):
        """Compute the moves, with None for internal labels, and their inverses."""
        internal = set(internal)
        self.moves = [set() for _ in range(self.count)]
        self.before = defaultdict(lambda: defaultdict(set))  # label, target -> sources
        for s, a, t in self.rows:
            a = None if a in internal else a
            self.moves[s].add((a, t))
            self.before[a][t].add(s)
        return self

    def reachable(self):
        return closure({self.initial}, lambda s: (t for _, t in self.moves[s]))

    def silent_before(self, states, inside=None):
        """Return the states from which internal steps, within `inside`, lead to one of `states`."""
        back = self.before[None]
        return closure(states, lambda t: back[t] if inside is None else back[t] & inside)

    def on_cycles(self):
        """Return the states on a cycle of internal steps."""
        after = [{t for a, t in moves if a is None} for moves in self.moves]
        return {s for s in range(self.count) if s in closure(after[s], lambda t: after[t])}

    def divergent(self, inside):
        """Return the states with an infinite sequence of internal steps within `inside`."""
        left = set(inside)
        after = {s: {t for a, t in self.moves[s] if a is None and t in left} for s in left}
        ended = [s for s in left if not after[s]]
        while ended:
            state = ended.pop()
            left.discard(state)
            for s in self.before[None][state] & left:
                after[s].discard(state)
                if not after[s]:
                    ended.append(s)
        return left


def closure(states, following):
    found, waiting = set(states), list(states)
    while waiting:
        spend(1)
        for state in following(waiting.pop()):
            spend(1)
            if state not in found:
                found.add(state)
                waiting.append(state)
    return found


def is_number(value, bound):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < bound


def quoted(text):
    """Return a text in quotes, with unprintable characters, quotes and backslashes escaped."""
    plain = (a if a.isprintable() and a not in '"\\' else f"\\u{ord(a):04x}" for a in str(text))
    return f'"{"".join(plain)}"'
