"""What is offered while one writes: names, parameters, kinds of names, corrections."""

import re

import pytest

from language_client import Client, Refused

MUCRL = """sort Bool D
func T,F: -> Bool
     d1,d2: -> D
map  other: D -> D
var  x: D
rew  other(d1) = d2
     other(d2) = d1
act  send: D#Bool
     stop
proc P(d: D, b: Bool) = sum(e: D, send(e,b).P(d,T)) + stop
     Q(c: D) = send(c,T).Q(c)
init P(d1,T)
"""
MCRL2 = """sort D = struct d1 | d2;
map  f: (D -> Nat) # List(Set(D)) -> Bool;
act  a: D # Nat; a: D; b;
proc P(x: D, n: Nat) = a(x, n).P(x, n);
init P(d1, 0);
"""


@pytest.fixture(scope="module")
def editor(tmp_path_factory):
    client = Client(tmp_path_factory.mktemp("texts"))
    yield client
    assert client.end() == 0


@pytest.fixture
def close(editor):
    """Close the texts of a test, which formulas of others would be about."""
    names = []
    yield names.append
    for name in names:
        editor.tell("textDocument/didClose", textDocument={"uri": editor.uri(name)})


def end_of(text, part):
    """Return the line and character just after the first place of a part of a text."""
    before = text[: text.index(part) + len(part)]
    return before.count("\n"), len(before.rpartition("\n")[2])


def offered(editor, name, position):
    return {one["label"]: one for one in editor.at("completion", name, *position)}


def test_declared_names_and_reserved_words_are_offered(editor, close):
    close("a.mcrl")
    assert editor.open("a.mcrl", MUCRL) == []
    found = offered(editor, "a.mcrl", end_of(MUCRL, "send(e,b)"))
    assert {"D", "d1", "other", "send", "stop", "P", "Q", "sum", "delta", "proc"} <= {*found}
    assert found["send"]["detail"] == "send:D#Bool"
    assert found["sum"].get("detail") is None
    # Variables of this process alone, and those that are already declared.
    assert {"d", "b", "e"} <= {*found}
    assert {"c", "x"}.isdisjoint(found)
    assert "c" in offered(editor, "a.mcrl", end_of(MUCRL, "send(c,"))
    assert "x" in offered(editor, "a.mcrl", end_of(MUCRL, "rew  "))


def test_names_stay_while_a_declaration_is_written(editor, close):
    close("b.mcrl")
    assert editor.open("b.mcrl", MUCRL) == []
    broken = MUCRL.replace("stop\n     Q", "stop . (\n     Q").replace(
        "act  send", "act  fresh,send"
    )
    assert editor.change("b.mcrl", [{"text": broken}], 2)
    found = offered(editor, "b.mcrl", end_of(broken, "stop . ("))
    assert {"send", "fresh", "P", "Q", "d"} <= {*found}


@pytest.mark.parametrize(("name", "text"), [("c.mcrl", MUCRL), ("c.mcrl2", MCRL2)])
def test_names_before_a_syntax_error_are_offered(editor, close, name, text):
    close(name)
    broken = text.replace("proc P(", "proc P((")
    assert editor.open(name, broken)
    found = offered(editor, name, (len(text.split("\n")) - 2, 5))
    assert {"D", "d1", "d2"} <= {*found}


def test_overloads_are_one_offer(editor, close):
    close("d.mcrl2")
    assert editor.open("d.mcrl2", MCRL2) == []
    assert offered(editor, "d.mcrl2", (4, 5))["a"]["detail"] == "a:D#Nat\na:D"


@pytest.mark.parametrize(
    ("name", "text", "part", "shown", "parameters", "active"),
    [
        ("e.mcrl", MUCRL, ".P(d,", "P(d: D, b: Bool)", ["d: D", "b: Bool"], 1),
        ("e.mcrl", MUCRL, "send(", "send:D#Bool", ["D", "Bool"], 0),
        ("e.mcrl", MUCRL, "rew  other(", "other:D -> D", ["D"], 0),
        ("e.mcrl2", MCRL2, "a(x, ", "a:D#Nat", ["D", "Nat"], 1),
        ("e.mcrl2", MCRL2, ".P(x,", "P(x: D, n: Nat)", ["x: D", "n: Nat"], 1),
        ("e.mcrl2", MCRL2 + "% f(a(x), (", "f(d", None, None, None),
        ("e.mcrl2", MCRL2, "struct", None, None, None),
    ],
)
def test_parameters_of_calls(editor, close, name, text, part, shown, parameters, active):
    close(name)
    editor.open(name, text)
    if part not in text:
        part = "proc P("
        assert editor.at("signatureHelp", name, 0, 5) is None
    found = editor.at("signatureHelp", name, *end_of(text, part))
    if shown is None:
        assert found is None or "P(" in found["signatures"][0]["label"]
        return
    found = found["signatures"][0]
    assert found["label"] == shown
    extents = [one["label"] for one in found["parameters"]]
    assert [shown[begin:end] for begin, end in extents] == parameters
    assert found["activeParameter"] == active


