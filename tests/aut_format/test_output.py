"""A file appears whole or not at all; what is no file is written straight."""

import errno
import os
import stat
import subprocess
import sys
import threading
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aut_format
from aut_format.output import remove_parts, replacing, target_of, writing
from lts import LTS

SYSTEM = LTS.from_transitions([(0, "a", 1)])
TEXT = b'des (0,1,2)\n(0,"a",1)\n'
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX files")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("name", ["old.aut", "new.aut"])
def test_exception_leaves_files_unchanged(tmp_path, name, error):
    def write_half():
        with writing(tmp_path / name) as file:
            file.write(b"half")
            file.flush()
            raise error

    (tmp_path / "old.aut").write_bytes(b"before")
    with pytest.raises(error):
        write_half()
    assert names(tmp_path) == ["old.aut"]
    assert (tmp_path / "old.aut").read_bytes() == b"before"


def test_file_appears_only_when_complete(tmp_path):
    with writing(tmp_path / "a.aut") as file:
        file.write(TEXT)
        file.flush()
        assert "a.aut" not in names(tmp_path)
    assert names(tmp_path) == ["a.aut"]


@posix
def test_temporary_files_are_removed_at_the_end_of_the_program(tmp_path):
    def write_while_the_program_ends():
        with writing(tmp_path / "a.aut"):
            assert len(names(tmp_path)) == 1
            remove_parts()
            assert names(tmp_path) == []

    with pytest.raises(FileNotFoundError):
        write_while_the_program_ends()
    assert names(tmp_path) == []


@posix
def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    before = os.umask(0o027)
    try:
        aut_format.write(SYSTEM, tmp_path / "a.aut")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.aut").stat().st_mode) == 0o640


@posix
def test_an_existing_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "a.aut"
    path.touch()
    path.chmod(0o600)
    aut_format.write(SYSTEM, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == TEXT


@posix
def test_symbolic_links_are_followed(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "link.aut"
    link.symlink_to("there/a.aut")
    for _ in range(2):  # the file is not there at first
        aut_format.write(SYSTEM, link)
        assert link.is_symlink()
        assert (tmp_path / "there" / "a.aut").read_bytes() == TEXT
    assert names(tmp_path / "there") == ["a.aut"]


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="gives links away")
@pytest.mark.parametrize("way", ["link.aut", "folder/a.aut", "own.aut", "/twice.aut", "up.aut"])
@pytest.mark.parametrize(
    ("mode", "folder_of", "link_of", "follows"),
    [
        (0o1777, 0, 1234, False),
        (0o1777, 4321, 1234, False),
        (0o1777, 1234, 1234, True),
        (0o1777, 4321, 0, True),
        (0o0777, 0, 1234, True),
        (0o1775, 0, 1234, True),
    ],
)
def test_link_following_obeys_linux_protection(tmp_path, way, mode, folder_of, link_of, follows):
    """A link in a sticky folder where all may write belongs to the user or the folder's owner."""
    shared, home = tmp_path / "shared", tmp_path / "home"
    for folder in (shared, home):
        folder.mkdir()
    (home / "a.aut").write_text("secret")
    (shared / "link.aut").symlink_to(home / "a.aut")
    (shared / "folder").symlink_to("../home")
    (home / "own.aut").symlink_to(shared / "link.aut")
    (shared / "twice.aut").symlink_to("link.aut")
    (shared / "up.aut").symlink_to("../shared/./folder/../home/a.aut")
    for link in ("link.aut", "folder", "twice.aut", "up.aut"):
        os.chown(shared / link, link_of, -1, follow_symlinks=False)
    os.chown(shared, folder_of, -1)
    shared.chmod(mode)
    path = home / way if way == "own.aut" else f"{shared}/{way}"
    if follows:
        aut_format.write(SYSTEM, path)
        assert (home / "a.aut").read_bytes() == TEXT
    else:
        with pytest.raises(PermissionError, match="link of another user") as caught:
            aut_format.write(SYSTEM, path)
        assert caught.value.filename == str(path)
        assert (home / "a.aut").read_text() == "secret"
    assert names(home) == ["a.aut", "own.aut"]
    os.mkfifo(home / "pipe")
    (shared / "pipe").symlink_to(home / "pipe")
    os.chown(shared / "pipe", link_of, -1, follow_symlinks=False)
    if not follows:
        with pytest.raises(PermissionError, match="link of another user"), writing(shared / "pipe"):
            pass


@posix
def test_link_resolution_matches_the_system(tmp_path):
    """`target_of` against the system, for random names through random links."""
    for folder in ("a", "a/b", "c"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "f").write_text("")
    for link, to in {
        "a/c": "../c",
        "c/a": "../a",
        "a/b/up": "..",
        "c/f2": "a/b/f",
        "l": "l",
    }.items():
        (tmp_path / link).symlink_to(to)
    (tmp_path / "root").symlink_to(tmp_path)
    steps = st.sampled_from(["a", "b", "c", "f", "f2", "up", "root", "..", ".", "", "new"])
    found = Counter()

    @given(st.lists(steps, max_size=7))
    def check(names):
        path = "/".join([str(tmp_path), *names])
        if not os.path.exists(os.path.dirname(path)):
            return
        found["there" if os.path.exists(path) else "new"] += 1
        if os.path.exists(path):
            assert os.path.samefile(target_of(path), path)
        assert target_of(path) == os.path.realpath(path)

    check()
    assert min(found["there"], found["new"]) > 5, found
    with pytest.raises(OSError, match="symbolic links"):
        target_of(str(tmp_path / "l"))


def test_errors_name_the_given_path(tmp_path):
    for path in (tmp_path / "absent" / "a.aut", tmp_path):
        with pytest.raises((FileNotFoundError, IsADirectoryError)) as caught:
            aut_format.write(SYSTEM, path)
        assert caught.value.filename == str(path)


def test_full_disk_error_names_the_given_path(tmp_path):
    path = str(tmp_path / "a.aut")
    with pytest.raises(OSError, match="No space") as caught, replacing(path):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == path
    assert names(tmp_path) == []


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write anything")
def test_a_read_only_file_is_not_replaced(tmp_path):
    path = tmp_path / "a.aut"
    path.write_bytes(b"before")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        aut_format.write(SYSTEM, path)
    assert path.read_bytes() == b"before"


@posix
def test_pipes_are_written_directly(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    for write in (lambda: aut_format.write(SYSTEM, path), lambda: stream(path)):
        reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
        reader.start()
        write()
        reader.join()
    assert got == [TEXT, TEXT]
    assert stat.S_ISFIFO(path.stat().st_mode)


def stream(path):
    with aut_format.Writer(path) as file:
        file.add(0, "a", 1)


@posix
@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("mode", ["wb", "ab"])
def test_writing_appends_to_an_open_stdout(tmp_path, name, mode):
    """`(echo before; ltstool ... -o /dev/stdout; echo after) > out` keeps all three."""
    if not os.path.exists(name):
        pytest.skip(f"no {name}")
    script = (
        "import os, aut_format\n"
        "os.write(1, b'before\\n')\n"
        f"aut_format.write(aut_format.loads({TEXT!r}), {name!r})\n"
        f"with aut_format.Writer({name!r}) as file: file.add(0, 'a', 1)\n"
        "os.write(1, b'after\\n')\n"
    )
    path = tmp_path / "out"
    with path.open(mode) as out:
        subprocess.run([sys.executable, "-c", script], check=True, stdout=out)
    assert path.read_bytes() == b"before\n" + TEXT + TEXT + b"after\n"
    assert names(tmp_path) == ["out"]
