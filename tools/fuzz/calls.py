"""Calls for random programs, from the samples of all registered op classes.

No op is named here. A call is a sample of an op, unchanged or with other extents and element types;
the op's `infer` says whether these go together.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from math import prod
from typing import Any

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import FLOATS, HALVES, Input, Sample, TensorOp
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.dialects.func import Func, Return
from penstock.ir.facets import FacetError
from penstock.ir.opdef import registry
from penstock.ir.record import Record
from penstock.ir.types import TensorType, Type
from penstock.passes.analysis import generics
from penstock.passes.flow.lower_to_linalg import LowerToLinalg

PRODUCTS = 0.3
"""Share of calls of ops that lower to contractions, which can be compiled in the most ways."""
DEGENERATE = 0.25
"""Share of calls with an extent of 0 or 1, or one that is equal to another."""
FOR_DEVICES = 0.8
"""Share of calls of ops that have kernels of their own, or add products, in programs for tensor
cores."""
NARROW = (16, 16, 16, 16, 32, 32, 48, 64, 80, 8, 24, 17, 3)
"""Extents to choose from there: most of them multiples of what tensor cores multiply."""
EXTENTS = (1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 32, 33, 64, 65, 100, 129, 257, 1000)
"""Extents to choose from: around the widths of vectors and tiles, and primes."""


class Call(Record):
    """An op with attributes, and its operands' types and ranges."""

    cls: type[TensorOp]
    inputs: tuple[Input, ...]
    attributes: Mapping[str, Any]

    def create(self, b: Builder, operands: Sequence[Value]) -> TensorOp:
        """The op on these operands, at `b`; raises `IRError` if they do not match."""
        variadic = any(group.variadic for group in self.cls.definition.operands)
        arguments = [list(operands)] if variadic else list(operands)
        op = b.create(self.cls, *arguments, **self.attributes)
        op.verify()
        return op

    def result_types(self) -> list[TensorType] | None:
        """The types of its results; None if the op refuses this call."""
        block = Block([TensorType(one.shape, one.element) for one in self.inputs])
        try:
            results = self.create(Builder.at_end(block), block.arguments).results
        except FacetError:
            raise
        except IRError:
            return None
        types = [result.type for result in results if isinstance(result.type, TensorType)]
        return types if len(types) == len(results) and all(t.is_static for t in types) else None


@cache
def samples() -> dict[type[TensorOp], Sequence[Sample]]:
    """The ops that have samples, by name, with the samples; without those whose gradient depends on
    how their operands are computed, which passes may change in random programs."""
    found = [
        cls
        for _, cls in sorted(registry.items())
        if issubclass(cls, TensorOp) and "differences" not in cls.waived
    ]
    made = {cls: cls.samples() for cls in found}
    return {cls: calls for cls, calls in made.items() if calls}


@cache
def adding_products() -> frozenset[type[TensorOp]]:
    """The ops that lower to contractions, judged by their first samples."""
    return frozenset(cls for cls, calls in samples().items() if _adds_products(cls, calls[0]))


def _adds_products(cls: type[TensorOp], sample: Sample) -> bool:
    module = Module.empty("call")
    function = Func.make("call", [TensorType(one.shape, one.element) for one in sample.inputs])
    module.body.append(function)
    b = Builder.at_end(function.body)
    op = Call(cls, sample.inputs, sample.attributes).create(b, function.arguments)
    b.create(Return, op.results)
    function.update_type()
    LowerToLinalg().run(module)
    return any(
        isinstance(inner, linalg.Generic) and generics.is_contraction(inner)
        for inner in function.body
    )


def chosen(patterns: Sequence[str]) -> tuple[type[TensorOp], ...]:
    """The ops whose names match any of these globs; without patterns, all."""
    return tuple(cls for cls in samples()
                 if not patterns or any(fnmatchcase(cls.name, p) for p in patterns))  # fmt: skip


def is_narrow(seed: int) -> bool:
    """Whether the program of a number, with random schedules, is one for tensor cores."""
    return seed % 2 == 0


def _for_devices(choose: random.Random, only: Sequence[type[TensorOp]]) -> Sequence[type[TensorOp]]:
    """Ops of one kind that has kernels of its own on a GPU."""
    products = [cls for cls in only if cls in adding_products()]
    placed = [cls for cls in only if cls.devices]
    looping = [cls for cls in only if issubclass(cls, Kernel) and not cls.devices]
    return choose.choice((products, products, placed, placed, looping)) or only


