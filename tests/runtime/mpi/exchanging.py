"""A program for ranks: all kinds of collectives over MPI give what they give in NumPy.

It takes the share of the cases that it tries, such as 10 for every tenth.
"""

import ctypes
import sys
from itertools import product

import numpy as np

from penstock.codegen.jobs.helpers import ranks_library
from penstock.lowering.user_cache import user_store
from penstock.runtime.collective import AWAITED, Collective
from penstock.runtime.dtypes import DTYPE_WORDS, numpy_dtype
from penstock.runtime.mpi.engine import engine
from penstock.runtime.mpi.world import world
from penstock.runtime.ranks.exchanged import Member, exchanged

FUNCTION = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p
)
ranks = world()
size = ranks.ranks
random = np.random.default_rng(7)  # the same on all ranks


def values(count, dtype):
    """Numbers whose sums are rounded, so that the order of a sum shows; with NaN and infinities."""
    kind = numpy_dtype(dtype)
    if dtype == "i1" or kind.kind in "iu":
        return random.integers(0, 2 if dtype == "i1" else 100, count).astype(kind)
    made = random.normal(size=count) * 10.0 ** random.integers(-6, 5, count)
    made[random.random(count) < 0.02] = np.nan
    made[random.random(count) < 0.02] = np.inf
    with np.errstate(all="ignore"):
        return made.astype(kind)


def cases():
    """Collectives of all ranks, and of all but the last, in any order."""
    whole = tuple(range(size))
    groups = [whole, whole[::-1], whole[:-1]] if size > 2 else [whole]
    number = 0
    for group, dtype, length in product(groups, DTYPE_WORDS, (0, 1, 5, 300)):
        places = range(len(group))
        counts = tuple(length + (place * 7) % 3 for place in places)
        total = sum(counts)
        each = [tuple(length + (a * 5 + b) % 4 for b in places) for a in places]
        made = [
            [Collective(number, "all_gather", group, counts, (n, total), dtype) for n in counts]
        ]
        made.append(
            [
                Collective(
                    number + 1, "all_to_all", group, each[a],
                    (sum(each[a]), sum(each[b][a] for b in places)), dtype, "",
                    tuple(each[b][a] for b in places),
                )
                for a in places
            ]
        )  # fmt: skip
        number += 2
        for reduction in () if dtype == "i1" else ("sum", "max", "min"):
            made.append(
                [
                    Collective(
                        number, "reduce_scatter", group, counts, (total, n), dtype, reduction
                    )
                    for n in counts
                ]
            )
            shape = (length, length)
            made.append(
                [Collective(number + 1, "all_reduce", group, (length,), shape, dtype, reduction)]
                * len(group)
            )
            number += 2
        yield from made


found = list(cases())[:: int(sys.argv[1])]
over = engine(ranks, lambda: ranks_library(user_store()))
over._ranks.chunk = 64
mine = [
    next((one[p] for p, r in enumerate(one[0].ranks) if r == ranks.rank), None) for one in found
]
own = [one._replace(id=i) for i, one in enumerate(c for c in mine if c is not None)]
deferred = [one._replace(deferred=True) for one in own]
exchange, later = (over.exchange(list(some), "test") for some in (own, deferred))
number = checked = sent = 0
for collectives, local in zip(found, mine, strict=True):
    sources = [values(one.sizes[0], one.dtype) for one in collectives]
    expected = [np.zeros(one.sizes[1], numpy_dtype(one.dtype)) for one in collectives]
    bytes_sent = exchanged(list(map(Member, collectives, sources, expected)))
    if local is None:
        continue
    place = local.ranks.index(ranks.rank)
    for way in exchange, later:
        source, target = sources[place].copy(), np.zeros_like(expected[place])
        function, before = FUNCTION(way.function), over.sent
        assert function(way.state, number, source.ctypes.data, target.ctypes.data) == 0
        if way is later:
            assert function(way.state, number | AWAITED, None, None) == 0
        assert over.sent - before == bytes_sent[place] == local.sent(ranks.rank) * source.itemsize
        assert source.tobytes() == sources[place].tobytes()
        is_nan = np.isnan(expected[place].astype(float))
        assert np.array_equal(np.isnan(target.astype(float)), is_nan), local
        assert target[~is_nan].tobytes() == expected[place][~is_nan].tobytes(), (local, target)
        checked += 1
    number += 1
print(f"rank {ranks.rank}: {checked} right, thread: {bool(over._queue.runs)}")
