"""What a job computes, and how far rounding may carry a compiled one from it.

The results are those of the reference interpreter in float64. How far others may be from them is
measured, not guessed, by Monte Carlo arithmetic (Parker, "Monte Carlo arithmetic: exploiting
randomness in floating-point arithmetic", 1997): the job is run again in several *lanes*, each
of which rounds every inexact result of every op to its element type at random, up or down. What
an op rounds inside of itself, such as partial sums, is imitated by disturbing its operands, by the
more the more it computes for each element. The lanes' distances from the reference show how this
very program on these very inputs amplifies rounding, cancellation included; results that no
rounding can change, such as a maximum, stay exact. Where lanes disagree about an integer (a
comparison of what is equal but for rounding), nothing can be said, and nothing is compared.
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
from penstock.tools.modules.meaning import extents, outcome

Array = np.ndarray[Any, Any]

LANES = 3
CONFIRMING = 24
"""How many lanes tell of a result that seems wrong whether it is: by chance, few may be close."""
FACTOR = 4.0
"""How much farther than the farthest lane a result may be."""
SHARE = 0.5
"""What the mean distance of all elements adds to that of each, which may be small by luck."""
INSIDE = 0.75
"""An op of n operations for each element is off by up to n ** INSIDE roundings of its operands:
random signs make their errors grow as the root of n, equal signs in one direction as n."""
CALM = 0.25
"""How often a lane lets an op round nothing inside of itself: what is equal there stays equal."""
LARGEST = 1e4
"""What results may be at most for others to mean something that are computed from them."""


ASTRAY = 0.1
"""How far a variable may be off, by its largest element, for another step to mean the same."""
APART = 0.5
"""How far at all: functions have poles that lie 1 apart, and a lane may happen to pass none."""


class Expected(Record, eq=False):
    """One result: what it is, and how far from that each element may be; infinite for any."""

    value: Array
    room: Array
    sure: bool = True
    """Whether no rounding changes how far it extends, where that depends on what is computed."""

    @property
    def top(self) -> float:
        """Its largest element."""
        return float(np.abs(self.value).max(initial=0)) if self.value.dtype.kind == "f" else np.inf

    @property
    def is_astray(self) -> bool:
        """Whether rounding may have led elsewhere, perhaps to where no function is defined."""
        return bool(self.room.max(initial=0) > min(ASTRAY * self.top, APART))

    def where_known(self) -> Expected:
        """The same; where rounding may have led anywhere an element need not even be a number."""
        return Expected(self.value, np.where(self.room > self.top, np.inf, self.room), self.sure)


def epsilon(element: Type) -> float:
    """The largest relative error of rounding to an element type."""
    assert isinstance(element, FloatType)
    # bfloat16 has 8 bits, and NumPy's finfo does not know it.
    return 2.0**-9 if element is ty.bf16 else float(np.finfo(numpy_dtype(element)).eps) / 2


def expected(
    module: Module, inputs: Mapping[str, Array], lanes: int = LANES, steps: int = 1
) -> dict[str, Expected]:
    """The results of a job at stage `grad`, and their room, by the names of `meaning`.

    Of a job that is run for several steps they are those of each, by the names of `later`, up to
    the first whose results are no moderate numbers, or that begins where rounding may have led.
    """
    exact: list[dict[str, Array]] = []
    for results in _steps(module, inputs, Interpreter, steps):
        if exact and not is_sound(results):
            break
        exact.append(results)
    kinds = [_lane(Lane, n) for n in range(lanes)]
    if lanes == CONFIRMING:
        kinds.append(_lane(Nearest, lanes))
    others = [_steps(module, inputs, kind, len(exact)) for kind in kinds]
    found: dict[str, Expected] = {}
    for number, (results, *given) in enumerate(zip(exact, *others, strict=True)):
        step = {n: compared(value, [lane[n] for lane in given]) for n, value in results.items()}
        if number:
            step = {name: one.where_known() for name, one in step.items()}
        found |= {later(name, number): one for name, one in step.items()}
        if any(step[name].is_astray for name in inputs if name in step):
            break
    return found


def later(name: str, number: int) -> str:
    """What a result is called that a job gives after so many earlier steps."""
    return f"{name} of step {number + 1}" if number else name


def is_sound(results: Mapping[str, Array]) -> bool:
    """Whether the results are numbers, of moderate size."""
    return all(array.dtype.kind != "f" or is_moderate(array, LARGEST) for array in results.values())


def is_moderate(array: Array, largest: float) -> bool:
    """Whether no element is larger, infinite or no number."""
    with np.errstate(invalid="ignore"):
        return bool(np.isfinite(array).all() and np.abs(array).max(initial=0) <= largest)


def _lane(kind: type[Lane], number: int) -> Any:
    random = np.random.default_rng(number)
    return lambda promote, watch: kind(promote, watch, random)


def _steps(
    module: Module, inputs: Mapping[str, Array], kind: Any, count: int
) -> Iterator[dict[str, Array]]:
    """The results of each step: the variables that one leaves are those of the next."""
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
    # A compiled job returns what has an extent only as far as that goes, and not the extent.
    told = {extent for extent, _ in extents(job).values()}
    return {**{name: array for name, array in found.items() if name not in told}, **watched}


def compared(value: Array, lanes: Sequence[Array]) -> Expected:
    """What is expected of a result that lanes are given of; nothing where they extend otherwise."""
    if any(lane.shape != value.shape for lane in lanes):
        return Expected(value, np.full(value.shape, np.inf), sure=False)
    return Expected(value, room(value, lanes))


def room(value: Array, lanes: Sequence[Array]) -> Array:
    """How far each element may be from `value`, which lanes are given of."""
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
        self, op: Operation, given: Sequence[Array], values: dict[Value, Array]
    ) -> Sequence[Array]:
        results = super().run(op, given, values)
        if not isinstance(op, TensorOp):
            return results
        does = work(op)
        one = does.operations == 1 and not does.functions
        simple = op.moves or (isinstance(op, Elementwise) and one)
        kept = [_is_exact(array, value, given, simple, does.functions)
                for array, value in zip(results, op.results, strict=True)]  # fmt: skip
        if all(keep.all() for keep in kept):
            return results
        again = results
        if not simple:
            calm = self.random.random() < CALM
            disturbed = given
            if not calm:
                pairs = zip(given, op.operands, strict=True)
                disturbed = [self._disturbed(a, v, op) for a, v in pairs]
                drawn = not any(array.dtype.kind == "f" for array in given)
                again = self._drawn(op, results) if drawn else super().run(op, disturbed, values)
            if not does.computes:
                kept = [
                    keep | _chosen(array, other, given, disturbed)
                    for keep, array, other in zip(kept, results, again, strict=True)
                ]
        return [
            np.where(keep, array, self._rounded(other, value, op.least))
            for array, other, keep, value in zip(results, again, kept, op.results, strict=True)
        ]

    def _drawn(self, op: TensorOp, results: Sequence[Array]) -> list[Array]:
        """Results that are made of no floats, such as random numbers, off by what was rounded on
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
        # Sums of what is alike are rounded in one direction again and again.
        return self._noisy(array, inner, self.random.choice((-inner, inner)))

    def _rounded(self, array: Array, value: Value, least: float) -> Array:
        """Rounded as what its op computes; what is smaller than `least` as if it were as large."""
        element = tensor(value).element
        if not ty.is_float(element):
            return array
        # Twice the rounding: functions are within two units in the last place.
        noisy = self._noisy(array, 2 * epsilon(element))
        if least:
            inner = epsilon(ty.f32 if element in HALVES else element)
            noisy = noisy + self.random.uniform(-2, 2, array.shape) * (inner * least)
        return on_grid(noisy, element)

    def _noisy(self, array: Array, size: float, bias: float = 0.0) -> Array:
        with np.errstate(all="ignore"):
            noise = self.random.uniform(-size, size, array.shape) + bias
            return np.asarray(array, np.float64) * (1 + noise)


