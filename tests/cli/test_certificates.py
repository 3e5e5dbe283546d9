"""`--certificate`: what is written is accepted by the verifier, which runs by itself."""

import subprocess
import sys
from pathlib import Path

import pytest

import aut_format
from lts.mucrl import generate, read
from ltstool.main import main

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def system(tmp_path):
    file = tmp_path / "s.aut"
    aut_format.write(generate(read(ROOT / "cases/abp.mcrl")), file)
    return file


def verified(*files):
    """Return the exit code and the answer of the verifier, in a Python without anything else."""
    command = [sys.executable, "-I", "-S", str(ROOT / "lts_verifier"), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    "relation",
    [
        "strong",
        "branching",
        "weak",
        "divergence-preserving-branching",
        "divergence-preserving-weak",
        "branching-bisim",
    ],
)
@pytest.mark.parametrize("more", [[], ["--hide", "c2,c3,c5,c6"], ["--keep-unreachable"]])
def test_minimise(relation, more, system, tmp_path):
    out, certificate = tmp_path / "out.aut", tmp_path / "c.json"
    files = ["-o", str(out), "--certificate", str(certificate)]
    assert main(["minimise", str(system), "-e", relation, *more, *files]) == 0
    code, said = verified(certificate, system, out)
    assert code == 0
    assert said.startswith("valid: the result is equivalent modulo")
    assert ("c2(d1,0)" in said) == (more[:1] == ["--hide"])
    again = tmp_path / "again.aut"
    assert main(["minimise", str(system), "-e", relation, *more, "-o", str(again)]) == 0
    assert again.read_bytes() == out.read_bytes()
    assert verified(certificate, out, out)[0] == 1
    assert verified(certificate, system)[0] == 2


def test_certificate_names_the_labels_of_the_file(tmp_path):
    file, out, certificate = (tmp_path / name for name in ("s.aut", "o.aut", "c.json"))
    file.write_text('des (0,4,3)\n(0,"step",1)\n(1,"tau",2)\n(2,"a",0)\n(1,"step",1)\n')
    files = ["-o", str(out), "--certificate", str(certificate)]
    assert main(["minimise", str(file), "-e", "strong", "--tau", "step,tau", *files]) == 0
    assert "step" not in out.read_text()
    code, said = verified(certificate, file, out)
    assert code == 0
    assert 'o.aut", 3 states; internal: "tau"' in said


def test_minimise_with_classes(system, tmp_path):
    out, certificate, classes = (tmp_path / name for name in ("o.aut", "c.json", "classes"))
    files = ["-o", str(out), "--certificate", str(certificate), "--classes", str(classes)]
    assert main(["minimise", str(system), "-e", "weak", *files]) == 0
    alone = tmp_path / "alone"
    assert (
        main(["minimise", str(system), "-e", "weak", "-o", str(out), "--classes", str(alone)]) == 0
    )
    assert classes.read_bytes() == alone.read_bytes()


def test_check_symmetry(system, tmp_path, capfd):
    certificate = tmp_path / "c.json"
    command = ["check-symmetry", str(system), "--certificate", str(certificate), "--permute"]
    assert main([*command, "(d1 d2)"]) == 0
    assert "is a symmetry of order 2" in capfd.readouterr().out
    assert verified(certificate, system)[0] == 0
    for permutation, more in (("(0 1)", []), ("(0 1)", ["-e", "weak", "--hide", "c5,c6"])):
        assert main([*command, permutation, *more]) == 1
        assert "is no symmetry" in capfd.readouterr().out
        code, said = verified(certificate, system)
        assert code == 0
        assert said.startswith("valid: no symmetry modulo")


def test_reduce(system, tmp_path):
    out, certificate = tmp_path / "out.aut", tmp_path / "c.json"
    files = ["-o", str(out), "--certificate", str(certificate)]
    assert main(["reduce", str(system), "--permute", "(d1 d2)", *files]) == 0
    assert verified(certificate, system, out)[0] == 0
    plain = tmp_path / "plain.aut"
    assert main(["reduce", str(system), "--permute", "(d1 d2)", "-o", str(plain)]) == 0
    assert plain.read_bytes() == out.read_bytes()
    lines = out.read_text().splitlines()
    out.write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    assert verified(certificate, system, out)[0] == 1


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["minimise", "FILE", "-e", "rooted-weak"], "no certificates modulo rooted-weak"),
        (["minimise", "FILE", "-e", "weak-trace"], "classes"),
        (["minimise", "FILE", "-e", "weak", "--permute", "(d1 d2)"], "leave out --symmetry"),
        (["check-symmetry", "SPEC", "--permute", "(d1 d2)"], "generate it first"),
        (["check-symmetry", "FILE", "--permute", "(d1 d2)", "-e", "weak"], "leave out -e"),
        (["check-symmetry", "FILE", "--permute", "(d1 d9)", "-e", "trace"], "bisimulation"),
        (["reduce", "SPEC", "--permute", "(d1 d2)"], "generate it first"),
        (["reduce", "FILE", "--permute", "(d1 d2)", "--count"], "leave out -o"),
        (["minimise", "REDUCED", "-e", "weak"], "is a reduction"),
        (["check-symmetry", "REDUCED", "--permute", "(d1 d2)"], "is a reduction"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_unsupported_certificates_are_refused_without_output(
    command, message, system, tmp_path, capfd
):
    reduced = tmp_path / "r.aut"
    assert main(["reduce", str(system), "--permute", "(d1 d2)", "-o", str(reduced)]) == 0
    names = {"FILE": system, "SPEC": ROOT / "cases/abp.mcrl", "REDUCED": reduced}
    words = [str(names.get(word, word)) for word in command]
    if command[0] != "check-symmetry" and "--count" not in command:
        words += ["-o", str(tmp_path / "out.aut")]
    before = sorted(tmp_path.iterdir())
    assert main([*words, "--certificate", str(tmp_path / "c.json")]) == 2
    assert message in capfd.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_output_and_certificate_need_different_files(system, tmp_path, capfd):
    out = str(tmp_path / "out.aut")
    for command in (["minimise", "-e", "weak"], ["reduce", "--permute", "(d1 d2)"]):
        name, *options = command
        assert main([name, str(system), *options, "-o", out, "--certificate", out]) == 2
        assert "cannot both go to" in capfd.readouterr().err
