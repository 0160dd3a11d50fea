"""Derives further calls of an op: other dtypes, other shapes, and corner cases.

A proposal counts as a call only if the op's `infer` accepts it. So classes list shapes once and
state in `infer` alone what they take; if a corner case is rejected, the sentence of `infer` is the
reason that the op has no such call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from math import ceil, floor, prod

from penstock.ir import types as ty
from penstock.ir.codecs import TYPE
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.flow.base import STORED, Input, Sample, TensorOp
from penstock.ir.facets import FacetError
from penstock.ir.types import Type
from penstock.testing.cases import Case, cases_of, shapes_of, trying

LARGE_OPERAND = 20_000
"""The minimum number of elements of a large operand: more than a task, more than some caches."""
TOO_MANY = 400_000

Shapes = tuple[tuple[int, ...], ...]


def is_prime(extent: int) -> bool:
    """Whether an extent is a prime of 5 or more, which no vector, tile or task divides."""
    return extent >= 5 and all(extent % n for n in range(2, extent))


CORNERS: Mapping[str, Callable[[Shapes], bool]] = {
    "rank 0": lambda shapes: not any(shapes),
    "size 0": lambda shapes: any(0 in shape for shape in shapes),
    "extent 1": lambda shapes: any(1 in shape for shape in shapes),
    "primes": lambda shapes: any(is_prime(n) for shape in shapes for n in shape),
    "vector and a rest": lambda shapes: any(s and s[-1] > 16 and s[-1] % 4 for s in shapes),
    "broadcast": lambda shapes: len({shape for shape in shapes}) > 1 and _broadcast(shapes),
    "large": lambda shapes: any(prod(shape) >= LARGE_OPERAND for shape in shapes),
}
"""Classes of shapes that every op is tried on, each with its test on the operands."""


def _broadcast(shapes: Shapes) -> bool:
    """Whether operands of different extents meet in one dimension, counted from the right, with one
    extent being 1 or absent."""
    longest = max(map(len, shapes))
    return any(
        len({shape[-d] if d <= len(shape) else 1 for shape in shapes}) > 1
        for d in range(1, longest + 1)
    )


def accepted(cls: type[TensorOp], number: int, sample: Sample) -> Case | str:
    """The call, or the sentence with which `infer` rejected it."""
    case = Case(cls, number, sample)
    with trying(case):
        try:
            case.program()
        except FacetError:
            raise
        except IRError as error:
            return error.diagnostics[0].message
    return case


# -- dtypes ---------------------------------------------------------------------------------------


def in_other_dtypes(case: Case) -> list[Case]:
    """The call with the operands of each dtype in each other dtype that the op takes."""
    found = []
    numbers = count(case.number * 1000 + 1)
    for element in dict.fromkeys(one.element for one in case.sample.inputs):
        for other in STORED:
            if other is not element:
                derived = accepted(case.cls, next(numbers), in_dtype(case.sample, element, other))
                if isinstance(derived, Case):
                    found.append(derived)
    return found


def with_other_types(cls: type[TensorOp]) -> list[Case]:
    """A call for each dtype that an attribute may name and that no call of the class has."""
    own, found, numbers = cases_of(cls), [], count(4_000_000)
    for name, member in cls.definition.attributes.items():
        if member.codec is not TYPE:
            continue
        listed = {case.sample.attributes.get(name) for case in own}
        for other in (element for element in STORED if element not in listed):
            for case in own:
                attributes = {**case.sample.attributes, name: other}
                derived = accepted(cls, next(numbers), replace(case.sample, attributes=attributes))
                if isinstance(derived, Case):
                    found.append(derived)
                    break
    return found


def in_dtype(sample: Sample, old: Type, other: Type) -> Sample:
    inputs = (_input_in(one, other) if one.element is old else one for one in sample.inputs)
    return replace(sample, inputs=tuple(inputs))


def _input_in(operand: Input, element: Type) -> Input:
    """The operand in another dtype, drawn from as much of that dtype's range as possible."""
    low, high = operand.low, operand.high
    if not ty.is_float(element):
        low, high = ceil(low), floor(high)
        if element is ty.ui8 or element is ty.i1:
            low, high = max(low, 0), max(high, 1)
        low = min(low, high)
    return Input(operand.shape, element, low, high)


