"""Counts, times and sizes on the command line, compared with decimal arithmetic."""

import argparse
import json
import math
from decimal import Decimal, localcontext
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lts.base.bounds import OPTION_VALUE
from ltstool.main import main
from ltstool.shared.numbers import natural, positive, seconds, size
from ltstool.shared.shown import rounded

UNITS = {
    natural: {"": "1", "k": "1e3", "M": "1e6", "g": "1e9", "T": "1e12"},
    size: {"": "1", "K": "1e3", "MB": "1e6", "GiB": str(2**30), "ki": "1024", "b": "1"},
    seconds: {"": "1", "s": "1", "min": "60", "m": "60", "h": "3600", "d": "86400", "ms": "0.001"},
}
NUMBERS = st.builds(
    "{}{}{}".format,
    st.integers(0, 10**6) | st.integers(0, 10**40),
    st.just("") | st.builds(".{:03}".format, st.integers(0, 999)),
    st.just("") | st.builds("e{}".format, st.integers(-6, 25)),
)


@given(NUMBERS, st.sampled_from([(kind, unit) for kind in UNITS for unit in UNITS[kind]]))
@example("1", (size, "GiB"))
@example("000.5", (seconds, "h"))
def test_values(number, kind_and_unit):
    kind, unit = kind_and_unit
    with localcontext(prec=200):
        expected = Decimal(number) * Decimal(UNITS[kind][unit])
    if kind is natural:
        is_whole = expected == expected.to_integral_value()
        assert natural(number + unit) == (
            min(int(expected), OPTION_VALUE.default + 1) if is_whole else None
        )
    elif expected > OPTION_VALUE.default or expected <= 0 or (kind is size and expected < 1):
        with pytest.raises(argparse.ArgumentTypeError):
            kind(number + unit)
    else:
        assert kind(number + unit) == (int(expected) if kind is size else float(expected))


@pytest.mark.parametrize(
    "text", ["", "x", "1x", "1_000", "1,5", "1e", "0x10", "- 1", "\u0661", "."]
)
@pytest.mark.parametrize("kind", [positive, size, seconds])
def test_invalid_numbers_are_refused(kind, text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected a"):
        kind(text)


@pytest.mark.parametrize("text", ["9" * 100_000, "1e999999999", "0." + "0" * 17 + "1e60"])
def test_huge_numbers_are_refused_quickly(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is more than"):
        positive(text)


@given(st.integers(0, 10**200), st.sampled_from(["", "x", "1.", "_", "."]))
@example(10**60 - 1, "")
@example(10**60, "")
@example(9999 * 10**100 + 9 * 10**99, "")
def test_long_numbers_are_rounded_for_people(number, before):
    shown = rounded(f"of {before}{number} states")
    if before or len(str(number)) <= 60:
        assert shown == f"of {before}{number} states"
        return
    mantissa, exponent = shown.removeprefix("of ").removesuffix(" states").split("*10^")
    with localcontext(prec=300):
        value = Decimal(mantissa).scaleb(int(exponent))
        assert abs(value - number) <= Decimal(10) ** (int(exponent) - 3) / 2
    assert len(mantissa) == 5


def test_orders_are_rounded_but_not_in_json(tmp_path, monkeypatch, capsys):
    text = Path("cases/mutex.mcrl").resolve()
    monkeypatch.chdir(tmp_path)
    command = ["reduce", str(text), "--set", "N=60", "--symmetry", "Pid", "--count"]
    assert main(command) == 0
    assert f"of order {math.factorial(60):.3e}".replace("e+", "*10^") in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["order"] == math.factorial(60)
