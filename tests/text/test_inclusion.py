"""Which files a text may name: below its folder, and below those that the caller allows."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LtsError, generate, mucrl, network
from lts.editor.languages import LANGUAGES
from lts.text.inclusion import Folders
from ltstool.cases import read_cases
from programs import outcome

SECRET = "hunter2 is the password"

# Names of the file in the folder outside, as a text in `own` can write it. `BASE` is the folder
# with both.
OUTSIDE = [
    "../outside/secret{end}",
    "./sub/../../outside/secret{end}",
    "BASE/outside/secret{end}",
    "/BASE/outside/secret{end}",
    "sub/file{end}",
    "link/secret{end}",
    "sub/back/outside/secret{end}",
    "BASE/own/link/secret{end}",
    "BASE/own2/secret{end}",
    "/proc/self/cwd/../outside/secret{end}",
]
ENDS = [".mcrl", ".exp", ".hid", ".aut", ".mcrl2"]


@pytest.fixture
def base(tmp_path, monkeypatch):
    """A folder `own` with links out of it, beside folders with secret files."""
    own = tmp_path / "own"
    (own / "sub").mkdir(parents=True)
    for other in ("outside", "own2"):
        (tmp_path / other).mkdir()
        for end in ENDS:
            (tmp_path / other / f"secret{end}").write_text(f"{SECRET}\n")
    for end in ENDS:
        (own / "sub" / f"file{end}").symlink_to(tmp_path / "outside" / f"secret{end}")
    (own / "link").symlink_to(tmp_path / "outside")
    (own / "sub" / "back").symlink_to("../..")
    monkeypatch.chdir(own)
    return tmp_path


def refusal(read):
    with pytest.raises(LtsError) as refused:
        read()
    shown = str(refused.value)
    assert SECRET not in shown
    assert "hunter2" not in shown
    return shown


def written(name, base, end):
    return name.format(end=end).replace("BASE", str(base))


@pytest.mark.parametrize("name", OUTSIDE)
def test_texts_include_only_files_below_their_folder(base, name):
    text = f'%@ include "{written(name, base, ".mcrl")}"\ninit delta\n'
    (base / "own" / "m.mcrl").write_text(text)
    for read in (
        lambda: mucrl.read("m.mcrl"),
        lambda: mucrl.read_text(text),
        lambda: generate(base / "own" / "m.mcrl"),
    ):
        assert "is outside the folder" in refusal(read)
    found = LANGUAGES["mucrl"].examined(text, str(base / "own" / "m.mcrl"))
    assert "is outside the folder" in str(found.errors[0])
    # The file is read, and wrong, where the caller allows its folder.
    allowed = [base / "outside", base / "own2"]
    with pytest.raises(LtsError, match="hunter2"):
        mucrl.read("m.mcrl", include_path=allowed)


@pytest.mark.parametrize("name", OUTSIDE)
def test_networks_include_only_files_below_their_folder(base, name):
    for end, form in ((".exp", '"{}"'), (".hid", 'hide using "{}" in "a.aut" end hide')):
        text = form.format(written(name, base, end))
        (base / "own" / "a.aut").write_text('des (0,1,1)\n(0,"a",0)\n')
        (base / "own" / "n.exp").write_text(text)
        assert "is outside the folder" in refusal(lambda: network.read("n.exp"))
        assert "is outside the folder" in refusal(lambda text=text: network.read_text(text))
        with pytest.raises(LtsError, match=r"hunter2|must begin"):
            network.read("n.exp", include_path=[base / "outside", base / "own2"])


@pytest.mark.parametrize("end", [".aut", ".mcrl", ".mcrl2"])
@pytest.mark.parametrize("name", OUTSIDE)
def test_errors_quote_no_component_outside_the_folder(base, name, end):
    (base / "own" / "n.exp").write_text(f'"{written(name, base, end)}"')
    assert "is no system" in refusal(lambda: network.read("n.exp"))


def test_components_may_be_outside_the_folder(base):
    (base / "outside" / "good.aut").write_text('des (0,1,1)\n(0,"a",0)\n')
    (base / "own" / "n.exp").write_text('"../outside/good.aut" ||| "../outside/good.aut"')
    assert network.compose(network.read("n.exp")).labels == ("a",)


@pytest.mark.parametrize("name", ["../outside/secret.mcrl", "sub/file.mcrl"])
def test_a_formula_names_no_specification_outside_its_folder(base, name):
    text = f"%! specification {name}\n<true>true"
    (error,) = LANGUAGES["mcf"].examined(text, str(base / "own" / "f.mcf")).errors
    assert "is outside the folder" in str(error)
    assert SECRET not in str(error)


@pytest.mark.parametrize("name", ["../outside/secret.mcrl", "sub/file.mcrl", "link/secret.mcrl"])
def test_case_studies_are_in_their_folder(base, name):
    (base / "own" / "c.toml").write_text(
        f'title = "t"\nspecification = "{name}"\nsymmetry = "{name}"\n'
        "[[counted]]\nquotient = 1\nparameters = {}\n"
    )
    assert "is outside the folder" in refusal(lambda: read_cases("."))


def test_standard_input_is_in_the_current_folder(base):
    (base / "own" / "sub" / "part.mcrl").write_text("act a\n")
    for name, code in (("sub/part.mcrl", 0), ("../outside/secret.mcrl", 2)):
        (base / "in.mcrl").write_text(f'%@ include Bool\n%@ include "{name}"\ninit delta\n')
        with (base / "in.mcrl").open() as text:
            done = outcome("generate", "-", "--language", "mucrl", stdin=text)
        assert done[0] == code
        assert "hunter2" not in done[2]


def test_an_option_allows_more_folders(base):
    (base / "outside" / "part.mcrl").write_text("act a\n")
    (base / "own2" / "more.mcrl").write_text("act b\n")
    (base / "own" / "m.mcrl").write_text(
        "%@ include Bool\n"
        '%@ include "../outside/part.mcrl"\n%@ include "../own2/more.mcrl"\ninit a.b\n'
    )
    one = ["--include-path", "../outside"]
    assert outcome("generate", "m.mcrl")[0] == 2
    assert outcome("generate", "m.mcrl", *one)[0] == 2
    assert outcome("generate", "m.mcrl", *one, "--include-path", "../own2")[0] == 0
    (base / "own" / "n.exp").write_text("m.mcrl ||| m.mcrl")
    assert outcome("compose", "n.exp", *one, "--include-path", "..")[0] == 0
    (base / "own" / "m.mcrl2").write_text("act a; init a;\n")
    code, _, messages = outcome("generate", "m.mcrl2", *one)
    assert code == 2
    assert "--include-path applies only to muCRL" in messages


def test_include_path_must_be_a_sequence_of_folders(base):
    with pytest.raises(TypeError, match="list of folders"):
        mucrl.read_text("init delta", include_path="..")


STEPS = st.sampled_from(["..", ".", "sub", "link", "back", "outside", "own", ""])


def test_containment_is_decided_by_inode(tmp_path):
    """Against the definition: walk up from the file by inodes."""
    own, outside = tmp_path / "own", tmp_path / "outside"
    (own / "sub").mkdir(parents=True)
    outside.mkdir()
    for folder in (own, own / "sub", outside):
        (folder / "secret.mcrl").write_text("")
    (own / "link").symlink_to(outside)
    (own / "sub" / "back").symlink_to("../..")
    (own / "sub" / "file.mcrl").symlink_to("../../outside/secret.mcrl")
    (outside / "own").symlink_to(own)
    found = {True: 0, False: 0}

    @settings(max_examples=200)
    @given(st.lists(STEPS, max_size=6), st.sampled_from(["secret.mcrl", "file.mcrl"]))
    def check(steps, name):
        path = "/".join([str(own), *steps, name])
        if not os.path.isfile(path):
            return
        is_below = below(path, own)
        found[is_below] += 1
        for folder in (own, outside / "own", f"/{own}", f"{own}/sub/.."):
            assert Folders.of(str(folder)).have(path) == is_below
            assert Folders.of(str(folder)).have(f"/{path}") == is_below

    check()
    assert min(found.values()) >= 2, found


def below(path, folder):
    expected = os.stat(folder).st_ino
    file = os.path.join(os.path.dirname(path), os.readlink(path)) if os.path.islink(path) else path
    here = os.open(os.path.dirname(file), os.O_RDONLY)
    try:
        while True:
            found = os.fstat(here)
            if found.st_ino == expected:
                return True
            up = os.open("..", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = up
            if os.fstat(here).st_ino == found.st_ino:
                return False
    finally:
        os.close(here)


def test_limits_quote_no_component_outside_the_folder(base):
    text = "sort Bool func T,F:->Bool act hunter2 proc X = hunter2.Y proc Y = hunter2.delta init X"
    (base / "outside" / "large.mcrl").write_text(text)
    (base / "own" / "n.exp").write_text('"../outside/large.mcrl" ||| "../outside/large.mcrl"')
    code, _, messages = outcome("compose", "n.exp", "--max-states", "1")
    assert code == 3
    assert "a limit was reached" in messages
    assert "hunter2" not in messages


def test_component_pipes_do_not_block_the_editor(base):
    os.mkfifo(base / "own" / "pipe.aut")
    language = LANGUAGES["exp"]
    assert not language.examined("pipe.aut ||| pipe.aut", str(base / "own" / "n.exp")).errors
