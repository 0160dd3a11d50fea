"""Atomic operations on global and shared memory. PTX ISA, `atom` and `red`.

The lanes of one instruction act one after the other, in an order that the schedule chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import (
    TYPES,
    Code,
    Decoded,
    Decoder,
    Reader,
)
from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.formats.rounding import bf16_bits, bf16_value, canonical
from penstock.runtime.gpu.simulator.instructions.memory import address_of, space_of
from penstock.runtime.gpu.simulator.machine.spaces import (
    atomic_places,
    parts_by_space,
    restore,
    with_lanes,
)
from penstock.runtime.gpu.simulator.machine.state import Machine
from penstock.runtime.gpu.simulator.ptx.syntax import WIDTHS, Instruction

__all__ = ["DECODERS"]

Operation = Callable[..., Array]

_INTEGERS = ("u32", "s32", "u64", "s64")
_BITS = ("b32", "b64")
_FLOATS = ("f32", "f64", "f16", "bf16", "f16x2", "bf16x2")


def _float_add(type: str) -> Operation:
    """The sum of floats; in global memory f32 keeps subnormal numbers as it does elsewhere."""
    if type in ("f32", "f64", "f16"):
        return lambda old, value: canonical(old + value)
    if type == "bf16":
        return lambda old, value: bf16_bits(bf16_value(old) + bf16_value(value))
    part = _float_add(type.removesuffix("x2"))
    half = np.float16 if type == "f16x2" else np.uint16
    return lambda old, value: part(old.view(half), value.view(half)).view(np.uint32)


def _exchanged(old: Array, seen: Array, value: Array) -> Array:
    return np.where(old == seen, value, old)


def _operation(code: Code, type: str) -> tuple[Operation, int]:
    """What becomes of the old value, and how many operands it takes."""
    name = code.choice(("add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"))
    kind = TYPES[type].type
    allowed: dict[str, tuple[tuple[str, ...], Operation]] = {
        "add": ((*_INTEGERS, *_FLOATS), _float_add(type) if type in _FLOATS else np.add),
        "min": ((*_INTEGERS, "f16", "f16x2"), np.minimum),
        "max": ((*_INTEGERS, "f16", "f16x2"), np.maximum),
        "inc": (("u32",), lambda old, top: np.where(old >= top, kind(0), old + kind(1))),
        "dec": (
            ("u32",),
            lambda old, top: np.where((old == 0) | (old > top), top, old - kind(1)),
        ),
        "and": (_BITS, np.bitwise_and),
        "or": (_BITS, np.bitwise_or),
        "xor": (_BITS, np.bitwise_xor),
        "exch": (_BITS, lambda old, value: value),
        "cas": (("b16", *_BITS), _exchanged),
    }
    types, function = allowed[name]
    if type not in types or (name in ("min", "max") and type in _FLOATS):
        code.refuse(f".{name} of type .{type}")
    if type in ("f16", "f16x2", "bf16", "bf16x2") and not code.flag("noftz"):
        code.refuse("expected .noftz")
    return function, 2 if name == "cas" else 1


def _atomic(code: Code) -> Decoded:
    returns = code.mnemonic == "atom"
    type = code.type((*_INTEGERS, *_BITS, "b16", *_FLOATS))
    ordered = code.choice(("relaxed", "acquire", "release", "acq_rel"), "relaxed") != "relaxed"
    code.choice(("cta", "cluster", "gpu", "sys"), "gpu")
    space = space_of(code, ("global", "shared"))
    operation, operands = _operation(code, type)
    width = int(code.choice(("v2", "v4", "v8"), "v1")[1:])
    if width > 1 and (returns or type not in ("f32", "f16", "bf16", "f16x2", "bf16x2")):
        code.refuse(f"a vector of .{type}")
    code.finish(1 + returns + operands)
    if len(code.items(1 + returns)) != width:
        code.refuse(f"expected {width} values")
    values = [code.registers(1 + returns + place, type) for place in range(operands)]
    act = _acting(code.instruction, type, width, operation, values)
    address = address_of(code, int(returns))
    write = code.writer(0, type) if returns else None

    def step(machine: Machine) -> None:
        if ordered and machine.watch is not None:
            machine.watch.fence()
        places = spread(address(machine), machine.count)
        old = act(machine, space, places)
        if write is not None:
            write(machine, old)
        if ordered and machine.watch is not None:
            machine.watch.fence()

    return Decoded(step, exact=True)


def _acting(
    ins: Instruction,
    type: str,
    width: int,
    operation: Operation,
    values: Sequence[Sequence[Reader]],
) -> Callable[[Machine, str, Array], Array]:
    """A function that changes memory, in a space or at generic addresses, and returns what was."""
    size = WIDTHS[type]

    def act(machine: Machine, space: str, places: Array) -> Array:
        if space != "generic":
            return in_space(machine, space, places)
        old = np.zeros(machine.count, TYPES[type])
        for part, lanes, offsets in parts_by_space(machine, places):
            if lanes is None:
                return in_space(machine, part, offsets)
            with_lanes(machine, lanes)
            old[lanes] = in_space(machine, part, offsets)
            restore(machine)
        return old

    def in_space(machine: Machine, space: str, places: Array) -> Array:
        views, checked = atomic_places(machine, ins, space, places, size * width)
        view = views[size].view(TYPES[type])
        old = np.zeros(0, TYPES[type])
        for element in range(width):
            given = [_read(machine, readers[element]) for readers in values]
            old = _in_turn(machine, view, checked // size + element, operation, given)
        return old

    return act


def _read(machine: Machine, read: Reader) -> Array:
    return spread(read(machine), machine.count)


def _in_turn(
    machine: Machine, view: Array, places: Array, operation: Operation, values: Sequence[Array]
) -> Array:
    """Apply an operation to each place, lane after lane; the values before."""
    order = machine.launch.schedule.order(len(places))
    if order is not None:
        places, values = places[order], [value[order] for value in values]
    sort = np.argsort(places, kind="stable")
    ordered = places[sort]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    lengths = np.diff(np.concatenate([first, [len(ordered)]]))
    old = np.empty(len(places), view.dtype)
    if len(first) * 4 < int(lengths.max()):
        _one_by_one(view, first, lengths, sort, places, operation, values, old)
    else:
        for turn in range(int(lengths.max())):
            lanes = sort[first[lengths > turn] + turn]
            before = view[places[lanes]]
            old[lanes] = before
            view[places[lanes]] = operation(before, *(value[lanes] for value in values))
    if order is None:
        return old
    back = np.empty_like(old)
    back[order] = old
    return back


def _one_by_one(
    view: Array,
    first: Array,
    lengths: Array,
    sort: Array,
    places: Array,
    operation: Operation,
    values: Sequence[Array],
    old: Array,
) -> None:
    """Many lanes at few places: one place after the other."""
    for start, length in zip(first, lengths, strict=True):
        lanes = sort[start : start + length]
        place = places[lanes[:1]]
        current = view[place]
        if operation in (
            np.add,
            np.bitwise_and,
            np.bitwise_or,
            np.bitwise_xor,
            np.minimum,
            np.maximum,
        ):
            assert isinstance(operation, np.ufunc)
            history = operation.accumulate(np.concatenate([current, values[0][lanes]]))
            old[lanes], view[place] = history[:-1], history[-1]
            continue
        for lane in lanes:
            old[lane] = current[0]
            current = operation(current, *(value[lane : lane + 1] for value in values))
        view[place] = current


DECODERS: Mapping[str, Decoder] = {"atom": _atomic, "red": _atomic}
