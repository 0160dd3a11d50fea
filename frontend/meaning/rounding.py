"""What a job computes, and the rounding error to allow a compiled one.

The results are those of the reference interpreter in float64. The tolerance is measured by Monte
Carlo arithmetic (Parker, "Monte Carlo arithmetic: exploiting randomness in floating-point
arithmetic", 1997): the job runs again in several *lanes*, each of which rounds every inexact result
of every op to its element type at random, up or down. Rounding inside an op, such as that of
partial sums, is imitated by perturbing its operands, the more operations per element, the more. The
lanes' distances from the reference show how this program amplifies rounding on these inputs,
cancellation included. Results that rounding cannot change, such as a maximum, stay exact. If lanes
disagree about an integer (a comparison of values that are equal except for rounding), that result
is not compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import arith, linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import HALVES, TensorOp, tensor
from penstock.ir.dialects.flow.elementwise import Elementwise
from penstock.ir.meaning.cost import cost_of
from penstock.ir.meaning.interpreter import Interpreter, Watcher
from penstock.ir.record import Record
from penstock.ir.rewriting.lowering import lowered_copy
from penstock.ir.types import FloatType, TensorType, Type
from penstock.meaning.results import extents, outcome

Array = np.ndarray[Any, Any]

LANES = 3
CONFIRMING = 24
"""Lanes that confirm a result that seems wrong: a few lanes may all be close by chance."""
FACTOR = 4.0
"""Tolerance of a result, relative to the farthest lane."""
SHARE = 0.5
"""Share of the mean distance of all elements added to each one's, which may be small by luck."""
INSIDE = 0.75
"""An op of n operations per element is off by up to n ** INSIDE roundings of its operands: errors
with random signs grow as the root of n, those with equal signs as n."""
CALM = 0.25
"""How often a lane perturbs no operands of an op, so that equal values stay equal."""
LARGEST = 1e4
"""Maximum size of results for values computed from them to be meaningful."""


ASTRAY = 0.1
"""Maximum error of a variable, relative to its largest element, to run another step."""
APART = 0.5
"""Maximum absolute error: functions have poles 1 apart, and a lane may happen to cross none."""


class Expected(Record, eq=False):
    """One result: its value, and the tolerance of each element; infinite means any value."""

    value: Array
    room: Array
    sure: bool = True
    """Whether rounding cannot change its extent, if that is decided at run time."""

    @property
    def top(self) -> float:
        """Its largest element."""
        return float(np.abs(self.value).max(initial=0)) if self.value.dtype.kind == "f" else np.inf

    @property
    def is_astray(self) -> bool:
        """Whether rounding may have changed the value a lot, even to where no function is
        defined."""
        return bool(self.room.max(initial=0) > min(ASTRAY * self.top, APART))

    def where_known(self) -> Expected:
        """The same, but elements with infinite tolerance may even be NaN."""
        return Expected(self.value, np.where(self.room > self.top, np.inf, self.room), self.sure)


def epsilon(element: Type) -> float:
    """The largest relative error of rounding to an element type."""
    assert isinstance(element, FloatType)
    # bfloat16 has 8 bits, and NumPy's finfo lacks it.
    return 2.0**-9 if element is ty.bf16 else float(np.finfo(numpy_dtype(element)).eps) / 2


def expected(
    module: Module, inputs: Mapping[str, Array], lanes: int = LANES, steps: int = 1,
    on_device: bool = False,
) -> dict[str, Expected]:  # fmt: skip
    """The results of a job at stage `grad`, with tolerances, by the names of `meaning`.

    If the job runs several steps, the results of each, by the names of `later`, up to the first
    step whose results are not moderate numbers, or whose variables rounding may have changed too
    much. With `on_device`, for kernels of a device, which may round more.
    """
    exact: list[dict[str, Array]] = []
    for results in _steps(module, inputs, Interpreter, steps):
        if exact and not is_sound(results):
            break
        exact.append(results)
    kinds = [_lane(OnDevice if on_device else Lane, n) for n in range(lanes)]
    if lanes == CONFIRMING:
        kinds.append(_lane(Nearest, lanes))
    others = [_steps(module, inputs, kind, len(exact)) for kind in kinds]
    found: dict[str, Expected] = {}
    for number, (results, *variants) in enumerate(zip(exact, *others, strict=True)):
        step = {n: compared(value, [lane[n] for lane in variants]) for n, value in results.items()}
        if number:
            step = {name: one.where_known() for name, one in step.items()}
        found |= {later(name, number): one for name, one in step.items()}
        if any(step[name].is_astray for name in inputs if name in step):
            break
    return found


def later(name: str, number: int) -> str:
    """The name of a result of the step after `number` earlier ones."""
    return f"{name} of step {number + 1}" if number else name


def is_sound(results: Mapping[str, Array]) -> bool:
    """Whether the results are finite and of moderate size."""
    return all(array.dtype.kind != "f" or is_moderate(array, LARGEST) for array in results.values())


