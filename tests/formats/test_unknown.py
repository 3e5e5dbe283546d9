"""What the readers of DOT and FSM do not know is refused or named, wherever it stands."""

import re
import warnings
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lts import LTS, FormatError, FormatWarning, LtsError, read
from strategies import systems

ATTRIBUTES = ("guard", "rate", "Label", "xlabel", "probability", "reset", "output", "modality")
NO_MEANING = ("color", "penwidth", "fontname", "tooltip", "pos")


def parse(text, folder, suffix):
    file = folder / f"x.{suffix}"
    file.write_bytes(text)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        system = read(file)
    return system, [str(each.message) for each in caught if each.category is FormatWarning]


def dot_lines(system, inserted):
    """The lines of a graph, with `inserted` at the place of that number among its attributes."""
    place = 0

    def with_attribute(separator, items):
        nonlocal place
        for at in range(len(items) + 1):
            if place == inserted[0]:
                items = [*items[:at], inserted[1], *items[at:]]
            place += 1
        return separator.join(items)

    yield "digraph g {"
    yield with_attribute("; ", ["rankdir=LR"])
    yield f"node [{with_attribute(', ', ['fontsize=9'])}]; edge [{with_attribute(' ', [])}];"
    yield f"__start0 [{with_attribute(',', ['shape=none'])}]; __start0 -> s{system.initial};"
    for state in range(system.state_count):
        yield f"s{state} [{with_attribute(', ', ['shape=circle'])}];"
    for source, label, target in system:
        # Most edges are of the form that is read in bulk, with drawing behind the label.
        listed = with_attribute(", ", [f'label="{label}"', "color=red"])
        yield f"s{source} -> s{target} [{listed}];"
    yield "subgraph cluster_a {"
    yield with_attribute(";", ["s0"]) + "}"
    yield "}"


reached: Counter = Counter()


@given(data=st.data())
@settings(max_examples=300)
def unknown_attributes_are_named(tmp_path, data):
    system = data.draw(systems(max_states=4, labels=("a", "b")))
    places = 10 + 2 * system.state_count + 3 * system.transition_count
    word = data.draw(st.sampled_from([*ATTRIBUTES, *NO_MEANING]))
    text = "\n".join(
        dot_lines(system, (data.draw(st.integers(0, places)), f'{word}="may"'))
    ).encode()
    plain = "\n".join(dot_lines(system, (-1, ""))).encode()
    expected, said = parse(plain, tmp_path, "dot")
    assert not said
    if f'{word}="may"' not in text.decode():
        return
    try:
        found, said = parse(text, tmp_path, "dot")
    except LtsError as error:
        found, said = None, [str(error)]
    reached[word in NO_MEANING, found is None] += 1
    if word in NO_MEANING:
        assert not said
        assert (list(found), found.initial) == (list(expected), expected.initial)
    else:
        assert any(f"`{word}`" in text for text in said), said


def test_unknown_attributes_are_named(tmp_path):
    reached.clear()
    unknown_attributes_are_named(tmp_path)
    assert min(reached[True, False], reached[False, False]) >= 20


FSM = b"""b(2) Bool  "false" "true"
n(0) Nat
---
0 0
1 0
0 0
---
1 2 "up"
2 3 "down"
3 1 "up"
---
2
"""
TOKENS = st.sampled_from([b"x", b"0", b"1", b"2", b"7", b'"a"', b"[1 1/2]", b"---", b"-", b"b(2)"])


@given(data=st.data())
@settings(max_examples=300)
def inserted_tokens_are_refused(tmp_path, data):
    expected, _ = parse(FSM, tmp_path, "fsm")
    lines = FSM.splitlines()
    at = data.draw(st.integers(2, len(lines) - 1))
    token = data.draw(TOKENS)
    words = re.findall(rb'"[^"]*"|\S+', lines[at])
    # Labels have no escapes: `"a" "up"` is a label with quotes in it.
    assume(not (b'"' in token and b'"' in lines[at]))
    place = data.draw(st.integers(0, len(words)))
    lines[at] = b" ".join([*words[:place], token, *words[place:]])
    reached[at] += 1
    with pytest.raises(FormatError):
        pytest.fail(str(parse(b"\n".join(lines), tmp_path, "fsm")))
    assert list(expected) == [(0, "up", 1), (1, "down", 2), (2, "up", 0)]


def test_inserted_tokens_are_refused_in_every_section(tmp_path):
    reached.clear()
    inserted_tokens_are_refused(tmp_path)
    assert len(reached) == len(FSM.splitlines()) - 2


@pytest.mark.parametrize(
    ("states", "place", "message"),
    [
        (b"0 0\n1 0 0\n", "5:1", "expected 2 values, and found 3"),
        (b"0 0\n1\n", "5:1", "expected 2 values, and found 1"),
        (b"0 0\n2 0\n", "5:1", "expected a number below 2"),
    ],
)
def test_states_have_the_values_of_the_parameters(states, place, message, tmp_path):
    with pytest.raises(FormatError, match=f"{place}: {message}"):
        parse(b'b(2) Bool  "false" "true"\nn(0) Nat\n---\n' + states + b"---\n", tmp_path, "fsm")


def test_values_of_parameters_without_any_may_be_left_out(tmp_path):
    system, _ = parse(b'b(2) Bool "f" "t"\nn(0) Nat\n---\n0\n1\n---\n1 2 "a"\n', tmp_path, "fsm")
    assert system == LTS.from_transitions([(0, "a", 1)])
