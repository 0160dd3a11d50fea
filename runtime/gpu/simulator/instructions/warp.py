"""Exchange between the lanes of a warp: shuffles, votes, reductions, elections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import TYPES, Code, Decoded, Decoder
from penstock.runtime.gpu.simulator.arithmetic.floating import least
from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.machine.gates import members
from penstock.runtime.gpu.simulator.machine.lanes import WARP
from penstock.runtime.gpu.simulator.machine.state import Machine
from penstock.runtime.gpu.simulator.ptx.syntax import Pair, Sink

__all__ = ["DECODERS"]

_LANE = np.arange(WARP)
_BIT = np.left_shift(np.uint32(1), _LANE.astype(np.uint32))


def _whole(machine: Machine) -> bool:
    """Whether all lanes of all warps run."""
    return machine.count == machine.total


def _everywhere(machine: Machine, value: Array) -> Array:
    """A value of the running lanes in an array with an element per lane."""
    if _whole(machine):
        return spread(value, machine.total)
    found = np.zeros(machine.total, value.dtype)
    found[machine.active] = value
    return found


def _here(machine: Machine, value: Array) -> Array:
    """The elements of the running lanes."""
    return value if _whole(machine) else value[machine.active]


def _check_member(machine: Machine, code: Code, masks: Array) -> None:
    """A lane must be in its own member mask."""
    own = _BIT[machine.thread_of[machine.active] % WARP]
    outside = (spread(masks, machine.count) & own) == 0
    if outside.any():
        lane = int(machine.active[int(outside.argmax())])
        machine.fail(code.instruction, lane, "executes this without being in its member mask")


# -- shuffles ------------------------------------------------------------------------------------


def _source_lane(mode: str, lane: Array, b: Array, c: Array) -> tuple[Array, Array]:
    """The lane that a shuffle reads, and whether it is in range (else it is the lane itself)."""
    offset, clamp, segment = b & 31, c & 31, c >> 8 & 31
    highest = (lane & segment) | (clamp & ~segment & 31)
    lowest = lane & segment
    source = {
        "up": lane - offset,
        "down": lane + offset,
        "bfly": lane ^ offset,
        "idx": lowest | (offset & ~segment & 31),
    }[mode]
    inside = source >= highest if mode == "up" else source <= highest
    return np.where(inside, source, lane), inside


def _shuffle(code: Code) -> Decoded:
    type = code.type(("b32",))
    if not code.flag("sync"):
        code.refuse("expected .sync")
    mode = code.choice(("up", "down", "bfly", "idx"))
    code.finish(5)
    result = code.operands[0]
    write = code.write(result.first if isinstance(result, Pair) else result, type)
    second = code.write(result.second, "pred") if isinstance(result, Pair) else None
    value, b, c = code.reader(1, type), code.reader(2, "b32"), code.reader(3, "b32")
    mask = code.reader(4, "b32")
    ins = code.instruction

    def step(machine: Machine) -> None:
        masks = mask(machine)
        _check_member(machine, code, masks)
        lane = machine.thread_of[machine.active] % WARP
        amounts = b(machine).astype(np.int64), c(machine).astype(np.int64)
        source, inside = _source_lane(mode, lane, *amounts)
        places = machine.active - lane + source
        values = _everywhere(machine, value(machine))
        if not _whole(machine):
            there = machine.mask_of(machine.active)[places]
            if not there.all():
                bad = int((~there).argmax())
                machine.fail(
                    ins,
                    int(machine.active[bad]),
                    f"reads lane {int(source[bad])}, which does not take part",
                )
        write(machine, values[places])
        if second is not None:
            second(machine, inside)

    return Decoded(step, gate=members(mask), exact=True)


# -- votes ---------------------------------------------------------------------------------------


def _bits(machine: Machine, holds: Array) -> Array:
    """For each running lane the lanes of its warp that run and hold."""
    whole = _everywhere(machine, holds).reshape(-1, WARP)
    bits = (whole * _BIT).sum(1, dtype=np.uint32)
    result: Array = bits[machine.warp_of[machine.active]]
    return result


def _vote(code: Code) -> Decoded:
    type = code.type(("pred", "b32"))
    if not code.flag("sync"):
        code.refuse("expected .sync")
    kind = code.choice(("all", "any", "uni", "ballot"))
    if (kind == "ballot") != (type == "b32"):
        code.refuse("this type of result")
    code.finish(3)
    read, mask, write = code.reader(1, "pred"), code.reader(2, "b32"), code.writer(0, type)

    def step(machine: Machine) -> None:
        masks = mask(machine)
        _check_member(machine, code, masks)
        holds = spread(read(machine), machine.count)
        yes = _bits(machine, holds) & masks
        if kind == "ballot":
            write(machine, yes)
            return
        no = _bits(machine, ~holds) & masks
        found = {"all": no == 0, "any": yes != 0, "uni": (no == 0) | (yes == 0)}[kind]
        write(machine, found)

    return Decoded(step, gate=members(mask), exact=True)


def _active_mask(code: Code) -> Decoded:
    type = code.type(("b32",))
    code.finish(1)
    write = code.writer(0, type)
    return Decoded(lambda m: write(m, _bits(m, np.ones(m.count, bool))), exact=True)


def _elect(code: Code) -> Decoded:
    if not code.flag("sync"):
        code.refuse("expected .sync")
    code.finish(2)
    result = code.operands[0]
    if not isinstance(result, Pair):
        code.refuse("expected two results")
    lane_write = code.write(result.first, "b32") if not isinstance(result.first, Sink) else None
    write, mask = code.write(result.second, "pred"), code.reader(1, "b32")

    def step(machine: Machine) -> None:
        masks = mask(machine)
        _check_member(machine, code, masks)
        bits = _bits(machine, np.ones(machine.count, bool)) & masks
        lowest = bits & (~bits + np.uint32(1))
        write(machine, lowest == _BIT[machine.thread_of[machine.active] % WARP])
        if lane_write is not None:
            lane_write(machine, np.log2(lowest.astype(np.float64)).astype(np.uint32))

    return Decoded(step, gate=members(mask), exact=True)


# -- reductions ----------------------------------------------------------------------------------

_INTEGER: dict[str, Any] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def _redux(code: Code) -> Decoded:
    type = code.type(("u32", "s32", "b32", "f32"))
    if not code.flag("sync"):
        code.refuse("expected .sync")
    operation = code.choice(tuple(_INTEGER))
    if (operation in ("and", "or", "xor")) != (type == "b32"):
        code.refuse(f".{operation} of type .{type}")
    if type == "f32" and operation == "add":
        code.refuse(".add of type .f32")
    keeps_nan = type == "f32" and code.flag("NaN")
    if keeps_nan:
        code.refuse(".NaN")
    code.finish(3)
    read, mask, write = code.reader(1, type), code.reader(2, "b32"), code.writer(0, type)
    combine: Callable[[Array, Array], Array] = _INTEGER[operation]
    if type == "f32":
        combine = lambda a, b: least(a, b, operation == "max")  # noqa: E731

    def step(machine: Machine) -> None:
        masks = mask(machine)
        _check_member(machine, code, masks)
        rows = _everywhere(machine, read(machine)).reshape(-1, WARP)
        all_masks = _everywhere(machine, spread(masks, machine.count)).reshape(-1, WARP)
        found = np.zeros(rows.shape, TYPES[type])
        for value in np.unique(masks):
            lanes = np.flatnonzero(value & _BIT)
            total = rows[:, lanes[0]]
            for lane in lanes[1:]:
                total = combine(total, rows[:, lane])
            found = np.where(all_masks == value, total[:, None], found)
        write(machine, _here(machine, found.reshape(-1)))

    return Decoded(step, gate=members(mask), exact=True)


def _match(code: Code) -> Decoded:
    type = code.type(("b32", "b64"))
    if not (code.flag("any") and code.flag("sync")):
        code.refuse("expected .any.sync")
    code.finish(3)
    read, mask, write = code.reader(1, type), code.reader(2, "b32"), code.writer(0, "b32")

    def step(machine: Machine) -> None:
        masks = mask(machine)
        _check_member(machine, code, masks)
        rows = _everywhere(machine, read(machine)).reshape(-1, WARP)
        there = machine.mask_of(machine.active).reshape(-1, WARP)
        same = (rows[:, :, None] == rows[:, None, :]) & there[:, None, :]
        bits = (same * _BIT).sum(2, dtype=np.uint32).reshape(-1)
        write(machine, _here(machine, bits) & masks)

    return Decoded(step, gate=members(mask), exact=True)


DECODERS: Mapping[str, Decoder] = {
    "shfl": _shuffle,
    "vote": _vote,
    "activemask": _active_mask,
    "elect": _elect,
    "redux": _redux,
    "match": _match,
}
