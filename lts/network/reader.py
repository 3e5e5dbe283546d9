"""Networks from texts and files: which components they have, and where these are."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from lts.errors import FormatError, LimitReached, LtsError, Unsupported
from lts.expected import expect_text
from lts.formats.names import ENDINGS
from lts.network.network import Network
from lts.network.parser import parse
from lts.network.tree import Component
from lts.network.vectors import flatten, of_component
from lts.system import LTS
from lts.text.source import Source

__all__ = ["SPECIFICATIONS", "read", "read_text"]

SPECIFICATIONS = (".mcrl", ".mucrl", ".mcrl2", ".lps")
"""How the names of specifications end."""
_FOREIGN = (".bcg", ".lotos", ".lnt", ".fsp", ".seq")

Load = Callable[[str], LTS]


def read(path: str | os.PathLike[str], *, load: Load | None = None) -> Network:
    """Return the network that a file in the notation of EXP is.

    Components are files of LTSs, specifications, whose state spaces are generated, and other
    networks, which are taken apart; their names are as seen from the folder of the file. A name
    without an end is that of an .aut file. A file that occurs several times is read once. `load`
    gives the component of the path of an LTS or a specification.

    Raises `LtsError` with the place in the text, also where a component cannot be read, or a
    network is a component of itself; `ParseError` for other text, `Unsupported` for what is legal
    and not read, `LimitReached` for too many vectors.
    """
    file = os.fspath(path)
    return _Reader(load or _load).network(file, _text(file), ())


def read_text(
    text: str, *, file: str = "network", folder: str = ".", load: Load | None = None
) -> Network:
    """Return the network that a text is, whose components are in a folder."""
    expect_text(text, "the text of a network")
    return _Reader(load or _load).of_source(Source(text, file), folder, ())


class _Reader:
    def __init__(self, load: Load) -> None:
        self.load = load
        self.networks: dict[str, Network] = {}
        self.systems: dict[str, LTS] = {}

    def network(self, file: str, text: str, around: tuple[str, ...]) -> Network:
        return self.of_source(Source(text, file), os.path.dirname(file), (*around, _real(file)))

    def of_source(self, source: Source, folder: str, around: tuple[str, ...]) -> Network:
        def component(leaf: Component) -> Network:
            path = os.path.join(folder, leaf.name)
            end = Path(leaf.name).suffix.lower()
            if end in _FOREIGN:
                message = f"`{end}` is not read here: the component has to be an .aut file"
                raise source.error(Unsupported, message, leaf.place)
            if end not in (".exp", *SPECIFICATIONS, *ENDINGS):
                path += ".aut"
            if "\0" in path:
                raise source.error(LtsError, "no file has such a name", leaf.place)
            try:
                return self.file(path, leaf.name, around)
            except (OSError, LtsError) as error:
                raise self.placed(source, leaf, error) from error

        return flatten(parse(source), component)

    def file(self, path: str, name: str, around: tuple[str, ...]) -> Network:
        real = _real(path)
        if real in around:
            raise LtsError("this network is a component of itself")
        if path.lower().endswith(".exp"):
            if real not in self.networks:
                self.networks[real] = self.network(path, _text(path), around)
            return self.networks[real]
        if real not in self.systems:
            self.systems[real] = self.load(path)
        return of_component(self.systems[real], name)

    def placed(self, source: Source, leaf: Component, error: Exception) -> LtsError:
        """Return the error as one of the place where the component stands."""
        if isinstance(error, OSError):
            return source.error(LtsError, f"`{leaf.name}`: {error.strerror}", leaf.place)
        assert isinstance(error, LtsError)
        if error.place or type(error) is LimitReached:
            # It says itself where in the component something is wrong.
            return error
        kind = type(error) if type(error) in (FormatError, Unsupported) else LtsError
        return source.error(kind, f"`{leaf.name}`: {error.message}", leaf.place)


def _real(path: str) -> str:
    return os.path.realpath(path)


def _text(file: str) -> str:
    return Path(file).read_bytes().decode("utf-8", "surrogateescape")


def _load(path: str) -> LTS:
    if not path.lower().endswith(SPECIFICATIONS):
        from lts.formats import read as read_lts

        return read_lts(path)
    from lts import mcrl2, mucrl
    from lts.state_space.generation import generate

    read = mcrl2.read if path.lower().endswith((".mcrl2", ".lps")) else mucrl.read
    return generate(read(path))
