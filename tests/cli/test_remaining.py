"""What is shown of stages, and the time that the current one will still take."""

import pytest

from ltstool.shared.remaining import LEAST, Remaining, stage_texts


@pytest.mark.parametrize(
    ("text", "stages", "shown"),
    [
        ("minimising", [], ("minimising", [])),
        ("", [], ("", [])),
        (
            "composing",
            [
                (1, "component", "items", 3, 7),
                (2, "rounds", "found", 1, None),
                (3, "blocks", "found", 1234567, None),
            ],
            ("composing: component 3 of 7", ["1 round", "1,234,567 blocks"]),
        ),
        # Nothing is said of what has not begun.
        (
            "composing",
            [(1, "component", "items", 0, 7), (2, "rounds", "found", 0, None)],
            ("composing", []),
        ),
        ("", [(2, "states", "found", 2, None)], ("2 states", [])),
        # All is done only once the stage has ended; a stage without a total has no share.
        (
            "minimising",
            [(1, "hashing states", "share", 0, 0), (2, "verifying", "share", 1999, 2000)],
            ("minimising: hashing states", ["verifying", "99 %"]),
        ),
        # The name of the stage is left out if the description begins with it.
        ("reading a.aut", [(1, "reading", "share", 1, 3)], ("reading a.aut", ["33 %"])),
        ("readings", [(1, "reading", "share", 1, 3)], ("readings: reading", ["33 %"])),
    ],
)
def test_stages_are_shown_outermost_first(text, stages, shown):
    assert stage_texts(text, stages) == shown


def left(counts, total):
    """The times left that are shown if these counts of a stage are seen, one a second."""
    remaining = Remaining()
    return [
        remaining.of([(1, "verifying", "share", count, total)], 1.0 * second)
        for second, count in enumerate(counts)
    ]


def test_steady_progress_gives_exact_remaining_time():
    shown = left(range(0, 1001, 10), 1000)
    assert shown[:2] == [None, None]
    assert LEAST == 2
    assert shown[2:13] == ["2 min left"] * 9 + ["89 s left", "88 s left"]
    assert shown[12:100] == [f"{100 - second} s left" for second in range(12, 100)]


@pytest.mark.parametrize(
    ("total", "text"),
    [(3, "1 s left"), (63, "60 s left"), (3603, "60 min left"), (10_923, "3 h 2 min left")],
)
def test_remaining_time_is_rounded_by_magnitude(total, text):
    assert left(range(4), total)[-1] == text


def test_stalled_progress_has_no_remaining_time():
    assert left([5] * 20, 100) == [None] * 20
    assert left([0, 50, *[60] * 30], 100)[-1] is None


def test_steps_in_bursts_give_a_steady_time():
    # Every fifth second five hundred steps are counted: the truth is told up to such a burst.
    shown = left([second // 5 * 500 for second in range(401)], 40_000)
    for second in range(330, 390):
        seconds, unit, _ = shown[second].split()
        assert unit == "s"
        assert abs(int(seconds) - (400 - second)) <= 5 + (400 - second) / 8


def test_rate_is_that_of_recent_steps():
    # Ten times slower after 100 seconds.
    counts = [10 * second if second < 100 else 900 + second for second in range(300)]
    shown = left(counts, 1300)
    assert shown[99] == "31 s left"
    assert shown[140] == "4 min left"
    assert shown[250] == "2 min left"


def test_every_stage_has_its_own_time():
    remaining = Remaining()
    for second in range(10):
        remaining.of([(1, "verifying", "share", 100 * second, 10_000)], 1.0 * second)
    other = [(2, "verifying", "share", 0, 100)]
    assert remaining.of(other, 10.0) is None
    assert remaining.of([(2, "verifying", "share", 1, 100)], 11.0) is None
    assert remaining.of([(2, "verifying", "share", 2, 100)], 12.0) == "2 min left"
    # Inside others there is a stage that nobody knows the end of.
    inside = [(2, "verifying", "share", 3, 100), (3, "rounds", "found", 7, None)]
    assert remaining.of(inside, 13.0) is None
    assert remaining.of([], 14.0) is None
    assert remaining.of([(4, "component", "items", 3, 7)], 15.0) is None
