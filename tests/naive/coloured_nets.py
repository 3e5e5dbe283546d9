"""Symmetric nets by their definition (ISO/IEC 15909-1), slowly, and their PNML.

A sort is ("cyclic", names), ("finite", names), ("range", first, last), ("product", sorts) or
("dot",). Colours are names, numbers, tuples of colours, or "dot".

A term denotes a multiset of colours: ("variable", v), ("constant", sort, colour), ("element",
partition, name), ("of", partition, t), ("successor", sort, t), ("predecessor", sort, t), ("tuple",
t, ..), ("all", sort), ("empty", sort), ("add", t, ..), ("subtract", t, u), ("times", n, t).

A guard is ("true",), ("false",), ("not", g), ("and", g, ..), ("or", g, ..), ("imply", g, h) or
(relation, sort, t, u), where the sort, or partition, has the order.
"""

import operator
from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations, product

RELATIONS = {
    "equality": operator.eq,
    "inequality": operator.ne,
    "lessthan": operator.lt,
    "lessthanorequal": operator.le,
    "greaterthan": operator.gt,
    "greaterthanorequal": operator.ge,
    "ltp": operator.lt,
    "gtp": operator.gt,
    "lt": operator.lt,
    "leq": operator.le,
    "gt": operator.gt,
    "geq": operator.ge,
}


@dataclass
class Net:
    """`partitions` have their sort and the colours of each element, `variables` their sort,
    `places` their sort and the initial marking as a term or None. `transitions` are tuples of a
    name, a guard, and two lists of places with terms."""

    sorts: dict
    variables: dict
    places: dict
    transitions: list
    partitions: dict = field(default_factory=dict)
    one_name: bool = False
    """Whether all variables have the same name, and only their identifiers differ."""


def colours(net, sort):
    match net.sorts[sort]:
        case ("cyclic" | "finite", names):
            return list(names)
        case ("range", first, last):
            return list(range(first, last + 1))
        case ("product", sorts):
            return list(product(*(colours(net, one) for one in sorts)))
    return ["dot"]


def value(net, term, binding):
    """The multiset of colours of a term."""
    match term:
        case ("variable", name):
            return Counter([binding[name]])
        case ("constant" | "element", _, colour):
            return Counter([colour])
        case ("of", partition, inside):
            (colour,) = value(net, inside, binding)
            (name,) = (n for n, held in net.partitions[partition][1].items() if colour in held)
            return Counter([name])
        case ("successor" | "predecessor" as way, sort, inside):
            (colour,) = value(net, inside, binding)
            every = colours(net, sort)
            by = 1 if way == "successor" else -1
            return Counter([every[(every.index(colour) + by) % len(every)]])
        case ("tuple", *parts):
            found = Counter()
            for row in product(*(value(net, part, binding).elements() for part in parts)):
                found[row] += 1
            return found
        case ("all", sort):
            return Counter(colours(net, sort))
        case ("empty", _):
            return Counter()
        case ("add", *parts):
            return sum((value(net, part, binding) for part in parts), Counter())
        case ("subtract", whole, without):
            found = value(net, whole, binding)
            found.subtract(value(net, without, binding))
            assert min(found.values(), default=0) >= 0
            return +found
        case ("times", count, inside):
            return +Counter({c: n * count for c, n in value(net, inside, binding).items()})
    raise AssertionError(term)


def holds(net, guard, binding):
    match guard:
        case ("true",):
            return True
        case ("false",):
            return False
        case ("not", inside):
            return not holds(net, inside, binding)
        case ("and", *parts):
            return all(holds(net, part, binding) for part in parts)
        case ("or", *parts):
            return any(holds(net, part, binding) for part in parts)
        case ("imply", one, other):
            return not holds(net, one, binding) or holds(net, other, binding)
    relation, sort, *terms = guard
    (one,), (other,) = (value(net, term, binding) for term in terms)
    if relation in ("equality", "inequality"):
        return RELATIONS[relation](one, other)
    every = list(net.partitions[sort][1]) if sort in net.partitions else colours(net, sort)
    return RELATIONS[relation](every.index(one), every.index(other))


def variables_in(part):
    """The names of the variables of a term or guard."""
    if not isinstance(part, tuple):
        return set()
    if part[0] == "variable":
        return {part[1]}
    return {name for inside in part[1:] for name in variables_in(inside)}


