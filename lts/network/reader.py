"""Reads networks from texts and files, with their components."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from lts.base.argument_types import expect_text
from lts.base.spelling import near
from lts.errors import FormatError, LimitReached, LtsError, Unsupported
from lts.formats.names import ENDINGS
from lts.network import pattern_files
from lts.network.inclusion import IncludedText, included
from lts.network.language import Language
from lts.network.network import TAU, Network
from lts.network.parser import build
from lts.network.reduction import Composers
from lts.network.tree import Component, Labels, PatternFile, Rules
from lts.network.tree import components as components_of
from lts.network.vectors import flatten
from lts.system.internal_labels import by_name
from lts.system.lts import LTS, expect_systems
from lts.text.inclusion import Folders, NotIncluded, real_path
from lts.text.names import Name
from lts.text.source import Place, Source
from lts.text.uses import Uses

__all__ = ["SPECIFICATIONS", "check_text", "read", "read_text"]

SPECIFICATIONS = (".mcrl", ".mucrl", ".mcrl2", ".lps", ".pnml")
"""The endings of the names of specifications and nets, whose state spaces are components."""
_FOREIGN = (".bcg", ".fc2", ".lotos", ".lnt", ".fsp", ".seq")


Load = Callable[[str], LTS]
"""Returns the component at a path."""

Systems = Mapping[str, LTS]
"""Components by their names in the text."""


def read(
    path: str | os.PathLike[str],
    *,
    load: Load | Systems | None = None,
    internal: Collection[str] | None = None,
    composers: Composers | None = None,
    include_path: Iterable[str | os.PathLike[str]] = (),
) -> Network:
    """Read a network from a file in EXP notation.

    Components are files of LTSs, or specifications or nets, whose state spaces are generated;
    another network is included as text in place of its name. Names are relative to the folder of
    the file in which they occur. A name without an ending is that of an .aut file. A file that
    occurs several times is read once.

    Included networks and files of patterns must be below the folder of `path`, or below one of
    `include_path`. Components may be anywhere, but errors quote nothing of those outside.

    `load` is a function that returns the component at the path of an LTS or specification, or a
    mapping with components by the names that the text gives them; components of other names are
    files. `internal` are the labels hidden in components; by default the reference language
    determines those of files, and the components of a mapping have their own. `composers` compose
    parts with priorities or interfaces, and verify interfaces.

    Raises `LtsError` with the place in the text, also if a component cannot be read, or a network
    includes itself; `ParseError` for a syntax error, `Unsupported` for constructs of EXP that are
    not supported, and `LimitReached` for too many vectors.
    """
    file = os.fspath(path)
    source, folder = Source(_text(file), file), os.path.dirname(file)
    allowed = Folders.of(folder, include_path)
    return _network(included(source, folder, file, allowed), load, internal, composers)


def read_text(
    text: str,
    *,
    file: str = "network",
    folder: str = ".",
    load: Load | Systems | None = None,
    internal: Collection[str] | None = None,
    composers: Composers | None = None,
    include_path: Iterable[str | os.PathLike[str]] = (),
) -> Network:
    """Return the network of a text, whose components are in a folder; the other arguments are those
    of `read`."""
    expect_text(text, "the text of a network")
    text_of = included(Source(text, file), folder, None, Folders.of(folder, include_path))
    return _network(text_of, load, internal, composers)


def check_text(
    text: str,
    *,
    file: str,
    folder: str,
    uses: Uses | None = None,
    include_path: Iterable[str | os.PathLike[str]] = (),
) -> None:
    """Check a network without reading its components.

    `uses` is given the places of the components, with their paths. Raises the same errors as
    `read_text`, also for components that do not exist.
    """
    text_of = included(Source(text, file), folder, file, Folders.of(folder, include_path))
    composition = build(text_of.source, text_of.tokens)
    files = _Files(text_of, composition.language, _load, None, Composers(), {})
    if uses is not None:
        uses.begin(text_of.source)
    for component in components_of(composition.expression):
        path = files.path(component)
        if uses is not None:
            name = Name.at(component.name, component.place)
            uses.declare(("component", path), "component", name, path)
        try:
            os.stat(path)  # opening a pipe could wait forever
        except OSError as error:
            raise files.placed(component.name, component.place, error) from error


def _network(
    text: IncludedText,
    load: Load | Systems | None,
    internal: Collection[str] | None,
    composers: Composers | None,
) -> Network:
    given = load if isinstance(load, Mapping) else {}
    expect_systems(*given.values())
    composition = build(text.source, text.tokens)
    named = dict.fromkeys(component.name for component in components_of(composition.expression))
    for name in given:
        if name not in named:
            known = ", ".join(f"`{one}`" for one in named)
            raise LtsError(f"no component is named `{name}`{near(name, named)} (known: {known})")
    read_file = _load if load is None or isinstance(load, Mapping) else load
    how = read_file, internal, composers or Composers(), given
    return flatten(composition, _Files(text, composition.language, *how))


class _Files:
    """The files that a text names, each of which is read once."""

    def __init__(
        self,
        text: IncludedText,
        language: Language,
        load: Load,
        internal: Collection[str] | None,
        composers: Composers,
        given: Systems,
    ) -> None:
        self.text = text
        self.language = language
        self.load = load
        self.internal = internal
        self.composers = composers
        self.given = given
        self.systems: dict[str, LTS] = {}
        self.remarks = text.remarks

    def error(self, kind: type[LtsError], message: str, place: Place) -> LtsError:
        return self.text.source.error(kind, message, place)

    def path(self, component: Component) -> str:
        """Return the path of the file that a component names."""
        name, place = component.name, component.place
        end = Path(name).suffix.lower()
        if end in _FOREIGN:
            message = f"`{end}` is not supported here: the component must be an .aut file"
            raise self.error(Unsupported, message, place)
        known = end in (*SPECIFICATIONS, *ENDINGS)
        file = name if known else name + ".aut"
        path = os.path.join(self.text.folder(place), file)
        real = self.real(path, place)
        others = [os.path.join(self.text.folder((1, 1)), file)]
        others += [] if known else [os.path.join(self.text.folder(place), name + ".bcg")]
        for other in others:
            if os.path.exists(other) and self.real(other, place) != real:
                message = f"`{name}` is read as `{path}`, although `{other}` exists"
                self.remarks.append((message, place))
        return path

    def component(self, component: Component) -> LTS:
        name, place = component.name, component.place
        if name in self.given:
            return self.hidden(self.given[name], specified=True)
        path = self.path(component)
        real = self.real(path, place)
        if real not in self.systems:
            try:
                system = self.load(path)
            except LtsError as error:
                if not self.text.allowed.have(path):
                    raise self.outside(name, place, error) from None
                raise self.placed(name, place, error) from error
            except OSError as error:
                raise self.unreadable(name, place, error) from error
            self.systems[real] = self.hidden(system, path.lower().endswith(SPECIFICATIONS))
            if "i" in self.systems[real].internal and "i" not in system.internal:
                message = f"`{name}` has labels `i` and `tau`: both are read as internal"
                self.remarks.append((message, place))
        return self.systems[real]

    def hidden(self, system: LTS, specified: bool) -> LTS:
        """Return a component with the internal labels that it has in the network.

        Those of a specification, or of a system that was given, are unchanged. In a file they are
        the labels hidden in the reference language and `tau`, unless labels of these names are
        declared visible.
        """
        if self.internal is not None:
            return system.with_internal(self.internal)
        if specified or (not system.internal and by_name(system.labels)):
            return system
        return system.with_internal((self.language.hidden, TAU))

    def labels(self, file: PatternFile) -> Labels:
        return pattern_files.read_labels(self.patterns(file), file)

    def rules(self, file: PatternFile) -> Rules:
        return pattern_files.read_rules(self.patterns(file), file)

    def patterns(self, file: PatternFile) -> Source:
        """Return the text of a pattern file, whose ending may have been omitted."""
        path = os.path.join(self.text.folder(file.place), file.name)
        suffixes = pattern_files.ENDINGS[file.operator]
        if not path.endswith(suffixes):
            known = [*(path + end for end in suffixes), path]
            path = next((one for one in known if os.path.isfile(one)), known[0])
        try:
            return Source(self.text.allowed.read(path), path)
        except NotIncluded as why:
            raise self.error(LtsError, f"`{file.name}`: {why}", file.place) from None

    def real(self, path: str, place: Place) -> str:
        if "\0" in path:
            raise self.error(LtsError, "a file cannot have this name", place)
        return real_path(path)

    def outside(self, name: str, place: Place, error: LtsError) -> LtsError:
        """Return an error that quotes nothing of a component outside the folder of the network, as
        the message and the text of its own error may do."""
        said = f"`{name}`, which is outside the folder of the network"
        if isinstance(error, LimitReached):
            return LimitReached(
                f"{said}: a limit was reached", limit=error.limit, found=error.found
            )
        return self.error(LtsError, f"{said}, is no system: `ltstool info` on it says why", place)

    def unreadable(self, name: str, place: Place, error: OSError) -> LtsError:
        """Return the error for a component whose file cannot be read."""
        if not self.given:
            return self.placed(name, place, error)
        systems = "the given systems " + ", ".join(f"`{one}`" for one in self.given)
        hint = near(name, self.given)
        message = f"`{name}` is neither a file ({error.strerror}) nor one of {systems}{hint}"
        return self.error(LtsError, message, place)

    def placed(self, name: str, place: Place, error: Exception) -> LtsError:
        """Return an error at the place of the component's name."""
        if isinstance(error, OSError):
            return self.error(LtsError, f"`{name}`: {error.strerror}", place)
        assert isinstance(error, LtsError)
        if error.place or type(error) is LimitReached:
            # The error has a place already, inside the component.
            return error
        kind = type(error) if type(error) in (FormatError, Unsupported) else LtsError
        return self.error(kind, f"`{name}`: {error.message}", place)


def _text(file: str) -> str:
    return Path(file).read_bytes().decode("utf-8", "surrogateescape")


def _load(path: str) -> LTS:
    if not path.lower().endswith(SPECIFICATIONS):
        from lts.formats import read as read_lts

        return read_lts(path)
    from lts.source import described, source_of
    from lts.state_space.settings import DEFAULT

    return source_of(described(path)).generate(DEFAULT)
