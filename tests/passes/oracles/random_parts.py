"""How many random programs a test tries: a quarter, or all with PENSTOCK_LONG=1."""

from sampling import IS_LONG


def parts_of(count: int, size: int) -> range:
    """The first seed of each part of `size` programs; all `count` programs in the long form, else a
    quarter.

    Each part is one test, whose asserted counts depend on `size`.
    """
    return range(0, count if IS_LONG else max(size, count // 4), size)
