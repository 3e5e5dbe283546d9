"""Trace files: round trips, and errors with their places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import FormatError
from lts.trace import TraceStep, format_trace, parse_seq, parse_trace, trace_along
from strategies import systems

LABELS = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=6).filter(
    lambda label: not label.endswith("\r")
)
STEPS = st.builds(TraceStep, LABELS, st.integers(1, 30))


@given(st.lists(STEPS, max_size=6))
def test_exact_traces_roundtrip(steps):
    assert parse_trace(format_trace(steps)) == tuple(steps)


@given(st.lists(LABELS.map(TraceStep), min_size=1, max_size=4))
def test_plain_traces_roundtrip_or_are_refused(steps):
    try:
        text = format_trace(steps)
    except FormatError:
        assert any(s.label != s.label.strip() or s.label[:1] in ("", "%") for s in steps)
    else:
        assert parse_trace(text) == tuple(steps)


def test_line_breaks_blank_lines_and_remarks():
    exact = (TraceStep("a", 1), TraceStep("", 2), TraceStep("b c", 1))
    assert parse_trace("%trace 1\r\n% found by somebody\r\n1 a\r\n2 \r\n\r\n1 b c\r\n") == exact
    assert parse_trace("\n a\r\n\nb") == (TraceStep("a"), TraceStep("b"))
    assert parse_trace("") == ()
    assert format_trace([]) == "%trace 1\n"


def test_undecodable_bytes_are_preserved():
    steps = (TraceStep(b"\xb5".decode("utf-8", "surrogateescape"), 1),)
    assert parse_trace(format_trace(steps)) == steps


@pytest.mark.parametrize(
    ("text", "place"),
    [("%trace 2\n", "t:1:1"), ("%trace 1\n1 a\nb\n", "t:3:1"), ("%trace 1\n0 a\n", "t:2:1")],
)
def test_wrong_lines_are_named(text, place):
    with pytest.raises(FormatError) as refused:
        parse_trace(text, file="t")
    assert str(refused.value).startswith(place)


@given(systems(), st.data())
def test_trace_along_transitions_reaches_their_target(system, data):
    rows = (
        data.draw(st.lists(st.integers(0, system.transition_count - 1), max_size=4))
        if (system.transition_count)
        else []
    )
    transitions = list(system.transitions())
    for row, step in zip(rows, trace_along(system, rows), strict=True):
        source, label, target = transitions[row]
        alike = [t for s, a, t in transitions if (s, a) == (source, label)]
        different = sorted(set(alike), key=alike.index)
        assert (step.label, different[step.choice - 1]) == (label, target)


def test_cadp_seq_files_are_read():
    steps = (TraceStep("PUT !1"), TraceStep("i"), TraceStep(""))
    text = '"PUT !1"\n\x01 found by\n somebody \x02\n\t"i" \r\n\n""\n'
    assert (
        parse_seq(text) == parse_seq(f"{text}<deadlock>\n") == parse_seq(f"[]\n{text}[]") == steps
    )
    assert parse_seq("") == parse_seq("<deadlock>\n") == ()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('"a"\n[]\n"b"', None, "the file contains 2 traces instead of one"),
        ('"a"\nb', 2, "expected a label in quotation marks"),
        ('"a"*', 1, "expected a label in quotation marks"),
        ('"a" | "b"', 1, "expected a label in quotation marks"),
        ("<any>", 1, "expected a label in quotation marks"),
        ('\x01\n\x02"a"\n<deadlock>\n"a"', 4, "no step can follow `<deadlock>`"),
    ],
)
def test_other_lines_in_seq_are_refused(text, line, message):
    with pytest.raises(FormatError, match=message) as caught:
        parse_seq(text, file="t.seq")
    assert (caught.value.file, caught.value.line) == ("t.seq", line)
