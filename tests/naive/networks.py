"""Networks by the definition of each operator, written from the manual of the notation.

A network is a nested tuple: `("network", language, communications, expression)`. What it can do is
computed from the operands of each operator, state by state, never by vectors. `written` prints it
in the notation that is read.
"""

import itertools
import re

TAU = "tau"
LANGUAGES = {  # hidden label, termination, capitals, `\\`, `||`
    None: ("i", "exit", False, "cut", "all"),
    "behaviour": ("i", "exit", True, "cut", "all"),
    "lotos": ("i", "exit", True, "cut", "all"),
    "elotos": ("i", "exit", False, "cut", "all"),
    "ccs": ("t", None, True, "cut", "all"),
    "csp": ("t", "delta", True, "hide", "all"),
    "mcrl": ("tau", None, False, "cut", "comm"),
}
UNARY = ("hide", "cut", "rename", "\\", "relabel", "exchange", "prio")


FAILED = -1  # the state after a step that an interface does not allow


class Circular(Exception):
    """A label that comes before itself."""


class Fails(Exception):
    """An interface that is verified does not hold."""


def gate(label):
    return re.split(r"[ \t(!?]", label, maxsplit=1)[0]


def offers(label):
    return label[len(gate(label)) :]


def graph(network, files):
    """The initial state, and for every state that is reached its set of (label, state)."""
    _, language, communications, expression = network
    return _Graphs(language, communications, files).of(expression)


def steps(network, state, files):
    return graph(network, files)[1][state]


def initial(network, files):
    return graph(network, files)[0]


def composed(network, files, most):
    """The triples that are reached, numbered from the initial state; None for too many states."""
    first, rows = graph(network, files)
    if len(rows) > most:
        return None
    numbers = {state: n for n, state in enumerate(_reached(first, rows))}
    if any(FAILED in state for state in numbers):
        raise Fails
    triples = [(numbers[s], a, numbers[t]) for s in numbers for a, t in sorted(rows[s])]
    return triples, len(numbers)


def _reached(first, rows):
    seen = {first: None}
    waiting = [first]
    for state in waiting:
        for _, target in sorted(rows[state]):
            if target not in seen:
                seen[target] = None
                waiting.append(target)
    return seen


