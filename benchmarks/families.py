"""Families of systems of any size for measurements.

A family is a function from an approximate number of transitions to an LTS. All use a fixed seed.
Families with `tau` are also for equivalences that abstract from it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lts import LTS

LETTERS = ["tau", *"abcdefghijklmnopqrstuvwxyz"]


def system(source, label, target, labels, states) -> LTS:
    """Return an LTS from columns, sorted by source as in a generated file."""
    order = np.argsort(source, kind="stable")
    columns = [np.ascontiguousarray(c[order], dtype=np.uint32) for c in (source, label, target)]
    return LTS.from_columns(*columns, labels, 0, states)


def spanned(rng, states, source, label, target, labels, kinds):
    """Return the system with a random tree from state 0 added, so that all states are reachable."""
    child = np.arange(1, states)
    parent = (rng.random(states - 1) * child).astype(np.int64)
    return system(
        np.concatenate([source, parent]),
        np.concatenate([label, rng.integers(0, kinds, states - 1)]),
        np.concatenate([target, child]),
        labels,
        states,
    )


def product(transitions: int) -> LTS:
    """Interleave random components of eight states, each with a label of its own and shared
    labels."""
    rng = np.random.default_rng(1)
    states, each = 8, 20
    parts = 1
    while states ** (parts + 1) * each / states * (parts + 1) <= transitions * 1.3:
        parts += 1
    count = states**parts
    every = np.arange(count)
    columns = ([], [], [])
    for part in range(parts):
        rows = np.unique(rng.integers(0, [states, 4, states], (each, 3)), axis=0)
        weight = states**part
        own = every // weight % states
        for s, a, t in rows.tolist():
            here = every[own == s]
            # Internal, or shared by all components, or the component's own.
            name = (0, 1, 2, 3 + part)[a]
            columns[0].append(here)
            columns[1].append(np.full(len(here), name))
            columns[2].append(here + (t - s) * weight)
    return system(*map(np.concatenate, columns), LETTERS[: 3 + parts], count)


def tau_chain(transitions: int) -> LTS:
    """Return a chain of internal steps; every tenth state has one of 5 visible loops."""
    states = transitions * 10 // 11
    rng = np.random.default_rng(2)
    chain = np.arange(states - 1)
    loops = np.arange(0, states, 10)
    return system(
        np.concatenate([chain, loops]),
        np.concatenate([np.zeros(states - 1), rng.integers(1, 6, len(loops))]),
        np.concatenate([chain + 1, loops]),
        LETTERS[:6],
        states,
    )


def tau_cliques(transitions: int) -> LTS:
    """Return cliques of 20 states connected by internal steps, with visible steps between
    cliques."""
    rng = np.random.default_rng(3)
    size = 20
    cliques = max(1, transitions // (size * (size + 1)))
    first = np.arange(cliques)[:, None, None] * size
    one, other = np.arange(size)[None, :, None], np.arange(size)[None, None, :]
    source = np.broadcast_to(first + one, (cliques, size, size)).ravel()
    target = np.broadcast_to(first + other, (cliques, size, size)).ravel()
    states = cliques * size
    ways = np.arange(states)
    return spanned(
        rng,
        states,
        np.concatenate([source, ways]),
        np.concatenate([np.zeros(len(source)), rng.integers(1, 4, states)]),
        np.concatenate([target, rng.integers(0, states, states)]),
        LETTERS[:4],
        4,
    )


def hub_labels(transitions: int) -> LTS:
    """Return a random system with 25,000 labels, where half of the transitions have the same
    label."""
    rng = np.random.default_rng(4)
    states = transitions // 4
    count = transitions - states + 1
    kinds = 25_000
    label = np.where(rng.random(count) < 0.5, 0, rng.integers(1, kinds, count))
    labels = [f"l{i}" for i in range(kinds)]
    source, target = rng.integers(0, states, (2, count))
    return spanned(rng, states, source, label, target, labels, kinds)


def deep_chain(transitions: int) -> LTS:
    """Return a chain whose steps have one of two visible labels or `tau`, at random."""
    rng = np.random.default_rng(5)
    chain = np.arange(transitions)
    label = rng.integers(0, 3, transitions)
    return system(chain, label, chain + 1, LETTERS[:3], transitions + 1)


def one_a_round(transitions: int) -> LTS:
    """Return a chain with one label, where each round of signatures splits off one state."""
    chain = np.arange(transitions)
    return system(chain, np.zeros(transitions), chain + 1, ["a"], transitions + 1)


def discrete(transitions: int) -> LTS:
    """Return a random system in which almost no two states are equivalent."""
    rng = np.random.default_rng(6)
    states = transitions // 4
    count = transitions - states + 1
    source, target = rng.integers(0, states, (2, count))
    label = rng.integers(0, 10, count)
    return spanned(rng, states, source, label, target, LETTERS[:10], 10)


def trivial(transitions: int) -> LTS:
    """Return a random system in which nearly all states are equivalent."""
    rng = np.random.default_rng(7)
    kinds = 4
    states = transitions // kinds
    source = np.repeat(np.arange(states), kinds)
    label = np.tile(np.arange(kinds), states)
    target = rng.integers(0, states, states * kinds)
    target[::kinds] = np.arange(1, states + 1) % states
    # One state in a thousand lacks its last label.
    kept = ~((label == kinds - 1) & (rng.random(len(label)) < 0.001))
    return system(source[kept], label[kept], target[kept], LETTERS[1 : kinds + 1], states)


def mostly_tau(transitions: int) -> LTS:
    """Return a random system with nine internal steps in ten, few of them on cycles."""
    rng = np.random.default_rng(8)
    states = transitions // 3
    count = transitions - states + 1
    source, target = rng.integers(0, states, (2, count))
    tau = rng.random(count) < 0.9
    low, high = np.minimum(source, target), np.maximum(source, target)
    keep = rng.random(count) < 0.0001
    source = np.where(tau & ~keep, low, source)
    target = np.where(tau & ~keep, high, target)
    label = np.where(tau, 0, rng.integers(1, 5, count))
    return spanned(rng, states, source, label, target, [*LETTERS[:5]], 1)


FAMILIES: dict[str, Callable[[int], LTS]] = {
    "product": product,
    "tau-chain": tau_chain,
    "tau-cliques": tau_cliques,
    "hub-labels": hub_labels,
    "deep-chain": deep_chain,
    "one-a-round": one_a_round,
    "discrete": discrete,
    "trivial": trivial,
    "mostly-tau": mostly_tau,
}
