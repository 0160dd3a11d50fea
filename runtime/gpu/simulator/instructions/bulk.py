"""`cp.async.bulk`: copies by the tensor memory accelerator. PTX ISA, "Bulk copy"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded, Reader
from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.formats.rounding import bf16_bits, bf16_value
from penstock.runtime.gpu.simulator.formats.tensor_map import MAP_BYTES, TensorMap, decode
from penstock.runtime.gpu.simulator.instructions.mbarrier import find, finish_phase, offset_of
from penstock.runtime.gpu.simulator.instructions.memory import address_of
from penstock.runtime.gpu.simulator.machine.spaces import (
    WINDOWS,
    restore,
    shared_places,
    with_lanes,
)
from penstock.runtime.gpu.simulator.machine.state import Machine, Step
from penstock.runtime.gpu.simulator.ptx.error import SimulatorError
from penstock.runtime.gpu.simulator.ptx.syntax import Address, Instruction

__all__ = ["bulk_copy"]

_OFFSET = (1 << 56) - 1
_REDUCTIONS: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
}
_ELEMENTS = ("u1", "u2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "bf16", "f4", "f4", "f4")


def bulk_copy(code: Code) -> Decoded:
    """Decode `cp.async.bulk` and `cp.reduce.async.bulk`."""
    reduces = code.flag("reduce", "async", "bulk")
    if not reduces:
        code.flag("async", "bulk")
    if code.flag("commit_group"):
        code.finish(0)
        return Decoded(_commit, exact=True)
    if code.flag("wait_group"):
        code.flag("read")
        code.finish(1)
        return Decoded(_waiting(code.integer(0)), exact=True)
    if code.flag("prefetch"):
        code.modifiers.clear()
        return Decoded(lambda m: None)
    if code.flag("L2::cache_hint"):
        code.operands = code.operands[:-1]
    tensor = code.flag("tensor")
    rank = int(code.choice(("1d", "2d", "3d", "4d", "5d"))[0]) if tensor else 0
    code.flag("tile")
    operation = code.choice(tuple(_REDUCTIONS)) if reduces else ""
    if code.flag("global", "shared::cta") and code.flag("bulk_group"):
        return _store(code, rank, operation)
    loads = code.flag("shared::cluster", "global") or code.flag("shared::cta", "global")
    if reduces or not loads or not code.flag("mbarrier::complete_tx::bytes"):
        code.refuse("this direction of a copy")
    return _load(code, rank)


# -- groups --------------------------------------------------------------------------------------


def _commit(machine: Machine) -> None:
    for lane in machine.active:
        machine.bulk_groups.setdefault(int(lane), [[]]).append([])


def _waiting(but: int) -> Step:
    def step(machine: Machine) -> None:
        for lane in machine.active:
            groups = machine.bulk_groups.get(int(lane), [[]])
            closed = groups[: len(groups) - 1 - but] if but < len(groups) else []
            for group in closed:
                for action in group:
                    action()
                group.clear()

    return step


# -- both directions -----------------------------------------------------------------------------


def _map_at(machine: Machine, ins: Instruction, address: int, lane: int) -> TensorMap:
    """The tensor map at a generic address, in global memory or in the parameters."""
    if address % 64:
        machine.fail(ins, lane, "uses a tensor map that is not aligned to 64 bytes")
    try:
        if address >> 56 == WINDOWS["param"] >> 56:
            start = address & _OFFSET
            data = machine.launch.parameter_views[1][start : start + MAP_BYTES].tobytes()
        else:
            data = machine.memory.view(address, MAP_BYTES).tobytes()
        return machine.launch.maps.setdefault(data, decode(data))
    except (SimulatorError, ValueError) as error:
        machine.fail(ins, lane, f"uses a tensor map, but {error}")


def _map_operand(code: Code, place: int, rank: int) -> tuple[Reader, list[Reader]]:
    operand = code.operands[place]
    if not isinstance(operand, Address) or operand.coordinates is None or operand.offset:
        code.refuse("expected a tensor map and coordinates")
    if len(operand.coordinates) != rank:
        code.refuse(f"expected {rank} coordinates")
    return code.read(operand.base, "b64"), [code.read(each, "s32") for each in operand.coordinates]


@dataclass(frozen=True)
class _Transfer:
    """Bytes of shared memory, and of global memory; with `inside`, those that exist there."""

    shared: Array
    outer: Array
    inside: Array
    width: int
    nan: bool = False
    kind: str = "u1"


def _transfer(
    machine: Machine, ins: Instruction, operand: _Operands, q: int, verb: str
) -> _Transfer:
    """What the running lane at position `q` moves."""
    lane = int(machine.active[q])
    start = int(operand.shared[q])
    with_lanes(machine, np.array([q]))
    if operand.rank:
        map = _map_at(machine, ins, int(operand.outer[q]), lane)
        if len(map.box) != operand.rank:
            machine.fail(ins, lane, f"uses a tensor map of {len(map.box)} dimensions")
        addresses, inside = map.places([int(each[q]) for each in operand.coordinates])
        octets, width = map.box_bytes, map.element
        if start % 128:
            machine.fail(
                ins, lane, f"{verb} shared memory at an address that is no multiple of 128"
            )
    else:
        octets, width = int(operand.size[q]), 16
        if octets % 16 or start % 16 or int(operand.outer[q]) % 16:
            machine.fail(ins, lane, "copies bytes whose number or addresses are no multiples of 16")
        addresses = int(operand.outer[q]) + np.arange(0, octets, 16)
        inside = np.ones(len(addresses), bool)
    first = int(shared_places(machine, ins, np.array([start]), 16, verb)[0])
    shared_places(machine, ins, np.array([start + octets - 16]), 16, verb)
    restore(machine)
    places = (
        first
        - start
        + (map.shared_places(start) if operand.rank else start + np.arange(0, octets, 16))
    )
    chosen = addresses[inside]
    bad = machine.memory.outside(chosen, width) if len(chosen) else -1
    if bad >= 0:
        where = machine.memory.where(int(chosen[bad]))
        machine.fail(ins, lane, f"copies {width} bytes of global memory {where}")
    kind = _ELEMENTS[map.kind] if operand.rank else "u1"
    nan = bool(operand.rank) and map.nan_fill
    return _Transfer(places, addresses - machine.memory.origin, inside, width, nan, kind)


@dataclass(frozen=True)
class _Operands:
    """The operands of the running lanes."""

    rank: int
    shared: Array
    outer: Array
    coordinates: list[Array]
    size: Array


def _octets(places: Array, width: int) -> Array:
    """The places of all bytes."""
    found: Array = (places[:, None] + np.arange(width)).reshape(-1)
    return found


# -- to shared memory ----------------------------------------------------------------------------


def _load(code: Code, rank: int) -> Decoded:
    if code.flag("multicast::cluster"):
        mask = code.reader(len(code.operands) - 1, "b16")
        code.operands = code.operands[:-1]
    else:
        mask = None
    code.finish(3 if rank else 4)
    target, ins = address_of(code, 0), code.instruction
    barrier = address_of(code, 2 if rank else 3)
    source, coordinates = _map_operand(code, 1, rank) if rank else (address_of(code, 1), [])
    size = code.reader(2, "u32") if not rank else None

    def step(machine: Machine) -> None:
        count = machine.count
        operands = _Operands(
            rank,
            spread(target(machine), count) & _OFFSET,
            spread(source(machine), count).astype(np.int64),
            [spread(read(machine), count) for read in coordinates],
            spread(size(machine), count) if size is not None else np.zeros(count, np.int64),
        )
        bars = spread(barrier(machine), count) & _OFFSET
        masks = spread(mask(machine), count) if mask is not None else None
        for q in range(count):
            transfer = _transfer(machine, ins, operands, q, "writes")
            with_lanes(machine, np.array([q]))
            bar = int(shared_places(machine, ins, bars[q : q + 1], 8, "uses an mbarrier of")[0])
            for shift in _blocks(machine, None if masks is None else int(masks[q])):
                _begin_load(machine, ins, transfer, bar, shift)
            restore(machine)

    return Decoded(step, exact=True)


def _blocks(machine: Machine, mask: int | None) -> list[int]:
    """How far the shared memory of the receiving blocks is from that of the lane's own block."""
    if mask is None:
        return [0]
    own = int(machine.active[0]) // machine.padded
    first = own - own % machine.cluster_size
    stride = machine.shared.stride
    return [(first + r - own) * stride for r in range(machine.cluster_size) if mask >> r & 1]