@dataclass(frozen=True)
class Firing:
    """A transition for some colours of its variables."""

    name: str
    arguments: tuple
    takes: frozenset
    puts: frozenset


def variables_of(net, transition):
    _, guard, takes, puts = transition
    used = variables_in(guard).union(*(variables_in(term) for _, term in takes + puts))
    return [name for name in net.variables if name in used]


def tokens(net, arcs, binding):
    found = Counter()
    for place, term in arcs:
        for colour, count in value(net, term, binding).items():
            found[place, colour] += count
    return frozenset((+found).items())


def firings(net):
    """Every transition for all colours of its variables that satisfy its guard."""
    found = []
    for transition in net.transitions:
        name, guard, takes, puts = transition
        variables = variables_of(net, transition)
        for row in product(*(colours(net, net.variables[v]) for v in variables)):
            binding = dict(zip(variables, row, strict=True))
            if holds(net, guard, binding):
                ends = tokens(net, takes, binding), tokens(net, puts, binding)
                found.append(Firing(name, row, *ends))
    return found


def initial(net):
    arcs = [(place, term) for place, (_, term) in net.places.items() if term is not None]
    return tokens(net, arcs, {})


def possible(net, every):
    """The places with the colours that they may ever have, if tokens were never used up, and the
    firings that this allows."""
    spots = {spot for spot, _ in initial(net)}
    while True:
        kept = [one for one in every if all(spot in spots for spot, _ in one.takes)]
        more = spots.union(spot for one in kept for spot, _ in one.puts)
        if more == spots:
            return spots, kept
        spots = more


def flat(colour):
    return [one for part in colour for one in flat(part)] if isinstance(colour, tuple) else [colour]


def label(firing):
    arguments = ",".join(map(str, flat(firing.arguments)))
    return f"{firing.name}({arguments})" if arguments else firing.name


def steps(every, marking):
    """The markings that firings lead to, by their labels."""
    now = Counter(dict(marking))
    found = {}
    for one in every:
        if all(now[spot] >= count for spot, count in one.takes):
            after = now.copy()
            after.subtract(dict(one.takes))
            after.update(dict(one.puts))
            assert label(one) not in found
            found[label(one)] = frozenset((+after).items())
    return found


def markings(net, every, most):
    """The steps of each reachable marking, or None if there are more than `most` markings."""
    found = {}
    waiting = [initial(net)]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        if len(found) == most:
            return None
        found[one] = steps(every, one)
        waiting += found[one].values()
    return found


# Permutations of colours, as a dict of the images of colours for each class.


def classes(net):
    """The sorts that are no products and have more than one colour."""
    return [s for s, kind in net.sorts.items() if kind[0] != "product" and len(colours(net, s)) > 1]


def permuted(net, images, sort, colour):
    if net.sorts[sort][0] == "product":
        pairs = zip(net.sorts[sort][1], colour, strict=True)
        return tuple(permuted(net, images, one, part) for one, part in pairs)
    return images.get(sort, {}).get(colour, colour)


def permuted_marking(net, images, marking):
    return frozenset(
        ((place, permuted(net, images, net.places[place][0], colour)), count)
        for (place, colour), count in marking
    )


def permuted_firing(net, images, firing):
    (transition,) = (one for one in net.transitions if one[0] == firing.name)
    pairs = zip(variables_of(net, transition), firing.arguments, strict=True)
    row = tuple(permuted(net, images, net.variables[v], colour) for v, colour in pairs)
    ends = (permuted_marking(net, images, end) for end in (firing.takes, firing.puts))
    return Firing(firing.name, row, *ends)


def all_permutations(net):
    every = [
        [dict(zip(row, other, strict=True)) for other in permutations(row)]
        for row in (colours(net, one) for one in classes(net))
    ]
    for images in product(*every):
        yield dict(zip(classes(net), images, strict=True))


def symmetries(net, every):
    """All permutations of colours that preserve the possible spots and firings, and the initial
    marking."""
    spots, kept = possible(net, every)
    start, firing_set = initial(net), set(kept)
    whole = frozenset((spot, 1) for spot in spots)
    return [
        images
        for images in all_permutations(net)
        if permuted_marking(net, images, start) == start
        and permuted_marking(net, images, whole) == whole
        and {permuted_firing(net, images, one) for one in kept} == firing_set
    ]


# PNML


