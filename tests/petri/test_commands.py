"""Commands on nets: what they answer is what they answer on the LTS that `generate` writes."""

import gzip
import io
import json
from pathlib import Path

import pytest

import lts
from lts import petri
from lts.formats.names import kind_by_name
from lts.web import state_data
from ltstool.main import main

NETS = Path(__file__).parents[2] / "cases" / "nets"
DATABASE = str(NETS / "database.pnml")
PHILOSOPHERS = str(NETS / "philosophers.pnml")
TOKEN_RING = str(NETS / "token_ring.pnml")


@pytest.fixture
def written(tmp_path, capsys):
    file = tmp_path / "database.aut"
    assert main(["generate", DATABASE, "-o", str(file), "-q"]) == 0
    capsys.readouterr()
    return file


def answer(capsys, *words):
    code = main([*words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    "words",
    [
        ["info", "FILE", "--json"],
        ["info", "FILE", "--labels"],
        ["check", "FILE", "deadlock-free", "--json"],
        ["check", "FILE", "<begin(s1,f2)><acquire(s1,f2)>true"],
        ["check", "FILE", "A G (begin(s1,f1) => F release(s1,f1))", "--json"],
        ["minimise", "FILE", "-e", "branching", "--hide", "send,confirm"],
        ["compare", "FILE", "FILE", "-e", "weak", "--json"],
        ["draw", "FILE", "--to", "dot", "--hide", "send"],
    ],
)
def test_answers_are_those_of_the_lts(words, written, capsys):
    by = [[file if word == "FILE" else word for word in words] for file in (DATABASE, str(written))]
    of_net, of_lts = (answer(capsys, *one)[:2] for one in by)
    if words[0] == "check" and "--json" in words:
        # A net is checked on the fly, which has sizes of its own.
        of_net, of_lts = ((code, json.loads(out)) for code, out in (of_net, of_lts))
        assert of_net[1].keys() >= of_lts[1].keys()
        of_net = of_net[0], {key: of_net[1][key] for key in of_lts[1]}
    assert of_net == of_lts
    assert of_net[0] in (0, 1)


def given(monkeypatch, data, *, is_terminal=False):
    class Given(io.TextIOWrapper):
        def isatty(self):
            return is_terminal

    monkeypatch.setattr("sys.stdin", Given(io.BufferedReader(io.BytesIO(data))))


@pytest.mark.parametrize("words", [
    ["generate"], ["generate", "-"], ["info", "--json"], ["info", "--symmetry", "auto", "--json"],
    ["check", "-", "deadlock-free", "--json"], ["minimise", "-e", "strong"], ["find-symmetry"],
    ["compare", "-", DATABASE, "-e", "strong", "--json"], ["draw", "--to", "dot"],
    ["reduce", "--symmetry", "auto", "--count", "--json"],
])  # fmt: skip
def test_a_net_on_standard_input(words, monkeypatch, capsys):
    data = Path(DATABASE).read_bytes()
    named = [DATABASE if word == "-" else word for word in words]
    named += [DATABASE] if named == words else []
    of_file = answer(capsys, *named, "-q")[:2]
    for shown in (data, b"\xef\xbb\xbf" + data, gzip.compress(data)):
        given(monkeypatch, shown)
        assert answer(capsys, *words, "-q")[:2] == of_file


@pytest.mark.parametrize(("words", "data", "message"), [
    (["generate"], b"<graphml/>", "standard input:1: a PNML file begins with `pnml`"),
    (["generate"], b"<pnml>", "standard input:1:7: not XML"),
    (["generate", "--language", "mucrl"], b"<pnml/>", "expected a section"),
    (["info", "--from", "aut"], b"<pnml/>", "expected the header"),
    (["info", "--max-values", "3"], b"<pnml/>", "but the input is a net"),
    (["convert"], b"<pnml/>", "expected the header"),
])  # fmt: skip
def test_standard_input_that_is_no_net(words, data, message, monkeypatch, capsys):
    given(monkeypatch, data)
    code, _, messages = answer(capsys, *words)
    assert (code, message in messages) == (2, True), messages


def test_terminal_input_is_refused(monkeypatch, capsys):
    given(monkeypatch, b"<pnml/>", is_terminal=True)
    code, _, messages = answer(capsys, "info")
    assert (code, "standard input is a terminal" in messages) == (2, True), messages


def test_sizes_are_counted_by_orbits(tmp_path, capsys):
    code, out, _ = answer(capsys, "info", DATABASE, "--symmetry", "auto", "--json", "-q")
    found = json.loads(out)
    assert (code, found["states"], found["transitions"]) == (0, 153, 312)
    assert found["tokens"] == {"marking": 6, "place": 1}
    assert (found["by"], found["orbits"], found["order"]) == ("orbits", 43, 4)
    for more in ([], ["--partitions", "2"], ["--symmetry-proof", "tested"]):
        words = ["reduce", DATABASE, "--symmetry", "(f1 f2)", "--count", "--json", "-q", *more]
        assert json.loads(answer(capsys, *words)[1])["states"] == 153
    reduced = str(tmp_path / "r.aut")
    assert answer(capsys, "reduce", DATABASE, "--symmetry", "auto", "-o", reduced, "-q")[0] == 0
    words = ["compare", reduced, DATABASE, "-e", "strong", "-q"]
    assert answer(capsys, *words)[0] == 0


def test_symmetry_files_apply_to_the_lts(tmp_path, written, capsys):
    file = str(tmp_path / "d.sym")
    assert answer(capsys, "find-symmetry", DATABASE, "-o", file, "-q")[0] == 0
    for system in (DATABASE, str(written)):
        words = ["reduce", system, "--symmetry", file, "--count", "--json", "-q"]
        assert json.loads(answer(capsys, *words)[1])["orbits"] == 43


def test_philosophers_rotate_and_token_ring_is_asymmetric(capsys):
    found = json.loads(answer(capsys, "find-symmetry", PHILOSOPHERS, "--json")[1])
    assert found["order"] == 10
    assert answer(capsys, "find-symmetry", TOKEN_RING, "--json")[0] == 3
    code, out, err = answer(capsys, "info", TOKEN_RING, "--symmetry", "auto", "--json")
    assert (code, json.loads(out)["by"]) == (0, "states")
    assert "no symmetry of the net was found" in err


def test_partitions_write_the_same_system(tmp_path, written, capsys):
    parts = str(tmp_path / "d.parts")
    assert answer(capsys, "generate", DATABASE, "-o", parts, "--partitions", "2", "-q")[0] == 0
    assert answer(capsys, "compare", parts, str(written), "-e", "strong", "-q")[0] == 0


def test_limits_exit_3(capsys):
    code, _, err = answer(capsys, "generate", PHILOSOPHERS, "--max-states", "100")
    assert (code, "100" in err) == (3, True)
    for net in (PHILOSOPHERS, TOKEN_RING):
        code, _, err = answer(capsys, "info", net, "--symmetry", "auto", "--max-states", "100")
        assert (code, "more than 100" in err) == (3, True)


def test_an_unbounded_net_stops_at_a_limit(tmp_path, capsys):
    file = tmp_path / "source.pnml"
    file.write_text(
        '<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">'
        '<place id="p"/><transition id="t"/><arc id="a" source="t" target="p"/></page></net></pnml>'
    )
    for words in (
        ["info", str(file), "--symmetry", "auto"],
        ["check", str(file), "[true*]<t>true"],
    ):
        code, _, err = answer(capsys, *words, "--max-states", "100")
        assert (code, "more than 100 states" in err) == (3, True)


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["generate", DATABASE, "--set", "N=2"], "--set applies to a specification or a network"),
        (["generate", DATABASE, "--reduce", "strong"], "--reduce applies to a specification"),
        (["generate", DATABASE, "--check"], "--check applies to a specification"),
        (["linearise", DATABASE, "--strict"], "--strict applies to a specification"),
        (["compose", DATABASE], "is a net"),
        (["info", DATABASE, "--symmetry", "auto", "--labels"], "--labels has no effect here"),
        (["reduce", DATABASE, "--symmetry", "(s1 f1)", "--count"], "two classes"),
        (["reduce", DATABASE, "--symmetry", "(s1 s9)", "--count"], "no colour `s9`"),
        (["reduce", PHILOSOPHERS, "--symmetry", "(s1 s2)", "--count"], "moves other tokens"),
        (["reduce", DATABASE, "--symmetry", "auto", "--as-process"], "applies to a specification"),
        (["check", DATABASE, "PROPERTIES.xml"], "No such file"),
        (["check", DATABASE, "PROPERTIES.xml", "--evidence", "e.aut"], "does not apply"),
        (["check", DATABASE, "PROPERTIES.xml", "--verbose"], "does not apply"),
    ],
)
def test_inapplicable_options_are_refused(words, messages, capsys):
    code, out, err = answer(capsys, *words)
    assert code in (2, 3)
    assert messages in err
    assert not out