def is_moderate(array: Array, largest: float) -> bool:
    """Whether no element is larger, infinite or NaN."""
    with np.errstate(invalid="ignore"):
        return bool(np.isfinite(array).all() and np.abs(array).max(initial=0) <= largest)


def _lane(kind: type[Lane], number: int) -> Any:
    random = np.random.default_rng(number)
    return lambda promote, watch: kind(promote, watch, random)


def _steps(
    module: Module, inputs: Mapping[str, Array], kind: Any, count: int
) -> Iterator[dict[str, Array]]:
    """The results of each step, whose variables are passed on to the next."""
    for _ in range(count):
        results = evaluate(module, inputs, kind)
        yield results
        inputs = {name: results.get(name, array) for name, array in inputs.items()}


def evaluate(module: Module, inputs: Mapping[str, Array], kind: Any) -> dict[str, Array]:
    """The results of a job by name, by an interpreter of this kind."""
    job = module.job
    found, watched = outcome(
        module, inputs, lambda given, watch: kind(True, watch).call(job, given)
    )
    # A compiled job trims a result to its run-time extent, and does not return the extent.
    told = {extent for extent, _ in extents(job).values()}
    return {**{name: array for name, array in found.items() if name not in told}, **watched}


def compared(value: Array, lanes: Sequence[Array]) -> Expected:
    """The expectation for a result, from its lanes; any value where lanes differ in extent."""
    if any(lane.shape != value.shape for lane in lanes):
        return Expected(value, np.full(value.shape, np.inf), sure=False)
    return Expected(value, room(value, lanes))


def room(value: Array, lanes: Sequence[Array]) -> Array:
    """The tolerance of each element of `value`, from its lanes."""
    if value.dtype.kind != "f":
        same = np.all([lane == value for lane in lanes], axis=0)
        return np.where(same, 0.0, np.inf)
    with np.errstate(all="ignore"):
        far = np.max([np.abs(lane - value) for lane in lanes], axis=0)
        far = np.where(np.isnan(far), np.inf, far)
        whole = far[np.isfinite(far)]
        return np.asarray(FACTOR * (far + SHARE * (whole.mean() if whole.size else 0.0)))


class Lane(Interpreter):
    """Runs a job in float64, rounding each inexact result to its element type at random."""

    def __init__(self, promote: bool, watch: Watcher | None, random: np.random.Generator) -> None:
        super().__init__(promote, watch)
        self.random = random

    def run(
        self, op: Operation, arrays: Sequence[Array], values: dict[Value, Array]
    ) -> Sequence[Array]:
        results = super().run(op, arrays, values)
        if not isinstance(op, TensorOp):
            return results
        does = work(op)
        one = does.operations == 1 and not does.functions
        simple = op.moves or (isinstance(op, Elementwise) and one)
        kept = [_is_exact(array, value, arrays, simple, does.functions)
                for array, value in zip(results, op.results, strict=True)]  # fmt: skip
        if all(keep.all() for keep in kept):
            return results
        again = results
        if not simple:
            calm = self.random.random() < CALM
            disturbed = arrays
            if not calm:
                pairs = zip(arrays, op.operands, strict=True)
                disturbed = [self._disturbed(a, v, op) for a, v in pairs]
                drawn = not any(array.dtype.kind == "f" for array in arrays)
                again = self._drawn(op, results) if drawn else super().run(op, disturbed, values)
            if not does.computes:
                kept = [
                    keep | _chosen(array, other, arrays, disturbed)
                    for keep, array, other in zip(kept, results, again, strict=True)
                ]
        return [
            np.where(keep, array, self._rounded(other, value, op.least))
            for array, other, keep, value in zip(results, again, kept, op.results, strict=True)
        ]

    def _drawn(self, op: TensorOp, results: Sequence[Array]) -> list[Array]:
        """Results computed from no floats, such as random numbers, off by as much as rounding on
        the way to the largest."""
        pairs = zip(results, op.results, strict=True)
        tops = [np.abs(a).max(initial=0) if a.dtype.kind == "f" else a for a, _ in pairs]
        return [
            a + self._disturbed(np.full(a.shape, top, a.dtype), v, op) - top
            if a.dtype.kind == "f" else a
            for a, v, top in zip(results, op.results, tops, strict=True)
        ]  # fmt: skip

    def _disturbed(self, array: Array, value: Value, op: TensorOp) -> Array:
        element = tensor(value).element
        if not ty.is_float(element):
            return array
        inner = epsilon(ty.f32 if element in HALVES else element) * work(op).operations ** INSIDE
        # Sums of similar terms are rounded in the same direction repeatedly.
        return self._noisy(array, inner, self.random.choice((-inner, inner)))

    def _rounded(self, array: Array, value: Value, least: float) -> Array:
        """Round according to the op's work; values below `least` as if they were that large."""
        element = tensor(value).element
        if not ty.is_float(element):
            return array
        # Twice the rounding, since functions are within two units in the last place.
        noisy = self._noisy(array, 2 * epsilon(element))
        if least:
            inner = epsilon(ty.f32 if element in HALVES else element)
            noisy = noisy + self.random.uniform(-2, 2, array.shape) * (inner * least)
        return on_grid(noisy, element)

    def _noisy(self, array: Array, size: float, bias: float = 0.0) -> Array:
        with np.errstate(all="ignore"):
            noise = self.random.uniform(-size, size, array.shape) + bias
            return np.asarray(array, np.float64) * (1 + noise)


