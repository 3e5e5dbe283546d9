"""Nets without variables as PNML: what is read back has the same steps, in the same order."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts.petri import explore, ground, read_text, unfolded
from lts.petri.unfolding import labels_repeat
from lts.state_space import Limits, Settings
from ltstool.main import main
from naive import nets, plain_nets
from strategies import examples

LIMITED = Settings(limits=Limits(states=200))


def steps(net):
    """The steps that were found, by number, with labels without brackets."""
    found = explore(net, LIMITED)
    labels = [found.lts.labels[number] for number in found.lts.label]
    shown = [text.replace("(", ".").replace(",", ".").rstrip(")") for text in labels]
    return found.incomplete, [*zip(found.lts.source, shown, found.lts.target, strict=True)]


@pytest.mark.filterwarnings("ignore::lts.FormatWarning")
def test_all_kinds_of_arcs_and_labels_are_written():
    reached = Counter()

    @settings(max_examples=examples(4))
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        if random.random() < 0.5:
            text, labels = nets.written(nets.random_net(random)), "id"
        else:
            text, labels = plain_nets.written(plain_nets.random_net(random)), "name"
        net = ground(read_text(text, labels=labels))
        again = unfolded(net)
        how = "name" if labels_repeat(net) else None
        found = ground(read_text(again, labels=how))
        assert steps(found) == steps(net)
        assert found.initial == net.initial
        reached["repeated" if how else "different"] += 1
        reached["tau"] += any(label == "tau" for _, label, _ in steps(net)[1])
        for kind in ("inhibitor", "reset"):
            reached[kind] += f'type="{kind}"' in again

    check()
    for part in ("repeated", "different", "tau", "inhibitor", "reset"):
        assert reached[part], reached


FINAL = """<pnml><net id="n" type="symmetricnet"><declaration><structure><declarations>
<namedsort id="C"><cyclicenumeration><feconstant id="a"/><feconstant id="b"/></cyclicenumeration>
</namedsort><variabledecl id="x"><usersort declaration="C"/></variabledecl></declarations>
</structure></declaration><place id="p"><type><structure><usersort declaration="C"/></structure>
</type><hlinitialMarking><structure><all><usersort declaration="C"/></all></structure>
</hlinitialMarking></place><place id="q"/><place id="p.a"/><transition id="t &amp; u"/>
<arc id="1" source="p" target="t &amp; u"><hlinscription><structure><variable refvariable="x"/>
</structure></hlinscription></arc><arc id="2" source="t &amp; u" target="q"/>
<finalmarkings><marking><place idref="q"><text>2</text></place><place idref="p.a"><text>0</text>
</place></marking></finalmarkings></net></pnml>"""


def test_unfolding_has_fresh_names_and_final_markings(tmp_path, capsys):
    file, plain = tmp_path / "coloured.pnml", str(tmp_path / "plain.pnml")
    file.write_text(FINAL)
    assert main(["linearise", str(file), "-o", plain]) == 0
    found = read_text(unfolded(ground(read_text(FINAL))))
    assert [*found.places] == ["p.a", "p.b", "q", "p.a.2"]
    assert [transition.label for transition in found.transitions] == ["t & u.a", "t & u.b"]
    assert found.finals == ({"q": 2, "p.a.2": 0},)
    for name in (str(file), plain):
        assert main(["check", name, "FinalMarking"]) == 0
    assert main(["generate", plain, "-q"]) == 0
    assert "t & u.b" in capsys.readouterr().out
    assert main(["linearise", str(file), "--strict"]) == 2
    assert main(["linearise", str(file), "-o", str(file)]) == 2


def test_unfolding_without_marked_places_has_one_place():
    text = '<pnml><net id="n" type="ptnet"><place id="p"/><transition id="t"/>'
    text += '<arc id="a" source="p" target="t"/></net></pnml>'
    found = ground(read_text(unfolded(ground(read_text(text)))))
    assert (len(found.net.places), len(found.spots), len(found.firings)) == (1, 0, 0)
