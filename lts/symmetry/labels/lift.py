"""Lifting of a permutation of data to labels that are known only as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lts.base.bounds import LABEL_IMAGES
from lts.base.label_names import normal
from lts.base.spelling import near
from lts.errors import LimitReached, SpecificationError
from lts.symmetry.labels.dialects import Label, LabelPart, parse_label, plain, size_of
from lts.symmetry.permutation.notation import Element, Permutation, Structure

__all__ = ["lift_labels", "refuse_idle"]


def refuse_idle(
    permutation: Permutation, labels: Iterable[str], internal: Iterable[str] = ()
) -> None:
    """Raise `SpecificationError` for a permutation that is probably misspelt.

    That is a permutation other than `()` that moves none of the labels, or one with a pattern that
    no label matches.
    """
    labels = list(labels)
    images, found = _lift(permutation, labels, set(internal))
    parsed = [label for label in map(found.get, labels) if label is not None]
    actions = [action for label in parsed for action in label.actions]
    for pattern in permutation.where:
        if not any(
            _parts_at_stars(action.arguments, pattern) is not None
            for action in actions
            if (action.name, len(action.arguments)) == (pattern.name, len(pattern.parts))
        ):
            hint = near(pattern.name, {action.name for action in actions} - {pattern.name})
            raise permutation.error(f"no label has the form `{pattern}`{hint}", str(pattern))
    if (permutation.cycles or permutation.fixed) and all(
        images[label] == label for label in labels
    ):
        raise _moves_nothing(permutation, parsed)


def lift_labels(
    permutation: Permutation, labels: Iterable[str], internal: Iterable[str] = ()
) -> dict[str, str]:
    """Return the image of every label, closed under images: the image of every image is there, too.

    A quoted element is a whole label. An unquoted one is a data term; it is a whole label only if
    it is the text of a label and no label has it as an argument. Raises `SpecificationError` if
    that is ambiguous, if a cycle mixes labels and data, if two labels would get the same image, if
    an internal label would move, or for maps, which only a specification has. Raises `LimitReached`
    if the closure under images gets too large.
    """
    return _lift(permutation, list(labels), set(internal))[0]


def _lift(
    permutation: Permutation, labels: list[str], internal: set[str]
) -> tuple[dict[str, str], Mapping[str, Label | None]]:
    """Return the images of labels, and all these labels parsed."""
    if permutation.maps:
        raise permutation.error(
            "maps after `with` need a specification; an LTS has none", permutation.maps[0]
        )
    parsed = {label: parse_label(label) for label in labels}
    sizes = {size_of(element.text) for element in permutation.images if not element.quoted}
    data_texts: dict[str, str] = {}
    for parts in parsed.values():
        if parts is not None:
            for part in parts.inside(sizes):
                # Of several spellings take the least, so that the order of labels does not matter.
                shown = parts.shown(part)
                data_texts[plain(shown)] = min(shown, data_texts.get(plain(shown), shown))
    whole: dict[str, str] = {}
    data: dict[str, str] = {}
    visible = parsed.keys() - internal
    for cycle in permutation.cycles:
        kinds = _kinds(permutation, cycle, visible, data_texts)
        for element in cycle:
            image = permutation.images[element].text
            if "label" in kinds:
                whole[element.text] = image
            else:
                # Spell the image as labels spell it.
                data[plain(element.text)] = data_texts.get(plain(image), image)
    alike = _without_order(parsed.values()) if data else {}
    images = _closed(permutation, [*labels, *whole], parsed, whole, data, sizes, alike)
    for name in internal:
        if images.get(name, name) != name:
            raise SpecificationError(f"the internal label `{name}` must be fixed")
    return images, parsed


def _closed(
    permutation: Permutation,
    waiting: list[str],
    parsed: dict[str, Label | None],
    whole: Mapping[str, str],
    data: Mapping[str, str],
    sizes: set[int],
    alike: Mapping[str, str],
) -> dict[str, str]:
    """Return the images of labels, and the images of these in turn; `alike` is the result of
    `_without_order`."""
    given = set(waiting)
    most = len(waiting) + LABEL_IMAGES.default
    longest = max(map(len, data.values()), default=0)
    bound = max(map(len, [*waiting, *whole.values()]), default=0) * (longest + 1)
    images: dict[str, str] = {}
    origins: dict[str, str] = {}
    while waiting:
        label = waiting.pop()
        if label in images:
            continue
        image = whole.get(label)
        if image is None:
            if label not in parsed:
                parsed[label] = parse_label(label)
            image = _lifted(label, parsed[label], data, sizes, permutation.where)
            if alike and image not in given:
                moved = parse_label(image)
                image = image if moved is None else alike.get(moved.in_order, image)
        images[label] = image
        other = origins.setdefault(image, label)
        if other != label:
            raise SpecificationError(
                f"`{permutation}` is not a permutation of the labels: `{label}` and `{other}` "
                f"have the same image `{image}`"
            )
        if len(image) > bound:
            raise SpecificationError(
                f"`{permutation}` is not a permutation of the labels: repeated images grow "
                "without bound"
            )
        if len(images) > most:
            raise LimitReached(
                f"the images of labels under `{permutation}` have {LABEL_IMAGES.exceeded(most)}",
                limit=most,
                found={"labels": len(images)},
            )
        waiting.append(image)
    return images


def _without_order(labels: Iterable[Label | None]) -> dict[str, str]:
    """Return labels keyed by a form in which blanks, and the order of actions and of the elements
    of sets, do not matter; none if no label has any of these.

    Labels that differ in nothing but that order are left out: for them the order matters.
    """
    found: dict[str, str] = {}
    twice = set()
    parsed = [label for label in labels if label is not None]
    if not any(
        "{" in label.text or len(label.actions) > 1 or normal(label.text) != label.text
        for label in parsed
    ):
        return {}
    for label in parsed:
        key = label.in_order
        if found.setdefault(key, label.text) != label.text:
            twice.add(key)
    return {key: text for key, text in found.items() if key not in twice}


def _kinds(
    permutation: Permutation,
    cycle: Sequence[Element],
    labels: set[str],
    data: Mapping[str, str],
) -> set[str]:
    """Return whether the elements of a cycle are labels or data; the empty set if no label has
    them."""
    kinds: dict[str, Element] = {}
    for element in cycle:
        is_datum = not element.quoted and plain(element.text) in data
        is_label = element.quoted or (element.text in labels and not permutation.where)
        if is_label and is_datum:
            raise SpecificationError(
                f"`{element.text}` is both a label and an argument of labels: write the label "
                f'as `"{element.text}"`, or give the place of the datum with `in PATTERN`'
            )
        if is_label or is_datum:
            kinds.setdefault("label" if is_label else "datum", element)
    if len(kinds) > 1:
        raise permutation.error(
            f"the cycle `{Permutation((tuple(cycle),))}` mixes the label `{kinds['label'].text}` "
            f"and the datum `{kinds['datum'].text}`",
            str(kinds["datum"]),
        )
    return set(kinds)


def _lifted(
    label: str,
    parsed: Label | None,
    data: Mapping[str, str],
    sizes: set[int],
    where: Sequence[Structure],
) -> str:
    if parsed is None or not data:
        return label
    parts = list(parsed.arguments)
    if where:
        parts = []
        for action in parsed.actions:
            for pattern in where:
                if (action.name, len(action.arguments)) == (pattern.name, len(pattern.parts)):
                    moved_parts = _parts_at_stars(action.arguments, pattern)
                    if moved_parts is not None:
                        parts += moved_parts
                        break
    return parsed.edited(parsed.replaced(tuple(parts), data, sizes))


def _parts_at_stars(arguments: Sequence[LabelPart], pattern: Structure) -> list[LabelPart] | None:
    """Return the parts at the `*` of a pattern; None if the arguments do not match it."""
    found = []
    waiting = list(zip(arguments, pattern.parts, strict=True))
    while waiting:
        part, inner = waiting.pop()
        if inner.name == "*" and not inner.parts:
            found.append(part)
        elif inner.name != "_" or inner.parts:
            if part.name != inner.name or len(part.parts) != len(inner.parts):
                return None
            waiting += zip(part.parts, inner.parts, strict=True)
    return found


def _moves_nothing(permutation: Permutation, labels: Iterable[Label]) -> SpecificationError:
    """Return the error that a permutation moves nothing, with what might be meant."""
    known: dict[str, None] = {}
    for label in labels:
        for part in label.inside({1}):
            known.setdefault(label.shown(part))
    if not permutation.images:
        name = str(permutation.fixed[0])
        return permutation.error(f"a cycle of one element, `({name})`, moves nothing", name)
    absent = [e for e in permutation.images if e.quoted or e.text not in known]
    if not absent:
        text = f"`{permutation}` moves nothing: no label has these data at that place"
        return permutation.error(text, str(next(iter(permutation.images))))
    names = [str(element) for element in absent]
    hint = near(names[0], known)
    if known and not hint:
        shown = ", ".join(f"`{name}`" for name in list(known)[:5])
        hint = f"; data of labels are {shown}{', ..' if len(known) > 5 else ''}"
    what = "data" if not any(element.quoted for element in absent) else "text"
    return permutation.error(
        f"`{permutation}` moves nothing: no label has the {what} `{names[0]}`{hint}", names[0]
    )
