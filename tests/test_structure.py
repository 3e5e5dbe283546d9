"""Laws about the project's folders, files and imports."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

from engine_loops import LOOPS_WITHOUT_LOOKS

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine" / "src"
PACKAGES = {"lts": ROOT, "aut_format": ROOT, "ltstool": ROOT}


def rust_modules() -> dict[str, Path]:
    """The modules of the engine by their paths, such as `base::csr`."""
    modules = {}
    for file in ENGINE.rglob("*.rs"):
        parts = file.relative_to(ENGINE).with_suffix("").parts
        modules["::".join(part for part in parts if part not in ("mod", "lib"))] = file
    return modules


def rust_imports() -> nx.DiGraph:
    modules = rust_modules()
    graph = nx.DiGraph()
    for module, file in modules.items():
        if module.endswith("tests"):
            continue
        text = file.read_text()
        unit_tests = re.search(r"^#\[cfg\(test\)\]\n(pub\S* )?mod \w+ \{", text, re.MULTILINE)
        text = re.sub(r"//[^\n]*", "", text[: unit_tests.start() if unit_tests else None])
        graph.add_node(module)
        for path in re.findall(r"crate::(\w+(?:::\w+)*)", text):
            used = path
            while used and used not in modules:
                used = used.rpartition("::")[0]
            if used and used != module:
                graph.add_edge(module, used)
    return graph


def python_modules() -> dict[str, Path]:
    modules = {}
    for package, base in PACKAGES.items():
        for file in (base / package).rglob("*.py"):
            parts = file.relative_to(base).with_suffix("").parts
            modules[".".join(part for part in parts if part != "__init__")] = file
    return modules


@functools.cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def python_imports() -> nx.DiGraph:
    """The imports of each module, at load time or later, except for imports for types alone."""
    modules = python_modules()
    graph = nx.DiGraph()
    for module, file in modules.items():
        graph.add_node(module)
        waiting: list[ast.AST] = [tree(file)]
        while waiting:
            node = waiting.pop()
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{file}: a relative import"
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                names = [name if name in modules else node.module or "" for name in inner]
            elif is_for_types(node):
                waiting += node.orelse
            else:
                waiting += ast.iter_child_nodes(node)
            graph.add_edges_from((module, n) for n in names if n in modules and n != module)
    return graph


@pytest.mark.parametrize("imports", [rust_imports, python_imports])
def test_imports_are_acyclic(imports):
    graph = imports()
    assert graph.number_of_edges() > 100
    assert [c for c in nx.strongly_connected_components(graph) if len(c) > 1] == []


def test_engine_imports_are_acyclic():
    rooms = nx.DiGraph()
    for one, other in rust_imports().edges:
        rooms.add_edge(one.partition("::")[0], other.partition("::")[0])
    rooms.remove_edges_from(nx.selfloop_edges(rooms))
    assert rooms.number_of_edges() > 20
    assert [c for c in nx.strongly_connected_components(rooms) if len(c) > 1] == []


FILES = [*rust_modules().values(), *python_modules().values()]

MOST_PARAMETERS = 7


def test_no_function_takes_many_arguments():
    """Parameters that belong together are one object: `Settings`, `Goals`, a job."""
    found = {}
    for module, file in python_modules().items():
        for node in ast.walk(tree(file)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                taken = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                count = sum(one.arg not in ("self", "cls") for one in taken)
                if count > MOST_PARAMETERS:
                    found[f"{module}.{node.name}"] = count
    assert found == {}
    for file in rust_modules().values():
        assert "too_many_arguments" not in file.read_text(), file


AVOIDED = re.compile(
    "asked|told|tells?|met|trouble|essential|founded|somebody|who|whom|things?|hands|account|acted"
    "|acting|ahead|homes|coarse|columns|ends|host|kept|merged|pass(es)?|pieces?|places|pool|rounds"
    "|rows|saturated|situations|wanted|ways?|wide"
)
"""Words for which CONTRIBUTING.md gives a term of the field."""
OF_AN_LTS = "the source, label and target columns together"
OF_A_TABLE = "a printed table, or the table of options or of published figures"
IN_A_TEXT = "places in a text"
LOCAL = "local situations"
A_NUMBER = "a number of rounds, not a type"
OF_A_QUOTIENT = "the source, label, shift and target columns together"
OF_A_RELATION = "rows and columns of the matrix of a relation"
OF_SIGNATURES = "columns as in the glossary: pairs of a label and a block"
FIELD_USES = {
    "columns": {
        "engine/src/aterm/read.rs": OF_AN_LTS,
        "engine/src/aut/scan.rs": OF_AN_LTS,
        "engine/src/base/lts.rs": OF_AN_LTS,
        "engine/src/bindings/aterm.rs": OF_AN_LTS,
        "engine/src/bindings/lts.rs": OF_AN_LTS,
        "engine/src/bindings/partition.rs": OF_AN_LTS,
        "engine/src/bindings/process": OF_AN_LTS,
        "engine/src/bisimulation/canonical_numbering.rs": OF_AN_LTS,
        "engine/src/bisimulation/sharp.rs": OF_AN_LTS,
        "engine/src/bisimulation/tau_scc.rs": OF_AN_LTS,
        "engine/src/bisimulation/verify.rs": OF_SIGNATURES,
        "engine/src/bisimulation/weak": OF_SIGNATURES,
        "engine/src/compare/disjoint_union.rs": OF_AN_LTS,
        "engine/src/compare/logged_refinement.rs": OF_SIGNATURES,
        "engine/src/ops/interface.rs": OF_AN_LTS,
        "engine/src/preorder/coupled_simulation.rs": OF_A_RELATION,
        "engine/src/preorder/mod.rs": OF_AN_LTS,
        "engine/src/process/explore": OF_AN_LTS,
        "engine/src/process/store": "columns of a block of states or keys",
        "engine/src/symmetry/annotated_quotient.rs": OF_AN_LTS,
        "engine/src/symmetry/hide_orbits.rs": OF_A_QUOTIENT,
        "engine/src/symmetry/minimise/mod.rs": OF_A_QUOTIENT,
        "engine/src/symmetry/minimise/tests.rs": OF_AN_LTS,
        "engine/src/symmetry/orbits_of_lts.rs": OF_A_QUOTIENT,
        "engine/src/symmetry/rho": OF_AN_LTS,
        "lts/cluster/minimisation.py": "the columns of signatures: block, label and block",
        "lts/cluster/orbits/quotient.py": "the columns of the annotated quotient",
        "lts/cluster/worker.py": OF_AN_LTS,
        "lts/drawing/layered.py": "columns of a layered drawing",
        "lts/formats": f"{OF_AN_LTS}, and columns of Parquet files",
        "lts/logic/check.py": OF_AN_LTS,
        "lts/logic/processes.py": OF_AN_LTS,
        "lts/network/interface.py": OF_AN_LTS,
        "lts/network/parts.py": OF_AN_LTS,
        "lts/network/runs.py": OF_AN_LTS,
        "lts/network/specification/interface.py": "columns of a relation of argument values",
        "lts/state_space/generation.py": f"{OF_AN_LTS}; `Output.columns` is public",
        "lts/symmetry/data/find/first_states.py": OF_AN_LTS,
        "lts/symmetry/data/proof/truths.py": "columns of a truth table",
        "lts/symmetry/reduction/storage.py": OF_AN_LTS,
        "lts/system/columns.py": OF_AN_LTS,
        "lts/system/lts.py": f"{OF_AN_LTS}; `LTS.from_columns` is public",
        "lts/trace.py": OF_AN_LTS,
        "lts/web/colourings.py": OF_AN_LTS,
        "lts/web/html_document.py": OF_AN_LTS,
        "lts/web/values.py": "columns of a matrix",
        "ltstool/pipeline/picture.py": "columns of a layered drawing",
        "ltstool/simulator.py": "columns of a terminal",
    },
    "ends": {
        "lts/drawing/dot.py": "the two ends of an edge",
        "lts/formats/dot/parser.py": "the two ends of an edge",
    },
    "host": {"lts/cluster/on_ray.py": "the host in the address of a cluster"},
    "places": {
        "engine/src/bindings/diagrams.rs": "places of a Petri net",
        "engine/src/diagrams": "places of a Petri net",
        "lts/editor/renaming.py": IN_A_TEXT,
        "lts/linear/process.py": IN_A_TEXT,
        "lts/mcrl2": IN_A_TEXT,
        "lts/mucrl": IN_A_TEXT,
        "lts/petri": "places of a Petri net",
        "lts/symmetry/data/find/facts.py": IN_A_TEXT,
        "lts/text/uses.py": IN_A_TEXT,
        "ltstool/commands/files/rename.py": IN_A_TEXT,
        "ltstool/editor/answers.py": IN_A_TEXT,
    },
    "rounds": {
        "engine/src/base/cancel.rs": A_NUMBER,
        "engine/src/bisimulation/start/branching_k_step_hashes.rs": A_NUMBER,
        "engine/src/bisimulation/weak/stabilise.rs": A_NUMBER,
        "engine/src/data/solve/bounds.rs": A_NUMBER,
        "engine/src/diagrams/net.rs": A_NUMBER,
        "lts/base/bounds.py": A_NUMBER,
        "lts/cluster/refinement.py": A_NUMBER,
    },
    "rows": {
        "engine/src/data/automaton.rs": "rows of a matrix of patterns",
        "engine/src/data/constraints.rs": "rows of a truth table",
        "engine/src/preorder/coupled_simulation.rs": OF_A_RELATION,
        "lts/drawing/notebook.py": OF_A_TABLE,
        "lts/equivalence/evidence.py": "public: positions in the columns of an LTS",
        "lts/formats/parquet.py": "rows of a Parquet file",
        "lts/formats/parts": "rows of Parquet files; `parts.rows` is public",
        "lts/linear/simplify/data_flow.py": "rows of a truth table",
        "lts/linear/total.py": "rows of a matrix of patterns",
        "lts/network/runs.py": "rows of a table of synchronisations",
        "lts/network/specification/interface.py": "rows of a relation of argument values",
        "lts/symmetry/data/proof/truths.py": "rows of a truth table",
        "lts/trace.py": "public: positions in the columns of an LTS",
        "ltstool": OF_A_TABLE,
    },
    "saturated": {"engine/src/diagrams/saturation.rs": "saturated nodes of decision diagrams"},
    "situations": {
        "engine/src/orbits/symmetric_process.rs": LOCAL,
        "engine/src/symmetry_of_process/certificate.rs": LOCAL,
        "engine/src/symmetry_of_process/spot_check.rs": LOCAL,
        "lts/symmetry/data/certify.py": LOCAL,
        "lts/symmetry/data/exploration.py": LOCAL,
        "lts/symmetry/permutation/known.py": LOCAL,
    },
    "wanted": {
        "lts/simulation.py": "a parameter of the public `Simulation.run`",
        "lts/system/lts.py": "a parameter of the public `LTS.hide_any`",
    },
}
"""Files and rooms where a word is a term of the field, or cannot be changed, with the reason."""
SENTENCE = 5
"""Words that make the name of a test a sentence."""


def python_names(module):
    for node in ast.walk(module):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr
            case ast.arg():
                yield node.arg
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
                yield name


STRINGS = re.compile(r'b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"', re.DOTALL)
KINDS = "fn|struct|enum|union|trait|mod|const|static|type|macro_rules!"
PATTERNS = [
    r"\blet\s+([^=;]*)",
    r"\bfor\s+([^{};]*?)\s+in\b",
    r"\|([^|\n]*)\|",
    r"\(([\w\s,&]*)\):",
    r"(?m)^\s*([^\n]*?)\s+=>",
]
"""In `let` and `for`, the parameters of closures, parameters that are tuples, and arms."""


def rust_names(text):
    """Items, fields and parameters, variants, and what patterns bind; a name may occur twice."""
    text = STRINGS.sub('""', re.sub(r"//.*", "", text))
    yield from re.findall(rf"\b(?:{KINDS})\s+(\w+)", text)
    yield from re.findall(r"(?<![\w:])(\w+):(?!:)", text)
    for pattern in (one for where in PATTERNS for one in re.findall(where, text)):
        yield from re.findall(r"(?<![\w:.])[a-z_]\w*(?![\w(!]|::)", pattern)
    for body in re.findall(r"(?ms)\benum\s+\w+[^{]*\{(.*?)^ *\}", text):
        yield from re.findall(r"(?m)^\s+([A-Z]\w*)", body)


def words_of(name):
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]


def allowing(word, file):
    """Return the key in `FIELD_USES` of the file or a folder around it; None if there is none."""
    path = file.relative_to(ROOT)
    around = (parent.as_posix() for parent in (path, *path.parents))
    return next((one for one in around if one in FIELD_USES.get(word, {})), None)


def test_names_are_of_the_field():
    """Names use the terms of the field instead of the words to avoid in CONTRIBUTING.md."""
    found, seen, used = set(), 0, set()
    for file in FILES:
        is_python = file.suffix == ".py"
        inside = python_names(tree(file)) if is_python else rust_names(file.read_text())
        for name in (file.stem, *inside):
            seen += 1
            words = words_of(name)
            for word in filter(AVOIDED.fullmatch, words if len(words) < SENTENCE else []):
                key = allowing(word, file)
                used.add((word, key))
                if key is None:
                    found.add((file.relative_to(ROOT).as_posix(), name))
    assert seen > 60_000
    assert found == set()
    assert used == {(word, key) for word, files in FIELD_USES.items() for key in files}


def test_rust_bindings_are_recognised():
    text = """
    pub struct Table<T> { pub rows: Vec<T>, wide: u32 } // host: u8
    enum Kind {
        Kept,
        Merged { ahead: u32 },
        Coarse(u8),
    }
    fn told(&self, places: &[u32], (ends, pool): (u32, u32)) -> u32 {
        let Some(way) = find("piece: {hands}", |acting, &thing| acting == thing) else { return 0 };
        for (round, &column) in rows.iter().zip(r#"met: "x" "#) { columns::pass(round); }
        match way {
            Kind::Merged { homes, .. } if saturated(&ahead) => 1,
            situations => 2,
        }
    }
    """
    bound = "rows wide Kind Kept Merged ahead Coarse told places ends pool way acting thing round"
    names = set(rust_names(text))
    assert {*bound.split(), "Table", "column", "homes", "situations"} <= names
    assert names.isdisjoint({"host", "hands", "piece", "met", "columns", "pass", "saturated"})


def test_every_word_to_avoid_is_matched():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = text.partition("| not | write |\n|---|---|\n")[2].splitlines()
    assert len(rows) > 30
    for row in rows:
        assert any(map(AVOIDED.fullmatch, words_of(row.split("|")[1]))), row


VAGUE = re.compile(
    "what(ever)?|who(m|se|ever)?|(no|any|some|every)body|(no|any|some|every)thing|everyone|it|itself"
    "|found|say|says|said|tell|tells|told|ask|asks|asked|want|wants|wanted|kept|things?"
    "|ways?|pieces?|met|meets?|alike|goes|gone|however|wherever|whichever|elsewhere|anywhere"
    "|everywhere|others|stands?|looks?|looked|puts?|away|gets?|nasty"
)
"""Words that stand for the object of a test, in place of a term of the field."""
LONGEST_TEST_NAME = 60
TERMS = {"columns", "places"}
"""Columns of an LTS or of a table, and places of nets."""


def test_names_of_tests_state_the_property():
    """Names of any length are in the terms of the field, as those of files."""
    vague, seen = set(), 0
    for file in Path(__file__).parent.rglob("test_*.py"):
        functions = (node for node in ast.walk(tree(file)) if isinstance(node, ast.FunctionDef))
        names = (node.name for node in functions if node.name.startswith("test_"))
        for name in (file.stem, *names):
            seen += 1
            words = {*name.split("_")} - TERMS
            if any(AVOIDED.fullmatch(word) or VAGUE.fullmatch(word) for word in words):
                vague.add((file.name, name))
    assert seen > 2_700
    assert vague == set()


RUST_TEST = re.compile(r"#\[test\]\s*(?:#\[[^\]]*\]\s*|//[^\n]*\s*)*fn (\w+)")


def test_names_of_rust_tests_state_the_property():
    vague, seen = set(), 0
    for file in rust_modules().values():
        for name in RUST_TEST.findall(file.read_text()):
            seen += 1
            words = {*name.split("_")} - TERMS
            too_long = len(name) > LONGEST_TEST_NAME
            if too_long or any(AVOIDED.fullmatch(word) or VAGUE.fullmatch(word) for word in words):
                vague.add((file.relative_to(ENGINE).as_posix(), name))
    assert seen > 180
    assert vague == set()


VAGUE_IN_RUST = re.compile(
    "found|asks?|said|says|hear|meets?|doubts?|place|somehow|alike|go|gone|whatever"
)
"""Words that stand for a term of the field in a name of the engine, besides those to avoid; `one`
is refused if it is the whole name."""
SEEN_BY_PYTHON = "a name that Python sees"
RUST_USES = {
    "found": {
        "bindings/data.rs": SEEN_BY_PYTHON,
        "bindings/part.rs": SEEN_BY_PYTHON,
        "bindings/process/witness.rs": SEEN_BY_PYTHON,
        "symmetry_of_process": "expected and found steps, of a witness",
    },
    "meet": {"data/solve/bounds.rs": "the meet of two intervals"},
    "one": {"bindings/data.rs": SEEN_BY_PYTHON, "data/solve/tests.rs": "the number 1"},
    "place": {
        "bindings/diagrams.rs": "places of a Petri net",
        "diagrams": "places of a Petri net",
    },
}


def test_rust_names_are_not_vague():
    found, used = set(), set()
    for file in rust_modules().values():
        path = file.relative_to(ENGINE)
        around = [parent.as_posix() for parent in (path, *path.parents)]
        for name in rust_names(file.read_text()):
            words = words_of(name)
            vague = [*filter(VAGUE_IN_RUST.fullmatch, words if len(words) < SENTENCE else [])]
            for word in vague + ["one"] * (name == "one"):
                key = next((one for one in around if one in RUST_USES.get(word, {})), None)
                used.add((word, key))
                if key is None:
                    found.add((path.as_posix(), name))
    assert found == set()
    assert used == {(word, key) for word, files in RUST_USES.items() for key in files}


OF_OTHERS = {"_engine", "_current_frames", "_actions", "_SubParsersAction", "_repr_html_"}
"""The extension module, and names of Python's libraries and of notebooks."""


def private_names(tree):
    """Yield the private names of the product that a test uses: imported, reached, or replaced."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=module, names=names) if module and is_ours(module):
                yield from (one.name for one in names if one.name.startswith("_"))
            case ast.Call(func=ast.Attribute(attr="setattr"), args=[ast.Constant(str(text)), *_]):
                yield text.rpartition(".")[2]
            case ast.Call(
                func=ast.Attribute(attr="setattr"), args=[_, ast.Constant(str(text)), *_]
            ):
                yield text
            case ast.Attribute(value=value, attr=name) if getattr(value, "id", "") != "self":
                yield name


def is_ours(module):
    return module.partition(".")[0] in ("lts", "aut_format", "ltstool")


def test_tests_use_no_private_names():
    """What a test needs to replace or to look at is part of a room's face."""
    found, seen = set(), 0
    for file in Path(__file__).parent.rglob("*.py"):
        for name in private_names(tree(file)):
            seen += 1
            if re.match("_[a-z]", name, re.IGNORECASE) and name not in OF_OTHERS:
                found.add((file.name, name))
    assert seen > 10_000
    assert found == set()


def test_every_room_has_a_description():
    for file in FILES:
        if file.name == "mod.rs":
            assert file.read_text().startswith("//! "), file
        elif file.name == "__init__.py":
            assert ast.get_docstring(tree(file)), file


def test_no_possessive_group_repetition():
    # CPython before 3.11.5 has a bug there (gh-106052), and Debian 12 has 3.11.2.
    for file in python_modules().values():
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"""(?<!\\)\)[*+?]\+["'()\[\\$|.\w?]""", text), file


