"""`ltstool doctor`."""

import json

from ltstool.commands import doctor
from ltstool.main import main


def test_sound_installation_is_accepted(capsys):
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert shown.count(": passed in ") == 0
    assert shown.count(" passed in ") == len(doctor.TRIALS) == 5
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sound"] is True
    assert {*found["trials"]} == {*doctor.TRIALS}
    assert found["versions"]["numpy"][0].isdigit()
    assert "cores" in found["machine"]
    assert "pytest" not in found["optional"]


def test_failed_trial_is_reported(capsys, monkeypatch):
    monkeypatch.setattr(doctor, "STATES", 7)
    assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "  generation        failed: ValueError: the result is 48, not 7\n" in shown
    assert shown.count(" passed in ") == 4


def test_missing_package_is_reported(capsys, monkeypatch):
    lines = ["numpy>=2", 'nonesuch>=1; extra == "plots"', 'pytest; extra == "test"']
    monkeypatch.setattr("importlib.metadata.requires", lambda name: lines)
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["optional"] == {"nonesuch": "not installed: pip install nonesuch"}
    assert {*found["versions"]} == {"ltstool", "Python", "numpy"}
