"""Labels by definition: their actions, when two are the same, and what hiding and renaming leave.

Only labels as mCRL2 and CADP write them are read here, character by character; it is slow.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

BRACKETS = {"(": ")", "[": "]", "{": "}"}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
OF_NAMES = LETTERS + "0123456789'"
OF_WORDS = OF_NAMES + ".#@"
BLANKS = " \t"


class Action(NamedTuple):
    """An action: its name, its text as written, and its tokens."""

    name: str
    text: str
    tokens: tuple[str, ...]


def tokens(text: str) -> list[tuple[str, int, int]] | None:
    """Return the tokens of a text with their places: quoted texts, signs, words and operators.

    None if a quotation mark is not closed.
    """
    found, at = [], 0
    while at < len(text):
        begun = at
        if text[at] in BLANKS:
            at += 1
            continue
        if text[at] == '"':
            at += 1
            while at < len(text) and text[at] != '"':
                at += 2 if text[at] == "\\" else 1
            if at >= len(text):
                return None
            at += 1
        elif text[at] in "()[]{},|":
            at += 1
        else:
            is_word = text[at] in OF_WORDS
            while at < len(text) and text[at] not in BLANKS + '()[]{},|"':
                if (text[at] in OF_WORDS) != is_word:
                    break
                at += 1
        found.append((text[begun:at], begun, at))
    return found


def parts(text: str, sign: str) -> list[str] | None:
    """Split a text at a sign outside brackets and quotes; None if brackets do not match."""
    read = tokens(text)
    if read is None:
        return None
    open_, begun, found = [], 0, []
    for token, start, end in read:
        if token in BRACKETS:
            open_.append(BRACKETS[token])
        elif token in BRACKETS.values():
            if not open_ or open_.pop() != token:
                return None
        elif token == sign and not open_:
            found.append(text[begun:start])
            begun = end
    return None if open_ else [*found, text[begun:]]


def action(text: str) -> Action | None:
    """Read `name` or `name(argument,..)`; None if the text is neither."""
    text = text.strip(BLANKS)
    size = 0
    while size < len(text) and text[size] in OF_NAMES:
        size += 1
    name, rest = text[:size], text[size:].strip(BLANKS)
    if not name or name[0] not in LETTERS:
        return None
    if rest:
        # The first bracket closes at the end, and no argument is empty.
        if rest[0] != "(" or rest[-1] != ")" or parts(rest[1:-1], "|") is None:
            return None
        arguments = parts(rest[1:-1], ",")
        if arguments is None or (
            len(arguments) > 1 and not all(argument.strip() for argument in arguments)
        ):
            return None
    read = tokens(text)
    assert read is not None
    return Action(name, text, tuple(token for token, _, _ in read))


def actions(label: str) -> list[Action] | None:
    """Return the actions of an action or multi-action of mCRL2, without `tau` among several.

    None if the label is something else.
    """
    texts = parts(label, "|")
    if texts is None:
        return None
    read = [action(text) for text in texts]
    if None in read:
        return None
    found = [one for one in read if one is not None]
    if len(found) > 1:
        found = [one for one in found if one.text != "tau"] or found[:1]
    return found or None


def bag(label: str) -> Counter[tuple[str, ...]]:
    """Return the actions of a label as a multiset of their tokens: equal for equal labels."""
    found = actions(label)
    return Counter([(label,)] if found is None else [one.tokens for one in found])


def hidden(label: str, names: set[str]) -> str:
    """Return a label without the actions of these names, or with these arguments."""
    found = actions(label)
    if found is None:
        return "tau" if label in names else label
    if any(bag(label) == bag(name) for name in names):
        return "tau"
    expected = [bag(name) for name in names]
    left = [one for one in found if one.name not in names and Counter([one.tokens]) not in expected]
    if len(left) == len(found):
        return label
    return "|".join(one.text for one in left) or "tau"


def renamed(label: str, old: str, new: str) -> str:
    """Return a label with actions of one name called otherwise, as a multiset of its actions."""
    found = actions(label)
    if found is None:
        return new if label == old else label
    return "|".join(new + one.text[len(old) :] if one.name == old else one.text for one in found)
