"""Lower a bound of the product for a part of a test."""

from contextlib import contextmanager


@contextmanager
def lowered(bound, default):
    """Give a bound of the table another default.

    The product must read it where it applies: `base/test_bounds.py` checks that none that a test
    lowers is read while a module is loaded.
    """
    before = bound.default
    assert default < before
    bound.default = default
    try:
        yield
    finally:
        bound.default = before