LOOK = re.compile(
    r"cancel|\.(check|check_at|check_every|check_after|may_continue|is_within_limits|process_next)\("
    r"|\.(look|passed)\("
)
LOOP = re.compile(r"\b(?:for\s[^;{]*?\bin\b[^{;]*|while\b[^{;]*|loop\s*)\{")
CALL = re.compile(r"\b(\w+)(?:::<[^>]*>)?\(")
LITERAL = re.compile(r"""//[^\n]*|b?'(?:\\.|[^\\'])'|b?"(?:\\[\s\S]|[^"\\])*\"""")
FUNCTION = re.compile(r"^ *(?:pub(?:\([^)]*\))? )?(?:const )?fn (\w+)[^{;]*\{", re.MULTILINE)
# In these rooms a loop that calls a function with a loop counts as a loop in a loop.
CALLING = {
    *("data", "diagrams", "group", "process", "orbits", "symmetry", "symmetry_of_process"),
}
# Names that the standard library has, too.
COMMON = {"copied", "new"}


def block_at(text: str, begin: int) -> str:
    """The text between the brace at `begin` and the one that closes it; braces in literals and
    comments do not count."""
    text = text[:begin] + LITERAL.sub(lambda one: "_" * len(one[0]), text[begin:])
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return text[begin + 1 : at]
    raise AssertionError("a brace is not closed")


