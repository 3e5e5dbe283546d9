"""The language server as an editor uses it: a process, over its standard streams."""

import os
import signal
import subprocess
import sys

import pytest

from language_client import Client, Refused
from lts import LtsError, mucrl
from programs import outcome

MUCRL = """sort Bool D
func T,F: -> Bool
     d1,d2: -> D
map  other: D -> D
var  x: D
rew  other(d1) = d2
     other(d2) = d1
act  a: D
proc P(x: D) = a(x).P(other(x))
init P(d1)
"""
MCRL2 = """sort D = struct d1 | d2;
act a: D;
%  𝄞 beyond 16 bits
proc P(x: D) = a( x ).P();
init P(d1);
"""
FORMULA = "nu X. [true]X&&(mu Y. <a(d1)>true || <true>Y)\n"
NETWORK = "hide a in one.aut|||two.mcrl2\n"


def write_components(folder):
    """Write the components of the network."""
    (folder / "one.aut").write_text('des (0,1,1)\n(0,"a",0)\n')
    (folder / "two.mcrl2").write_text(MCRL2)


@pytest.fixture(scope="module")
def editor(tmp_path_factory):
    client = Client(tmp_path_factory.mktemp("texts"))
    yield client
    assert client.end() == 0


def range_of(line, begin, end):
    return {
        "start": {"line": line, "character": begin},
        "end": {"line": line, "character": end},
    }