class _Graphs:
    def __init__(self, language, communications, files):
        setting = LANGUAGES[language]
        self.hidden, self.termination, self.capitals, self.backslash, self.bars = setting
        self.communications = communications
        self.files = files

    def of(self, expression):
        kind, *rest = expression
        if kind == "file":
            first, rows = self.file(self.files[rest[0]])
        elif kind in ("within", "verified"):
            first, rows = self.within(kind, rest[0], *map(self.of, rest[1]))
        elif kind in UNARY:
            first, rows = self.of(rest[-1])
            rows = (
                self.prio(rest[1], rest[0], rows) if kind == "prio" else self.one(kind, rest, rows)
            )
        else:
            first, rows = self.several(kind, rest, [self.of(operand) for operand in rest[-1]])
        return first, {state: rows[state] for state in _reached(first, rows)}

    def file(self, system):
        rows = {(state,): set() for state in range(system.state_count)}
        for source, label, target in system.transitions():
            rows[source,].add((TAU if label in (self.hidden, TAU) else label, (target,)))
        return (system.initial,), rows

    def capital(self, text):
        spared = text in (self.hidden, self.termination)
        return text.upper() if self.capitals and not spared else text

    # Operators on labels.

    def one(self, kind, rest, rows):
        def becomes(label):
            if label == TAU:
                return TAU
            made = self.label(kind, rest, label)
            return TAU if made in (self.hidden, TAU) and made != label else made

        return {
            state: {(made, t) for a, t in own if (made := becomes(a)) is not None}
            for state, own in rows.items()
        }

    def label(self, kind, rest, label):
        """What becomes of a visible label; None if it is cut."""
        if kind in ("hide", "cut"):
            mode, all_but, patterns, _ = rest
            if any(self.matches(mode, one, label) for one in patterns) == all_but:
                return label
            return TAU if kind == "hide" else None
        if kind == "\\":
            patterns, _ = rest
            if self.backslash == "hide":
                matched = any(self.matches("gate", one, label) for one in patterns)
                return TAU if matched else label
            bare = label.removeprefix("'")
            matched = any(self.matches("gate", one, bare) for one in patterns)
            return None if matched else label
        if kind == "rename":
            mode, rules, _ = rest
        else:
            mode, (rules, _) = "gate", rest
        prefix = "'" if kind == "relabel" and label.startswith("'") else ""
        bare = label[len(prefix) :]
        for pattern, new in rules:
            if self.matches("partial" if mode in ("single", "multiple") else mode, pattern, bare):
                return prefix + self.renamed(mode, pattern, self.capital(new), bare)
        return label

    def renamed(self, mode, pattern, new, label):
        expression = self.expression(pattern)
        if mode == "gate":
            found = re.fullmatch(expression, gate(label))
            return found.expand(new) + offers(label)
        if mode == "total":
            return re.fullmatch(expression, label).expand(new)
        return _replaced(re.compile(expression), new, label, 1 if mode == "single" else -1)

    def expression(self, pattern):
        """A pattern is a pair: how it is written, and the same for Python."""
        shown, python = pattern
        return python if shown in (self.hidden, self.termination) else self.capital(python)

    def matches(self, mode, pattern, label):
        expression = self.expression(pattern)
        if mode == "gate":
            return re.fullmatch(expression, gate(label)) is not None
        if mode == "total":
            return re.fullmatch(expression, label) is not None
        return re.search(expression, label) is not None

    def prio(self, rules, mode, rows):
        names = {a: self.hidden if a == TAU else a for own in rows.values() for a, _ in own}

        def fits(ranked, label):
            all_but, patterns = ranked
            return any(self.matches(mode, pattern, names[label]) for pattern in patterns) != all_but

        above = {
            (a, b)
            for rule in rules
            for high, low in itertools.pairwise(rule)
            for a in names
            for b in names
            if fits(high, a) and fits(low, b)
        }
        while more := {(a, d) for a, b in above for c, d in above if b == c} - above:
            above |= more
        if any(a == b for a, b in above):
            raise Circular
        return {
            state: {(a, t) for a, t in own if not any((b, a) in above for b, _ in own)}
            for state, own in rows.items()
        }

    def within(self, kind, names, body, interface):
        """The steps of the first operand that it can do together with the second one somewhere;
        where that is verified, others lead to a state that tells of it."""
        (first, rows), (second, others) = body, interface
        gates = {self.capital(name) for name in names}
        pairs, waiting, steps = set(), [(first, second)], {}
        while waiting:
            state, other = pair = waiting.pop()
            if pair in pairs:
                continue
            pairs.add(pair)
            steps.setdefault(state, set())
            for label, target in rows[state]:
                if label == TAU or gate(label) not in gates:
                    steps[state].add((label, target))
                    waiting.append((target, other))
                for also, end in others[other]:
                    if also == label != TAU and gate(label) in gates:
                        steps[state].add((label, target))
                        waiting.append((target, end))
            for label, end in others[other]:
                if label == TAU or gate(label) not in gates:
                    waiting.append((state, end))
        if kind == "verified":
            stuck = (FAILED,) * len(first)
            for state in steps:
                steps[state] |= {(label, stuck) for label, _ in rows[state] - steps[state]}
            steps[stuck] = set()
        return first, steps

    # Operands side by side.

    def several(self, kind, rest, operands):
        first = tuple(state for state, _ in operands)
        rows, waiting = {}, [first]
        while waiting:
            state = waiting.pop()
            if state in rows:
                continue
            rows[state] = self.joint(kind, rest, state, [own for _, own in operands])
            waiting += [target for _, target in rows[state]]

        def flat(parts):
            return tuple(itertools.chain(*parts))

        return flat(first), {
            flat(state): {(a, flat(target)) for a, target in own} for state, own in rows.items()
        }

    def joint(self, kind, rest, state, rows):
        moves = [sorted(own[part]) for own, part in zip(rows, state, strict=True)]
        everyone = range(len(state))
        found = set()
        for size in range(1, len(state) + 1):
            for chosen in itertools.combinations(everyone, size):
                for step in itertools.product(*(moves[n] for n in chosen)):
                    new = list(state)
                    for n, (_, target) in zip(chosen, step, strict=True):
                        new[n] = target
                    labels = [label for label, _ in step]
                    for label in self.results(kind, rest, chosen, labels, len(state)):
                        found.add((label, tuple(new)))
        return found

    def results(self, kind, rest, chosen, labels, count):
        """What may come out if these operands do these labels at once."""
        if TAU in labels:
            return [TAU] if len(labels) == 1 else []
        if kind == "vectors":
            return self.vectors(rest, chosen, labels, count)
        if kind == "|" or (kind == "||" and self.bars == "comm"):
            return self.pair(kind, labels)
        if len(set(labels)) > 1:
            return []
        label = labels[0]
        if kind == "alphabets":
            allowed = self.alphabets(rest, chosen, label)
        else:
            allowed = self.shared(kind, rest, chosen, label, count)
        return [label] if allowed else []

    def pair(self, kind, labels):
        if len(labels) == 1:
            return labels
        if len(labels) > 2:
            return []
        one, two = labels
        if kind == "|":
            return [TAU] if one == "'" + two or two == "'" + one else []
        for a, b, result in self.communications:
            if {(gate(one), gate(two))} & {(a, b), (b, a)} and offers(one) == offers(two):
                return [TAU if result == self.hidden else result + offers(one)]
        return []

    def alphabets(self, rest, chosen, label):
        left, right = ({self.capital(name) for name in names} for names in rest[:2])
        name = gate(label)
        if name == self.termination or (name in left and name in right):
            return len(chosen) == 2
        return chosen in ([(0,)] if name in left else [(1,)] if name in right else [])

    def shared(self, kind, rest, chosen, label, count):
        """Whether these operands may do one label together."""
        everyone = len(chosen) == count
        if gate(label) == self.termination:
            return everyone
        if kind == "||":
            return everyone
        if kind == "|||":
            mode, everything, elements, own = "gate", False, [], [[]] * count
        elif kind in ("|[", "[|"):
            mode, everything, own = "gate", False, [[]] * count
            elements = [(name, None) for name in rest[0]]
        else:
            mode, everything, elements, own, _ = rest
        key = label if mode == "label" else gate(label)

        def degrees(elements):
            return {degree for name, degree in elements if self.capital(name) == key}

        own = [degrees(part) for part in own]
        together = degrees(elements) | ({None} if everything else set())
        if (None in together and everyone) or len(chosen) in together:
            return True
        having = {n for n in range(count) if None in own[n]}
        if having and having == {*chosen}:
            return True
        if all(len(chosen) in own[n] for n in chosen):
            return True
        return len(chosen) == 1 and not together and not own[chosen[0]]

    def vectors(self, rest, chosen, labels, count):
        mode, vectors, _ = rest
        done = dict(zip(chosen, labels, strict=True))
        found = []
        for parts, result in vectors:
            expected = {n: self.capital(p) for n, p in enumerate(parts) if p is not None}
            if mode == "label":
                fits, rests = expected == done, [""]
            else:
                fits = expected == {n: gate(label) for n, label in done.items()}
                rests = {offers(label) for label in labels}
            if fits and len(rests) == 1:
                name = self.capital(result)
                found.append(TAU if name in (self.hidden, TAU) else name + min(rests))
        return found


