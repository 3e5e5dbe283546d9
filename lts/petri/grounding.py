"""Nets without variables: places by colour, transitions by the colours of their variables.

Only those places of a colour are created that may ever have a token: in the initial marking, or
from a transition all of whose input places may have tokens. This is computed like a Datalog program
by semi-naive evaluation: each new colour of a place is combined with all known ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lts.base.bounds import NET_TRANSITIONS, TOKENS
from lts.errors import LimitReached, LtsError, SpecificationError, Unsupported
from lts.petri.net import (
    Arc,
    Binding,
    Class,
    Colour,
    Condition,
    Constant,
    Junction,
    Net,
    Shift,
    Sum,
    Term,
    Times,
    Transition,
    Tuple,
    Variable,
    may_fail,
    variables_of,
)

__all__ = ["Firing", "GroundNet", "ground", "order_of"]

Spot = tuple[str, Colour]
"""A place and a colour."""


@dataclass(frozen=True, slots=True)
class Firing:
    """A transition of a net without variables: its name, the colours of its variables, and the
    tokens that it takes and puts, by number of the place.

    It is enabled only if each place in `below` has fewer tokens than the number given there. The
    places of `resets` lose all tokens before those of `puts` come.
    """

    transition: int
    colours: tuple[Colour, ...]
    takes: tuple[tuple[int, int], ...]
    puts: tuple[tuple[int, int], ...]
    below: tuple[tuple[int, int], ...] = ()
    resets: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class GroundNet:
    """A net without variables. `spots` are the places with their colours, in order of the places of
    `net`; `initial` has the number of tokens of each."""

    net: Net
    spots: tuple[Spot, ...]
    initial: tuple[int, ...]
    firings: tuple[Firing, ...]

    def __repr__(self) -> str:
        return f"<GroundNet: {len(self.spots)} places, {len(self.firings)} transitions>"

    @property
    def has_inhibitors_or_resets(self) -> bool:
        """Whether it is more than a place/transition net."""
        return any(firing.below or firing.resets for firing in self.firings)


def ground(net: Net) -> GroundNet:
    """Return the net without variables that has the same reachable markings and steps.

    Raises `LimitReached` for more than `NET_TRANSITIONS`, and `SpecificationError` if a term has
    no value for colours for which its transition may occur.
    """
    return _Grounding(net).run()


Atom = tuple[str, Term]
"""A place, and a term for one colour of it."""


@dataclass(eq=False)
class _Rule:
    """A transition, with the single colours that it takes: `spots` are those without variables."""

    number: int
    transition: Transition
    atoms: tuple[Atom, ...]
    spots: tuple[Spot, ...]
    guards: tuple[tuple[frozenset[Variable], bool, Condition], ...]
    """The conjuncts of the guard, each with its variables, and whether it may have no value."""


@dataclass(eq=False)
class _Grounding:
    net: Net
    known: dict[str, dict[Colour, None]] = field(init=False, default_factory=dict)
    index: dict[tuple[str, tuple[int, ...]], dict[tuple[Colour, ...], list[Colour]]] = field(
        init=False, default_factory=dict
    )
    found: dict[tuple[int, tuple[Colour, ...]], tuple[Counter[Spot], Counter[Spot]]] = field(
        init=False, default_factory=dict
    )
    waiting: list[Spot] = field(init=False, default_factory=list)
    joined: set[Spot] = field(init=False, default_factory=set)
    """The spots that were joined with the others before them."""

    def run(self) -> GroundNet:
        self.known = {place: {} for place in self.net.places}
        rules = [
            _rule(number, transition) for number, transition in enumerate(self.net.transitions)
        ]
        triggers: dict[str, list[tuple[_Rule, int]]] = {place: [] for place in self.net.places}
        of_spots: dict[Spot, list[_Rule]] = {}
        # How many of the spots of each rule may not have tokens.
        missing = [len(rule.spots) for rule in rules]
        for rule in rules:
            for at, atom in enumerate(rule.atoms):
                triggers[atom[0]].append((rule, at))
            for spot in rule.spots:
                of_spots.setdefault(spot, []).append(rule)
        for identifier, place in self.net.places.items():
            for colour in place.tokens:
                self.mark((identifier, colour))
        for rule in rules:
            if not rule.atoms and not rule.spots:
                self.join(rule, {}, ())
        for spot in self.waiting:  # grows during the loop
            name, colour = spot
            self.joined.add(spot)
            for rule in of_spots.get(spot, ()):
                missing[rule.number] -= 1
                if not missing[rule.number]:
                    self.join(rule, {}, [*enumerate(rule.atoms)])
            for rule, at in triggers[name]:
                start: dict[Variable, Colour] = {}
                if not missing[rule.number] and _unify(rule.atoms[at][1], colour, start):
                    others = [one for one in enumerate(rule.atoms) if one[0] != at]
                    self.join(rule, start, others, (at, spot))
        return self.result()

    def mark(self, spot: Spot) -> None:
        place, colour = spot
        if colour in self.known[place]:
            return
        self.known[place][colour] = None
        self.waiting.append(spot)
        for (of, positions), buckets in self.index.items():
            if of == place:
                buckets.setdefault(_at(colour, positions), []).append(colour)

    def join(
        self,
        rule: _Rule,
        binding: dict[Variable, Colour],
        atoms: Sequence[tuple[int, Atom]],
        last: tuple[int, Spot] | None = None,
    ) -> None:
        """Find all bindings that extend one, such that the numbered atoms have spots that were
        joined: with the `last` spot and the number of its atom, those of earlier atoms are others.
        So each binding is found once, for the last of its spots, and the first atom that has it.
        """
        waiting = [(binding, atoms)]
        while waiting:
            binding, atoms = waiting.pop()
            is_whole = len(binding) == len(rule.transition.variables)
            if not self.may_hold(rule, binding, is_whole=is_whole):
                continue
            if atoms:
                # The atom with the fewest candidates comes next.
                best, colours = 0, self.candidates(atoms[0][1], binding)
                for place, (_, atom) in enumerate(atoms[1:], 1):
                    if len(colours) <= 1:
                        break
                    others = self.candidates(atom, binding)
                    if len(others) < len(colours):
                        best, colours = place, others
                number, (name, term) = atoms[best]
                rest = (*atoms[:best], *atoms[best + 1 :])
                for colour in reversed(colours):
                    spot = name, colour
                    is_repeated = last is not None and number < last[0] and spot == last[1]
                    extended = dict(binding)
                    if spot in self.joined and not is_repeated and _unify(term, colour, extended):
                        waiting.append((extended, rest))
            elif is_whole:
                self.add(rule, binding)
            else:
                free = next(v for v in rule.transition.variables if v not in binding)
                found = [({**binding, free: colour}, ()) for colour in free.sort.colours]
                waiting += reversed(found)

    def may_hold(self, rule: _Rule, binding: Binding, *, is_whole: bool) -> bool:
        """Whether no conjunct of the guard is false.

        The first one that is false, from left to right, decides: a term without a value is an error
        only if those before it hold, which is known for all variables.
        """
        for variables, may_have_none, guard in rule.guards:
            if not variables <= binding.keys():
                if may_have_none:
                    return True
                continue
            try:
                if not guard.value(binding):
                    return False
            except SpecificationError as error:
                if is_whole:
                    raise self.placed(error, rule.transition, binding) from None
                return True
        return True

    def placed(self, error: LtsError, of: Arc | Transition, binding: Binding) -> LtsError:
        """Return an error with its place and the colours of the variables."""
        pairs = [f"{v.name}={v.sort.shown(c)}" for v, c in binding.items()]
        where = f", where {', '.join(pairs)}" if pairs else ""
        message = f"in `{of.identifier}`{where}: {error.message}"
        return type(error)(message, file=self.net.file, line=of.line)

    def candidates(self, atom: Atom, binding: Mapping[Variable, Colour]) -> Sequence[Colour]:
        """Return known colours of a place that may match a term."""
        place, term = atom
        parts = term.parts if isinstance(term, Tuple) else (term,)
        values = [(at, _value(part, binding)) for at, part in enumerate(parts)]
        bound = [(at, value) for at, value in values if value is not None]
        positions = tuple(at for at, _ in bound)
        if not isinstance(term, Tuple):
            if bound:
                colour = bound[0][1]
                return [colour] if colour in self.known[place] else []
            return [*self.known[place]]
        if not positions:
            return [*self.known[place]]
        buckets = self.index.get((place, positions))
        if buckets is None:
            buckets = self.index[place, positions] = {}
            for colour in self.known[place]:
                buckets.setdefault(_at(colour, positions), []).append(colour)
        return buckets.get(tuple(value for _, value in bound), ())

    def add(self, rule: _Rule, binding: Mapping[Variable, Colour]) -> None:
        transition = rule.transition
        key = rule.number, tuple(binding[v] for v in transition.variables)
        if key in self.found:
            return
        takes = self.tokens(transition.takes, binding)
        puts = self.tokens(transition.puts, binding)
        self.found[key] = takes, puts
        if len(self.found) > NET_TRANSITIONS.default:
            raise LimitReached(
                f"the net has {NET_TRANSITIONS.exceeded()}",
                limit=NET_TRANSITIONS.default,
                found={"transitions": len(self.found)},
            )
        for spot in puts:
            self.mark(spot)

    def tokens(self, arcs: Sequence[Arc], binding: Mapping[Variable, Colour]) -> Counter[Spot]:
        found: Counter[Spot] = Counter()
        for arc in arcs:
            try:
                value = arc.term.value(binding)
                if max(value.values(), default=0) > TOKENS.default:
                    raise Unsupported(TOKENS.exceeded())
            except (SpecificationError, Unsupported) as error:
                raise self.placed(error, arc, binding) from None
            for colour, count in value.items():
                found[arc.place, colour] += count
        return +found

    def result(self) -> GroundNet:
        self.restrict()
        spots: list[Spot] = []
        for place in self.net.places:
            spots += ((place, colour) for colour in sorted(self.known[place], key=order_of))
        numbers = {spot: number for number, spot in enumerate(spots)}
        firings = []
        for (number, colours), effects in sorted(
            self.found.items(), key=lambda item: (item[0][0], tuple(map(order_of, item[0][1])))
        ):
            takes, puts = (
                tuple(sorted((numbers[spot], count) for spot, count in of.items()))
                for of in effects
            )
            # Places that never have tokens have no number; they disable nothing.
            transition = self.net.transitions[number]
            below = tuple(
                sorted((numbers[p, 0], n) for p, n in transition.inhibitors if (p, 0) in numbers)
            )
            resets = tuple(sorted(numbers[p, 0] for p in transition.resets if (p, 0) in numbers))
            firings.append(Firing(number, colours, takes, puts, below, resets))
        tokens = tuple(self.net.places[place].tokens.get(colour, 0) for place, colour in spots)
        return GroundNet(self.net, tuple(spots), tokens, tuple(firings))

    def restrict(self) -> None:
        """Remove firings whose places can never hold the required tokens: a term with `all` adds
        firings before all of its tokens are known to be possible."""
        if all(_is_joined(arc.term) for t in self.net.transitions for arc in t.takes):
            return
        waiting: dict[Spot, list[tuple[int, tuple[Colour, ...]]]] = {}
        missing = {}
        for key, (takes, _) in self.found.items():
            missing[key] = len(takes)
            for spot in takes:
                waiting.setdefault(spot, []).append(key)
        ready = [key for key, count in missing.items() if not count]
        spots = {
            (i, colour): None for i, place in self.net.places.items() for colour in place.tokens
        }
        new = [*spots]
        while new or ready:
            for spot in new:
                for key in waiting.get(spot, ()):
                    missing[key] -= 1
                    if not missing[key]:
                        ready.append(key)
            new = [spot for key in ready for spot in self.found[key][1] if spot not in spots]
            new = [*dict.fromkeys(new)]
            spots.update(dict.fromkeys(new))
            ready = []
        self.found = {key: effects for key, effects in self.found.items() if not missing[key]}
        self.known = {place: {} for place in self.net.places}
        for place, colour in spots:
            self.known[place][colour] = None


def order_of(colour: Colour) -> tuple[int, ...]:
    """Return the numbers in a colour, by which colours are sorted."""
    if isinstance(colour, int):
        return (colour,)
    return tuple(number for part in colour for number in order_of(part))


def _rule(number: int, transition: Transition) -> _Rule:
    atoms = dict.fromkeys(atom for arc in transition.takes for atom in _atoms(arc.place, arc.term))
    spots = {
        atom: (atom[0], next(iter(atom[1].value({}))))
        for atom in atoms
        if not variables_of(atom[1])
    }
    guards = _conjuncts(transition.guard)
    return _Rule(
        number,
        transition,
        tuple(atom for atom in atoms if atom not in spots),
        tuple(dict.fromkeys(spots.values())),
        tuple((frozenset(variables_of(guard)), may_fail(guard), guard) for guard in guards),
    )


def _atoms(place: str, term: Term) -> Iterator[Atom]:
    """Yield the single colours in a multiset that are always taken."""
    match term:
        case Sum(terms):
            for part in terms:
                yield from _atoms(place, part)
        case Times(count, inside) if count:
            yield from _atoms(place, inside)
        case Variable() | Constant() | Shift(Variable()):
            yield place, term
        case Tuple(parts) if all(
            isinstance(p, Variable | Constant)
            or (isinstance(p, Shift) and isinstance(p.of, Variable))
            for p in parts
        ):
            yield place, term


def _is_joined(term: Term) -> bool:
    """Whether `_atoms` has all colours of a multiset."""
    match term:
        case Sum(terms):
            return all(map(_is_joined, terms))
        case Times(_, inside):
            return _is_joined(inside)
    return any(_atoms("", term))


def _conjuncts(guard: Condition) -> Iterator[Condition]:
    if isinstance(guard, Junction) and guard.conjunctive:
        for part in guard.conditions:
            yield from _conjuncts(part)
    else:
        yield guard


def _value(term: Term, binding: Mapping[Variable, Colour]) -> Colour | None:
    """Return the colour of a simple term; None if its variable is not bound."""
    match term:
        case Constant(colour):
            return colour
        case Variable():
            return binding.get(term)
        case Shift(Variable() as of, by, sort):
            known = binding.get(of)
            return None if known is None else _shifted(known, by, sort)
    return None


def _shifted(colour: Colour, by: int, sort: Class) -> Colour:
    assert isinstance(colour, int)
    return (colour + by) % len(sort) if sort.cyclic else colour + by


def _unify(term: Term, colour: Colour, binding: dict[Variable, Colour]) -> bool:
    """Bind the variables of a simple term so that it has this colour, if possible."""
    match term:
        case Tuple(parts):
            assert isinstance(colour, tuple)
            return all(_unify(p, c, binding) for p, c in zip(parts, colour, strict=True))
        case Constant(own):
            return own == colour
        case Variable():
            return binding.setdefault(term, colour) == colour
        case Shift(Variable() as of, by, sort):
            before = _shifted(colour, -by, sort)
            assert isinstance(before, int)
            is_there = 0 <= before < len(sort)
            return is_there and binding.setdefault(of, before) == before
    raise AssertionError("the term is an atom")


def _at(colour: Colour, positions: Sequence[int]) -> tuple[Colour, ...]:
    assert isinstance(colour, tuple)
    return tuple(colour[at] for at in positions)