def proposed(
    choose: random.Random, known: Sequence[TensorType], largest: int,
    only: Sequence[type[TensorOp]], narrow: bool = False,
) -> Call:  # fmt: skip
    """A call of one of these ops, of moderate size, often one that accepts known types.

    With `narrow`, most calls are such as tensor cores compute, or of ops with loops of their own.
    """
    if narrow:
        products = _for_devices(choose, only) if choose.random() < FOR_DEVICES else only
    else:
        products = [cls for cls in only if choose.random() < PRODUCTS and cls in adding_products()]
    cls = choose.choice(products or only)
    sample = choose.choice(samples()[cls])
    call = Call(cls, sample.inputs, sample.attributes)
    ahead: Iterable[Call] = _for_tensor_cores(choose, call) if narrow else ()
    for changed in (*ahead, *_changes(choose, call, known)):
        types = changed.result_types()
        sizes = [prod(one.shape) for one in changed.inputs]
        if types is not None and max([*sizes, *(type.count for type in types)]) <= largest:
            return changed
    return call


def _changes(choose: random.Random, call: Call, known: Sequence[TensorType]) -> Iterator[Call]:
    """Variations of a call, the most changed first."""
    renamed = [call]
    if choose.random() < 0.6:
        mapping = _fitting(choose, call, known)
        if mapping is not None:
            renamed.insert(0, _with_extents(call, mapping))
    if choose.random() < 0.5:
        renamed.insert(0, _with_extents(call, _other_extents(choose, call)))
    if choose.random() < DEGENERATE:
        renamed.insert(0, _degenerate(choose, renamed[0]))
    if choose.random() < 0.3:
        element = choose.choice(FLOATS)
        yield from [_with_float(one, element) for one in renamed]
    yield from renamed


def _for_tensor_cores(choose: random.Random, call: Call) -> Iterator[Call]:
    """The call of 16-bit floats, with other extents; or only its operands of most dimensions, where
    others must be wider."""
    element = choose.choice(HALVES)
    for _ in range(6):
        changed = _with_extents(call, {n: choose.choice(NARROW) for n in _extents(call)})
        rank = max((len(one.shape) for one in changed.inputs), default=0)
        for least in (0, rank):
            yield _with_float(changed, element, least)


def _extents(call: Call) -> list[int]:
    """Extents that may be changed: not 1, which broadcasts, nor 0."""
    return sorted({n for one in call.inputs for n in one.shape if n > 1})


def _other_extents(choose: random.Random, call: Call) -> dict[int, int]:
    chosen = choose.choice((EXTENTS[:9], EXTENTS[:14], EXTENTS))
    return {n: choose.choice(chosen) for n in _extents(call)}


def _degenerate(choose: random.Random, call: Call) -> Call:
    """The call with one extent set to 1, to 0, to another extent, or to a window that fits once:
    wherever it occurs, or in one operand."""
    places = [(i, d) for i, one in enumerate(call.inputs) for d in range(len(one.shape))]
    if not places:
        return call
    i, d = choose.choice(places)
    extents = [n for one in call.inputs for n in one.shape]
    old, new = call.inputs[i].shape[d], choose.choice([1, 1, 0, *extents])
    if choose.random() < 0.5:
        return _with_extents(call, {old: new})
    inputs = list(call.inputs)
    shape = inputs[i].shape
    inputs[i] = replace(inputs[i], shape=(*shape[:d], new, *shape[d + 1 :]))
    return Call(call.cls, tuple(inputs), call.attributes)


def _fitting(
    choose: random.Random, call: Call, known: Sequence[TensorType]
) -> dict[int, int] | None:
    """Extents that give an operand the shape of a known value; None if there are none."""
    pairs = [(one.shape, type.shape) for one in call.inputs for type in known]
    choose.shuffle(pairs)
    for attributes, wanted in pairs:
        if len(attributes) == len(wanted) and attributes:
            mapping: dict[int, int] = {}
            if all(
                mapping.setdefault(old, new) == new if old > 1 else old == new
                for old, new in zip(attributes, wanted, strict=True)
            ):
                return mapping
    return None


def _with_extents(call: Call, mapping: Mapping[int, int]) -> Call:
    """The call with other extents, also in the attribute that repeats the result's extents."""
    inputs = tuple(
        replace(one, shape=tuple(mapping.get(n, n) for n in one.shape)) for one in call.inputs
    )
    attributes = dict(call.attributes)
    repeated = attributes.get(call.cls.result_shape)
    if repeated is not None:
        attributes[call.cls.result_shape] = [mapping.get(n, n) for n in repeated]
    return Call(call.cls, inputs, attributes)


def _with_float(call: Call, element: Type, rank: int = 0) -> Call:
    """The call with another type for all its floats of at least so many dimensions."""
    inputs = tuple(
        replace(one, element=element)
        if ty.is_float(one.element) and len(one.shape) >= rank
        else one
        for one in call.inputs
    )
    return Call(call.cls, inputs, call.attributes)
