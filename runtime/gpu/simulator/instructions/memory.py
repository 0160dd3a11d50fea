"""Loads, stores and addresses. PTX ISA, "Data Movement and Conversion"."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded, Decoder, Reader
from penstock.runtime.gpu.simulator.arithmetic.elementwise import elementwise
from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.machine.spaces import WINDOWS, load, store
from penstock.runtime.gpu.simulator.machine.state import Machine
from penstock.runtime.gpu.simulator.ptx.syntax import WIDTHS, Address, Register, Symbol

__all__ = ["DECODERS", "address_of", "space_of"]

_TYPES = (*(f"{k}{b}" for k in "bus" for b in (8, 16, 32, 64)), "f16", "bf16", "f32", "f64")
_CACHE = ("ca", "cg", "cs", "lu", "cv", "wb", "wt")
_EVICT = ("evict_normal", "evict_first", "evict_last", "evict_unchanged", "no_allocate")


def address_of(code: Code, place: int) -> Reader:
    """The addresses in an operand such as `[%rd1+8]`, as s64."""
    operand = code.operands[place]
    if not isinstance(operand, Address) or operand.coordinates is not None:
        code.refuse("expected an address in brackets")
    type = "b64"
    if isinstance(operand.base, Register):
        type = operand.base.type
        if type not in ("b32", "b64"):
            code.refuse(f"an address of type .{type}")
    base, offset = code.read(operand.base, type), operand.offset
    if type == "b32":
        return lambda m: base(m).astype(np.int64) + offset
    if isinstance(operand.base, Symbol) or not offset:
        constant = np.int64(offset)
        return lambda m: base(m).view(np.int64) + constant if offset else base(m).view(np.int64)
    return lambda m: base(m).view(np.int64) + offset


def space_of(code: Code, spaces: tuple[str, ...]) -> str:
    """Take the state space; generic if there is none."""
    for name in ("shared::cta", "shared::cluster", "param::entry"):
        if code.flag(name):
            return name.partition(":")[0]
    space = code.choice(spaces, "generic")
    return "global" if space == "const" else space


def _cache_hints(code: Code) -> None:
    """Take what only says how a device's caches are used."""
    code.choice(_CACHE, "none")
    if code.flag("L2::cache_hint"):
        code.operands = code.operands[:-1]
    for modifier in list(code.modifiers):
        level, _, policy = modifier.partition("::")
        if (level in ("L1", "L2") and policy in _EVICT) or (level == "L2" and policy.endswith("B")):
            code.modifiers.remove(modifier)


def _order(code: Code) -> str:
    """Take `.volatile`, `.relaxed`, `.acquire` or `.release` and the scope of the latter."""
    order = code.choice(("volatile", "relaxed", "acquire", "release", "weak"), "weak")
    if order in ("relaxed", "acquire", "release"):
        code.choice(("cta", "cluster", "gpu", "sys"))
    return order


def _vector(code: Code) -> int:
    return int(code.choice(("v2", "v4", "v8"), "v1")[1:])


def _load(code: Code) -> Decoded:
    type = code.type(_TYPES)
    count = _vector(code)
    order = _order(code)
    verb = "read" if order == "weak" else "strong"
    if code.flag("nc"):
        verb = "constant"
    _cache_hints(code)
    space = space_of(code, ("global", "shared", "local", "param", "const"))
    code.finish(2)
    items = code.items(0)
    if len(items) != count:
        code.refuse(f"expected {count} results")
    size, ins = WIDTHS[type], code.instruction
    if size * count > 32:
        code.refuse("a vector of more than 32 bytes")
    writes = [code.write(item, type, wider=True) for item in items]
    address = address_of(code, 1)
    signed = np.dtype(f"i{size}") if type[0] == "s" else None
    acquires = order == "acquire"

    def step(machine: Machine) -> None:
        values = load(machine, ins, space, address(machine), size, count, verb)
        for write, value in zip(writes, values, strict=True):
            write(machine, value if signed is None else value.view(signed))
        if acquires and machine.watch is not None:
            machine.watch.fence()

    return Decoded(step, exact=space != "param")


def _store(code: Code) -> Decoded:
    type = code.type(_TYPES)
    count = _vector(code)
    order = _order(code)
    verb, releases = "write" if order == "weak" else "atomic", order == "release"
    _cache_hints(code)
    space = space_of(code, ("global", "shared", "local"))
    code.finish(2)
    items = code.items(1)
    if len(items) != count:
        code.refuse(f"expected {count} values")
    size, ins = WIDTHS[type], code.instruction
    if size * count > 32:
        code.refuse("a vector of more than 32 bytes")
    bits = f"b{8 * size}"
    kinds = [type if not isinstance(item, Register) and type[0] == "f" else bits for item in items]
    reads = [code.read(item, kind, wider=True) for item, kind in zip(items, kinds, strict=True)]
    address = address_of(code, 0)

    def step(machine: Machine) -> None:
        if releases and machine.watch is not None:
            machine.watch.fence()
        values = [read(machine) for read in reads]
        store(machine, ins, space, address(machine), size, values, verb)

    return Decoded(step, exact=True)


def _convert_address(code: Code) -> Decoded:
    """`cvta`: an address of a state space as a generic one, or back with `.to`."""
    type = code.type(("u64",))
    back = code.flag("to")
    space = space_of(code, ("global", "shared", "local", "param", "const"))
    window = np.uint64(WINDOWS.get(space, 0))

    def run(a: Array) -> Array:
        return a - window if back else a + window

    return elementwise(code, run, [type], type)


def _is_space(code: Code) -> Decoded:
    space = space_of(code, ("global", "shared", "local", "param", "const"))
    window = np.uint64(WINDOWS.get(space, 0) >> 56)
    return elementwise(code, lambda a: (a >> np.uint64(56)) == window, ["b64"], "pred")


DECODERS: Mapping[str, Decoder] = {
    "ld": _load,
    "ldu": _load,
    "st": _store,
    "cvta": _convert_address,
    "isspacep": _is_space,
}
