"""A tree of arbiters as a network, built with the library."""

from lts import LTS
from lts.network import Network


def tree(clients, named):
    """Return a tree of cells that pass one grant down and up, with clients at its leaves."""
    client = LTS.from_transitions(
        [(0, "request", 1), (1, "grant", 2), (2, "enter", 3), (3, "leave", 4), (4, "release", 0)]
    )
    sides = []
    for first, side in ((0, "left"), (5, "right")):
        a, b, c, d, e = range(first + 1, first + 6)
        sides += [(0, f"request {side}", a), (a, "request", b), (b, "grant", c)]
        sides += [(c, f"grant {side}", d), (d, f"release {side}", e), (e, "release", 0)]
    cell = LTS.from_transitions(sides)
    root = LTS.from_transitions([(0, "request", 1), (1, "grant", 2), (2, "release", 0)])
    components, vectors = [], []
    level = list(range(clients))
    for n in level:
        components.append(client)
        for action in ("enter", "leave"):
            vectors.append(({n: action}, f"{action}({n})" if named(n) else "tau"))
    while len(level) > 1:
        above = []
        for pair in zip(level[::2], level[1::2], strict=True):
            components.append(cell)
            above.append(len(components) - 1)
            for child, side in zip(pair, ("left", "right"), strict=True):
                for action in ("request", "grant", "release"):
                    vectors.append(({child: action, above[-1]: f"{action} {side}"}, "tau"))
        level = above
    components.append(root)
    for action in ("request", "grant", "release"):
        vectors.append(({level[0]: action, len(components) - 1: action}, "tau"))
    return Network.of(components, vectors)
