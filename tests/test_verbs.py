"""The verbs of the library take every kind of system; each kind has the same interface."""

from pathlib import Path

import pytest

import lts
from lts import LTS, LimitReached, LtsError, mcrl2, mucrl, network, petri
from lts.source import described, is_text, source_of
from lts.state_space import Limits, Settings
from lts.state_space.generation import NOTHING
from lts.state_space.settings import NO_GOALS

MUCRL = """sort Bool func T,F:->Bool sort D func d1,d2:->D act a,b:D c
proc P = sum(x:D,a(x).b(x)).P init P"""
MCRL2 = """sort D = struct d1 | d2; act a, b: D; c;
proc P = sum x: D. a(x) . b(x) . P; init P;"""
NET = """<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>2</text></initialMarking></place><place id="q"/>
<transition id="t"/><transition id="u"/>
<arc id="1" source="p" target="t"/><arc id="2" source="t" target="q"/>
<arc id="3" source="q" target="u"/><arc id="4" source="u" target="p"/></page></net></pnml>"""
NETWORK = 'par a in "one.aut" || "one.aut" end par'
ONE = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])

FORMULAS = ("[true*]<true>true", "<a>true", "<a(d1)>true", "<t>true", "A G F <true>true")


@pytest.fixture
def files(tmp_path):
    """Return a file of each kind."""
    (tmp_path / "x.mcrl").write_text(MUCRL)
    (tmp_path / "x.mcrl2").write_text(MCRL2)
    (tmp_path / "x.pnml").write_text(NET)
    (tmp_path / "x.exp").write_text(NETWORK)
    lts.write(ONE, tmp_path / "one.aut")
    return tmp_path


def forms(kind: str, folder: Path):
    """Return a system of a kind in all forms that a verb takes, without its LTS."""
    if kind == "lts":
        return [folder / "one.aut", str(folder / "one.aut"), ONE]
    path = folder / f"x.{kind}"
    found = described(path)
    if kind == "mcrl":
        return [path, str(path), MUCRL, mucrl.read(path), found]
    if kind == "mcrl2":
        return [path, str(path), MCRL2, mcrl2.read(path), found]
    if kind == "exp":
        return [path, str(path), network.read(path), found]
    return [path, str(path), petri.read(path), found]


KINDS = ("lts", "mcrl", "mcrl2", "exp", "pnml")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_system_gives_equal_results(kind, files):
    whole = ONE if kind == "lts" else lts.generate(files / f"x.{kind}")
    least = lts.equivalence.minimise(whole, "strong")
    truths = [lts.logic.check(whole, formula).holds for formula in FORMULAS]
    assert {True, False} <= set(truths)
    for form in forms(kind, files):
        if kind != "lts":
            assert lts.generate(form) == whole
        assert [lts.check(form, formula).holds for formula in FORMULAS] == truths
        assert (
            lts.check(form, "deterministic").holds == lts.logic.check(whole, "deterministic").holds
        )
        assert lts.minimise(form, "strong") == least
        assert lts.bisimilar(form, least)
        assert not lts.bisimilar("act z; init z . delta;", form)
        assert lts.determinise(form) == whole.determinise()
        assert lts.classes(form, "strong").tolist() == whole.classes("strong").tolist()
        assert lts.draw(form) == whole.draw()
        assert lts.compare(form, whole, "strong").holds
        assert lts.compare(whole, form, "isomorphism").holds
        assert not lts.compare(form, "act z; init z . delta;", "strong").holds
        assert b"</html>" in lts.view(form).html
        assert "not equivalent" in lts.view(form, "act z; init z . delta;", equivalence="weak")
        assert lts.find_symmetry(form).order == {"mcrl": 2, "mcrl2": 2}.get(kind, 1)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "lts"])
def test_every_kind_implements_the_source_interface(kind, files):
    path = files / f"x.{kind}"
    whole, source = lts.generate(path), source_of(described(path))
    settings = Settings()
    assert source.generate(settings) == whole
    assert source.explore(settings, NO_GOALS, NOTHING).statistics.states == whole.state_count
    assert {name.partition("(")[0] for name in whole.labels} <= set(source.actions)
    walk = source.simulate(100)
    first = {step.label for step in walk.steps}
    assert first == {label for label, _ in whole.successors(whole.initial)}
    assert source.fingerprint() == source_of(described(path)).fingerprint()
    others = [source_of(described(files / f"x.{other}")) for other in KINDS[1:] if other != kind]
    assert all(other.fingerprint() != source.fingerprint() for other in others)
    with source.errors(Limits()):
        assert source.in_partitions(check=False) is not None
    assert (source.process is not None) == source.has_values == (kind in ("mcrl", "mcrl2"))
    with pytest.raises(LimitReached):
        source.generate(Settings(limits=Limits(states=1)))


