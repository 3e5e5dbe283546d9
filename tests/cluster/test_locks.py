"""A run is of one process at a time, on systems of either kind."""

import importlib.util
import os
import sys
import types

import pytest

from lts.cluster import locks


def test_a_folder_is_locked_until_it_is_left(tmp_path):
    lock = locks.locked(str(tmp_path))
    with pytest.raises(BlockingIOError):
        locks.locked(str(tmp_path))
    os.close(lock)
    os.close(locks.locked(str(tmp_path)))
    with pytest.raises(FileNotFoundError):
        locks.locked(str(tmp_path / "nowhere"))


def test_without_fcntl(tmp_path, monkeypatch):
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
    assert elsewhere.locked(str(tmp_path)) >= 0
    with pytest.raises(BlockingIOError):
        elsewhere.locked(str(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["lock"]