def _replaced(expression, new, text, count):
    """A text with the leftmost parts that match replaced, of each the longest."""
    shown, at, behind = "", 0, None
    while at <= len(text):
        ends = range(len(text), at - 1, -1)
        found = next((m for end in ends if (m := expression.fullmatch(text, at, end))), None)
        if found is None or found.end() == at == behind or count == 0:
            shown += text[at : at + 1]
            at += 1
            continue
        shown += found.expand(new)
        count -= 1
        if found.end() == at:
            shown += text[at : at + 1]
        behind, at = found.end(), max(found.end(), at + 1)
    return shown


KEYWORDS = (
    *("all", "but", "ccs", "comm", "csp", "cut", "elotos", "encap", "end", "gate", "hide", "in"),
    *("label", "lotos", "mcrl", "multiple", "par", "partial", "prio", "rename", "single", "total"),
    *("using", "behaviour", "behavior"),
)


def name(text):
    """A label in the notation; in quotation marks where it has to be, or by chance of its size."""
    plain = re.fullmatch(r"[A-Za-z](\w*[A-Za-z0-9])?", text) and text not in KEYWORDS
    if plain and len(text) % 2:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def names(texts):
    return ", ".join(map(name, texts))


def patterns(pairs):
    return ", ".join(name(shown) for shown, _ in pairs)