def test_a_compressed_net_is_read(tmp_path, capsys):
    packed = tmp_path / "d.pnml.gz"
    packed.write_bytes(gzip.compress(Path(DATABASE).read_bytes()))
    assert kind_by_name(str(packed)) == "a net"
    code, out, _ = answer(capsys, "info", str(packed), "--json")
    assert (code, json.loads(out)["states"]) == (0, 153)


def test_properties_are_answered_by_orbits_and_by_all_markings(tmp_path, capsys):
    file = tmp_path / "p.xml"
    text = """<property-set><property><id>net-CTL-2025-00</id><formula><all-paths><globally>
    <negation><deadlock/></negation></globally></all-paths></formula></property>
    <property><id>most</id><formula><place-bound><place>updating</place></place-bound></formula>
    </property></property-set>"""
    file.write_text(text)
    found = []
    for more in ([], ["--symmetry", "(f1 f2)"], ["--symmetry", "()"]):
        code, out, _ = answer(capsys, "check", DATABASE, str(file), "--json", "-q", *more)
        assert code == 0
        found.append(json.loads(out))
    assert found[0] == found[1] == found[2]
    first = {"id": "net-CTL-00", "property": "net-CTL-2025-00", "verdict": True}
    assert found[0] == [first, {"id": "most", "property": "most", "verdict": 2}]
    file.write_text(text.replace("<negation><deadlock/></negation>", "<deadlock/>"))
    assert answer(capsys, "check", DATABASE, str(file), "-q")[0] == 1


