"""How many random programs a test tries: a part of them, or all with PENSTOCK_LONG=1."""

from sampling import IS_LONG


def parts_of(count: int, size: int) -> range:
    """The first seeds of parts of so many: of all `count` in the long form, else of a quarter.

    Each part is a test of its own, so `size` stays what the counts that a test asserts expect.
    """
    return range(0, count if IS_LONG else max(size, count // 4), size)
