"""Formulas about paths by their definition: consistent guesses of all subformulas along paths.

A formula is a tuple: ("label", text), ("can", text), ("not", f), ("and", f, g), ("or", f, g),
("X", f), ("F", f), ("G", f), ("U", f, g), ("W", f, g), ("R", f, g), ("A", f), ("E", f), ("true",),
("WF", text), ("SF", text), ("same", p, q), and ("forall", p, f), ("exists", p, f) with variables p.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product

import networkx as nx

Step = tuple[int, str, int]


def written(f: tuple, sort: str = "1..2") -> str:
    """Return a formula as `ltstool check` reads it; `sort` is what variables range over."""

    match f:
        case ("same", p, q):
            return f"val({p} == {q})"
        case (("WF" | "SF") as word, text):
            return f"{word}({text})"
        case (("forall" | "exists") as word, p, g):
            return f"({word} {p}:{sort}. {written(g, sort)})"
        case ("true",):
            return "true"
        case ("label", text):
            return text
        case ("can", text):
            return f"<{text}>true"
        case ("not", g):
            return f"!({written(g, sort)})"
        case ("and", g, h):
            return f"(({written(g, sort)}) && ({written(h, sort)}))"
        case ("or", g, h):
            return f"({written(g, sort)} || {written(h, sort)})"
        case (("X" | "F" | "G" | "A" | "E") as word, g):
            return f"{word}({written(g, sort)})"
        case (word, g, h):
            return f"(({written(g, sort)}) {word} ({written(h, sort)}))"
    raise AssertionError(f)


def closed(f: tuple, values: Sequence[str]) -> tuple:
    """Return a formula without variables, which have these values."""
    match f:
        case ("forall" | "exists" as kind, p, g):
            each = [closed(put(g, p, value), values) for value in values]
            join = "and" if kind == "forall" else "or"
            found = ("true",) if kind == "forall" else ("not", ("true",))
            for part in each:
                found = (join, found, part)
            return found
        case ("same", p, q):
            return ("true",) if p == q else ("not", ("true",))
        case ("WF", text):
            return ("G", ("F", ("or", ("not", ("can", text)), ("label", text))))
        case ("SF", text):
            often = ("not", ("G", ("F", ("can", text))))
            return ("or", often, ("G", ("F", ("label", text))))
        case (word, *parts):
            return (word, *(closed(p, values) if isinstance(p, tuple) else p for p in parts))
    raise AssertionError(f)


def put(f: tuple, variable: str, value: str) -> tuple:
    """Return a formula where a variable has a value."""
    match f:
        case ("forall" | "exists", p, _) if p == variable:
            return f
        case ("label" | "can" | "WF" | "SF" | "same" as word, *texts):
            return (word, *(re.sub(rf"\b{variable}\b", value, text) for text in texts))
        case (word, *parts):
            inner = (put(p, variable, value) if isinstance(p, tuple) else p for p in parts)
            return (word, *inner)
    raise AssertionError(f)


def guesses(f: tuple) -> int:
    """Return how many subformulas of a core formula are guessed."""
    found: set[tuple] = set()
    waiting = [f]
    for g in waiting:
        waiting += (part for part in g[1:] if isinstance(part, tuple))
        found |= {g} if g[0] in ("X", "U") else set()
    return len(found)


def core(f: tuple) -> tuple:
    """Return a formula of `true`, labels, `can`, not, and, X, U, E alone."""
    match f:
        case ("true",) | ("label", _) | ("can", _):
            return f
        case ("or", g, h):
            return ("not", ("and", ("not", core(g)), ("not", core(h))))
        case ("F", g):
            return ("U", ("true",), core(g))
        case ("G", g):
            return ("not", ("U", ("true",), ("not", core(g))))
        case ("R", g, h):
            return ("not", ("U", ("not", core(g)), ("not", core(h))))
        case ("W", g, h):
            return core(("or", ("U", g, h), ("G", g)))
        case ("A", g):
            return ("not", ("E", ("not", core(g))))
        case (word, *parts):
            return (word, *map(core, parts))
    raise AssertionError(f)


def holding(steps: Iterable[Step], states: int, f: tuple) -> set[int]:
    """Return the states in which a formula of the state holds."""
    steps = list(dict.fromkeys(steps))
    match f:
        case ("true",):
            return set(range(states))
        case ("can", text):
            return {s for s, label, _ in steps if label == text}
        case ("not", g):
            return set(range(states)) - holding(steps, states, g)
        case ("and", g, h):
            return holding(steps, states, g) & holding(steps, states, h)
        case ("E", g):
            return some_path(steps, steps, states, core(g))
    return holding(steps, states, core(f))


def some_path(steps: list[Step], allowed: list[Step], states: int, f: tuple) -> set[int]:
    """Return the states from which a maximal path of allowed steps satisfies a core formula."""
    parts: list[tuple] = []

    def collect(g: tuple) -> None:
        if g[0] not in ("label", "can", "true", "E"):
            for part in g[1:]:
                collect(part)
        if g not in parts:
            parts.append(g)

    collect(f)
    atoms = {g: holding(steps, states, g) for g in parts if g[0] in ("can", "true", "E")}
    temporal = [g for g in parts if g[0] in ("X", "U")]
    sources = {s for s, _, _ in steps}

    def truth(state: int, label: str | None, guess: dict) -> dict:
        found: dict = {}
        for g in parts:
            match g:
                case ("label", text):
                    found[g] = label == text
                case ("not", h):
                    found[g] = not found[h]
                case ("and", h, k):
                    found[g] = found[h] and found[k]
                case ("X" | "U", *_):
                    found[g] = guess[g]
                case _:
                    found[g] = state in atoms[g]
        return found

    graph = nx.DiGraph()
    nodes: dict[int, list] = {state: [] for state in range(states)}
    good = set()
    for values in product([False, True], repeat=len(temporal)):
        guess = dict(zip(temporal, values, strict=True))
        for state, label, target in dict.fromkeys(allowed):
            node = (state, label, target, values)
            graph.add_node(node, truth=truth(state, label, guess))
            nodes[state].append(node)
        for state in set(range(states)) - sources:
            found = truth(state, None, guess)
            if all(found[g] == (g[0] == "U" and found[g[2]]) for g in temporal):
                node = (state, None, None, values)
                graph.add_node(node, truth=found)
                nodes[state].append(node)
                good.add(node)
    for node in list(graph):
        if node[2] is None:
            continue
        now = graph.nodes[node]["truth"]
        for after in nodes[node[2]]:
            then = graph.nodes[after]["truth"]
            fits = (
                now[g] == (then[g[1]] if g[0] == "X" else now[g[2]] or (now[g[1]] and then[g]))
                for g in temporal
            )
            if all(fits):
                graph.add_edge(node, after)
    for component in nx.strongly_connected_components(graph):
        if len(component) == 1 and not graph.has_edge(*2 * tuple(component)):
            continue
        kept = (
            any(not graph.nodes[n]["truth"][g] or graph.nodes[n]["truth"][g[2]] for n in component)
            for g in temporal
            if g[0] == "U"
        )
        if all(kept):
            good |= component
    reaching = set(good)
    for node in good:
        reaching |= nx.ancestors(graph, node)
    return {node[0] for node in reaching if graph.nodes[node]["truth"][f]}
