"""Lower a bound of the product for a part of a test."""

from contextlib import contextmanager


@contextmanager
def lowered(bound, default):
    """Give a bound of the table another default.

    The product reads defaults where they apply, as `base/test_bounds.py` checks, except those that
    a caller can replace: a test gives them as a caller does.
    """
    assert not bound.option, f"give another limit to what has the bound on {bound.name}"
    before = bound.default
    assert default < before
    object.__setattr__(bound, "default", default)
    try:
        yield
    finally:
        object.__setattr__(bound, "default", before)
