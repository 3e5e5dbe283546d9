"""From a permutation of data to one of labels, where all there is is their text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lts.errors import SpecificationError
from lts.symmetry.notation import Element, Permutation, Structure, parse_structure

__all__ = ["lift_labels", "lift_structure"]


def lift_structure(structure: Structure, images: Mapping[str, Structure]) -> Structure:
    """Replace the largest parts that have images, from the outside in."""
    # Only parts as large as some key are written out, so that depth costs no more than its length.
    sizes = {size for key in images for size in _sizes(key)}
    lifted: list[Structure] = []
    for part, size in structure.inside_out():
        inner = tuple(lifted[len(lifted) - len(part.parts) :])
        del lifted[len(lifted) - len(part.parts) :]
        image = images.get(str(part)) if size in sizes else None
        lifted.append(image or (Structure(part.name, inner) if inner else part))
    return lifted[0]


def _sizes(text: str) -> Iterator[int]:
    """Yield the number of names in a text, if it can be taken apart."""
    structure = parse_structure(text)
    if structure is not None:
        yield sum(1 for _ in structure.inside_out())


def lift_labels(
    permutation: Permutation, labels: Iterable[str], internal: Iterable[str] = ()
) -> dict[str, str]:
    """Return the image of every label, closed: the images of images are there too.

    A quoted element is a whole label. One that is not quoted is a data term, and a whole label only
    if it is the text of a label and no label has it as an argument. Raises `SpecificationError` if
    that is ambiguous, if two labels would get one image, or if an internal label would move; and
    for maps, which only a specification has.
    """
    if permutation.maps:
        raise permutation.error(
            "maps after `with` are those of a specification; an LTS has none", permutation.maps[0]
        )
    labels = list(labels)
    structures = {label: parse_structure(label) for label in labels}
    sizes = {size for element in permutation.images for size in _sizes(element.text)}
    arguments = {
        str(part)
        for structure in structures.values()
        if structure is not None
        for argument in structure.parts
        for part, size in argument.inside_out()
        if size in sizes
    }
    whole: dict[str, str] = {}
    data: dict[str, Structure] = {}
    for element, image in permutation.images.items():
        if _is_label(element, structures, arguments):
            whole[element.text] = image.text
        else:
            parsed = parse_structure(image.text)
            assert parsed is not None
            data[element.text] = parsed
    images: dict[str, str] = {}
    waiting = [*labels, *whole]
    while waiting:
        label = waiting.pop()
        if label in images:
            continue
        image_text = whole.get(label) or _lifted(label, data, permutation.where)
        images[label] = image_text
        waiting.append(image_text)
    origins: dict[str, str] = {}
    for label, image_text in images.items():
        if origins.setdefault(image_text, label) != label:
            raise SpecificationError(
                f"`{permutation}` is no permutation of the labels: `{label}` and "
                f"`{origins[image_text]}` both become `{image_text}`"
            )
    for label in internal:
        if images.get(label, label) != label:
            raise SpecificationError(f"the internal label `{label}` must stay where it is")
    return images


def _is_label(
    element: Element, labels: Mapping[str, Structure | None], arguments: set[str]
) -> bool:
    if element.quoted:
        return True
    if element.text not in labels:
        return False
    if element.text in arguments:
        raise SpecificationError(
            f"`{element.text}` is a label, and an argument of labels: write the label as "
            f'`"{element.text}"`, or say where the datum stands, with `in PATTERN`'
        )
    return True


def _lifted(label: str, data: Mapping[str, Structure], where: tuple[Structure, ...]) -> str:
    structure = parse_structure(label)
    if structure is None or not data:
        return label
    if not where:
        parts = tuple(lift_structure(part, data) for part in structure.parts)
        return str(Structure(structure.name, parts))
    for pattern in where:
        lifted = _lift_where(structure, pattern, data)
        if lifted is not None:
            return str(lifted)
    return label


def _lift_where(
    structure: Structure, pattern: Structure, data: Mapping[str, Structure]
) -> Structure | None:
    """Lift where the pattern has `*`; None if the structure is not of its form."""
    if pattern.name == "*" and not pattern.parts:
        return lift_structure(structure, data)
    if pattern.name == "_" and not pattern.parts:
        return structure
    if structure.name != pattern.name or len(structure.parts) != len(pattern.parts):
        return None
    parts = []
    for part, inner in zip(structure.parts, pattern.parts, strict=True):
        lifted = _lift_where(part, inner, data)
        if lifted is None:
            return None
        parts.append(lifted)
    return Structure(structure.name, tuple(parts))
