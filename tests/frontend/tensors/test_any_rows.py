"""Ops that go row by row: one compilation for any number of rows, with the bits of known rows.

By default few sizes are tried; PENSTOCK_LONG tries more.
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
from penstock.ir.dialects.func import Func
from penstock.ir.types import TensorType, Type
from penstock.runtime import VariableStore
from penstock.stages.job_cache import compile_stages
from penstock.tensors.any_count import any_rows
from penstock.tensors.kernels import OneOp

LONG = bool(os.environ.get("PENSTOCK_LONG"))
OUTER = [(2,), (7,), (64,), (65,), (300,), (2, 1), (3, 5), (4, 33), (2, 3, 4), (1, 2, 3, 11)]
OUTER += [(4100,), (70_000,), (9, 8000)] if LONG else [(4100,)]
ROWS = (1, 3, 10, 24, 100, 1003) if LONG else (3, 10, 100)

Array = np.ndarray[Any, Any]
Spec = tuple[str, list[TensorType], dict[str, Any]]


def _specs(outer: tuple[int, ...], n: int, element: Type) -> list[Spec]:
    """Ops on rows of length n, each with operand types and attributes."""
    x, row, column = (TensorType(shape, element) for shape in ((*outer, n), (n,), (*outer, 1)))
    labels = TensorType(outer, ty.i32)
    last = len(outer)
    reductions = ["sum", "mean", "max", "min", "prod", "logsumexp"]
    specs: list[Spec] = [
        (f"flow.reduce_{name}", [x], {"axes": [last], "keepdims": keep})
        for name in reductions
        for keep in ((False, True) if LONG or name == "sum" else (False,))
    ]
    specs += [
        (f"flow.{name}", [x], {"axis": last}) for name in ("softmax", "log_softmax", "argmax")
    ]
    specs += [
        ("flow.add", [x, row], {}),
        ("flow.subtract", [row, x], {}),
        ("flow.multiply", [x, column], {}),
        ("flow.add", [TensorType((1,) * len(outer) + (n,), element), x], {}),
        ("flow.layer_norm", [x], {"begin_axis": last, "epsilon": 1e-5}),
        ("flow.sparse_softmax_cross_entropy", [labels, x], {}),
    ]
    return specs


def _array(type: TensorType, seed: int) -> Array:
    random = np.random.default_rng([seed, *type.shape])
    if not ty.is_float(type.element):
        return np.asarray(random.integers(0, 3, type.shape), numpy_dtype(type.element))
    return np.asarray(random.uniform(-2, 2, type.shape), numpy_dtype(type.element))


def _kernels(op: OneOp) -> list[tuple[Any, Func]]:
    """The op and its gradients, as `any_rows` takes them."""
    found: list[tuple[Any, Func]] = [(None, op.kernel.function)]
    wanted = tuple(ty.is_float(type.element) for type in op.types)
    if op.can_require_grad and any(wanted):
        kernel = op.backward(wanted, (True,)).kernel
        if kernel is not None:
            found.append(((wanted, (True,)), kernel.function))
    return found


@pytest.mark.parametrize("n", ROWS)
@pytest.mark.parametrize("element", [ty.f32, ty.f64, ty.f16] if LONG else [ty.f32], ids=str)
@pytest.mark.parametrize("number", range(len(_specs((2,), 2, ty.f32))))
def test_bits_are_those_of_a_job_of_that_op(number: int, element: Type, n: int) -> None:
    shared = []
    for outer in OUTER:
        op = OneOp(*_specs(outer, n, element)[number])
        for gradients, function in _kernels(op):
            found = any_rows(op, gradients, function)
            if found is not None:
                given = [_array(v.type, i) for i, v in enumerate(function.arguments)]  # type: ignore[arg-type]
                shared.append((op.name, function, found, given))
    assert shared
    arrays = [array for _, _, _, given in shared for array in given]
    wanted = iter(alone([function for _, function, _, _ in shared]).run(arrays, VariableStore()))
    for name, _, (code, outer), given in shared:
        for got in code.executable(outer).run(given, VariableStore()):
            assert same_bits(got, next(wanted)), (name, outer, n)


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


def _work(*outer: int) -> None:
    x, row = flow.ones(*outer, 12), flow.ones(12)
    x.requires_grad = True
    y = flow.nn.functional.layer_norm(x + row, (12,))
    z = flow.softmax(y, dim=-1) + flow.log_softmax(y, dim=-1)
    total = z.sum(-1) + z.mean(-1) + z.amax(-1)
    total.backward(flow.ones(*outer))
    assert x.grad is not None
    assert tuple(x.grad.shape) == (*outer, 12)


def test_a_new_number_of_rows_compiles_nothing(compiled: list[str]) -> None:
    _work(70)
    _work(2, 40)
    compiled.clear()
    for outer in ((71,), (500,), (5, 40), (13, 7)):
        _work(*outer)
        assert compiled == [], outer


def test_few_rows_have_the_bits_of_few_rows() -> None:
    # Many rows of 10 go into the lanes of vectors; few do not fill them.
    x = np.random.default_rng(1).normal(size=(300, 10)).astype(np.float32)
    labels = np.arange(300) % 10
    spec = "flow.sparse_softmax_cross_entropy"
    for count in (2, 5, 63, 64, 65, 300):
        types = [TensorType((count,), ty.i64), TensorType((count, 10), ty.f32)]
        function = OneOp(spec, types, {}).kernel.function
        given = [labels[:count], x[:count]]
        (wanted,) = alone([function]).run(given, VariableStore())
        (got,) = OneOp(spec, types, {}).kernel(*given)
        assert same_bits(got, wanted), count


def test_a_mean_over_rows_depends_on_their_number() -> None:
    # Its gradient is a constant that has their number.
    for count in (5, 6):
        x = flow.ones(count, requires_grad=True)
        x.mean().backward()
        assert x.grad is not None
        np.testing.assert_array_equal(x.grad.numpy(), np.full(count, 1 / count, np.float32))


def test_rows_that_are_as_long_as_there_are_rows() -> None:
    for n in (12, 257, 263):
        x = np.random.default_rng(n).normal(size=(n, n)).astype(np.float32)
        got = flow.tensor(x) + flow.tensor(x[0])
        np.testing.assert_array_equal(got.numpy(), x + x[0])
        soft = flow.softmax(flow.tensor(x), dim=0).numpy()
        np.testing.assert_allclose(soft.sum(0), np.ones(n), rtol=1e-5)
