"""Networks that are written are read as what they were."""

import pytest
from hypothesis import given

from composition_expressions import content, networks
from lts import LTS, LtsError, Unsupported
from lts.network import Network, compose, read, read_text, write
from naive.networks import written
from naive.systems import isomorphic


@given(networks(most=4))
def test_written_networks_read_back_equal(tmp_path_factory, network):
    expression, files = network
    made = read_text(written(expression), load=lambda path: files[path[2:].removesuffix(".aut")])
    path = tmp_path_factory.mktemp("written") / "net.exp"
    names = write(made, path)
    assert [*names] == [*sorted(str(file) for file in path.parent.glob("*.aut")), str(path)]
    again = read(path)
    assert isomorphic(compose(again), compose(made))
    if all({*system.internal} <= {"tau"} for system in made.components):
        assert set(again.vectors) == set(made.vectors)
        assert list(map(content, again.components)) == list(map(content, made.components))


def test_odd_labels(tmp_path):
    labels = ['PUT !"x y" !1', "a\\b", "naïve -- label", "(* no remark *)", "a*b, c", "i", "ends\\"]
    system = LTS.from_transitions([(n, label, n + 1) for n, label in enumerate(labels)])
    system = system.with_internal([])
    made = Network.of([system], [({0: label}, label) for label in labels])
    write(made, tmp_path / "odd.exp")
    assert content(compose(read(tmp_path / "odd.exp"))) == content(compose(made))


def test_inexpressible_networks_are_refused_without_a_file(tmp_path):
    system = LTS.from_transitions([(0, "a", 1)])
    file = tmp_path / "net.exp"
    with pytest.raises(Unsupported):
        write(Network.of([system], [({0: "a"}, "two\nlines")]), file)
    with pytest.raises(LtsError, match="without components"):
        write(Network.of([], []), file)
    with pytest.raises(LtsError, match=r"must end in `\.exp`"):
        write(Network.of([system], []), tmp_path / "net.aut")
    assert not [*tmp_path.iterdir()]
