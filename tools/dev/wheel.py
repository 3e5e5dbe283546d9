"""Build the source archive and the wheel into dist/, and test the wheel in an empty environment.

Run by `make wheel`; `make wheel WHEEL=--test` does the same with an engine that is not optimised,
in half the time, and writes nothing. The build uses a copy of the tracked files, so that it has
no leftovers of earlier builds. The wheel is built from the source archive, which shows that the
archive is complete.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TAG = "cp311-abi3"
PACKAGES = ("lts", "lts_verifier", "aut_format", "ltstool")


UNOPTIMISED = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0"}


def main() -> int:
    """Build, check and install; any failure is an exception."""
    is_test = sys.argv[1:] == ["--test"]
    with tempfile.TemporaryDirectory(prefix="ltstool-wheel-") as folder:
        scratch = Path(folder)
        copy_tracked(scratch / "source")
        built = scratch / "dist"
        # Without build isolation: this environment has the build requirements in locked versions.
        build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(built)]
        run([*build, "--sdist"], cwd=scratch / "source")
        (archive,) = built.glob("*.tar.gz")
        with tarfile.open(archive) as opened:
            opened.extractall(scratch, filter="data")
        unpacked = scratch / archive.name.removesuffix(".tar.gz")
        run(
            [*build, "--wheel"],
            cwd=unpacked,
            env=reproducible(unpacked) | (UNOPTIMISED if is_test else {}),
        )
        (wheel,) = built.glob("*.whl")
        check_contents(wheel, archive, scratch / "source")
        check_installed(wheel, scratch)
        if not is_test:
            shutil.rmtree(ROOT / "dist", ignore_errors=True)
            shutil.copytree(built, ROOT / "dist")
    print(f"{wheel.name}: built and tried out")
    return 0


def copy_tracked(target: Path) -> None:
    """Copy the tracked files as they are in the work tree."""
    for name in tracked():
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def tracked() -> list[str]:
    """Return the names of the files tracked by git."""
    command = ["git", "ls-files", "-z"]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def reproducible(source: Path) -> dict[str, str]:
    """Return an environment in which the wheel of a commit has the same bytes in any folder: its
    times are that of the commit, and the engine contains no path of this machine."""
    commit = ["git", "log", "-1", "--format=%ct"]
    done = subprocess.run(commit, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    target = ROOT / "build" / "engine"
    cargo = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    remapped = {cargo: "cargo", str(target): "target", str(source): "ltstool"}
    flags = [f"--remap-path-prefix={path}={name}" for path, name in remapped.items()]
    return {
        **os.environ,
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
        "CARGO_TARGET_DIR": str(target),
        "SOURCE_DATE_EPOCH": done.stdout.strip(),
    }


def check_contents(wheel: Path, archive: Path, source: Path) -> None:
    """Check the wheel's tag, and that both archives have exactly the files of the packages."""
    if f"-{TAG}-" not in wheel.name:
        raise SystemExit(f"{wheel.name}: not tagged {TAG}")
    with zipfile.ZipFile(wheel) as opened:
        inside = {name for name in opened.namelist() if ".dist-info/" not in name}
        engine = b"".join(opened.read(name) for name in inside if name.startswith("lts/_engine."))
        (metadata,) = (name for name in opened.namelist() if name.endswith("/METADATA"))
        description = opened.read(metadata).decode()
    for folder in (ROOT, source.parent, Path.home()):
        if os.fsencode(folder) + os.fsencode(os.sep) in engine:
            raise SystemExit(f"{wheel.name}: the engine contains the path {folder}")
    if relative := re.findall(r"\]\((?!https?://)[^)]*\)", description):
        raise SystemExit(f"{wheel.name}: links of its description lead nowhere: {relative}")
    wanted = {
        path.relative_to(source).as_posix()
        for package in PACKAGES
        for path in (source / package).rglob("*")
        if path.is_file()
    }
    modules = {name for name in inside if name.startswith("lts/_engine.abi3.")}
    manual = {name for name in inside if name.endswith(".data/data/share/man/man1/ltstool.1")}
    same(wheel.name, inside - modules - manual, wanted)
    if not manual:
        raise SystemExit(f"{wheel.name}: no manual page")
    if len(modules) != 1:
        raise SystemExit(f"{wheel.name}: no compiled module for the stable ABI")
    with tarfile.open(archive) as opened:
        inside = {name.partition("/")[2] for name in opened.getnames()}
    wanted = {"LICENSE", "THIRD-PARTY.md", "README.md", "engine/Cargo.lock", ".cargo/config.toml"}
    if not wanted <= inside:
        raise SystemExit(f"{archive.name}: lacks {wanted - inside}")
    if tests := sorted(name for name in inside if name.startswith("tests")):
        raise SystemExit(f"{archive.name}: has some of the tests, {tests[0]}, and not all")


def same(where: str, found: set[str], wanted: set[str]) -> None:
    """Exit if the two sets of names differ."""
    if found != wanted:
        raise SystemExit(
            f"{where}: missing {sorted(wanted - found)}, too many {sorted(found - wanted)}; "
            "see [tool.setuptools] in pyproject.toml"
        )


def check_installed(wheel: Path, scratch: Path) -> None:
    """Install ltstool from an index that has only `wheel`, and run tests/wheel_smoke.py.

    The requirements have their locked versions and come from the usual index. The environment
    contains nothing else, and the working directory is not the checkout.
    """
    environment = scratch / "empty"
    venv.create(environment, with_pip=True)
    bin_folder = environment / ("Scripts" if os.name == "nt" else "bin")
    python = str(bin_folder / "python")
    # Without hashes, since a wheel that was just built has no known hash.
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = [line.split()[0] for line in lines if "==" in line and not line.startswith(("#", " "))]
    (scratch / "constraints.txt").write_text("\n".join(pins) + "\n", encoding="utf-8")
    install = [python, "-m", "pip", "install", "--quiet", "--only-binary=:all:", "ltstool"]
    index = scratch / "index" / "ltstool"
    index.mkdir(parents=True)
    shutil.copy(wheel, index)
    (index / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>', encoding="utf-8")
    run([*install, "--no-deps", "--index-url", index.parent.as_uri()], cwd=scratch)
    run([*install, "--constraint", str(scratch / "constraints.txt")], cwd=scratch)
    elsewhere = scratch / "elsewhere"
    elsewhere.mkdir()
    path = os.pathsep.join((str(bin_folder), os.environ["PATH"]))
    smoke = shutil.copy(ROOT / "tests" / "wheel_smoke.py", scratch)
    run([python, "-I", "-W", "error", smoke], cwd=elsewhere, env={**os.environ, "PATH": path})


def run(command: list[str], cwd: Path, env: dict[str, str] | None = None) -> None:
    """Run `command`; show its output only if it fails."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        sys.stderr.buffer.write(done.stdout)
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}")


if __name__ == "__main__":
    sys.exit(main())
