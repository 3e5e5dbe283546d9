"""Numbers of tokens that 32 bits cannot hold, against markings of Python's integers."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts.petri import counting, counts, explore, ground, read_text
from lts.petri.diagrams import Effort

MANY = 10**9
"""The most tokens that the text of a net may name at once."""
BEYOND = 2**32


def net(random):
    """Return the initial marking and the transitions of a net, each with what it takes and puts.

    The first place has few tokens, of which every transition takes one, so that it ends.
    """
    places = random.randint(2, 4)
    initial = (random.randint(1, 7), *(random.choice((0, 1, MANY)) for _ in range(places - 1)))
    amounts = (0, 0, 1, MANY // 2, MANY - 1, MANY)
    transitions = []
    for _ in range(random.randint(1, 3)):
        takes, puts = ([random.choice(amounts) for _ in range(places - 1)] for _ in range(2))
        takes = [amount if random.random() < 0.4 else 0 for amount in takes]
        transitions.append(((1, *takes), (0, *puts)))
    return initial, transitions


def text(initial, transitions):
    """Return a net as PNML."""
    parts = ['<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"']
    parts.append('type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">')
    for place, tokens in enumerate(initial):
        marking = f"<initialMarking><text>{tokens}</text></initialMarking>"
        parts.append(f'<place id="p{place}">{marking}</place>')
    for number, (takes, puts) in enumerate(transitions):
        parts.append(f'<transition id="t{number}"/>')
        arcs = [(f"p{place}", f"t{number}", count) for place, count in enumerate(takes)]
        arcs += [(f"t{number}", f"p{place}", count) for place, count in enumerate(puts)]
        for at, (source, target, count) in enumerate(arcs):
            if count:
                inscription = f"<inscription><text>{count}</text></inscription>"
                ends = f'source="{source}" target="{target}"'
                parts.append(f'<arc id="a{number}_{at}" {ends}>{inscription}</arc>')
    return "\n".join([*parts, "</page></net></pnml>"])


def markings(initial, transitions):
    """Return the reachable markings, and the number of steps between them."""
    seen, waiting, steps = {initial}, [initial], 0
    for marking in waiting:  # grows during the loop
        for takes, puts in transitions:
            if all(have >= take for have, take in zip(marking, takes, strict=True)):
                changes = zip(marking, takes, puts, strict=True)
                target = tuple(have - take + put for have, take, put in changes)
                steps += 1
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
    return seen, steps


def test_numbers_of_tokens_never_wrap():
    reached = Counter()

    @settings(max_examples=max(150, settings.default.max_examples))
    @given(st.integers(0, 2**32 - 1))
    def check(seed):
        initial, transitions = net(Random(seed))
        expected, steps = markings(initial, transitions)
        grounded = ground(read_text(text(initial, transitions)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(counting, "BY_MARKINGS", (Effort(0, 10**6),))
            found = counts(grounded)
        assert (found.states, found.transitions) == (len(expected), steps)
        assert found.place == max(map(max, expected))
        assert found.marking == max(map(sum, expected))
        system = explore(grounded).lts
        assert system is not None
        assert system.state_count == len(expected)
        reached[found.place >= BEYOND, found.by] += 1

    check()
    assert reached[True, "states"] > 10, reached
    assert reached[False, "diagram"] > 10, reached
    assert not reached[True, "diagram"], reached


def test_markings_equal_modulo_32_bits_are_distinct():
    amounts = (0, MANY, BEYOND - 4 * MANY)
    transitions = [((1, 0), (0, amount)) for amount in amounts]
    initial = (5, 0)
    expected, _ = markings(initial, transitions)
    assert {(0, 0), (0, BEYOND)} <= expected
    grounded = ground(read_text(text(initial, transitions)))
    system = explore(grounded).lts
    assert system is not None
    assert counts(grounded).states == system.state_count == len(expected)