class Nearest(Lane):
    """Rounds each result to the nearest its element type has, which may be where a function has a
    pole: others seldom meet one."""

    def _noisy(self, array: Array, size: float, bias: float = 0.0) -> Array:
        return np.asarray(array, np.float64)


def _is_exact(
    array: Array, value: Value, given: Sequence[Array], simple: bool, functions: bool
) -> Array:
    """Which elements need no rounding, neither at the end nor, where the op is not simple, before.

    One operation whose result the type has is exact; several are on whole numbers, functions never.
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
            # In float64 no result shows that it was rounded; what was given already was not.
            return np.asarray(whole | _among(array, given))
        wholes = not functions and all(bool(_is_whole(a).all()) for a in given)
        return np.asarray(whole & wholes)


def _is_whole(array: Array) -> Array:
    return np.asarray((np.rint(array) == array) & (np.abs(array) < 2.0**24))


def _among(array: Array, given: Sequence[Array]) -> Array:
    """Which elements stand among the floats that were given, but for signs."""
    floats = [np.abs(a).ravel() for a in given if a.dtype.kind == "f"]
    wanted = np.concatenate(floats) if floats else np.empty(0)
    return np.asarray(np.isin(np.abs(array), wanted))


def _chosen(
    array: Array, again: Array, given: Sequence[Array], disturbed: Sequence[Array]
) -> Array:
    """Which elements an op takes from its operands as they are, whatever these are."""
    if array.dtype.kind != "f":
        return np.ones(array.shape, bool)
    return _among(array, given) & _among(again, disturbed)


def on_grid(array: Array, element: Type) -> Array:
    """Floats of float64, each the nearest that the element type has."""
    with np.errstate(over="ignore"):
        return np.asarray(array).astype(numpy_dtype(element)).astype(np.float64)


class Work(Record):
    """What an op does for each element of its results."""

    operations: float
    """On floats; at least 1."""
    functions: bool
    """Whether any is a function such as exp."""
    computes: bool
    """Whether floats are computed on the way, or only compared and chosen among: an operand that
    is left over when others cancel each other may have been rounded with them."""


_KNOWN: dict[Any, Work] = {}


def work(op: TensorOp) -> Work:
    """What an op does for each element of its results."""
    types = tuple(value.type for value in op.operands)
    key = op.name, types, frozenset(op.attributes.items())
    if key not in _KNOWN:
        _KNOWN[key] = _work(op)
    return _KNOWN[key]


def _work(op: TensorOp) -> Work:
    """Of the chain of loops that it is lowered to, for each what it does for one of its results:
    a normalization adds up a whole row for each row."""
    try:
        loops = [inner for inner in lowered_copy(op).walk() if isinstance(inner, linalg.Generic)]
    except IRError:
        loops = []
    if not loops:
        # What lowers to no loops of linalg reads its operands once, at least.
        count = max(1, min(map(_count, op.results)))
        return Work(max(1.0, sum(map(_count, op.operands)) / count), True, False)
    costs = [cost_of(loop) for loop in loops]
    counts = [max(1, min(map(_count, loop.results))) for loop in loops]
    operations = sum(c.flops / n for c, n in zip(costs, counts, strict=True))
    functions = any(cost.transcendentals for cost in costs)
    computes = any(_computes(inner) for loop in loops for inner in loop.body)
    return Work(max(1.0, operations), functions, computes)


def _computes(op: Operation) -> bool:
    """Whether a scalar op gives a float that it was not given."""
    chooses = isinstance(op, arith.Scalar) and op.chooses
    floats = any(ty.is_float(result.type) for result in op.results)
    return bool(op.flops or op.transcendentals) and floats and not chooses


def _count(value: Value) -> int:
    return math.prod(value.type.shape) if isinstance(value.type, TensorType) else 0