def written(net, page="p"):
    """The net as PNML. The identifier of a colour is its name after that of the class, and that of
    a variable its name after `v`."""

    def user(sort):
        return "<dot/>" if net.sorts[sort] == ("dot",) else f'<usersort declaration="{sort}"/>'

    def sub(*texts):
        return "".join(f"<subterm>{text}</subterm>" for text in texts)

    def constant(sort, colour):
        match net.sorts[sort]:
            case ("dot",):
                return "<dotconstant/>"
            case ("range", first, last):
                inside = f'<finiteintrange start="{first}" end="{last}"/>'
                text = f'<finiteintrangeconstant value="{colour}">{inside}'
                return f"{text}</finiteintrangeconstant>"
            case ("product", sorts):
                parts = map(constant, sorts, colour)
                return f"<tuple>{sub(*parts)}</tuple>"
        return f'<useroperator declaration="{sort}-{colour}"/>'

    def xml(term):
        match term:
            case ("variable", name):
                return f'<variable refvariable="v{name}"/>'
            case ("constant", sort, colour):
                return constant(sort, colour)
            case ("element", _, name):
                return f'<useroperator declaration="{name}"/>'
            case ("of", partition, inside):
                text = f'<partitionelementof refpartition="{partition}">{sub(xml(inside))}'
                return f"{text}</partitionelementof>"
            case ("successor" | "predecessor" as way, _, inside):
                return f"<{way}>{sub(xml(inside))}</{way}>"
            case ("all" | "empty" as which, sort):
                return f"<{which}>{user(sort)}</{which}>"
            case ("times", count, inside):
                number = f'<numberconstant value="{count}"><positive/></numberconstant>'
                return f"<numberof>{sub(number, xml(inside))}</numberof>"
            case ("true" | "false" as which,):
                return f'<booleanconstant value="{which}"/>'
        kind, *parts = term
        if kind in RELATIONS:
            parts = parts[1:]
        return f"<{kind}>{sub(*map(xml, parts))}</{kind}>"

    declared = []
    for name, kind in net.sorts.items():
        match kind:
            case ("dot",):
                continue
            case ("cyclic" | "finite", names):
                every = "".join(f'<feconstant id="{name}-{c}" name="{c}"/>' for c in names)
                text = f"<{kind[0]}enumeration>{every}</{kind[0]}enumeration>"
            case ("range", first, last):
                text = f'<finiteintrange start="{first}" end="{last}"/>'
            case ("product", sorts):
                text = f"<productsort>{''.join(map(user, sorts))}</productsort>"
        declared.append(f'<namedsort id="{name}" name="{name}">{text}</namedsort>')
    for name, (sort, elements) in net.partitions.items():
        parts = "".join(
            f'<partitionelement id="{element}" name="{element}">'
            f"{''.join(constant(sort, one) for one in held)}</partitionelement>"
            for element, held in elements.items()
        )
        declared.append(f'<partition id="{name}" name="{name}">{user(sort)}{parts}</partition>')
    for name, sort in net.variables.items():
        shown = "x" if net.one_name else name
        declared.append(f'<variabledecl id="v{name}" name="{shown}">{user(sort)}</variabledecl>')
    rows = [
        f"<place id='{place}'><type><structure>{user(sort)}</structure></type>{{}}</place>"
        for place, (sort, _) in net.places.items()
    ]
    for number, (_, term) in enumerate(net.places.values()):
        text = "" if term is None else xml(term)
        marking = f"<hlinitialMarking><structure>{text}</structure></hlinitialMarking>"
        rows[number] = rows[number].format(marking if text else "")
    for name, guard, takes, puts in net.transitions:
        condition = f"<condition><structure>{xml(guard)}</structure></condition>"
        shown = "" if guard == ("true",) else condition
        rows.append(f"<transition id='{name}'>{shown}</transition>")
        for way, arcs in (("in", takes), ("out", puts)):
            for number, (place, term) in enumerate(arcs):
                source, target = (place, name) if way == "in" else (name, place)
                rows.append(
                    f"<arc id='{name}-{way}-{number}' source='{source}' target='{target}'>"
                    f"<hlinscription><structure>{xml(term)}</structure></hlinscription></arc>"
                )
    top = "".join(declared)
    rows.insert(
        0, f"<declaration><structure><declarations>{top}</declarations></structure></declaration>"
    )
    kind = "http://www.pnml.org/version-2009/grammar/symmetricnet"
    body = "\n".join(rows)
    return f"<pnml><net id='n' type='{kind}'><page id='{page}'>\n{body}</page></net></pnml>"