def test_arguments_without_effect_are_refused(files):
    for kind, options in {
        "mcrl": {"equivalence": "weak"},
        "exp": {"node_limit": 3},
        "pnml": {"any_labels": True},
        "mcrl2": {"any_labels": True},
    }.items():
        with pytest.raises(LtsError, match="appl"):
            lts.find_symmetry(files / f"x.{kind}", **options)
    with pytest.raises(LtsError, match="a network has no parameters, as N"):
        lts.generate(files / "x.exp", N=3)
    for system in (files / "x.pnml", files / "x.mcrl2", MCRL2):
        with pytest.raises(LtsError, match="include_path applies only to muCRL"):
            lts.generate(system, include_path=["."])
    Network = type("Network", (), {})  # of another library
    with pytest.raises(TypeError, match="not an object of Network"):
        lts.check(Network(), "true")
    with pytest.raises(LtsError, match="apply to a file"):
        lts.generate(mcrl2.read(files / "x.mcrl2"), N=3)
    with pytest.raises(TypeError, match="a state space already"):
        lts.generate(ONE)
    with pytest.raises(TypeError, match="not an object of int"):
        lts.check(3, "true")


def test_networks_are_composed_in_every_form(files, monkeypatch):
    monkeypatch.chdir(files)
    whole, least = lts.generate("x.exp"), network.reduce(network.read("x.exp"), "weak").lts
    assert least != whole
    for form in (*forms("exp", files), NETWORK):
        assert lts.compose(form) == whole
        assert lts.compose(form, reduce="weak") == least
        with pytest.raises(LimitReached):
            lts.compose(form, max_states=1)
    (files / "in").mkdir()
    (files / "in" / "part.exp").write_text('"../one.aut" ||| "../one.aut"')
    inside = {"include_path": ["in"]}
    assert lts.compose('"in/part.exp"', **inside).state_count == 4


def test_components_are_given_by_their_names(files):
    two = LTS.from_transitions([(0, "a", 1), (1, "tau", 2), (2, "b", 0)])
    lts.write(two, files / "two.aut")
    by_file = lts.compose(f'"{files}/one.aut" |[a]| "{files}/two.aut"')
    assert lts.compose("one |[a]| two", one=ONE, two=two) == by_file
    assert lts.compose("one |[a]| two", one=files / "one.aut", two=two) == by_file
    assert lts.compose('"one" |[a]| "two"', one="act a, b; proc P = a . b . P; init P;", two=two)
    assert lts.compose("one |[a]| one", one=ONE) == lts.compose("x |[a]| y", x=ONE, y=ONE)
    # Internal labels of a system are its own, unlike those of a file.
    hidden = ONE.with_internal(["a"])
    assert lts.compose("one", one=hidden).label_counts() == {"tau": 1, "b": 1}
    with pytest.raises(lts.Unsupported, match="`tau`, which is a visible label"):
        lts.compose("one", one=two.with_internal([]))
    for call, said in (
        (lambda: lts.compose("three", tree=ONE), "is named `tree`; did you mean `three`"),
        (lambda: lts.compose("one", other=ONE), r"named `other` \(known: `one`\)"),
        (
            lambda: lts.compose("one ||| zwei", one=ONE),
            "1:9: `zwei` is neither a file .* `one`",
        ),
        (lambda: lts.compose(network.read(files / "x.exp"), one=ONE), "that is read"),
        (lambda: lts.compose(files / "one.aut"), r"one.aut` is an LTS, not a network \(.exp\)"),
        (lambda: lts.compose(files / "x.mcrl"), "is a specification, not a network"),
        (lambda: lts.compose("one ||| two", one=ONE, two=ONE, reduce="trace"), "compose it first"),
    ):
        with pytest.raises(LtsError, match=said):
            call()


def test_text_of_one_line_may_end_like_a_file(files, monkeypatch):
    monkeypatch.chdir(files)
    assert lts.compose("hide a in x.exp") == lts.compose("hide a in\nx.exp")
    (files / "my x.exp").write_text((files / "x.exp").read_text())
    assert lts.compose("my x.exp") == lts.compose("x.exp")
    with pytest.raises(lts.ParseError, match=r"no file `my y\.exp`, so this was read as a text"):
        lts.compose("my y.exp")


def test_neither_a_file_nor_a_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for verb in (lts.view, lts.draw, lts.find_symmetry, lts.determinise):
        with pytest.raises(FileNotFoundError, match="nor the text of a specification, which has"):
            verb("act a;")
        with pytest.raises(FileNotFoundError, match="No such file or directory"):
            verb("absent.aut")
    with pytest.raises(LtsError, match="the text of a specification has an `init`"):
        lts.generate("act a;")


def test_limits_of_verbs(files):
    with pytest.raises(LimitReached):
        lts.generate(MCRL2, max_states=1)
    with pytest.raises(LimitReached):
        lts.view(files / "x.mcrl", max_states=1)
    for form in (files / "x.mcrl2", files / "x.exp", files / "x.pnml", files / "one.aut"):
        with pytest.raises(LimitReached):
            lts.check(form, "nu X. [true]X && mu Y. <true>Y || [a]false", max_positions=1)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (MUCRL, True),
        (MCRL2, True),
        ("act a; init a;", True),
        ("act a;init a;", True),
        ("act a init a", True),
        ("x.mcrl2", False),
        ("init.mcrl2", False),
        ("my init file.mcrl", False),
        ("folder/init", False),
        ("one.aut", False),
    ],
)
def test_texts_are_distinguished_from_file_names(given, expected):
    assert is_text(given) is expected
