"""Nets without colours and their symmetries, by their definitions.

`places` have their initial tokens; `transitions` are tuples of a label and the arcs: a dictionary
from pairs of a kind (takes, puts, inhibitor, reset, read) and a place to a weight.
"""

from dataclasses import dataclass
from itertools import permutations

KINDS = ("takes", "puts", "inhibitor", "reset", "read")


@dataclass
class Net:
    places: dict
    transitions: list


def of_kind(arcs, kind):
    return {place: weight for (own, place), weight in arcs.items() if own == kind}


def possible(net):
    """The net of the places that may get tokens, and the transitions that may have theirs, if
    tokens are never used up."""
    places = {place for place, tokens in net.places.items() if tokens}
    while True:
        kept = [
            (label, arcs)
            for label, arcs in net.transitions
            if {*of_kind(arcs, "takes"), *of_kind(arcs, "read")} <= places
        ]
        more = places.union(*(of_kind(arcs, "puts") for _, arcs in kept))
        if more == places:
            break
        places = more
    rows = [
        (label, {key: weight for key, weight in arcs.items() if key[1] in places})
        for label, arcs in kept
    ]
    return Net({place: n for place, n in net.places.items() if place in places}, rows)


def steps(net, marking):
    """The steps from a marking, a tuple of tokens in the order of places: label and target."""
    names = [*net.places]
    found = set()
    for label, arcs in net.transitions:
        now = dict(zip(names, marking, strict=True))
        if any(now[place] >= n for place, n in of_kind(arcs, "inhibitor").items()):
            continue
        needs = [*of_kind(arcs, "takes").items(), *of_kind(arcs, "read").items()]
        if any(now[place] < n for place, n in needs):
            continue
        for place, n in of_kind(arcs, "takes").items():
            now[place] -= n
        for place in of_kind(arcs, "reset"):
            now[place] = 0
        for place, n in of_kind(arcs, "puts").items():
            now[place] += n
        found.add((label, tuple(now.values())))
    return found


def markings(net, most):
    """The steps of each reachable marking; None if there are more than `most`."""
    found, waiting = {}, [tuple(net.places.values())]
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            if len(found) == most:
                return None
            found[one] = steps(net, one)
            waiting += (target for _, target in found[one])
    return found


def as_loops(arcs):
    """The arcs without those that read tokens: these are taken and put back."""
    found = {key: weight for key, weight in arcs.items() if key[0] != "read"}
    for place, n in of_kind(arcs, "read").items():
        for kind in ("takes", "puts"):
            found[kind, place] = found.get((kind, place), 0) + n
    return found


def symmetries(net):
    """All pairs of an image of each place and an image of each label that some permutation of the
    transitions has. Places without arcs are fixed."""
    used = {place for _, arcs in net.transitions for _, place in arcs}
    moving = [place for place in net.places if place in used]
    rows = [as_loops(arcs) for _, arcs in net.transitions]
    found = []
    for row in permutations(moving):
        images = {place: place for place in net.places} | dict(zip(moving, row, strict=True))
        if any(net.places[one] != net.places[other] for one, other in images.items()):
            continue
        after = [
            {(kind, images[place]): weight for (kind, place), weight in arcs.items()}
            for arcs in rows
        ]
        for order in permutations(range(len(net.transitions))):
            if any(after[n] != rows[m] for n, m in enumerate(order)):
                continue
            pairs = {(net.transitions[n][0], net.transitions[m][0]) for n, m in enumerate(order)}
            labels = dict(pairs)
            is_function = len(labels) == len(pairs) == len({*labels.values()})
            if is_function and labels.get("tau", "tau") == "tau" and (images, labels) not in found:
                found.append((images, labels))
    return found


def moved(net, images, marking):
    """The image of a marking."""
    after = {images[place]: n for place, n in zip(net.places, marking, strict=True)}
    return tuple(after[place] for place in net.places)