def written(network):
    """A network in the notation of EXP."""
    _, language, communications, expression = network
    header = language or ""
    if language not in (None, "behaviour"):
        header += " behaviour"
    if communications:
        pairs = ", ".join(f"{name(a)}|{name(b)}={name(c)}" for a, b, c in communications)
        header += f" comm {pairs} end comm"
    return f"{header} {_text(expression)}".lstrip()


def _closed(expression):
    """The text of an expression that stands where infix operators would go on."""
    text = _text(expression)
    closed = expression[0] in ("file", "hide", "cut", "rename", "prio", "par", "vectors")
    return text if closed and not _is_open(expression) else f"({text})"


def _text(expression):
    kind, *rest = expression
    if kind == "file":
        return f'"{rest[0]}.aut"'
    if kind in ("hide", "cut"):
        mode, all_but, pairs, body = rest
        if _is_open(expression):
            return f"hide {patterns(pairs)} in {_text(body)}"
        # An `end hide` would belong to a `hide` before it that has none.
        shown = f"({_text(body)})" if kind == "hide" else _text(body)
        return f"{mode} {kind} {'all but ' * all_but}{patterns(pairs)} in {shown} end {kind}"
    if kind == "prio":
        mode, rules, body = rest
        shown = " ".join(
            " > ".join("all but " * all_but + patterns(pairs) for all_but, pairs in rule)
            for rule in rules
        )
        return f"{mode} prio {shown} in {_text(body)} end prio"
    if kind == "rename":
        mode, rules, body = rest
        shown = ", ".join(f"{name(old)} -> {name(new)}" for (old, _), new in rules)
        return f"{mode} rename {shown} in {_text(body)} end rename"
    if kind == "relabel":
        rules, body = rest
        return f"{_closed(body)} [{', '.join(f'{name(n)}/{name(o)}' for (o, _), n in rules)}]"
    if kind == "exchange":
        rules, body = rest
        return f"{_closed(body)} [[{', '.join(f'{name(o)} <- {name(n)}' for (o, _), n in rules)}]]"
    if kind == "\\":
        pairs, body = rest
        return f"{_closed(body)} \\ {{{patterns(pairs)}}}"
    operands = rest[-1]
    if kind == "par":
        mode, everything, elements, own, _ = rest
        shared = "all in " if everything else f"{_elements(elements)} in " if elements else ""
        sides = [
            (f"{_elements(part)} -> " if part else "") + _closed(operand)
            for part, operand in zip(own, operands, strict=True)
        ]
        return f"{mode} par {shared}{' || '.join(sides)} end par"
    if kind == "vectors":
        mode, vectors, _ = rest
        lines = [
            " * ".join("_" if part is None else name(part) for part in parts)
            + f" -> {name(result)}"
            for parts, result in vectors
        ]
        sides = " || ".join(map(_closed, operands))
        return f"{mode} par using {', '.join(lines)} in {sides} end par"
    if kind in ("|[", "[|"):
        kind = f"|[{names(rest[0])}]|" if kind == "|[" else f"[|{{{names(rest[0])}}}|]"
    if kind in ("within", "verified"):
        kind = f"-|[{names(rest[0])}]|{'?' * (kind == 'verified')}"
    if kind == "alphabets":
        kind = f"[{{{names(rest[0])}}}||{{{names(rest[1])}}}]"
    # They join to the right: the last needs no brackets.
    return f" {kind} ".join([*map(_closed, operands[:-1]), _text(operands[-1])])


def _is_open(expression):
    """Whether a `hide` is written without `end`."""
    kind, *rest = expression
    return kind == "hide" and rest[:2] == ["gate", False] and len(rest[2]) == 1


def _elements(elements):
    return ", ".join(name(label) + ("" if n is None else f"#{n}") for label, n in elements)
