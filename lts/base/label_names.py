"""Names of actions and labels as arguments of functions: their types, the labels that they match,
and names that match none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import lts._engine as _engine

__all__ = [
    *("Named", "action_names", "encoded", "label_text", "matched", "normal", "read_actions"),
    *("several", "unmatched", "without_hidden"),
]


def several(names: Iterable[str]) -> list[str]:
    """Return names; raise `TypeError` for a text, which would be taken as its letters.

    >>> several("send")
    Traceback (most recent call last):
    TypeError: expected several names, such as ["send"], not the string "send"
    """
    if not isinstance(names, Iterable):
        kind = type(names).__name__
        raise TypeError(f'expected several names, such as ["send"], not an object of type {kind}')
    if isinstance(names, str | bytes):
        shown = names if isinstance(names, str) else names.decode("utf-8", "backslashreplace")
        raise TypeError(f'expected several names, such as ["{shown}"], not the string "{shown}"')
    names = list(names)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(
                f"a name must be a string, not an object of type {type(name).__name__}: {name!r}"
            )
    return names


def unmatched(names: Sequence[str], labels: Iterable[str]) -> list[str]:
    """Return those of `names`, as `LTS.hide` takes them, that match none of `labels`."""
    if not names:
        return []
    return [names[place] for place in _engine.unmatched(encoded(names), encoded(labels))]


def matched(names: Iterable[str], labels: Iterable[str]) -> list[str]:
    """Return those of `labels` that are matched by one of `names`, as `LTS.hide` takes them."""
    known = [*labels]
    return [known[place] for place in _engine.matched(encoded(names), encoded(known))]


def action_names(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the actions of labels, each once.

    >>> action_names(["get(0)|put(0)", "PUT !1 !TRUE", "see you, all"])
    ('get', 'put', 'PUT', 'see you, all')
    """
    return tuple(map(label_text, _engine.action_names(encoded(labels))))


Named = tuple[str, tuple[str, ...]]
"""An action of a label: its name, and the texts of its arguments."""


def read_actions(label: str) -> tuple[Named, ...]:
    """Return the actions of a label with their arguments. A label without structure is one action
    without arguments.

    >>> read_actions("put(1, [2, 3])|get")
    (('put', ('1', '[2, 3]')), ('get', ()))
    """
    [text] = encoded([label])
    read = _engine.read_label(text)
    if read is None:
        return ((label, ()),)
    actions, parts = read
    return tuple(
        (
            label_text(text[start:name_end]),
            tuple(
                label_text(text[parts[argument][0] : parts[argument][1]]) for argument in arguments
            ),
        )
        for start, _, name_end, arguments in actions
    )


def normal(label: str) -> str:
    """Return the form of a label that is the same for all labels that differ only in blanks between
    tokens, or in the order of the actions of a multi-action.

    >>> normal("put(1, 2) | get(0)")
    'get(0)|put(1,2)'
    """
    if "|" not in label and not any(map(str.isspace, label)):
        return label
    return label_text(_engine.normal_label(label.encode("utf-8", "surrogateescape")))


def without_hidden(names: Iterable[str]) -> Callable[[str], str | None]:
    """Return the function that removes hidden actions from a label, as `LTS.hide` does; None stands
    for an internal label.

    >>> without_hidden(["get"])("get(0)|put(0)")
    'put(0)'
    """
    patterns = _engine.LabelPatterns(encoded(names))

    def visible(label: str) -> str | None:
        rest = patterns.rest(label.encode("utf-8", "surrogateescape"))
        return None if rest is None else label_text(rest)

    return visible


def label_text(label: bytes) -> str:
    """Return a label or another name of the engine as text; `encoded` is the inverse."""
    return label.decode("utf-8", "surrogateescape")


def encoded(names: Iterable[str]) -> list[bytes]:
    """Return names in the form of the engine; `label_text` is the inverse."""
    return [name.encode("utf-8", "surrogateescape") for name in several(names)]