def test_parameters_with_brackets(editor, close):
    close("f.mcrl2")
    text = MCRL2.replace("init P(d1, 0)", "init (f(lambda y: D. 1, [{d1, d2}])) -> b")
    assert editor.open("f.mcrl2", text) == []
    [found] = editor.at("signatureHelp", "f.mcrl2", *end_of(text, "1, [{d1, d2}]"))["signatures"]
    shown = [found["label"][slice(*one["label"])] for one in found["parameters"]]
    assert shown == ["(D->Nat)", "List(Set(D))"]
    assert found["activeParameter"] == 1


def coloured(editor, name, text):
    """Return the words that are coloured, with their kinds, from the differences of positions."""
    legend = editor.server["capabilities"]["semanticTokensProvider"]["legend"]
    data = editor.about("semanticTokens/full", name)["data"]
    lines, line, begin, found = re.split("\r?\n", text), 0, 0, []
    for at in range(0, len(data), 5):
        below, right, length, kind, modifiers = data[at : at + 5]
        line, begin = line + below, right if below else begin + right
        units = lines[line].encode("utf-16-le")
        word = units[2 * begin : 2 * (begin + length)].decode("utf-16-le")
        found.append((word, legend["tokenTypes"][kind], modifiers))
    return found


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_kinds_of_names(editor, close, end):
    close("g.mcrl2")
    text = MCRL2.replace("\n", end).replace("n).P", "n) . %𝄞 é{0}P".replace("{0}", end))
    assert editor.open("g.mcrl2", text) == []
    found = coloured(editor, "g.mcrl2", text)
    assert ("D", "type", 1) in found
    assert ("D", "type", 0) in found
    assert ("d1", "enumMember", 1) in found
    assert ("f", "function", 1) in found
    assert found.count(("a", "event", 1)) == 2
    assert ("a", "event", 0) in found
    assert found.count(("P", "method", 0)) == 2
    assert ("n", "variable", 0) in found


def test_positions_in_a_line_with_characters_beyond_16_bits(editor, close):
    close("h.mcf")
    text = '<"𝄞𝄞">true && mu Xyz. <"é">Xyz || Xy\n'
    [error] = editor.open("h.mcf", text)
    at = len(text[: text.index("Xy\n")].encode("utf-16-le")) // 2
    assert error["range"]["start"] == {"line": 0, "character": at}
    [action] = editor.about(
        "codeAction", "h.mcf", range=error["range"], context={"diagnostics": [error]}
    ) or [None]
    if "did you mean" in error["message"]:
        assert action["edit"]["changes"][editor.uri("h.mcf")][0]["range"] == error["range"]


@pytest.mark.parametrize(
    ("name", "text", "wrong", "right"),
    [
        ("i.mcrl", MUCRL.replace("init P(", "init P(othr("), "othr", "other"),
        ("i.mcrl2", MCRL2.replace("init P(d1", "init Q(d1").replace("P", "Pro"), None, None),
        ("i.mcrl", MUCRL.replace("+ stop", "+ stpo"), "stpo", "stop"),
        ("i.mcrl2", MCRL2.replace("x: D, n", "x: D, m"), None, None),
        ("i.mcrl2", MCRL2.replace("x: D, n: Nat", "x: D, n: Nta"), "Nta", "Nat"),
        ("i.mcrl2", MCRL2.replace("= a(x, n)", "= 𝄞 a(x, n)"), None, None),
    ],
)
def test_corrections_of_names(editor, close, name, text, wrong, right):
    close(name)
    text = text.replace("othr(d1,T)", "othr(d1),T)")
    errors = editor.open(name, text)
    assert errors
    extent = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    found = editor.about("codeAction", name, range=extent, context={"diagnostics": errors})
    if right is None:
        assert all("did you mean" in one["diagnostics"][0]["message"] for one in found)
        return
    [action] = found
    assert (action["kind"], action["title"]) == ("quickfix", f"Change to `{right}`")
    [edit] = action["edit"]["changes"][editor.uri(name)]
    assert edit["newText"] == right
    changed = editor.change(name, [{"range": edit["range"], "text": right}], 2)
    assert changed == []
    assert editor.about("codeAction", name, range=extent, context={"diagnostics": []}) == []


def test_the_language_of_the_editor_decides(editor, close):
    for name, language, text in [
        ("untitled:Untitled-1", "mcrl2", MCRL2),
        ("untitled:Untitled-2", "mucrl", MUCRL),
        ("untitled:Untitled-3", "mcf", "nu X. [true]X"),
        ("other.mcrl", "mcrl2", MCRL2),
        ("text.txt", "mucrl", MUCRL),
        ("unknown.mcrl2", "plaintext", MCRL2),
    ]:
        close(name)
        assert editor.open(name, text, language=language) == [], name
        assert editor.about("semanticTokens/full", name)["data"]
        editor.tell("textDocument/didClose", textDocument={"uri": editor.uri(name)})
    assert editor.open("other.mcrl", MUCRL, language="mcrl2")