def orbit_count(net, group, graph):
    left, found = set(graph), 0
    while left:
        one = left.pop()
        left -= {moved(net, images, one) for images, _ in group}
        found += 1
    return found


def written(net):
    """The net in PNML; labels are names, and identifiers are made."""
    rows = [
        f"<place id='{place}'><initialMarking><text>{tokens}</text></initialMarking></place>"
        for place, tokens in net.places.items()
    ]
    for number, (label, arcs) in enumerate(net.transitions):
        rows.append(f"<transition id='t{number}'><name><text>{label}</text></name></transition>")
        for (kind, place), weight in arcs.items():
            own = "" if kind in ("takes", "puts") else f" type='{kind}'"
            ends = (f"t{number}", place) if kind == "puts" else (place, f"t{number}")
            rows.append(
                f"<arc id='{number}{kind}{place}' source='{ends[0]}' target='{ends[1]}'{own}>"
                f"<inscription><text>{weight}</text></inscription></arc>"
            )
    return f"<pnml><net id='n' type='ptnet'>{''.join(rows)}</net></pnml>"


def random_arcs(random, places):
    """Arcs of a transition with places, which has at most one that is no plain one."""
    arcs = {}
    for kind, most in (("takes", 2), ("puts", 1)):
        for place in random.sample(places, min(len(places), random.randint(0, most))):
            arcs[kind, place] = random.choice([1, 1, 1, 2])
    if random.random() < 0.3:
        place, kind = random.choice(places), random.choice(KINDS[2:])
        if kind == "inhibitor" or not {("takes", place), ("reset", place)} & arcs.keys():
            arcs[kind, place] = 1 if kind == "reset" else random.choice([1, 2])
    return arcs


def random_net(random):
    """Some copies of a part, with places of their own and a shared one, and one change, mostly."""
    copies, own = random.choice([(2, 1), (2, 2), (3, 1)])
    shared = [f"s{n}" for n in range(random.choice([0, 1, 1]))]
    tokens = [random.choice([0, 1, 1, 2]) for _ in range(own)]
    part = [random_arcs(random, [*shared, *range(own)]) for _ in range(1 if copies == 3 else 2)]
    places = {place: random.choice([1, 1, 2]) for place in shared}
    transitions = []
    # Copies have labels of their own, or the same labels.
    is_labelled = [random.random() < 0.7 for _ in part]
    names = ["go", random.choice(["go", "tau"])]
    for copy in range(copies):
        places |= {f"p{copy}{n}": count for n, count in enumerate(tokens)}
        for number, arcs in enumerate(part):
            label = f"{'ab'[number]}{copy}" if is_labelled[number] else names[number]
            here = {
                (kind, place if place in shared else f"p{copy}{place}"): weight
                for (kind, place), weight in arcs.items()
            }
            transitions.append((label, here))
    if random.random() < 0.3:
        places["alone"] = 1
        places["too"] = 1
    net = Net(places, transitions)
    if random.random() < 0.5:
        change(random, net)
    return net


def change(random, net):
    """Change a weight, a kind, a marking or a label, or repeat a transition."""
    number = random.randrange(len(net.transitions))
    label, arcs = net.transitions[number]
    what = random.choice(["weight", "kind", "marking", "label", "repeat"])
    if what == "marking":
        net.places[random.choice([*net.places])] += 1
    elif what == "label":
        net.transitions[number] = random.choice(["tau", "go", "new"]), arcs
    elif what == "repeat" and len(net.transitions) < 5:
        net.transitions.append((random.choice([label, label, "new"]), dict(arcs)))
    elif arcs:
        kind, place = random.choice([*arcs])
        weight = arcs[kind, place]
        if what == "weight" and kind != "reset":
            arcs[kind, place] = weight + 1
        elif kind == "takes" and ("reset", place) not in arcs:
            del arcs[kind, place]
            arcs[random.choice(["inhibitor", "read"]), place] = weight
