"""Networks by their operational rules, written from the definition of each operator.

An expression is a nested tuple; what it can do in a state is found by asking its operands, never by
vectors. `written` prints it in the notation that is read.
"""

import itertools
import re

TAU = "tau"


def components(expression):
    """The names of the components, in the order of the text."""
    kind, *rest = expression
    if kind == "file":
        return [rest[0]]
    if kind in ("hide", "cut", "rename"):
        return components(rest[-1])
    return [name for operand in rest[-1] for name in components(operand)]


def initial(expression, files):
    return tuple(files[name].initial for name in components(expression))


def steps(expression, state, files):
    """The set of (label, state) that an expression can do; a state has one of each component."""
    kind, *rest = expression
    if kind == "file":
        return {(a, (t,)) for s, a, t in files[rest[0]].transitions() if s == state[0]}
    if kind in ("hide", "cut", "rename"):
        return {
            (label, target)
            for old, target in steps(rest[-1], state, files)
            for label in relabelled(kind, rest, old)
        }
    operands = rest[-1]
    widths = [len(components(operand)) for operand in operands]
    ends = list(itertools.accumulate(widths, initial=0))
    parts = [state[b:e] for b, e in itertools.pairwise(ends)]
    moves = [steps(o, p, files) for o, p in zip(operands, parts, strict=True)]
    found = set()
    for size in range(1, len(operands) + 1):
        for chosen in itertools.combinations(range(len(operands)), size):
            for step in itertools.product(*(moves[n] for n in chosen)):
                label = allowed(kind, rest, chosen, [a for a, _ in step], len(operands))
                if label is None:
                    continue
                new = list(parts)
                for n, (_, target) in zip(chosen, step, strict=True):
                    new[n] = target
                found.add((label, tuple(itertools.chain(*new))))
    return found


def relabelled(kind, rest, label):
    if label == TAU:
        return [TAU]
    if kind == "rename":
        return [dict(rest[0]).get(label, label)]
    names, all_but, _ = rest
    matched = (gate(label) in names) != all_but
    if not matched:
        return [label]
    return [TAU] if kind == "hide" else []


def gate(label):
    return re.split(r"[ (!?]", label)[0]


def allowed(kind, rest, chosen, labels, count):
    """What comes out if the operands `chosen` do `labels` at once; None if they may not."""
    if len(chosen) == 1 and labels[0] == TAU:
        return TAU
    if TAU in labels:
        return None
    if kind == "vectors":
        for vector, result in rest[0]:
            wanted = [(n, label) for n, label in enumerate(vector) if label is not None]
            if wanted == list(zip(chosen, labels, strict=True)):
                # Vectors of the strategy have different results only with different labels.
                return result
        return None
    if len(set(labels)) != 1:
        return None
    (label,) = set(labels)
    together = needed(kind, rest, label, count)
    return label if any(set(chosen) == set(group) for group in together) else None


def needed(kind, rest, label, count):
    everyone = range(count)
    alone = [(n,) for n in everyone]
    if kind == "||":
        return [everyone]
    if kind == "|||":
        return alone
    if kind == "|[":
        return [everyone] if gate(label) in rest[0] else alone
    assert kind == "par"
    gates, interfaces, _ = rest
    having = [n for n in everyone if gate(label) in interfaces[n]]
    if gate(label) in gates:
        degree = gates[gate(label)]
        if degree is None:
            return [everyone]
        among = having or list(everyone)
    elif having:
        among, degree = having, len(having)
    else:
        return alone
    others = [(n,) for n in everyone if n not in among]
    return [*itertools.combinations(among, degree), *others]


def composed(expression, files, most):
    """The reachable triples and the initial state, numbered; None if there are more than `most`."""
    numbers = {initial(expression, files): 0}
    waiting = list(numbers)
    triples = []
    for state in waiting:
        for label, target in sorted(steps(expression, state, files)):
            if target not in numbers:
                numbers[target] = len(numbers)
                waiting.append(target)
            triples.append((numbers[state], label, numbers[target]))
        if len(numbers) > most:
            return None
    return triples, len(numbers)


def written(expression):
    """An expression in the notation of EXP."""
    kind, *rest = expression
    if kind == "file":
        return f'"{rest[0]}.aut"'
    if kind in ("hide", "cut"):
        names, all_but, body = rest
        return (
            f"{kind} {'all but ' * all_but}{', '.join(sorted(names))} in {written(body)} end {kind}"
        )
    if kind == "rename":
        rules = ", ".join(f"{old} -> {new}" for old, new in rest[0])
        return f"total rename {rules} in {written(rest[1])} end rename"
    operands = [f"({written(operand)})" for operand in rest[-1]]
    if kind in ("||", "|||"):
        return f" {kind} ".join(operands)
    if kind == "|[":
        return f" |[{', '.join(sorted(rest[0]))}]| ".join(operands)
    if kind == "vectors":
        lines = [
            " * ".join("_" if label is None else f'"{label}"' for label in vector) + f" -> {result}"
            for vector, result in rest[0]
        ]
        return f"par using {', '.join(lines)} in {' || '.join(operands)} end par"
    gates, interfaces, _ = rest
    shown = ", ".join(g + (f" #{m}" if m else "") for g, m in gates.items())
    sides = [
        (f"{', '.join(sorted(names))} -> " if names else "") + operand
        for names, operand in zip(interfaces, operands, strict=True)
    ]
    return f"par {shown + ' in ' if gates else ''}{' || '.join(sides)} end par"