def functions_of(text: str) -> Iterator[tuple[str, list[str], bool]]:
    """The functions in a text of Rust: name, bodies of loops, whether it looks at a `Cancel`."""
    unit_tests = re.search(r"^#\[cfg\(test\)\]\n(pub\S* )?mod \w+ \{", text, re.MULTILINE)
    text = re.sub(r"//[^\n]*", "", text[: unit_tests.start() if unit_tests else None])
    for function in FUNCTION.finditer(text):
        body = block_at(text, function.end() - 1)
        loops = [block_at(body, loop.end() - 1) for loop in LOOP.finditer(body)]
        yield function[1], loops, bool(LOOK.search(function[0] + body))


def loops_without_looks(texts: dict[str, str]) -> set[tuple[str, str]]:
    """The functions in some files that have a loop in a loop, and do not look at a `Cancel`.

    In some rooms the inner loop may be that of a function that is called: one of the same file, or
    the only one of its name.
    """
    functions = {file: list(functions_of(text)) for file, text in texts.items()}
    names = Counter(name for own in functions.values() for name, _, _ in own)
    looping = {
        file: {name for name, loops, looks in own if loops and not looks} - COMMON
        for file, own in functions.items()
    }
    only = {name for own in looping.values() for name in own if names[name] == 1}
    found = set()
    for file, own in functions.items():
        called = only | looping[file] if file.partition("/")[0] in CALLING else set()
        for name, loops, looks in own:
            inner = called - {name}
            nested = any(LOOP.search(loop) or inner & {*CALL.findall(loop)} for loop in loops)
            if nested and not looks:
                found.add((file, name))
    return found


