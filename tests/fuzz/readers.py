"""What is fuzzed: every reader, and what must hold of whatever it accepts."""

from __future__ import annotations

import gzip
import io
import re
import shutil
import tempfile
import tomllib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import zstandard

import aut_format
from lts import LTS, LtsError
from lts import mcrl2 as lts_mcrl2
from lts.formats.files import read_from, write_to
from lts.formats.names import FORMATS, Named
from lts.formats.packed import unpacked
from lts.logic.text.formula import parse as parse_formula
from lts.mucrl import linearise, read_text
from lts.network import compose
from lts.network import read_text as read_network
from lts.petri import Net, ground
from lts.petri import read_text as read_net
from lts.petri.properties import read_properties_text
from lts.state_space.generation import generate
from lts.symmetry import parse_permutation, parse_symmetry_file
from lts.symmetry.labels.dialects import parse_label
from lts.symmetry.permutation.notation import parse_structure
from lts.trace import format_trace, parse_trace
from ltstool.cases import read_cases

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

Reader = Callable[[bytes], None]


@dataclass(frozen=True)
class Target:
    """A reader with the texts to start from, and words that mean something to it.

    `read` returns for a text that is accepted, and raises `LtsError` for another; whatever else it
    raises is a defect.
    """

    read: Reader
    seeds: Callable[[], list[bytes]]
    words: tuple[bytes, ...]


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def aut(data: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        system = aut_format.read(io.BytesIO(data))
    if max(system.state_count, system.transition_count) > 1_000:
        return
    written = io.BytesIO()
    aut_format.write(system, written)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = aut_format.read(io.BytesIO(written.getvalue()))
    # What is written reads back as what it was: labels byte for byte, and what is internal.
    assert list(again.transitions()) == list(system.transitions())
    assert (again.initial, again.state_count) == (system.initial, system.state_count)
    used = {label for _, label, _ in system.transitions()}
    assert {*again.internal} & used == {*system.internal} & used


def salvaged(data: bytes) -> None:
    if len(data) > 4_000:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        aut_format.read(io.BytesIO(data), salvage=True)


def other_format(name: str, *, is_set: bool = False) -> Reader:
    """A reader of another format; what it accepts can be written in it, and is the same again."""

    def read(data: bytes) -> None:
        found = Named(FORMATS[name])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            system = read_from(io.BytesIO(data), None, found)
            if max(system.state_count, system.transition_count) > 1_000:
                return
            written = io.BytesIO()
            write_to(system, written, found)
            again = read_from(io.BytesIO(written.getvalue()), None, found)
        kind: Callable[[LTS], object] = set if is_set else list
        assert kind(again) == kind(system)
        assert (again.initial, again.state_count) == (system.initial, system.state_count)

    return read


def packed(data: bytes) -> None:
    """The first byte says how much is read at once."""
    file = unpacked(io.BytesIO(data[1:]), None)
    size, left = 1 + 64 * (data[0] if data else 1), 50_000_000
    while left > 0 and (block := file.read(size)):
        left -= len(block)


def specification(data: bytes) -> None:
    # Loops of 100,000 rounds take as long as they say.
    found = read_text(text_of(re.sub(rb"[0-9]{5,}", lambda digits: digits[0][:4], data)))
    if len(data) < 3_000 and len(found.definitions) < 30:
        linearise(found)


def mcrl2(data: bytes) -> None:
    lts_mcrl2.read_text(text_of(data))


def linear_process(data: bytes) -> None:
    """A linear process of mCRL2, to the state space."""
    found = lts_mcrl2.read_text(text_of(data))
    generate(found, max_states=50)


def net(data: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = read_net(data)
    # Large classes of colours take as long as they do.
    if sum(map(len, found.classes)) < 50:
        ground(found)


@cache
def small_net() -> Net:
    return read_net(SMALL_NET)


def properties(data: bytes) -> None:
    read_properties_text(data, small_net())


def permutation(data: bytes) -> None:
    found = parse_permutation(text_of(data))
    again = parse_permutation(str(found))
    assert str(again) == str(found)
    assert again.images == found.images


def symmetry(data: bytes) -> None:
    found = parse_symmetry_file(text_of(data), parameters={"N": 3})
    again = parse_symmetry_file(str(found))
    assert str(again) == str(found)


def formula(data: bytes) -> None:
    parse_formula(text_of(data))


SMALL = LTS.from_transitions([(0, "a", 1), (1, "ab !1", 2), (2, "c(d)", 0), (0, "tau", 2)])


def network(data: bytes) -> None:
    # Networks of many vectors take as long as they do.
    if data.count(b"#") < 3 and len(data) < 1_000:
        found = read_network(text_of(data), load=lambda path: SMALL)
        if len(found.vectors) < 200:
            compose(found, max_states=81)


def trace(data: bytes) -> None:
    steps = parse_trace(text_of(data))
    if all(step.choice is not None for step in steps):
        assert parse_trace(format_trace(steps)) == steps


def label(data: bytes) -> None:
    """Labels may be anything, and taking them apart loses nothing."""
    text = text_of(data)
    parse_label(text)
    structure = parse_structure(text)
    if structure is not None:
        again = parse_structure(str(structure))
        assert str(again) == str(structure)


@cache
def cases() -> tempfile.TemporaryDirectory[str]:
    """A folder with what the cases refer to."""
    folder = tempfile.TemporaryDirectory()
    for file in [*ROOT.glob("cases/*.mcrl"), *ROOT.glob("cases/*.sym")]:
        shutil.copy(file, folder.name)  # a link would lead out of the folder
    return folder


def case(data: bytes) -> None:
    folder = cases().name
    (Path(folder) / "case.toml").write_bytes(data)
    read_cases(folder)


def stored(name: str) -> list[bytes]:
    """The stored corpus of a reader: what went wrong once, and what is odd in some way."""
    return [file.read_bytes() for file in sorted((HERE / "corpus" / name).glob("*"))]


def files(pattern: str) -> list[bytes]:
    return [file.read_bytes() for file in sorted(ROOT.glob(pattern))]


def lines(name: str) -> Callable[[], list[bytes]]:
    return lambda: [line for text in stored(name) for line in text.split(b"\n") if line]


def permutations_of_cases() -> list[bytes]:
    found = []
    for text in files("cases/*.sym"):
        generators = tomllib.loads(text.decode()).get("generators", [])
        found += [generator.replace("@{N}", "3").encode() for generator in generators]
    return found + lines("permutation")()


WORDS_OF_AUT = (
    *(b"des", b"(", b")", b",", b'"', b"\n", b"\r\n", b" ", b"\t", b"0", b"1", b"4294967295"),
    *(b"4294967296", b"18446744073709551616", b"-1", b"?", b"tau", b"i", b"\xff", b"\xef\xbb\xbf"),
    *(b'(0,"a",1)\n', b"(0,i,0)\n", b"rho(1)", b"rho-encoding(sha256:", b"\x00", b'""', b"%"),
)
WORDS_OF_SPECIFICATIONS = (
    *(b"sort ", b"func ", b"map ", b"var ", b"rew ", b"act ", b"comm ", b"proc ", b"init ", b"->"),
    *(b"sum(", b"delta", b"tau", b"encap({", b"hide({", b"rename({", b"||", b"|", b"||_", b"<|"),
    *(b"|>", b".", b"+", b"@", b"<<", b"%@ include Nat\n", b"%@ include Enum of d1..d3 as D\n"),
    *(b"%@ parameter N = 3\n", b"%@ for i in 1..3\n", b"%@ end\n", b"@{", b"}", b"#", b"=", b","),
    *(b"(", b")", b"T", b"F", b"Bool", b"next", b"S(", b"0", b"%@ include Set of D as X\n"),
)
WORDS_OF_MCRL2 = (
    *(b"sort ", b"cons ", b"map ", b"var ", b"eqn ", b"act ", b"proc ", b"init ", b"glob ", b";"),
    *(b"->", b"<>", b"sum x: Nat.", b"delta", b"tau", b"allow({", b"comm({", b"hide({", b"}"),
    *(b"||", b"|", b"||_", b"<|", b"|>", b"++", b".", b"+", b"-", b"@", b"<<", b"#", b"=", b"=="),
    *(b"(", b")", b"[", b"]", b"{", b",", b":", b"?", b"!", b"&&", b"=>", b"Nat", b"List(", b"Pos"),
    *(b"struct ", b"0", b"1", b"true", b"if(", b" whr ", b" end ", b" in ", b" mod ", b"forall x:"),
)
WORDS = (
    *(b"(", b")", b",", b" ", b'"', b"'", b"..", b"in ", b"with ", b"*", b"_", b"!", b"|", b"["),
    *(
        b"]",
        b"{",
        b"}",
        b"1",
        b"p1",
        b"a(1)",
        b"\xff",
        b"\x00",
        b"\n",
        b"=",
        b"@{N}",
        b"%trace 1\n",
    ),
)
WORDS_OF_FORMULAS = (
    *(b"<", b">", b"[", b"]", b"(", b")", b"mu X.", b"nu X.", b"X", b"true", b"false", b"&&"),
    *(b"||", b"not ", b"!", b"=>", b".", b"*", b"+", b"tau", b'"a(1)"', b"a", b"deadlock", b" "),
)

WORDS_OF_NETWORKS = (
    *(b"hide ", b"all but ", b"cut ", b"rename ", b"total ", b"gate ", b"partial ", b"single "),
    *(b"par ", b"using ", b" in ", b"end ", b"||", b"|||", b"|[", b"]|", b"->", b"*", b"_", b"#2"),
    *(b"(", b")", b",", b'"', b"\\", b"\\(", b"\\)", b"[", b"]", b"x", b"a", b"--", b"(*", b"*)"),
    *(
        b"i",
        b"tau",
        b"\\1",
        b"\\{2\\}",
        b".",
        b"^",
        b"$",
        b"\xff",
        b"\n",
        b"prio ",
        b"x.bcg",
        b"\x00",
    ),
)

WORDS_OF_FSM = (
    *(b"---\n", b"\n", b" ", b'"', b'1 2 "a"\n', b"b(2) Bool", b'"F" "T"', b"0 1\n", b"0", b"1"),
    *(b"4294967295", b"18446744073709551616", b"[1 1/2 2 1/2]", b"\r", b"\t", b"\xff", b"tau"),
)
WORDS_OF_DOT = (
    *(b"digraph ", b"graph ", b"subgraph ", b"node ", b"edge ", b"strict ", b"{", b"}", b"[", b"]"),
    *(b"->", b"--", b'"', b"\\", b'\\"', b"\\n", b"=", b";", b",", b":", b"+", b"<", b">", b"<b>"),
    *(b"label", b"shape=point", b"style=filled", b"peripheries=2", b"__start0", b"/*", b"*/"),
    *(b"//", b"\n#", b"\n", b"-1", b".5", b"s0", b"DiskGraph", b"cluster_legend", b"\xff"),
)
WORDS_OF_PACKED = (b"\x1f\x8b\x08", b"(\xb5/\xfd", b"\0" * 8, b"\xff\xff", b"P*M\x18", b"\x50")


def packed_texts() -> list[bytes]:
    text = b'des (0,1,2)\n(0,"a",1)\n' * 20
    return [b"\x01" + pack(text) for pack in (gzip.compress, zstandard.compress)]


def binary_files(name: str) -> list[bytes]:
    found = []
    for system in (SMALL, LTS.from_transitions([(0, "\udcff", 1), (0, "\udcff", 1)])):
        written = io.BytesIO()
        write_to(system, written, Named(FORMATS[name]))
        found.append(written.getvalue())
    return found


SMALL_NET = b"""<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>2</text></initialMarking></place>
<transition id="t"/><arc id="a" source="p" target="t"><inscription><text>1</text></inscription>
</arc></page></net></pnml>"""
SMALL_PROPERTIES = (
    b"<property-set><property><id>x-1</id><description>any</description><formula><all-paths>"
    b"<globally><integer-le><tokens-count><place>p</place></tokens-count><integer-constant>3"
    b"</integer-constant></integer-le></globally></all-paths></formula></property></property-set>",
    b"<property-set><property><id>x-2</id><formula><place-bound><place>p</place></place-bound>"
    b"</formula></property><property><id>x-3</id><formula><exists-path><until><before><true/>"
    b"</before><reach><deadlock/></reach></until></exists-path></formula></property></property-set>",
    b"<property-set><property><id>x-4</id><formula><negation><exists-path><finally><conjunction>"
    b"<is-fireable><transition>t</transition></is-fireable><integer-le><integer-sum><integer-constant>"
    b"1</integer-constant></integer-sum><integer-constant>2</integer-constant></integer-le>"
    b"</conjunction></finally></exists-path></negation></formula></property></property-set>",
)
WORDS_OF_XML = (
    *(b"<", b">", b"/>", b"</", b'"', b"=", b" ", b"\n", b"&amp;", b"<!-- -->", b"<![CDATA[1]]>"),
    *(b"<!DOCTYPE x>", b"<?x?>", b"&x;", b"\xff", b' xmlns="x"', b' xmlns:y="z" y:id="1"', b"0"),
    *(b"4294967296", b"99999999999999999999", b"-1"),
)
WORDS_OF_NETS = (
    *WORDS_OF_XML,
    *(b"<place id='u'/>", b"<transition id='u'/>", b"<page id='u'>", b"</page>", b"<text>2</text>"),
    *(b"<arc id='u' source='p' target='t'/>", b"<dot/>", b"<dotconstant/>", b"<structure>"),
    *(b"<all>", b"</all>", b"<subterm>", b"</subterm>", b"<type value='inhibitor'/>", b"<value>1"),
    *(b"<toolspecific tool='x'/>", b"<finiteintrange start='1' end='3'/>", b"<productsort/>"),
)
WORDS_OF_PROPERTIES = (
    *WORDS_OF_XML,
    *(
        b"<true/>",
        b"<false/>",
        b"<deadlock/>",
        b"<negation>",
        b"</negation>",
        b"<next>",
        b"</next>",
    ),
    *(b"<all-paths>", b"</all-paths>", b"<place>p</place>", b"<until>", b"<before>", b"<reach>"),
)


WORDS_OF_TERMS = (b"\0\x8b\xaf\x83\x08", b"\0" * 8, b"\xff" * 9, b"\x7f", b"SortId", b"@word")


def written_as(name: str) -> list[bytes]:
    """Small systems, written in a format."""
    rows = [(0, "a", 1), (1, "b(0)", 0), (1, "tau", 1)]
    texts = []
    for count in range(len(rows) + 1):
        out = io.BytesIO()
        write_to(LTS.from_transitions(rows[:count]), out, Named(FORMATS[name]))
        texts.append(out.getvalue())
    return texts


def of_format(name: str) -> Target:
    """The target of a format that has no other below."""
    return Target(other_format(name), lambda: written_as(name), WORDS)


TARGETS: dict[str, Target] = {
    **{
        each.name: of_format(each.name) for each in FORMATS.values() if each.is_read and each.module
    },
    "aut": Target(aut, lambda: stored("aut"), WORDS_OF_AUT),
    "salvage": Target(salvaged, lambda: stored("aut"), WORDS_OF_AUT),
    "fsm": Target(other_format("fsm"), lambda: stored("fsm"), WORDS_OF_FSM),
    "dot": Target(other_format("dot", is_set=True), lambda: stored("dot"), WORDS_OF_DOT),
    "lts": Target(
        other_format("lts"), lambda: [*binary_files("lts"), *stored("lts")], WORDS_OF_TERMS
    ),
    "lps": Target(mcrl2, lambda: stored("lps"), WORDS_OF_TERMS),
    "linear process": Target(linear_process, lambda: stored("lps"), WORDS_OF_TERMS),
    "net": Target(net, lambda: [SMALL_NET, *files("cases/nets/*.pnml")], WORDS_OF_NETS),
    "properties": Target(properties, lambda: [*SMALL_PROPERTIES], WORDS_OF_PROPERTIES),
    "parquet": Target(
        other_format("parquet"), lambda: binary_files("parquet"), (b"PAR1", b"\0\0\0", b"lts")
    ),
    "packed": Target(packed, packed_texts, WORDS_OF_PACKED),
    "specification": Target(
        specification,
        # Small ones, as each is read anew.
        lambda: [
            text
            for text in (
                *stored("specification"),
                *files("cases/*.mcrl"),
                *files("tests/mucrl/wrong/*.mcrl"),
                *files("benchmarks/specs/*.mcrl"),
            )
            if len(text) < 1_200
        ],
        WORDS_OF_SPECIFICATIONS,
    ),
    "mcrl2": Target(
        mcrl2,
        lambda: [*files("tests/mcrl2/samples/*.mcrl2"), *files("tests/mcrl2/wrong.txt")],
        WORDS_OF_MCRL2,
    ),
    "permutation": Target(permutation, permutations_of_cases, WORDS),
    "symmetry": Target(symmetry, lambda: files("cases/*.sym") + stored("symmetry"), WORDS),
    "formula": Target(formula, lines("formula"), WORDS_OF_FORMULAS),
    "network": Target(network, lambda: stored("network"), WORDS_OF_NETWORKS),
    "trace": Target(trace, lambda: stored("trace"), WORDS),
    "label": Target(label, lines("label"), WORDS),
    "case": Target(case, lambda: files("cases/*.toml"), WORDS),
}

__all__ = ["TARGETS", "LtsError", "Target"]