class OnDevice(Lane):
    """Moreover, results of ops that a device has kernels for are off by as much as these may be."""

    def run(
        self, op: Operation, arrays: Sequence[Array], values: dict[Value, Array]
    ) -> Sequence[Array]:
        results = super().run(op, arrays, values)
        if not isinstance(op, TensorOp) or not op.devices:
            return results
        with np.errstate(all="ignore"):
            rooms = op.rounding_on_devices(*arrays)
            return [
                np.asarray(array + self.random.uniform(-1, 1, np.shape(array)) * room)
                for array, room in zip(results, rooms, strict=True)
            ]


class Nearest(Lane):
    """Rounds each result to the nearest value of its element type, which may be a pole of a
    function: random rounding seldom hits one."""

    def _noisy(self, array: Array, size: float, bias: float = 0.0) -> Array:
        return np.asarray(array, np.float64)


def _is_exact(
    array: Array, value: Value, operands: Sequence[Array], simple: bool, functions: bool
) -> Array:
    """Which elements need no rounding, at the end or, if the op is not simple, before.

    One operation is exact if the type can represent its result. Several are exact on integers,
    functions never.
    """
    element = tensor(value).element
    if not ty.is_float(element):
        return np.ones(np.shape(array), bool)
    with np.errstate(all="ignore"):
        fits = np.asarray(on_grid(array, element) == array)
        if simple and element is not ty.f64:
            return fits
        whole = _is_whole(array) & fits
        if simple:
            # A float64 result does not show that it was rounded, except for operands passed on.
            return np.asarray(whole | _among(array, operands))
        wholes = not functions and all(bool(_is_whole(a).all()) for a in operands)
        return np.asarray(whole & wholes)


def _is_whole(array: Array) -> Array:
    return np.asarray((np.rint(array) == array) & (np.abs(array) < 2.0**24))


def _among(array: Array, operands: Sequence[Array]) -> Array:
    """Which elements equal one of the given floats, up to sign."""
    floats = [np.abs(a).ravel() for a in operands if a.dtype.kind == "f"]
    wanted = np.concatenate(floats) if floats else np.empty(0)
    return np.asarray(np.isin(np.abs(array), wanted))


def _chosen(
    array: Array, again: Array, operands: Sequence[Array], disturbed: Sequence[Array]
) -> Array:
    """Which elements an op copies from its operands, whatever their values."""
    if array.dtype.kind != "f":
        return np.ones(array.shape, bool)
    return _among(array, operands) & _among(again, disturbed)


def on_grid(array: Array, element: Type) -> Array:
    """float64 values rounded to the nearest of the element type."""
    with np.errstate(over="ignore"):
        return np.asarray(array).astype(numpy_dtype(element)).astype(np.float64)


class Work(Record):
    """The work of an op per element of its results."""

    operations: float
    """Floating-point operations; at least 1."""
    functions: bool
    """Whether any is a function such as exp."""
    computes: bool
    """Whether floats are computed on the way, and not only compared and selected: an operand that
    remains when others cancel may have been rounded with them."""


_KNOWN: dict[Any, Work] = {}


def work(op: TensorOp) -> Work:
    """The work of an op per element of its results."""
    types = tuple(value.type for value in op.operands)
    key = op.name, types, frozenset(op.attributes.items())
    if key not in _KNOWN:
        _KNOWN[key] = _work(op)
    return _KNOWN[key]


def _work(op: TensorOp) -> Work:
    """The work per result in each loop nest that the op is lowered to: a normalization, for
    example, sums a whole row for each row."""
    try:
        loops = [inner for inner in lowered_copy(op).walk() if isinstance(inner, linalg.Generic)]
    except IRError:
        loops = []
    if not loops:
        # An op that lowers to no linalg loops reads its operands at least once.
        count = max(1, min(map(_count, op.results)))
        return Work(max(1.0, sum(map(_count, op.operands)) / count), True, False)
    costs = [cost_of(loop) for loop in loops]
    counts = [max(1, min(map(_count, loop.results))) for loop in loops]
    operations = sum(c.flops / n for c, n in zip(costs, counts, strict=True))
    functions = any(cost.transcendentals for cost in costs)
    computes = any(_computes(inner) for loop in loops for inner in loop.body)
    return Work(max(1.0, operations), functions, computes)


def _computes(op: Operation) -> bool:
    """Whether a scalar op returns a float that is not one of its operands."""
    chooses = isinstance(op, arith.Scalar) and op.chooses
    floats = any(ty.is_float(result.type) for result in op.results)
    return bool(op.flops or op.transcendentals) and floats and not chooses


def _count(value: Value) -> int:
    return math.prod(value.type.shape) if isinstance(value.type, TensorType) else 0
