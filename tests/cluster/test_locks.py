"""A run is of one process at a time, on systems of either kind."""

import importlib.util
import os
import sys
import types

import pytest

from lts.cluster import locks


def test_folder_lock_lasts_until_released(tmp_path):
    lock = locks.locked(str(tmp_path))
    with pytest.raises(BlockingIOError):
        locks.locked(str(tmp_path))
    os.close(lock)
    os.close(locks.locked(str(tmp_path)))
    with pytest.raises(FileNotFoundError):
        locks.locked(str(tmp_path / "nowhere"))


def test_locking_a_removed_folder(tmp_path, monkeypatch):
    """Whoever had it removes it, and another one makes it anew, before it is locked."""
    fcntl = pytest.importorskip("fcntl")
    folder = tmp_path / "a"
    folder.mkdir()
    flock = fcntl.flock
    meanwhile = [lambda: folder.rename(tmp_path / "old"), folder.mkdir]

    def late(opened, how):
        for done in meanwhile:
            done()
        flock(opened, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(FileNotFoundError):
        locks.locked(str(folder))
    meanwhile = [folder.rmdir]
    with pytest.raises(FileNotFoundError):
        locks.locked(str(folder))


def test_folder_lock_lasts_until_removed(tmp_path):
    folder = tmp_path / "a"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "file").touch()
    (folder / "file").touch()
    lock = locks.locked(str(folder))
    locks.remove_locked(str(folder), lock)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(lock)


def test_locking_without_fcntl(tmp_path, monkeypatch):
    """As on Windows, where a file in the folder is locked."""
    taken = []

    def locking(_, mode, count):
        assert (mode, count) == (2, 1)
        if taken:
            raise PermissionError("taken")
        taken.append(mode)

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    module = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
    monkeypatch.setitem(sys.modules, "msvcrt", module)
    found = importlib.util.spec_from_file_location("locks_elsewhere", locks.__file__)
    elsewhere = importlib.util.module_from_spec(found)
    found.loader.exec_module(elsewhere)
    folder = tmp_path / "a"
    (folder / "inner").mkdir(parents=True)
    (folder / "file").touch()
    lock = elsewhere.locked(str(folder))
    with pytest.raises(BlockingIOError):
        elsewhere.locked(str(folder))
    assert sorted(file.name for file in folder.iterdir()) == ["file", "inner", "lock"]
    unlink = os.unlink

    def unlinking(path, **options):
        # What is open cannot be removed.
        assert is_open(lock) == (not str(path).endswith("lock"))
        unlink(path, **options)

    monkeypatch.setattr(os, "unlink", unlinking)
    elsewhere.remove_locked(str(folder), lock)
    assert list(tmp_path.iterdir()) == []


def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