def test_simulate_shows_markings_by_place(monkeypatch, capsys):
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nshow\nquit\n"))
    code, out, _ = answer(capsys, "simulate", DATABASE, "-q")
    assert code == 0
    assert "wants      1 token\n             s1,f1=1" in out


def test_a_net_is_a_component_of_a_network(tmp_path, capsys):
    (tmp_path / "n.pnml").write_text(Path(DATABASE).read_text())
    (tmp_path / "n.exp").write_text('hide send, confirm in "n.pnml" end hide\n')
    code, out, err = answer(capsys, "info", str(tmp_path / "n.exp"), "--json")
    assert (code, json.loads(out or "{}").get("states")) == (0, 153), err


def test_a_page_shows_markings(tmp_path, capsys):
    page = tmp_path / "v.html"
    assert answer(capsys, "view", DATABASE, "-o", str(page), "-q")[0] == 0
    net = petri.ground(petri.read(DATABASE))
    system = petri.explore(net).lts
    tokens = {one.group: one.values for one in state_data(system, net) if one.name == "at"}
    assert set(tokens["updating"]) == {None, "0 tokens", "1 token", "2 tokens"}


def test_a_net_on_standard_input_is_not_read_as_a_text(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(DATABASE).read_bytes())))
    code, out, err = answer(capsys, "generate", "-")
    assert (code, out) == (2, "")
    assert "standard input is XML" in err


