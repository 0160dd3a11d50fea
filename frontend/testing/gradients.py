"""Each op's gradient against central differences in float64, interpreted and compiled.

The gradient is that of a weighted sum of all float results. In calls that the class lists, each
element of each operand is moved in turn. In calls derived from them, for more shapes, all elements
are moved at once in a few directions, each by a different amount, so that no wrong element goes
unnoticed. The second derivative is that of the weighted gradient.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import HALVES, TensorOp, tensor
from penstock.ir.dialects.func import Func, Return
from penstock.ir.meaning.interpreter import Interpreter, interpret
from penstock.ir.types import TensorType
from penstock.passes.flow.autodiff import backward
from penstock.testing.accuracy import moved
from penstock.testing.cases import Array, Case, cases_of, in_float64, is_float, trying
from penstock.testing.failures import Failure
from penstock.testing.native import Call, check_calls, check_shapes
from penstock.testing.variants import accepted, in_dtype, more_shapes

STEP = 1e-5
"""The step of finite differences: truncation (by the third derivative) and rounding then both have
errors near 1e-10."""
BOUND = 1e-6
"""The allowed difference between a derivative and a finite difference, relative to the largest or
1."""
WANTED_SHAPES = 20
MOST = 60
"""The most elements that the operands of a derived call have together."""
EACH = 10_000
"""The most elements of the operands of a listed call whose elements are moved one by one."""
DIRECTIONS = 3
COMPILED = 3
DRAWINGS = 2
"""How many sets of operands must all disagree: one may be at a kink, such as relu's at 0."""


def differentiable(case: Case) -> bool:
    """Floats go in, finite floats come out, and none is rounded, which would look like steps."""
    op = case.op
    widths = {tensor(v).element: None for v in (*op.operands, *op.results) if is_float(v)}
    rounds = list(widths) == [ty.f64, ty.f32] or bool(set(HALVES) & set(widths))
    return not rounds and _of_finite_floats(case)


def _of_finite_floats(case: Case) -> bool:
    """Whether floats go in, and finite floats come out."""
    op = case.op
    if not (any(map(is_float, op.results)) and any(map(is_float, op.operands))):
        return False
    with trying(case):
        return all(np.isfinite(array).all() for array in case.reference(case.arrays()))


def differentiable_cases(cls: type[TensorOp]) -> list[Case]:
    """The class's calls, and derived ones until there are enough shapes."""
    own = [case for case in cases_of(cls) if differentiable(case)]
    if not own:
        return []
    own_numbers = {case.number for case in own}
    derived = (c for c in more_shapes(cls, 3 * WANTED_SHAPES, MOST) if c.number not in own_numbers)
    found = list(own)
    for case in derived:
        if shapes_among(found) >= WANTED_SHAPES:
            break
        if differentiable(case):
            found.append(case)
    return found


def shapes_among(cases: Iterable[Case]) -> int:
    """The number of distinct shapes of calls; attributes do not count."""
    return len({case.shapes for case in cases})


def shapes_derived(cls: type[TensorOp]) -> int:
    """The number of shapes that the gradient is tried on."""
    return shapes_among(differentiable_cases(cls))


def shapes_compiled(cls: type[TensorOp]) -> int:
    """The number of shapes that the gradient is compiled for."""
    return shapes_among(_compiled_cases(cls))


# -- programs -------------------------------------------------------------------------------------


def weight_types(case: Case) -> list[TensorType]:
    """The types of the float results, each once: the types of the first derivative's weights."""
    return [tensor(value) for value in dict.fromkeys(case.op.results) if is_float(value)]


def gradients(
    b: Builder, case: Case, operands: Sequence[Value], weights: Sequence[Value]
) -> list[Value]:
    """The op on these operands, and its float operands' gradients from those of the results."""
    results = [v for v in dict.fromkeys(case.create(b, operands).results) if is_float(v)]
    return _gradients(b, dict(zip(results, weights, strict=True)), operands)


def _gradients(b: Builder, weights: dict[Value, Value], operands: Sequence[Value]) -> list[Value]:
    roots = [value for value in operands if is_float(value)]
    found = backward(b, dict(weights), roots)
    return [found.get(root) or _zeros(b, root) for root in roots]


def _zeros(b: Builder, value: Value) -> Value:
    type = tensor(value)
    return make.full(b, 0, type.shape, type.element)


def derivative_program(case: Case, order: int) -> Func:
    """A function of the operands and of one weight per float result for each derivative.

    Its result is the gradient, or the gradient of the weighted gradient.
    """
    function = Func.make("derivative", case.types)
    b = Builder.at_end(function.body)
    inputs = list(function.arguments)
    outputs: list[Value] = [v for v in case.create(b, inputs).results if is_float(v)]
    for _ in range(order):
        weights: dict[Value, Value] = {
            v: function.body.add_argument(v.type) for v in dict.fromkeys(outputs)
        }
        outputs = _gradients(b, weights, inputs)
    b.create(Return, outputs)
    function.update_type()
    return function


