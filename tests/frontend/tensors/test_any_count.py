"""Elementwise ops on tensors: one compilation for all shapes, with the bits of a job of that op.

By default each op is tried in a few types and with a third of the sizes at a time; PENSTOCK_LONG
tries all that the class lists, and all sizes.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from kernels_alone import alone, same_bits

import penstock as flow
from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.dialects.flow.elementwise import Elementwise
from penstock.ir.dialects.func import Func
from penstock.ir.types import TensorType
from penstock.runtime import VariableStore
from penstock.stages.job_cache import compile_stages
from penstock.tensors.any_count import any_count
from penstock.tensors.execute import run
from penstock.tensors.kernels import OneOp
from penstock.testing.cases import Case, cases_of, tensor_ops

LONG = bool(os.environ.get("PENSTOCK_LONG"))
OPS = {
    name: cls for name, cls in tensor_ops().items() if cls.by_element and cls.definition.operands
}
SIZES = (0, 1, 7, 8, 63, 64, 65, 1003, 65_536 + 3)
TURN = {name: turn for turn, name in enumerate(OPS)}

Array = np.ndarray[Any, Any]


def _cases(cls: type[Any]) -> list[Case]:
    """One case for each element type, or for the usual ones."""
    found = {case.types[0].element: case for case in reversed(cases_of(cls))}
    usual = (ty.f32, ty.i32) if ty.f32 in found else tuple(found)[:1]
    return [case for element, case in found.items() if LONG or element in usual]


def _forms(case: Case) -> list[tuple[bool, ...]]:
    """Which operands have rank 0: none, or one of several."""
    count = len(case.types)
    none = (False,) * count
    places = range(count if count > 1 else 0)
    return [none, *((*none[:i], True, *none[i + 1 :]) for i in places)]


def _sizes(turn: int) -> tuple[int, ...]:
    """All sizes, or in turn each third of them: each has small ones and large ones."""
    return SIZES if LONG else SIZES[turn % 3 :: 3]


def _array(case: Case, operand: int, shape: tuple[int, ...]) -> Array:
    given = case.sample.inputs[operand]
    random = np.random.default_rng([operand, *shape])
    array = type(given)(shape, given.element, given.low, given.high).draw(random)
    if array.size > 40 and ty.is_float(given.element):
        array[:5] = 0.0, -0.0, np.inf, -np.inf, np.nan
    return np.asarray(array, numpy_dtype(given.element))


@pytest.mark.parametrize("name", OPS)
def test_bits_are_those_of_a_job_of_that_op(name: str) -> None:
    turn = TURN[name]
    for case in _cases(OPS[name]):
        for form in _forms(case):
            arrays = [
                [_array(case, i, () if scalar else (size,)) for i, scalar in enumerate(form)]
                for size in _sizes(turn)
            ]
            turn += 1
            types = [
                TensorType(array.shape, t.element)
                for given in arrays
                for array, t in zip(given, case.types, strict=True)
            ]
            count = len(form)
            ops = [
                OneOp(name, types[k * count : (k + 1) * count], dict(case.sample.attributes))
                for k in range(len(arrays))
            ]
            functions = [op.kernel.function for op in ops]
            wanted = iter(
                alone(functions).run([a for given in arrays for a in given], VariableStore())
            )
            for function, given in zip(functions, arrays, strict=True):
                found = any_count(function)
                assert found is not None, (name, form)
                for got in found[0].executable(found[1]).run(given, VariableStore()):
                    assert same_bits(got, next(wanted)), (name, form, got.shape)


def _backward(op: OneOp) -> list[Func]:
    """The function of the gradients, if something is computed for them."""
    wanted = tuple(ty.is_float(type.element) for type in op.types)
    if "grad" in OPS[op.name].waived or not op.can_require_grad or not any(wanted):
        return []
    kernel = op.backward(wanted, (True,)).kernel
    return [] if kernel is None else [kernel.function]


@pytest.mark.parametrize("name", OPS)
def test_bits_of_gradients(name: str) -> None:
    case = cases_of(OPS[name])[0]
    ops = [
        OneOp(
            name, [TensorType((size,), t.element) for t in case.types], dict(case.sample.attributes)
        )
        for size in _sizes(TURN[name] + 1)
    ]
    functions = [function for op in ops for function in _backward(op)]
    arrays = [
        [
            np.random.default_rng(i)
            .uniform(0.1, 1, v.type.shape)
            .astype(numpy_dtype(v.type.element))  # type: ignore[attr-defined]
            for i, v in enumerate(function.arguments)
        ]
        for function in functions
    ]
    if functions:
        wanted = iter(alone(functions).run([a for each in arrays for a in each], VariableStore()))
    for function, given in zip(functions, arrays, strict=True):
        found = any_count(function)
        assert found is not None, name
        for got in found[0].executable(found[1]).run(given, VariableStore()):
            assert same_bits(got, next(wanted)), (name, got.shape)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the jobs that were compiled since, or read from the cache."""
    names: list[str] = []

    def counted(name: str, *rest: Any) -> Any:
        names.append(name)
        return compile_stages(name, *rest)

    monkeypatch.setattr("penstock.tensors.any_count.compile_stages", counted)
    monkeypatch.setattr("penstock.tensors.kernels.compile_stages", counted)
    return names


