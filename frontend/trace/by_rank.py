"""Jobs of the mirrored view: each rank runs the body on arrays of its own."""

from __future__ import annotations

from collections.abc import Callable

from penstock.basics.errors import located
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job import Minimize, Watch, Watchable, WatchDiff
from penstock.trace.tracing import Trace


def traces_of_ranks(first: Trace, body: Callable[[int], Trace]) -> list[Trace]:
    """The traces of the body on all ranks, from that on rank 0; one for all that are equal.

    Each is told how many elements the loss has on all ranks together: gradients are averaged over
    these.
    """
    ranks = first.ranks
    differ = first.depends_on_rank or not first.parts_are_even
    traces = [first, *(body(rank) if differ else first for rank in range(1, ranks))]
    for rank, trace in enumerate(traces):
        if list(trace.variables) != list(first.variables):
            raise located(
                ValueError,
                f"job {first.job!r} has other variables on rank {rank} than on rank 0: "
                f"{', '.join(trace.variables)}; make the same for arrays of all shapes",
                first.location,
            )
    losses = [[op for op in t.function.body if isinstance(op, Minimize)] for t in traces]
    total = sum(tensor(op.losses[0]).count for found in losses for op in found)
    local = first.local
    for op in {op for found in losses for op in found}:
        if losses[0][0].losses[0] in local:
            op.elements = total
    return traces


def local_names(trace: Trace) -> frozenset[str]:
    """The names of the blobs of which each rank has its own, and of their watch points."""
    names = {value.name for value in trace.local if value.name}
    for op in trace.function.body:
        if isinstance(op, Watch | WatchDiff | Watchable) and op.value in trace.local:
            names.add(op.label)
    return frozenset(names)