def _begin_load(machine: Machine, ins: Instruction, what: _Transfer, bar: int, shift: int) -> None:
    """Start a copy to shared memory that completes on an mbarrier."""
    lane = int(machine.active[0])
    places = what.shared + shift
    fenced = find(machine, ins, bar + shift, lane).fenced
    offset = offset_of(machine, bar)
    if machine.watch is not None:
        if not fenced:
            machine.fail(
                ins,
                lane,
                "completes on an mbarrier that the asynchronous proxy may not see initialised: "
                "execute fence.mbarrier_init.release.cluster after mbarrier.init",
            )
        machine.watch.bulk_write(ins, _octets(places, what.width), offset)
        machine.watch.bulk_global(ins, what.outer[what.inside], what.width, "read")

    def arrive() -> None:
        into, out_of = _octets(places, what.width), _octets(what.outer, what.width)
        inside = np.repeat(what.inside, what.width)
        data = machine.memory.views[1][np.where(inside, out_of, 0)]
        machine.shared.views[1][into] = np.where(inside, data, 0xFF if what.nan else 0)
        barrier = find(machine, ins, bar + shift, lane)
        barrier.bytes_missing -= len(into)
        if machine.watch is not None:
            barrier.learn(machine.watch.copied(offset))
        finish_phase(machine, ins, barrier, lane)

    machine.begin(arrive)


