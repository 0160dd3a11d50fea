"""Which cases of a test are run: a part that holds each value of each parameter, or all.

A marker says that a test has more cases than every run needs:

sampled   each value of each parameter is tried at least once and, of three parameters or more,
          each pair of values; the other combinations are tried in the long form alone
long      this case is tried in the long form alone

PENSTOCK_LONG=1 selects the long form. Only the cases that `-k`, `-m` or a name selects are sampled:
a case of a sampled test that is named alone is run.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from zlib import crc32

import pytest

IS_LONG = os.environ.get("PENSTOCK_LONG") == "1"


def left_out(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """The tests that the short form doesn't run."""
    if IS_LONG:
        return set()
    found = set()
    groups: defaultdict[tuple[object, str], list[pytest.Function]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("long"):
            found.add(item)
        elif item.get_closest_marker("sampled") and isinstance(item, pytest.Function):
            groups[item.parent, item.originalname].append(item)
    for cases in groups.values():
        chosen = set(representative(features(cases)))
        found.update(case for i, case in enumerate(cases) if i not in chosen)
    return found


def features(cases: Sequence[pytest.Function]) -> list[set[object]]:
    """The values that are tried together in each case: single ones, or pairs.

    Names whose values vary together are one parameter.
    """
    # Values need not be hashable. Whether two are the same object may differ between workers.
    written = [list(map(repr, case.callspec.params.values())) for case in cases]
    columns = {tuple(map(column.index, column)) for column in zip(*written, strict=True)}
    rows = list(zip(*sorted(columns), strict=True))
    count = 2 if len(columns) > 2 else 1
    return [set(combinations(enumerate(row), count)) for row in rows]


def representative(features: Sequence[set[object]], seed: str = "") -> Iterator[int]:
    """Numbers of a few sets of features that together hold all there are.

    Of those that add the same number of features, a hash chooses: with the first or the last of
    all, the same values of two parameters would always meet.
    """
    order = sorted(range(len(features)), key=lambda i: crc32(f"{seed} {i}".encode()))
    missing = set().union(*features)
    while missing:
        best = max(order, key=lambda i: len(features[i] & missing))
        yield best
        missing -= features[best]