def test_engine_loops_check_for_cancellation():
    found = loops_without_looks(
        {
            file.relative_to(ENGINE).as_posix(): file.read_text()
            for file in ENGINE.rglob("*.rs")
            if file.stem != "tests" and not {"tests", "bindings"} & set(file.parts[:-1])
        }
    )
    known = [
        (file, function)
        for files in LOOPS_WITHOUT_LOOKS.values()
        for file, functions in files.items()
        for function in functions.split()
    ]
    assert sorted(found - set(known)) == [], "let them look, or say why they need not"
    assert sorted(set(known) - found) == []
    assert len(known) == len(set(known))


def test_nested_loop_without_check_is_reported():
    deaf = "fn one(n: u32) {\n    for a in 0..n {\n        while a < n {\n        }\n    }\n}\n"
    assert loops_without_looks({"ops/a.rs": deaf}) == {("ops/a.rs", "one")}
    for look in ("cancel.check()?;", "if !self.may_continue()? { return }"):
        assert not loops_without_looks({"ops/a.rs": deaf.replace("while a", look + " while a")})
    single = deaf.replace("while a < n {\n        }", "")
    assert not loops_without_looks({"ops/a.rs": single})


def test_calling_a_loop_without_check_is_reported():
    calls = "fn one(n: u32) {\n    for a in 0..n {\n        self.other(a);\n    }\n}\n"
    other = "fn other(n: u32) {\n    while n > 0 {\n    }\n}\n"
    apart = {"process/a.rs": calls, "base/b.rs": other}
    for texts in ({"process/a.rs": calls + other}, apart):
        assert loops_without_looks(texts) == {("process/a.rs", "one")}
    assert not loops_without_looks({"ops/a.rs": calls, "base/b.rs": other})
    assert not loops_without_looks({**apart, "base/c.rs": "fn other() {\n}\n"})
    assert not loops_without_looks({**apart, "base/b.rs": other.replace("{\n    }", "{ cancel }")})