# -- shapes ---------------------------------------------------------------------------------------


def extents_of(cls: type[TensorOp], sample: Sample) -> list[int]:
    """The distinct extents of a call, largest first."""
    return sorted({n for shape in shapes_of(cls, sample) for n in shape}, reverse=True)


def with_extents(cls: type[TensorOp], sample: Sample, new: Mapping[int, int]) -> Sample:
    """The call with other extents: each one is replaced wherever it occurs.

    An operand of positions, drawn from 0 to an extent less 1, follows the new extent; so does an
    attribute that repeats the result's shape.
    """
    inputs = []
    for operand in sample.inputs:
        high = operand.high
        if not ty.is_float(operand.element) and operand.low == 0 and high + 1 in new:
            high = new[int(high) + 1] - 1
        shape = tuple(new.get(n, n) for n in operand.shape)
        inputs.append(replace(operand, shape=shape, high=max(operand.low, high)))
    return replace(sample, inputs=tuple(inputs), attributes=_followed(cls, sample, new))


def _followed(cls: type[TensorOp], sample: Sample, new: Mapping[int, int]) -> Mapping[str, object]:
    name = cls.result_shape
    if not name:
        return sample.attributes
    shape = [new.get(n, n) for n in sample.attributes[name]]
    return {**sample.attributes, name: shape}


def with_dimension(cls: type[TensorOp], sample: Sample, extent: int) -> Sample:
    """The call with one more leading dimension on every operand."""
    inputs = tuple(replace(operand, shape=(extent, *operand.shape)) for operand in sample.inputs)
    if not cls.result_shape:
        return replace(sample, inputs=inputs)
    shape = [extent, *sample.attributes[cls.result_shape]]
    return replace(sample, inputs=inputs, attributes={**sample.attributes, cls.result_shape: shape})


def reversed_shapes(sample: Sample) -> Sample:
    """The call with the dimensions of every operand reversed."""
    return replace(
        sample,
        inputs=tuple(replace(operand, shape=operand.shape[::-1]) for operand in sample.inputs),
    )


def _of_rank_0(sample: Sample) -> Sample:
    """The call on scalars; attributes with one number per dimension become empty."""
    attributes = {
        name: () if isinstance(value, list | tuple) else value
        for name, value in sample.attributes.items()
    }
    inputs = tuple(replace(operand, shape=()) for operand in sample.inputs)
    return replace(sample, inputs=inputs, attributes=attributes)


def _repeating(sample: Sample) -> Iterator[Sample]:
    """The call with one operand's extent set to 1, or without its first dimension."""
    for position, operand in enumerate(sample.inputs):
        for d in range(len(operand.shape)):
            for shape in ((*operand.shape[:d], 1, *operand.shape[d + 1 :]), operand.shape[1:]):
                one = replace(operand, shape=shape)
                yield replace(
                    sample,
                    inputs=(*sample.inputs[:position], one, *sample.inputs[position + 1 :]),
                )


