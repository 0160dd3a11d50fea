"""Makes operands from existing values: casts, reshapes, broadcasts, slices, pads and clamps them,
or copies them by ops that fold away; and takes parts of larger operands, and of results, with steps
of either sign."""

from __future__ import annotations

import random
from dataclasses import replace
from math import prod

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import Input, tensor

STEPS = (1, 1, 1, -1, -1, 2, -2)
"""Steps between the elements of a part."""


def adapted(choose: random.Random, b: Builder, value: Value, wanted: Input) -> Value:
    """A value of the wanted type, made from another one of at least one element."""
    if tensor(value).element is not wanted.element:
        value = make.cast(b, value, wanted.element)
    shape = tensor(value).shape
    if shape == wanted.shape:
        return value
    if _broadcasts(shape, wanted.shape) and choose.random() < 0.7:
        return make.broadcast_to(b, value, wanted.shape)
    if sorted(shape) == sorted(wanted.shape) and choose.random() < 0.7:
        return make.transpose(b, value, _order(shape, wanted.shape))
    if len(shape) == len(wanted.shape) and 0 not in wanted.shape:
        return _resized(b, value, wanted.shape)
    count = prod(wanted.shape)
    if prod(shape) != count:
        value = _resized(b, make.reshape(b, value, [prod(shape)]), (count,))
    return make.reshape(b, value, wanted.shape)


def clamped(b: Builder, value: Value, wanted: Input) -> Value:
    """The value clamped to the wanted range; some floats cannot be that exact."""
    return make.minimum(b, make.maximum(b, value, wanted.low), wanted.high)


def squeezed(b: Builder, value: Value, wanted: Input, low: float, high: float) -> Value:
    """Floats from `low` to `high`, moved and scaled to the wanted range."""
    scale = (wanted.high - wanted.low) / (high - low) if high > low else 0.0
    scale = float(np.float32(min(scale, 1.0)))
    return make.add(b, make.multiply(b, make.subtract(b, value, low), scale), wanted.low)


def copied(choose: random.Random, b: Builder, value: Value) -> list[Value]:
    """The results of ops that fold away; the last has the type and the elements of the value."""
    shape = tensor(value).shape
    match choose.randrange(4):
        case 0:
            order = choose.sample(range(len(shape)), len(shape))
            moved = make.op(b, "transpose", value, permutation=order)
            back = sorted(range(len(shape)), key=order.__getitem__)
            return [moved, make.op(b, "transpose", moved, permutation=back)]
        case 1:
            flat = make.op(b, "reshape", value, shape=[prod(shape)])
            return [flat, make.op(b, "reshape", flat, shape=shape)]
        case 2:
            return [make.op(b, "identity", value)]
        case _:
            return [make.op(b, "cast", value, element=tensor(value).element)]


def larger(choose: random.Random, wanted: Input) -> tuple[Input, dict[str, list[int]]]:
    """A larger operand that contains the wanted one, and the arguments of `slice` that extract
    it."""
    steps = [choose.choice(STEPS) for _ in wanted.shape]
    ahead, behind = ([choose.choice((0, 0, 1, 3)) for _ in wanted.shape] for _ in range(2))
    reach = [max(0, n - 1) * abs(by) for n, by in zip(wanted.shape, steps, strict=True)]
    shape = tuple(a + r + 1 + z for a, r, z in zip(ahead, reach, behind, strict=True))
    starts = [a if by > 0 else a + r for a, r, by in zip(ahead, reach, steps, strict=True)]
    part = {"starts": starts, "sizes": list(wanted.shape), "steps": steps}
    return replace(wanted, shape=shape), part


def cut(choose: random.Random, b: Builder, value: Value) -> Value:
    """A part of a value of at least one element: narrower, with gaps, or backward."""
    starts, sizes, steps = [], [], []
    for extent in tensor(value).shape:
        by = choose.choice(STEPS)
        start = choose.choice((0, 0, extent // 4))
        most = (extent - start - 1) // abs(by) + 1
        size = max(choose.choice((0, 1, 1)), most - choose.choice((0, 0, 1, most // 2, most)))
        starts.append(start if by > 0 else start + max(0, size - 1) * -by)
        sizes.append(size)
        steps.append(by)
    return make.op(b, "slice", value, starts=starts, sizes=sizes, steps=steps)


def _broadcasts(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    tail = wanted[len(wanted) - len(shape) :]
    return len(shape) <= len(wanted) and all(n in (1, m) for n, m in zip(shape, tail, strict=True))


def _order(shape: tuple[int, ...], wanted: tuple[int, ...]) -> list[int]:
    """A permutation that gives the wanted extents."""
    left = list(range(len(shape)))
    order = []
    for extent in wanted:
        place = next(d for d in left if shape[d] == extent)
        left.remove(place)
        order.append(place)
    return order


def _resized(b: Builder, value: Value, wanted: tuple[int, ...]) -> Value:
    """Slice where the value is too long, with steps if they fit; pad where it is too short."""
    shape = tensor(value).shape
    if any(have > want for have, want in zip(shape, wanted, strict=True)):
        sizes = [min(have, want) for have, want in zip(shape, wanted, strict=True)]
        steps = [min(3, have // max(size, 1)) or 1 for have, size in zip(shape, sizes, strict=True)]
        zeros = [0] * len(shape)
        value = make.op(b, "slice", value, starts=zeros, sizes=sizes, steps=steps)
        shape = tensor(value).shape
    after = [want - have for have, want in zip(shape, wanted, strict=True)]
    if any(after):
        # Unlike 0 and most other values, so that padding is distinguishable.
        number = 0.75 if ty.is_float(tensor(value).element) else 1.0
        zeros = [0] * len(shape)
        value = make.op(b, "pad", value, before=zeros, after=after, inside=zeros, value=number)
    return value