def test_nets_are_recognised_by_content(tmp_path, capsys):
    text = Path(TOKEN_RING).read_text(encoding="utf-8")
    head = f"<?xml version='1.0'?>\n<!-- {'x' * 5000} -->\n"
    for name, begin in (("net.xml", ""), ("net", "\ufeff"), ("my.net", head)):
        (tmp_path / name).write_text(begin + text, encoding="utf-8")
        words = ["info", str(tmp_path / name), "--symmetry", "auto", "--json", "-q"]
        code, out, _ = answer(capsys, *words)
        assert (code, json.loads(out)["states"]) == (0, 166)
        assert lts.generate(tmp_path / name).state_count == 166
    (tmp_path / "other.xml").write_text("<graph><pnmlish/></graph>")
    code, _, err = answer(capsys, "generate", str(tmp_path / "other.xml"), "-q")
    assert (code, "found `<`" in err) == (2, True)


UNBOUNDED = """<pnml><net id="n" type="ptnet"><page id="g"><place id="p"/><transition id="t"/>
<arc id="a" source="t" target="p"/></page></net></pnml>"""
REACHED = """<property-set xmlns="http://mcc.lip6.fr/">{}</property-set>"""
SEVERAL = """<property><id>{}</id><description>-</description><formula><exists-path><finally>
<integer-le><integer-constant>{}</integer-constant><tokens-count><place>p</place></tokens-count>
</integer-le></finally></exists-path></formula></property>"""


def test_limits_report_decided_properties(tmp_path, capsys):
    (tmp_path / "net.pnml").write_text(UNBOUNDED)
    few, many = SEVERAL.format("few", 3), SEVERAL.format("many", 10**6)
    (tmp_path / "both.xml").write_text(REACHED.format(many + few))
    (tmp_path / "one.xml").write_text(REACHED.format(few))
    net, limit = str(tmp_path / "net.pnml"), ["--max-states", "50"]
    code, out, err = answer(capsys, "check", net, str(tmp_path / "both.xml"), *limit)
    assert (code, out) == (3, "few  true\n")
    assert "more than 50 states" in err
    code, out, _ = answer(capsys, "check", net, str(tmp_path / "both.xml"), *limit, "--json")
    assert code == 3
    assert json.loads(out.splitlines()[0]) == [{"id": "few", "property": "few", "verdict": True}]
    for words in (limit, []):
        assert answer(capsys, "check", net, str(tmp_path / "one.xml"), *words)[:2] == (
            0,
            "few  true\n",
        )


def test_a_formula_is_decided_by_some_markings(tmp_path, capsys):
    (tmp_path / "net.pnml").write_text(UNBOUNDED)
    net = str(tmp_path / "net.pnml")
    assert answer(capsys, "check", net, "<t.t.t>true", "-q")[:2] == (0, "true\n")
    code, out, err = answer(capsys, "check", net, "[true*]<t>true", "--max-states", "50")
    assert (code, out) == (3, "")
    assert "more than 50 states; 50 states and 51 pairs were found" in err


@pytest.mark.parametrize(
    ("word", "name"),
    [("onesafe", "OneSafe"), ("Livenes", "Liveness"), ("finalmarking", "FinalMarking"),
     ("deadlock-fre", "deadlock-free")],
)  # fmt: skip
def test_a_property_that_is_almost_named_is_hinted_at(word, name, capsys):
    code, _, messages = answer(capsys, "check", DATABASE, word)
    assert (code, f"did you mean `{name}`?" in messages) == (2, True)


def test_net_option_selects_a_net(tmp_path, capsys):
    several = tmp_path / "several.pnml"
    head, tail = "<pnml>", "</pnml>"
    text = '<net id="{}" type="ptnet"><place id="p"/><transition id="{}"/></net>'
    several.write_text(head + text.format("one", "t") + text.format("two", "u") + tail)
    assert "`one`, `two`" in answer(capsys, "generate", str(several))[2]
    code, out, _ = answer(capsys, "generate", str(several), "--net", "two", "--labels", "id")
    assert (code, '"u"' in out) == (0, True)
    assert answer(capsys, "compose", "--net", "two", str(several))[0] == 2