def _work(*shape: int) -> None:
    x = flow.tensor(np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape))
    x.requires_grad = True
    y = (flow.tanh(x) * 3.0 + x) / (x * x + 1.0)
    z = flow.where(y > x, y, x).to(flow.float64)
    z.backward(flow.tensor(np.ones(shape)))
    assert tuple(x.grad.shape) == shape  # type: ignore[union-attr]


def test_a_new_shape_compiles_nothing(compiled: list[str]) -> None:
    _work(3, 5)
    compiled.clear()
    for shape in ((7,), (2, 3, 4), (0, 3), (1,), (40, 50), (1, 1, 9)):
        _work(*shape)
        assert compiled == [], shape


def test_attributes_and_types_have_kernels_of_their_own(compiled: list[str]) -> None:
    x = np.linspace(-1, 1, 6, dtype=np.float32)
    for shape in ((6,), (2, 3)):
        for alpha in (0.25, 0.375):
            (got,) = run("flow.leaky_relu", [flow.tensor(x.reshape(shape))], {"alpha": alpha})
            assert np.array_equal(got.numpy(), np.where(x > 0, x, x * alpha).reshape(shape))
        whole = flow.tensor(np.arange(6, dtype=np.int32).reshape(shape)) * 2
        assert np.array_equal(whole.numpy().ravel(), np.arange(6) * 2)
    assert len([name for name in compiled if name == "leaky_relu"]) <= 2


def test_other_shapes_go_on_as_before() -> None:
    row, column = np.arange(3, dtype=np.float32), np.arange(4, dtype=np.float32)[:, None]
    got = flow.tensor(row) + flow.tensor(column)
    assert np.array_equal(got.numpy(), row + column)
    turned = flow.tensor(row + column).transpose(0, 1)
    assert np.array_equal((turned + turned).numpy(), 2 * (row + column).T)


def test_what_is_shared_needs_one_shape() -> None:
    def kernel(name: str, *shapes: tuple[int, ...], **attributes: Any) -> Func:
        types = [TensorType(shape, ty.f32) for shape in shapes]
        return OneOp(name, types, attributes).kernel.function

    assert any_count(kernel("flow.add", (3, 4), (3, 4))) is not None
    assert any_count(kernel("flow.add", (3, 4), ())) is not None
    assert any_count(kernel("flow.add", (3, 4), (4,))) is None
    assert any_count(kernel("flow.add", (3, 1), (4,))) is None
    assert any_count(kernel("flow.softmax", (3, 4), axis=1)) is None
    first, second = (any_count(kernel("flow.exp", shape)) for shape in ((2, 3), (7,)))
    assert first is not None
    assert second is not None
    assert first[0] is second[0]


def test_the_ops_are_the_elementwise_family() -> None:
    assert len(OPS) >= 75
    assert all(issubclass(cls, Elementwise) for cls in OPS.values())


def test_equal_groups_of_one_job_have_operands_of_their_own() -> None:
    a, b, c, d = (flow.tensor(np.linspace(i, i + 1, 70, dtype=np.float32)) for i in range(4))
    step = flow.tensor(3.0)
    bodies: list[Any] = [
        lambda a, b, c, d: (a + c, b + d, c + a),
        lambda a, b, c, d: (a.exp().tanh(), b.exp().tanh(), d.exp().tanh()),
        lambda a, b, c, d: (a * step, b * step, c * 2.0, d * 2.0),
    ]
    for body in bodies:
        for found, wanted in zip(flow.jit(body)(a, b, c, d), body(a, b, c, d), strict=True):
            assert flow.equal(found, wanted)