# -- to global memory ----------------------------------------------------------------------------


def _store(code: Code, rank: int, operation: str) -> Decoded:
    element = (
        code.type(("f16", "bf16", "f32", "u32", "s32", "u64")) if operation and not rank else ""
    )
    if operation:
        code.flag("noftz")
    if element:
        code.refuse("a reduction of bytes")
    code.finish(2 if rank else 3)
    ins = code.instruction
    target, coordinates = _map_operand(code, 0, rank) if rank else (address_of(code, 0), [])
    source = address_of(code, 1)
    size = code.reader(2, "u32") if not rank else None

    def step(machine: Machine) -> None:
        count = machine.count
        operands = _Operands(
            rank,
            spread(source(machine), count) & _OFFSET,
            spread(target(machine), count).astype(np.int64),
            [spread(read(machine), count) for read in coordinates],
            spread(size(machine), count) if size is not None else np.zeros(count, np.int64),
        )
        for q in range(count):
            transfer = _transfer(machine, ins, operands, q, "reads")
            with_lanes(machine, np.array([q]))
            _begin_store(machine, ins, transfer, operation)
            restore(machine)

    return Decoded(step, exact=True)


def _reduced(old: Array, new: Array, kind: str, operation: str) -> Array:
    """The bytes of elements combined with what was there."""
    function = _REDUCTIONS[operation]
    if kind == "bf16":
        values = [bf16_value(each.view(np.uint16)) for each in (old, new)]
        return bf16_bits(function(*values)).view(np.uint8)
    return function(old.view(kind), new.view(kind)).view(np.uint8)


def _begin_store(machine: Machine, ins: Instruction, what: _Transfer, operation: str) -> None:
    """Start a copy to global memory; it has read at the latest when its group is waited for."""
    watch = machine.watch
    number = 0
    if watch is not None:
        number = watch.bulk_read(ins, _octets(what.shared, what.width), "a bulk copy")
        verb = "atomic" if operation else "write"
        watch.bulk_global(ins, what.outer[what.inside], what.width, verb)

    def run() -> None:
        inside = what.inside
        into, out_of = what.outer[inside], what.shared[inside]
        memory = machine.memory.views[1]
        data = machine.shared.views[1][_octets(out_of, what.width)]
        places = _octets(into, what.width)
        if operation:
            data = _reduced(np.ascontiguousarray(memory[places]), data, what.kind, operation)
        memory[places] = data

    pending = [True]

    def once() -> None:
        if pending[0]:
            run()
        pending[0] = False
        if machine.watch is not None:
            machine.watch.bulk_done(number)

    if machine.launch.schedule.arrives_now():
        run()
        pending[0] = False
    machine.bulk_groups.setdefault(int(machine.active[0]), [[]])[-1].append(once)