def _enlarged(cls: type[TensorOp], sample: Sample, wanted: int, step: int) -> Iterator[Sample]:
    """The call with one extent replaced to make an operand as large as required."""
    shapes = shapes_of(cls, sample)
    for extent in extents_of(cls, sample):
        rest = max(prod(n for n in shape if n != extent) for shape in shapes if extent in shape)
        if rest and extent:
            yield with_extents(cls, sample, {extent: -(-wanted // rest) | step})


def proposals(corner: str, cls: type[TensorOp], sample: Sample) -> Iterable[Sample]:
    """Proposals in a class of shapes, derived from a call that is not in it."""
    extents = extents_of(cls, sample)
    match corner:
        case "rank 0":
            return [_of_rank_0(sample)]
        case "size 0":
            return [with_extents(cls, sample, {n: 0}) for n in extents]
        case "extent 1":
            return [with_extents(cls, sample, {n: 1}) for n in extents]
        case "primes":
            primes = (7, 5, 11, 13)
            return [with_extents(cls, sample, dict(zip(extents, primes, strict=False)))]
        case "vector and a rest":
            return [with_extents(cls, sample, {n: 19}) for n in extents]
        case "broadcast":
            return _repeating(sample)
        case _:
            return _enlarged(cls, sample, LARGE_OPERAND, 1)


def corner_cases(cls: type[TensorOp]) -> tuple[list[Case], dict[str, str]]:
    """Calls of the shape classes that the op's own samples lack, and why some classes have none.

    The reasons come from `infer`, except for ops without the operands that a class is about.
    """
    own = cases_of(cls)
    first = [case for case in own if case.shapes]
    numbers = count(1_000_000)
    found: list[Case] = []
    reasons: dict[str, str] = {}
    for corner, holds in CORNERS.items():
        if any(holds(case.shapes) for case in own):
            continue
        if corner == "broadcast" and len(cls.definition.operands) < 2:
            reasons[corner] = "it has one operand"
            continue
        for case in first:
            derived = _first_accepted(cls, next(numbers), corner, case.sample)
            if isinstance(derived, Case):
                found.append(derived)
                reasons.pop(corner, None)
                break
            if derived:
                reasons.setdefault(corner, derived)
        else:
            reasons.setdefault(corner, "no call is of such a shape")
    return found, reasons


def _first_accepted(
    cls: type[TensorOp], number: int, corner: str, sample: Sample
) -> Case | str | None:
    """The first accepted proposal that is in the class, or why the last one was rejected."""
    reason = None
    for proposed in proposals(corner, cls, sample):
        shapes = shapes_of(cls, proposed)
        if not CORNERS[corner](shapes) or max(map(prod, shapes)) > TOO_MANY:
            continue
        derived = accepted(cls, number, proposed)
        if isinstance(derived, Case):
            return derived
        reason = derived
    return reason


def more_shapes(cls: type[TensorOp], wanted: int, most: int) -> list[Case]:
    """The op's own calls and small ones like them, until there are enough shapes.

    Except in the class's own calls, operands have at most `most` elements together.
    """
    own = cases_of(cls)
    found: list[Case] = []
    seen: set[tuple[object, ...]] = set()
    for case in own:
        if _key(case) not in seen:
            found.append(case)
            seen.add(_key(case))
    numbers = count(2_000_000)
    for proposed in _variations(cls, [case.sample for case in own if case.shapes]):
        if len(found) >= wanted:
            break
        case = Case(cls, next(numbers), proposed)
        if _key(case) in seen or case.count > most:
            continue
        seen.add(_key(case))
        derived = accepted(cls, case.number, proposed)
        if isinstance(derived, Case):
            found.append(derived)
    return found


def _key(case: Case) -> tuple[object, ...]:
    """What makes shapes distinct; dtypes do not."""
    return (case.shapes, repr(case.sample.attributes))


def _variations(cls: type[TensorOp], samples: list[Sample]) -> Iterator[Sample]:
    """Calls with one extent replaced, one more dimension, or reversed dimensions, alternately."""
    for step in range(8):
        for sample in samples:
            for position, extent in enumerate(extents_of(cls, sample)):
                other = (1, 2, 3, 4, 5, 6, 7, 8)[(position + step + extent) % 8]
                yield with_extents(cls, sample, {extent: other})
        for sample in samples if step < 3 else ():
            yield with_dimension(cls, sample, step + 1)
        for sample in samples if step == 0 else ():
            yield reversed_shapes(sample)
