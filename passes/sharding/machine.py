"""The machine that a placement is chosen for: the alpha-beta model of its links and its ranks."""

from __future__ import annotations

from functools import lru_cache

from penstock.ir.meaning.boxing import COLLECTIVES, Link, steps
from penstock.ir.record import Record
from penstock.passes.placement.bucket import BUCKET_BYTES


class Machine(Record):
    """A mesh of equal ranks. Times are in seconds, sizes in bytes."""

    mesh: tuple[int, ...]
    links: tuple[Link, ...]
    """What connects ranks that differ on one axis of the mesh."""
    flops: float = 50e9
    """Operations on floats per second and rank."""
    bandwidth: float = 10e9
    """Bytes per second that a rank reads or writes."""
    overhead: float = 2e-6
    """Seconds to start a kernel."""
    bucket: float = BUCKET_BYTES
    """Gradients and new weights are sent together, this many bytes per message."""
    memory: float = 0.0
    """Bytes of a rank that variables and values may take, 0 for no limit."""


@lru_cache(1 << 18)
def conversion(
    machine: Machine,
    shape: tuple[int, ...],
    itemsize: int,
    source: str,
    target: str,
    bucketed: bool = False,
) -> float:
    """The seconds of a conversion.

    A conversion that is `bucketed` with others has that part of the latency which it has of the
    bytes of a bucket.
    """
    if source == target:
        return 0.0
    seconds = 0.0
    for step in steps(source, target, shape, itemsize, machine.mesh, machine.links):
        link = machine.links[step.axis]
        taken = step.picoseconds(shape, itemsize, machine.mesh, link) * 1e-12
        if bucketed and step.kind in COLLECTIVES:
            messages = (machine.mesh[step.axis] - 1) * (2 if step.kind == "all_reduce" else 1)
            volume = step.volume(shape, itemsize, machine.mesh)
            taken -= messages * link.latency * (1 - min(1.0, volume / machine.bucket))
        seconds += taken
    return seconds
