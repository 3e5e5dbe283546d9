"""Groups of permutations, as all their elements."""


def closure(rows, functions):
    """Return all images of rows under products of functions, which map the entries of a row."""
    found, waiting = set(rows), list(rows)
    while waiting:
        row = waiting.pop()
        for function in functions:
            image = tuple(function[entry] for entry in row)
            if image not in found:
                found.add(image)
                waiting.append(image)
    return found