# -- finite differences ---------------------------------------------------------------------------


def _weighted(function: Func, arrays: Sequence[Array], weights: Sequence[Array]) -> float:
    results = interpret(function, arrays, promote=True)
    return float(sum((r * w).sum() for r, w in zip(results, weights, strict=True)))


def _difference(
    function: Func, arrays: Sequence[Array], steps: Sequence[Array | None], weights: Sequence[Array]
) -> float:
    """The slopes of the weighted results along the operands' steps."""
    sides = []
    for sign in (STEP, -STEP):
        moved = [a if s is None else a + sign * s for a, s in zip(arrays, steps, strict=True)]
        sides.append(_weighted(function, moved, weights))
    return (sides[0] - sides[1]) / (2 * STEP)


def _every_element(arrays: Sequence[Array], count: int) -> Iterator[list[Array | None]]:
    """Steps that each move one element of the first float operands."""
    moving = [i for i, array in enumerate(arrays) if array.dtype.kind == "f"][:count]
    for position in moving:
        for place in np.ndindex(arrays[position].shape):
            step = np.zeros(arrays[position].shape)
            step[place] = 1.0
            yield [step if i == position else None for i in range(len(arrays))]


def _directions(arrays: Sequence[Array], count: int) -> Iterator[list[Array | None]]:
    """Steps that move all elements of the first float operands."""
    random = np.random.default_rng(5)
    moving = [i for i, array in enumerate(arrays) if array.dtype.kind == "f"][:count]
    length = math.sqrt(max(1, sum(arrays[i].size for i in moving)))
    for _ in range(DIRECTIONS):
        steps: list[Array | None] = [None] * len(arrays)
        for i in moving:
            steps[i] = np.asarray(random.standard_normal(arrays[i].shape)) / length
        yield steps


def check_case(case: Case, order: int) -> None:
    """Compare a derivative with finite differences of the derivative of one order less."""
    with trying(case):
        analytic, lower = derivative_program(case, order), derivative_program(case, order - 1)
    problem = None
    for drawing in range(DRAWINGS):
        problem = _problem(case, drawing, analytic, lower)
        if problem is None:
            return
    raise Failure(f"{case}: derivative of order {order}: {problem}")


def _problem(case: Case, drawing: int, analytic: Func, lower: Func) -> str | None:
    """How the derivative differs from a finite difference; None if it does not."""
    random = np.random.default_rng(case.number + drawing)
    inputs = in_float64(case.arrays(drawing))
    fixed = [
        np.asarray(random.standard_normal(tensor(a).shape))
        for a in analytic.arguments[len(inputs) :]
    ]
    # The arguments of the function of one order less come first; the rest are weights of its
    # results. There may be fewer weights than results, if one value is several results.
    held = len(lower.arguments) - len(inputs)
    operands = [*inputs, *fixed[:held]]
    weights = _weights(lower, fixed[held:])
    slopes = interpret(analytic, [*inputs, *fixed], promote=True)
    every = case.number < len(case.cls.samples()) and case.count <= EACH
    for steps in (_every_element if every else _directions)(operands, len(slopes)):
        wanted = _difference(lower, operands, steps, weights)
        # Slopes are in the order of float operands; a step of None moves nothing.
        pairs = zip(_for_floats(operands, steps, len(slopes)), slopes, strict=True)
        parts = [(step, slope) for step, slope in pairs if step is not None]
        got = sum(float((step * slope).sum()) for step, slope in parts)
        scale = max(1.0, *(float(np.abs(slope).max(initial=0)) for _, slope in parts))
        if not abs(got - wanted) <= BOUND * scale:
            return f"{got} against {wanted} by differences"
    return None


def _for_floats(
    arrays: Sequence[Array], steps: Sequence[Array | None], count: int
) -> list[Array | None]:
    """The steps of the first float operands."""
    pairs = zip(arrays, steps, strict=True)
    return [step for array, step in pairs if array.dtype.kind == "f"][:count]


def _weights(lower: Func, arrays: Sequence[Array]) -> list[Array]:
    """A weight for each result of `lower`; results that are not floats have weight 0."""
    results = lower.returned.operands
    left = dict(zip(dict.fromkeys(v for v in results if is_float(v)), arrays, strict=True))
    weights, seen = [], set()
    for value in results:
        once = value in left and value not in seen
        weights.append(left[value] if once else np.zeros(tensor(value).shape))
        seen.add(value)
    return weights