def applied(text, edits):
    """Return a text, whose characters are one unit each, with edits."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def index(position):
        if position["line"] >= len(lines):
            return len(text)
        return starts[position["line"]] + position["character"]

    for edit in sorted(edits, key=lambda edit: index(edit["range"]["start"]), reverse=True):
        begin, end = (index(edit["range"][which]) for which in ("start", "end"))
        text = text[:begin] + edit["newText"] + text[end:]
    return text


def test_errors_follow_edits(editor):
    assert editor.open("a.mcrl", MUCRL) == []
    change = [{"range": range_of(8, 22, 27), "text": "othr"}]
    [error] = editor.change("a.mcrl", change, 2)
    assert error["range"] == range_of(8, 22, 26)
    assert error["message"] == "function `othr` is not declared; did you mean `other`?"
    change = [{"range": range_of(8, 22, 26), "text": "other"}]
    assert editor.change("a.mcrl", change, 3) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("wrong.mcrl", MUCRL.replace("a(x).", "b(x).") + "init init\n"),
        ("wrong.mcrl", MUCRL.replace("a(x).", "b(x).")),
        ("wrong.mcrl2", MCRL2.replace("P()", "Q(").replace("act", "map")),
        ("wrong.mcrl2", MCRL2.replace("P()", "Q()").replace("d1)", "d3)")),
        ("formula.mcf", "nu X. [true]Y"),
        ("formula.mcf", "nu X. [true"),
        ("wrong.exp", "missing.aut ||| other"),
        ("wrong.exp", "missing.aut ||||"),
    ],
)
def test_errors_equal_those_of_the_command(editor, name, text, tmp_path):
    """The same messages at the same lines and columns, in the same order."""
    found = editor.open(name, text)
    file = tmp_path / name
    file.write_text(text)
    (tmp_path / "one.aut").write_text('des (0,1,1)\n(0,"a",0)\n')
    command = {
        "mcf": ("check", tmp_path / "one.aut", file),
        "exp": ("compose", file),
    }.get(name.rpartition(".")[2], ("generate", file))
    code, _, printed = outcome(*command)
    assert code == 2
    for error in found:
        line, column = (error["range"]["start"][key] + 1 for key in ("line", "character"))
        place = f"{file}:{line}:{column}: {error['message']}"
        assert place in printed
    assert printed.count(f"{file}:") == len(found) > 0


def test_errors_of_included_texts_are_at_the_beginning(editor):
    (editor.folder / "broken.mcrl").write_text("sort D\nfunc d = D\n")
    [error] = editor.open("includes.mcrl", '%@ include "broken.mcrl"\n' + MUCRL)
    assert error["range"] == range_of(0, 0, 0)
    assert error["message"].startswith(f"{editor.folder}/broken.mcrl:2:8: expected")


def test_errors_in_expanded_lines_mark_the_line(editor):
    line = "     R@{i} = a(x).R@{i}"
    text = MUCRL.replace("init", f"%@ for i in 1..2\n{line}\n%@ end\ninit")
    errors = editor.open("loop.mcrl", text)
    assert {tuple(error["range"]["end"].values()) for error in errors} == {(10, len(line))}
    assert "`x` is not a variable" in errors[0]["message"]


def test_errors_of_closed_texts_are_cleared(editor):
    assert editor.open("closed.mcrl2", "init X;\n")
    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri("closed.mcrl2")})
    assert editor.errors("closed.mcrl2", None) == []


def test_specification_changes_update_formula_errors(editor):
    (editor.folder / "s.mcrl2").write_text(MCRL2)
    formula = "%! specification s.mcrl2\n[a(d3)]false\n"
    [error] = editor.open("s_.mcf", formula)
    assert error["range"]["start"] == {"line": 1, "character": 3}
    (editor.folder / "s.mcrl2").write_text(MCRL2.replace("| d2", "| d2 | d3"))
    editor.diagnostics.clear()
    editor.tell("textDocument/didSave", textDocument={"uri": editor.uri("s_.mcf")})
    assert editor.errors("s_.mcf", 1) == []


@pytest.mark.parametrize(
    ("name", "text", "line", "column", "shown", "declared"),
    [
        ("b.mcrl", MUCRL, 8, 22, "map other:D -> D\nother(d1) = d2\nother(d2) = d1", (3, 5, 10)),
        ("b.mcrl", MUCRL, 8, 17, "variable x: D", (8, 7, 8)),
        ("b.mcrl", MUCRL, 9, 5, "process P(x: D)", (8, 5, 6)),
        ("b.mcrl", MUCRL, 7, 8, "sort D", (0, 10, 11)),
        ("b.mcrl2", MCRL2, 4, 7, "constructor d1:D", (0, 16, 18)),
        ("b.mcrl2", MCRL2, 3, 18, "variable x: D", (3, 7, 8)),
        ("b.mcf", FORMULA, 0, 12, "nu X", (0, 3, 4)),
        ("b.mcf", FORMULA, 0, 43, "mu Y", (0, 19, 20)),
    ],
)
def test_hover_and_definition(editor, name, text, line, column, shown, declared):
    editor.open(name, text)
    hover = editor.at("hover", name, line, column)
    assert shown in hover["contents"]["value"]
    assert f"line {declared[0] + 1}" in hover["contents"]["value"]
    [found] = editor.at("definition", name, line, column)
    assert found == {"uri": editor.uri(name), "range": range_of(*declared)}


def test_hover_on_predefined_names_and_keywords(editor):
    text = MCRL2.replace("struct d1 | d2", "Nat").replace("P(d1)", "P(max(1, 2))")
    assert editor.open("max.mcrl2", text) == []
    hover = editor.at("hover", "max.mcrl2", 4, 8)
    assert "max:" in hover["contents"]["value"]
    assert editor.at("definition", "max.mcrl2", 4, 8) == []
    assert editor.at("hover", "max.mcrl2", 3, 14) is None


def test_the_definition_of_a_component_is_its_file(editor):
    write_components(editor.folder)
    assert editor.open("net.exp", NETWORK) == []
    [found] = editor.at("definition", "net.exp", 0, 20)
    assert found["uri"] == editor.uri("two.mcrl2")
    with pytest.raises(Refused, match="is not declared in this text"):
        editor.at("rename", "net.exp", 0, 20, newName="three")


def test_the_definition_of_an_included_name_is_in_its_file(editor):
    (editor.folder / "part.mcrl").write_text("\n".join(MUCRL.split("\n")[:7]) + "\n")
    text = '%@ include "part.mcrl"\n' + "\n".join(MUCRL.split("\n")[7:])
    assert editor.open("whole.mcrl", text) == []
    [found] = editor.at("definition", "whole.mcrl", 2, 22)
    assert (found["uri"], found["range"]["start"]["line"]) == (editor.uri("part.mcrl"), 3)
    with pytest.raises(Refused, match="included or made by parameters"):
        editor.at("rename", "whole.mcrl", 2, 22, newName="another")


@pytest.mark.parametrize(
    ("specification", "text", "column", "shown", "declared"),
    [
        ("t.mcrl2", "[true*.a(d1)]<true>true", 7, "action a:D", (1, 4)),
        ("t.mcrl2", "[true*.a(d1)]<true>true", 9, "constructor d1:D", (0, 16)),
        ("t.mcrl2", "forall y: D. [a(y)]true", 14, "action a:D", (1, 4)),
        ("t.mcrl", "[true*.a(...)]<true>true", 7, "action a:D", (7, 5)),
        ("t.mcrl", "val(other(d1) == d2)", 4, "map other:D -> D", (3, 5)),
    ],
)
def test_names_of_the_specification_in_a_formula(
    editor, specification, text, column, shown, declared
):
    content = {"t.mcrl2": MCRL2, "t.mcrl": MUCRL}[specification]
    (editor.folder / specification).write_text(content)
    text = f"%! specification {specification}\n{text}\n"
    assert editor.open("t_.mcf", text) == []
    hover = editor.at("hover", "t_.mcf", 1, column)["contents"]["value"]
    assert shown in hover
    assert f"line {declared[0] + 1} of" in hover
    [found] = editor.at("definition", "t_.mcf", 1, column)
    assert found["uri"] == editor.uri(specification)
    assert tuple(found["range"]["start"].values()) == declared
    assert editor.at("prepareRename", "t_.mcf", 1, column) is None
    with pytest.raises(Refused, match="is not declared in this text"):
        editor.at("rename", "t_.mcf", 1, column, newName="new")
    names = [one["name"] for one in editor.about("documentSymbol", "t_.mcf")]
    assert names == []


def test_references(editor):
    editor.open("r.mcrl", MUCRL)
    found = editor.at("references", "r.mcrl", 8, 22, context={"includeDeclaration": False})
    assert [one["range"] for one in found] == [
        range_of(5, 5, 10), range_of(6, 5, 10), range_of(8, 22, 27)
    ]  # fmt: skip
    found = editor.at("references", "r.mcrl", 8, 22, context={"includeDeclaration": True})
    assert len(found) == 4


def test_renaming(editor):
    assert editor.open("n.mcrl", MUCRL) == []
    assert editor.at("prepareRename", "n.mcrl", 8, 17) == range_of(8, 17, 18)
    edits = editor.at("rename", "n.mcrl", 8, 17, newName="data")["changes"][editor.uri("n.mcrl")]
    found = applied(MUCRL, edits)
    assert found == MUCRL.replace(
        "P(x: D) = a(x).P(other(x))", "P(data: D) = a(data).P(other(data))"
    )
    assert editor.open("m.mcrl", found) == []
    for name, reason in (("d1", "constant"), ("a b", "is not a name")):
        with pytest.raises(Refused, match=reason):
            editor.at("rename", "n.mcrl", 8, 17, newName=name)
    assert editor.at("prepareRename", "n.mcrl", 8, 14) is None


def test_positions_count_16_bit_units(editor):
    [error] = editor.open("v.mcf", '<"𝄞𝄞">Y')
    assert error["range"] == range_of(0, 8, 9)


def test_symbols(editor):
    editor.open("o.mcrl2", MCRL2)
    found = editor.about("documentSymbol", "o.mcrl2")
    assert [one["name"] for one in found] == ["D", "d1", "d2", "a", "P"]
    assert found[-1]["detail"] == "P(x: D)"
    write_components(editor.folder)
    editor.open("o.exp", NETWORK)
    assert [one["name"] for one in editor.about("documentSymbol", "o.exp")] == [
        "one.aut",
        "two.mcrl2",
    ]
    editor.open("o.mcf", FORMULA)
    assert [one["name"] for one in editor.about("documentSymbol", "o.mcf")] == ["X", "Y"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("f.mcrl2", MCRL2, MCRL2.replace("( x )", "(x)")),
        ("f.mcrl", MUCRL, MUCRL),
        ("f.mcf", FORMULA, FORMULA.replace("&&", " && ")),
        ("f.exp", NETWORK, NETWORK.replace("|||", " ||| ")),
        ("g.exp", '"', '"'),
    ],
)
def test_formatting(editor, name, text, expected):
    editor.open(name, text)
    options = {"tabSize": 4, "insertSpaces": True}
    assert applied(text, editor.about("formatting", name, options=options)) == expected


def test_files_of_other_languages_are_ignored(editor):
    document = {"uri": editor.uri("x.aut"), "languageId": "", "version": 1, "text": "des"}
    editor.tell("textDocument/didOpen", textDocument=document)
    with pytest.raises(Refused, match="none of the languages"):
        editor.at("hover", "x.aut", 0, 0)


def test_missing_pygls_is_reported_with_install_command(capsys, monkeypatch):
    from ltstool.main import main

    monkeypatch.setitem(sys.modules, "pygls", None)
    for name in [name for name in sys.modules if name.startswith("ltstool.editor")]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["language-server"]) == 2
    assert "pip install pygls" in capsys.readouterr().err


def test_the_samples_are_correct():
    mucrl.read_text(MUCRL)
    with pytest.raises(LtsError):
        mucrl.read_text(MUCRL.replace("P(d1)", "P(d3)"))


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_stop_the_server(number):
    command = [sys.executable, "-c", "from ltstool.__main__ import run; run()", "language-server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        # It answers, so it runs its loop.
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
        server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        server.stdin.flush()
        assert server.stdout.readline().startswith(b"Content-Length")
        server.send_signal(number)
        assert server.wait(100) == 130
