"""`ltstool format`: make the layout of a text regular."""

from __future__ import annotations

from aut_format.output import writing
from lts.errors import LtsError
from ltstool.options.request import TEXT, Request, Takes
from ltstool.options.table import option
from ltstool.shared.files import is_standard, shown, standard_input, write_text

HELP = (
    "make the layout of a specification, formula or network regular: only blanks are changed; "
    "with --check, exit code 1 if something would be changed"
)
EXAMPLES = (
    "format cases/managers.mcrl",
    "format --check cases/abp.mcrl",
    "format --in-place cases/managers.mcrl",
)


class Formatting(Request):
    """The options of `format`."""

    in_place: bool = option("--in-place", "write the result over the file")
    check: bool = option("--check", "write nothing; exit code 1 if the result differs")
    notation: str | None = option(
        "--language mucrl|mcrl2|mcf|exp", "language of the text (default: by the name of the file)"
    )

    @property
    def writes(self) -> bool:
        """Whether the text is written to a file or to standard output."""
        return super().writes and not (self.check or self.in_place)


TAKES = Takes(
    request=Formatting,
    writes=TEXT,
    options=("file", "output", "in_place", "check", "notation"),
    changed={
        "file": {
            "flags": "[FILE]",
            "help": "text (.mcrl, .mcrl2, .mcf or .exp; default: standard input)",
        },
    },
    against={
        ("output", "in_place"): "has no effect with --in-place, which writes over the file",
        ("output", "check"): "has no effect with --check, which writes nothing",
        ("in_place", "check"): "has no effect with --check, which writes nothing",
    },
    answers=True,
)


def run(request: Formatting) -> int:
    """Write the text, or check it."""
    from lts.editor import LANGUAGES, formatted, language_of

    file = request.reading.file
    name = file if file is not None and not is_standard(file) else None
    language = LANGUAGES[request.notation] if request.notation else language_of(name or "")
    if language is None:
        suffixes = ", ".join(end for one in LANGUAGES.values() for end in one.endings)
        raise LtsError(f"{shown(file)} has none of the endings {suffixes}: name its --language")
    if name is None:
        if request.in_place:
            raise LtsError("--in-place needs a file, not standard input")
        text = standard_input()
    else:
        with open(name, "rb") as opened:
            text = opened.read().decode("utf-8", "surrogateescape")
    found = formatted(text, language, name or f"text{language.endings[0]}")
    if request.check:
        if found != text:
            request.note(f"{shown(file)} would be changed")
        request.written(formatted=found == text)
        return 0 if found == text else 1
    if not request.in_place:
        write_text(request, request.output, found)
    elif name is not None and found != text:
        with writing(name) as out:
            out.write(found.encode("utf-8", "surrogateescape"))
    request.written(changed=found != text)
    return 0