def test_formulas_use_the_specification_open_beside_them(editor, close, tmp_path):
    for name in ("s.mcrl2", "j.mcf", "k.mcrl2"):
        close(name)
    formula = "[true*.a(d1, 1)]<b>true"
    assert editor.open("s.mcrl2", MCRL2) == []
    assert editor.open("j.mcf", formula) == []
    found = offered(editor, "j.mcf", (0, 7))
    assert found["a"]["detail"] == "a:D#Nat\na:D"
    assert {"b", "d1", "mu", "nu"} <= {*found}
    assert {"x", "n"}.isdisjoint(found)
    [help, _] = editor.at("signatureHelp", "j.mcf", *end_of(formula, "a("))["signatures"]
    assert help["label"] == "a:D#Nat"
    # It is read as the editor shows it.
    editor.diagnostics.clear()
    editor.change("s.mcrl2", [{"text": MCRL2.replace("d1", "d3")}], 2)
    [error] = editor.errors("j.mcf", 1)
    assert "`d1`" in error["message"]
    # Of two, none is taken, unless the formula names one.
    assert editor.open("k.mcrl2", MCRL2) == []
    editor.diagnostics.clear()
    assert editor.change("j.mcf", [{"text": formula + "\n"}], 2) == []
    named = "%! specification s.mcrl2\n" + formula
    [error] = editor.change("j.mcf", [{"text": named}], 3)
    assert "`d1`" in error["message"]
    assert editor.change("j.mcf", [{"text": named.replace("s.mcrl2", "k.mcrl2")}], 4) == []


def test_names_are_offered_in_a_formula_with_errors(editor, close):
    for name in ("t.mcrl2", "t.mcf"):
        close(name)
    assert editor.open("t.mcrl2", MCRL2) == []
    assert editor.open("t.mcf", "[a(d1)]<b")
    assert {"a", "b", "d1"} <= {*offered(editor, "t.mcf", (0, 9))}


@pytest.mark.parametrize("language", ["mucrl", "mcrl2", "mcf", "exp"])
def test_empty_texts(editor, language):
    name = f"untitled:empty-{language}"
    for text in ("", "\r\n", "\n\n"):
        editor.open(name, text, language=language)
        assert offered(editor, name, (0, 0))
        assert editor.at("hover", name, 0, 0) is None
        assert editor.at("signatureHelp", name, 0, 0) is None
        assert editor.about("semanticTokens/full", name)["data"] == []
        assert editor.about("documentSymbol", name) == []
        editor.tell("textDocument/didClose", textDocument={"uri": name})


def test_positions_outside_the_text(editor, close):
    close("l.mcrl")
    assert editor.open("l.mcrl", MUCRL) == []
    for position in [(99, 0), (0, 999), (11, 99)]:
        for method in ("hover", "completion", "signatureHelp", "definition"):
            editor.at(method, "l.mcrl", *position)


def test_refusals_are_answers_without_a_trace(tmp_path):
    editor = Client(tmp_path)
    assert editor.open("a.mcrl", MUCRL) == []
    with pytest.raises(Refused, match="is not a name") as refused:
        editor.at("rename", "a.mcrl", *end_of(MUCRL, "proc P"), newName="a b")
    assert refused.value.args[1] == -32803
    with pytest.raises(Refused, match="there is no name here") as refused:
        editor.at("rename", "a.mcrl", 0, 0, newName="b")
    with pytest.raises(Refused, match="is not open") as refused:
        editor.at("hover", "closed.mcrl", 0, 0)
    assert refused.value.args[1] == -32602
    with pytest.raises(Refused, match="Method Not Found") as refused:
        editor.about("paint", "a.mcrl")
    assert refused.value.args[1] == -32601
    with pytest.raises(Refused, match=r"parameters of `textDocument/hover`") as refused:
        editor.ask("textDocument/hover", textDocument={})
    assert refused.value.args[1] == -32602
    editor.tell("textDocument/paint")
    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri("closed.mcrl")})
    editor.write(b"{no json")
    with pytest.raises(Refused, match="not JSON") as refused:
        editor.result(None)
    assert refused.value.args[1] == -32700
    assert editor.at("hover", "a.mcrl", *end_of(MUCRL, "proc P")) is not None
    printed = editor.process.stderr
    editor.ask("shutdown")
    editor.tell("exit")
    assert "Traceback" not in printed.read().decode()
    assert editor.process.wait() == 0
    editor.close()


def test_exit_without_shutdown_is_a_failure(tmp_path):
    assert Client(tmp_path).leave() == 1
