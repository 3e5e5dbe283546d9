"""Packed files: damaged ones, and such as would fill the memory."""

import contextlib
import gzip
import io
import tracemalloc

import pytest
import zstandard

from lts import FormatError, read
from lts.base.bounds import PACKED_LINE
from lts.formats import packed
from ltstool.main import main

TEXT = b'des (0,1,2)\n(0,"a",1)\n'
PACK = {"gzip": gzip.compress, "Zstandard": zstandard.compress}


@pytest.mark.parametrize("kind", PACK)
def test_every_truncation_of_a_packed_file_is_refused(kind, tmp_path):
    data = PACK[kind](TEXT)
    file = tmp_path / "x.aut"
    for end in range(4, len(data)):
        file.write_bytes(data[:end])
        with pytest.raises(FormatError, match=f"x.aut: the {kind} data are damaged"):
            read(file)


@pytest.mark.parametrize("kind", PACK)
def test_flipped_bits_are_detected_or_harmless(kind, tmp_path):
    options = {"cctx": zstandard.ZstdCompressor(write_checksum=True)}
    data = gzip.compress(TEXT) if kind == "gzip" else options["cctx"].compress(TEXT)
    file = tmp_path / "x.aut"
    for place in range(4, len(data)):
        file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with contextlib.suppress(FormatError):
            assert list(read(file)) == [(0, "a", 1)]


@pytest.mark.parametrize("kind", PACK)
def test_concatenated_members_are_one_text(kind, tmp_path):
    file = tmp_path / "x.aut"
    file.write_bytes(PACK[kind](TEXT[:14]) + PACK[kind](TEXT[14:]))
    assert list(read(file)) == [(0, "a", 1)]
    file.write_bytes(file.read_bytes() + b"what is this")
    with pytest.raises(FormatError, match="are damaged"):
        read(file)


def test_zero_padding_after_gzip_is_ignored(tmp_path):
    file = tmp_path / "x.aut"
    file.write_bytes(gzip.compress(TEXT) + b"\0" * 100)
    assert list(read(file)) == [(0, "a", 1)]


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("end", ["aut", "fsm", "dot"])
def test_overlong_lines_reach_a_limit(kind, end, tmp_path, lower):
    lower(PACKED_LINE, 1 << 20)
    file = tmp_path / f"x.{end}"
    data = PACK[kind](b"x" * 50_000_000)
    assert len(data) < 60_000
    file.write_bytes(data)
    tracemalloc.start()
    with pytest.raises(FormatError, match="longer than 1048576 bytes"):
        read(file)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 40_000_000


@pytest.mark.parametrize("kind", PACK)
def test_blocks_may_be_of_any_size(kind):
    text = b"".join(b'(%d,"a",1)\n' % number for number in range(5000))
    file = packed.unpacked(io.BytesIO(PACK[kind](text)), None)
    found = []
    while block := file.read(7):
        found.append(block)
    assert b"".join(found) == text


def test_binary_files_are_named(tmp_path):
    """What is no text of any format is recognised by its first bytes."""
    kinds = {
        b"\x00\x8b\xaf\x83\x08x": "a binary file of mCRL2",
        b"PAR1\x15": "a Parquet file",
        b"PK\x03\x04\x14": "a ZIP archive",
        b"BZh91AY": "a file compressed by bzip2",
        b"\xfd7zXZ\x00": "a file compressed by xz",
    }
    for data, what in kinds.items():
        for ending in ("aut", "fsm", "dot"):
            (tmp_path / f"x.{ending}").write_bytes(data)
            with pytest.raises(FormatError, match=f"x.{ending}: this is {what}.*and no text"):
                read(tmp_path / f"x.{ending}")


def test_foreign_files_are_identified_by_suffix(tmp_path):
    for ending, what in ((".trc", "a trace of mCRL2"), (".pbes", "a Boolean equation system")):
        (tmp_path / f"x{ending}").write_bytes(b"\x00\x8b\xaf\x83\x08")
        with pytest.raises(FormatError, match=f"is {what}"):
            read(tmp_path / f"x{ending}")


def test_commands_name_unsupported_files(tmp_path, capsys):
    equations = tmp_path / "x.PBES"
    equations.write_bytes(b"\x00\x8b\xaf\x83\x08")
    spec = str(tmp_path / "x.mcrl2")
    (tmp_path / "x.mcrl2").write_text("act a; init a;", encoding="utf-8")
    for words in (
        ["generate", str(equations)],
        ["linearise", str(equations)],
        ["simulate", str(equations)],
        ["info", str(equations)],
        ["check", str(equations), "deadlock-free"],
        ["check", spec, str(equations)],
        ["compare", spec, str(equations), "-e", "strong"],
    ):
        assert main(words) == 2
        found = capsys.readouterr().err
        assert "x.PBES` is a Boolean equation system of mCRL2" in found, words
        assert "`ltstool check SPEC FORMULA` checks the formula" in found, words