# -- checks ---------------------------------------------------------------------------------------


def check_gradient(cls: type[TensorOp]) -> int:
    """The first derivative of all differentiable cases; returns their number."""
    cases = differentiable_cases(cls)
    _check_some(cls, cases)
    check_shapes(cls, shapes_among(cases), WANTED_SHAPES, "differentiable calls")
    for case in cases:
        check_case(case, 1)
    return len(cases)


def check_second_derivative(cls: type[TensorOp]) -> int:
    """The second derivative of two cases that the class lists; returns their number."""
    own = [case for case in cases_of(cls) if differentiable(case)]
    cases = own[3:5] or own[-2:]
    _check_some(cls, cases)
    for case in cases:
        check_case(case, 2)
    return len(cases)


def check_native_gradient(cls: type[TensorOp]) -> int:
    """Gradients as native code; returns their number."""
    calls = gradient_calls(cls)
    _check_some(cls, calls)
    check_shapes(cls, shapes_compiled(cls), COMPILED, "listed differentiable calls")
    return check_calls(calls)


def _check_some(cls: type[TensorOp], tried: Sequence[object]) -> None:
    """Raise Failure if no gradient would be tried: then the claim of a gradient is untested."""
    if not tried:
        raise Failure(
            f"{cls.name} declares a gradient, but none of its `samples` maps floats to "
            'finite floats: add some, or say in `waived`, under "grad", why there is no gradient'
        )


def gradient_calls(cls: type[TensorOp]) -> list[Call]:
    """Gradients to compile, in dtypes that the class lists; the class's last cases come first.

    Its smallest case is also compiled for 16-bit floats, if the op takes them.
    """
    calls = [gradient_call(case, case) for case in _compiled_cases(cls)]
    cases = _listed(cls)
    if cases:
        smallest = min(cases, key=lambda case: case.count)
        calls += [gradient_call(half, smallest) for half in _in_halves(smallest)]
    return calls


def _listed(cls: type[TensorOp]) -> list[Case]:
    """The class's cases that have a gradient to compile, last first."""
    return [case for case in reversed(cases_of(cls)) if differentiable(case) and case.count]


def _compiled_cases(cls: type[TensorOp]) -> list[Case]:
    return _different(_listed(cls))[:COMPILED]


def _in_halves(case: Case) -> list[Case]:
    """The case in each 16-bit float that the op takes."""
    element = [one.element for one in case.sample.inputs if ty.is_float(one.element)][-1]
    converted = (
        accepted(case.cls, 3_000_000 + number, in_dtype(case.sample, element, half))
        for number, half in enumerate(HALVES)
    )
    return [half for half in converted if isinstance(half, Case) and _of_finite_floats(half)]


def _different(cases: Iterable[Case]) -> list[Case]:
    """The first case of each shape."""
    found: dict[Any, Case] = {}
    for case in cases:
        found.setdefault(case.shapes, case)
    return list(found.values())


def gradient_call(case: Case, wide: Case, drawing: int = 0) -> Call:
    """The gradient of a case, to compare with the float64 gradient of a case that is not 16-bit."""
    program, exact = derivative_program(case, 1), derivative_program(wide, 1)
    types = [tensor(argument) for argument in program.arguments]
    count = len(case.types)
    random = np.random.default_rng(case.number + drawing)
    arrays = case.arrays(drawing)
    for type, like in zip(types[count:], weight_types(case), strict=True):
        drawn = random.standard_normal(type.shape)
        arrays.append(np.asarray(drawn, numpy_dtype(like.element)))

    def build(b: Builder, values: Sequence[Value]) -> Sequence[Value]:
        return gradients(b, case, values[:count], values[count:])

    def evaluate(inputs: Sequence[Array]) -> list[Array]:
        return interpret(exact, inputs, promote=True)

    def rounded(given: Sequence[Array], random: np.random.Generator) -> list[Array]:
        return _RoundedForward(exact, random).call(exact, given)

    return Call(f"gradient of {case}", types, arrays, build, evaluate, 4 * case.cls.ulps,
                case.cls.least, rounded)  # fmt: skip


class _RoundedForward(Interpreter):
    """Interprets a derivative in float64, with the results of the op itself as if rounded."""

    def __init__(self, derivative: Func, random: np.random.Generator) -> None:
        super().__init__(promote=True, watch=None)
        self.forward = derivative.body.first
        self.random = random

    def store(self, array: Array, value: Value) -> Array:
        wide = super().store(array, value)
        if value.defining_op is not self.forward or not is_float(value):
            return wide
        dtype = "float64" if tensor(value).element is ty.f64 else "float32"
        return moved(wide, dtype, self.random)
