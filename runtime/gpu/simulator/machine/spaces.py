"""State spaces: what an address means to a lane, and the checks of every access.

Generic addresses of shared, local and parameter memory lie in windows far above those of this
process. In a cluster, bits 24 and up of a shared address are the number of the block plus one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.machine.access import gather, misaligned, scatter
from penstock.runtime.gpu.simulator.machine.shared_memory import RESERVED
from penstock.runtime.gpu.simulator.machine.state import Machine
from penstock.runtime.gpu.simulator.ptx.syntax import Instruction

__all__ = [
    "RANK_SHIFT",
    "WINDOWS",
    "atomic_places",
    "global_places",
    "load",
    "parts_by_space",
    "shared_places",
    "store",
]

WINDOW_SHIFT = 56
WINDOWS = {"shared": 1 << WINDOW_SHIFT, "local": 2 << WINDOW_SHIFT, "param": 3 << WINDOW_SHIFT}
RANK_SHIFT = 24
_OFFSET = (1 << WINDOW_SHIFT) - 1


def load(
    m: Machine,
    ins: Instruction,
    space: str,
    address: Array,
    size: int,
    count: int,
    verb: str = "read",
) -> list[Array]:
    """The `count` elements that each running lane loads; one element if all load the same."""
    if space == "global":
        places = global_places(m, ins, address, size * count, "reads")
        if m.watch is not None:
            m.watch.global_access(ins, places, size * count, verb)
        return gather(m.memory.views, places, size, count)
    if space == "shared":
        places = shared_places(m, ins, address, size * count, "reads")
        if m.watch is not None:
            m.watch.shared_access(ins, places, size * count, verb)
        return gather(m.shared.views, places, size, count)
    if space == "local":
        views, places = _local_places(m, ins, address, size * count, "reads")
        return gather(views, places, size, count)
    if space == "param":
        places = _parameter_places(m, ins, address, size * count)
        return gather(m.launch.parameter_views, places, size, count)
    assert space == "generic", space
    found: list[Array] = []
    for part, lanes, offsets in parts_by_space(m, address):
        if lanes is None:
            return load(m, ins, part, offsets, size, count, verb)
        with_lanes(m, lanes)
        values = load(m, ins, part, offsets, size, count, verb)
        restore(m)
        found = found or [np.zeros(m.count, value.dtype) for value in values]
        for whole, value in zip(found, values, strict=True):
            whole[lanes] = value
    return found


def store(
    m: Machine,
    ins: Instruction,
    space: str,
    address: Array,
    size: int,
    values: Sequence[Array],
    verb: str = "write",
) -> None:
    """Store the elements of each running lane."""
    width = size * len(values)
    address = spread(address, m.count)
    if space == "generic":
        for part, lanes, offsets in parts_by_space(m, address):
            if lanes is None:
                store(m, ins, part, offsets, size, values, verb)
                continue
            with_lanes(m, lanes)
            chosen = [value if len(value) == 1 else value[lanes] for value in values]
            store(m, ins, part, offsets, size, chosen, verb)
            restore(m)
        return
    views: Mapping[int, Array]
    if space == "global":
        places = global_places(m, ins, address, width, "writes")
        views = m.memory.views
    elif space == "shared":
        places = shared_places(m, ins, address, width, "writes")
        views = m.shared.views
    elif space == "local":
        views, places = _local_places(m, ins, address, width, "writes")
    else:
        m.fail(ins, int(m.active[0]), f"writes {space} memory, which is constant")
    if m.watch is not None and space != "local":
        watch = m.watch.global_access if space == "global" else m.watch.shared_access
        watch(ins, places, width, verb, values)
    scatter(views, places, size, values)


def atomic_places(
    m: Machine, ins: Instruction, space: str, address: Array, width: int
) -> tuple[Mapping[int, Array], Array]:
    """The memory and the places of atomic accesses."""
    if space == "global":
        places = global_places(m, ins, address, width, "changes")
    elif space == "shared":
        places = shared_places(m, ins, address, width, "changes")
    else:
        m.fail(ins, int(m.active[0]), f"changes {space} memory atomically")
    if m.watch is not None:
        watch = m.watch.global_access if space == "global" else m.watch.shared_access
        watch(ins, places, width, "atomic")
    return (m.memory.views if space == "global" else m.shared.views), places


# -- parts of a generic access -------------------------------------------------------------------


def parts_by_space(m: Machine, address: Array) -> list[tuple[str, Array | None, Array]]:
    """The spaces of generic addresses: name, positions among the running lanes (None if all), and
    addresses in that space.
    """
    windows = address >> WINDOW_SHIFT
    names = {0: "global", 1: "shared", 2: "local", 3: "param"}
    first = int(windows[0])
    if first in names and (windows == first).all():
        return [(names[first], None, address & _OFFSET)]
    address = spread(address, m.count)
    windows = spread(windows, m.count)
    parts: list[tuple[str, Array | None, Array]] = []
    for window in np.unique(windows):
        lanes = np.flatnonzero(windows == window)
        space = names.get(int(window), "global")  # a wild address is in no allocation
        parts.append(
            (space, lanes, address[lanes] & _OFFSET if int(window) in names else address[lanes])
        )
    return parts


def with_lanes(m: Machine, lanes: Array) -> None:
    """Run only these of the running lanes, until `restore`."""
    m.saved.append((m.index, m.active, m.count, m.partial))
    m.active = m.active[lanes]
    m.index, m.count, m.partial = m.active, len(lanes), False


def restore(m: Machine) -> None:
    """Undo `with_lanes`."""
    m.index, m.active, m.count, m.partial = m.saved.pop()


# -- places of accesses, checked -----------------------------------------------------------------


def _lane(m: Machine, position: int) -> int:
    return int(m.active[position])


def _check_alignment(m: Machine, ins: Instruction, places: Array, width: int, verb: str) -> None:
    bad = misaligned(places, width)
    if bad >= 0:
        m.fail(
            ins,
            _lane(m, bad),
            f"{verb} {width} bytes at an address that is {int(places[bad]) % width} bytes beyond "
            f"a multiple of {width}; align it",
        )


def global_places(
    m: Machine, ins: Instruction, address: Array, width: int, verb: str, align: int = 0
) -> Array:
    """Places in the views of global memory, for each running lane or one for all."""
    memory = m.memory
    bad = memory.outside(address, width)
    if bad >= 0:
        m.fail(
            ins,
            _lane(m, bad),
            f"{verb} {width} bytes of global memory {memory.where(int(address[bad]))}",
        )
    places = address - memory.origin
    _check_alignment(m, ins, places, align or width, verb)
    return places


def shared_places(m: Machine, ins: Instruction, address: Array, width: int, verb: str) -> Array:
    """Places in the shared memory of the batch, for each running lane or one for all."""
    shared = m.shared
    blocks: Array | int = 0
    if m.cluster_size > 1 and int(address.max()) >> RANK_SHIFT:
        rank = (address >> RANK_SHIFT) - 1
        address = address & ((1 << RANK_SHIFT) - 1)
        mine = m.block_of[m.active]
        base = mine - mine % m.cluster_size
        wild = rank >= m.cluster_size
        if wild.any():
            m.fail(
                ins,
                _lane(m, int(wild.argmax())),
                f"{verb} shared memory of a block that its cluster lacks",
            )
        blocks = np.where(rank < 0, mine, base + rank)
    elif m.blocks > 1:
        blocks = m.block_of[m.active]
    low, high = int(address.min()), int(address.max())
    if low < RESERVED or high + width > shared.size:
        bad = int(((address < RESERVED) | (address + width > shared.size)).argmax())
        m.fail(
            ins,
            _lane(m, bad),
            f"{verb} {width} bytes at byte {int(address[bad]) - RESERVED} of the "
            f"{shared.size - RESERVED} bytes of shared memory",
        )
    _check_alignment(m, ins, address, width, verb)
    return address + blocks * shared.stride if m.blocks > 1 else address


def _local_places(
    m: Machine, ins: Instruction, address: Array, width: int, verb: str
) -> tuple[Mapping[int, Array], Array]:
    size = m.launch.local_bytes
    outside = (address < 0) | (address + width > size)
    if outside.any():
        bad = int(outside.argmax())
        m.fail(
            ins,
            _lane(m, bad),
            f"{verb} {width} bytes at byte {int(address[bad])} of the {size} bytes of local memory",
        )
    _check_alignment(m, ins, address, width, verb)
    return m.local_views, address + m.active * m.local_stride


def _parameter_places(m: Machine, ins: Instruction, address: Array, width: int) -> Array:
    size = m.launch.kernel.parameter_bytes
    outside = (address < 0) | (address + width > size)
    if outside.any():
        bad = int(outside.argmax())
        m.fail(
            ins,
            _lane(m, bad),
            f"reads {width} bytes at byte {int(address[bad])} of the {size} bytes of parameters",
        )
    _check_alignment(m, ins, address, width, "reads")
    return address
