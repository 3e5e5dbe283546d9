"""A few hundred changed texts for every reader; `make fuzz` has more."""

import pytest

from fuzz.feed import Texts, fuzz, is_accepted
from fuzz.readers import TARGETS
from lts import LtsError


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_changed_texts_are_read_or_refused(name):
    target = TARGETS[name]
    source = Texts(target, seed=1)
    assert len(source.seeds) > 1
    accepted = refused = 0
    while source.first or accepted + refused < 300:
        text = source.next()
        if is_accepted(target, text):
            accepted += 1
            source.accept(text)
        else:
            refused += 1
    assert accepted
    assert refused or name in ("label", "trace")


def test_failing_inputs_are_saved(tmp_path, monkeypatch, capsys):
    def odd(data):
        if b"c" in data:
            raise ValueError("c")
        raise LtsError("refused")

    monkeypatch.chdir(tmp_path)
    target = type(TARGETS["label"])(odd, lambda: [b"ab", b"d"], (b"c", b"x"))
    assert fuzz("odd", target, seed=3, count=2_000, seconds=None) > 0
    [file, *_] = sorted((tmp_path / "found").iterdir())
    assert b"c" in file.read_bytes()
    assert "ValueError: c" in capsys.readouterr().out
