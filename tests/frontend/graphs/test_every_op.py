"""Every op in a graph has the bits that it has on tensors, and so have its gradients.

By default some of the ops are tried, one call of each; the long form tries all of them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.tensors.execute import run
from penstock.tensors.tensor import wrap
from penstock.testing.cases import Case, cases_of, tensor_ops
from penstock.testing.gradients import differentiable
from penstock.trace.blob import apply

OPS = {name: cls for name, cls in tensor_ops().items() if name.startswith("flow.")}
NAMES = [
    pytest.param(name, marks=() if i % 20 == 7 else pytest.mark.long) for i, name in enumerate(OPS)
]


def operands(case: Case, tensors: Sequence[Any]) -> list[Any]:
    variadic = any(group.variadic for group in case.cls.definition.operands)
    return [list(tensors)] if variadic else list(tensors)


def total(results: Sequence[Any]) -> Any:
    """A loss of the results that are floats."""
    return sum((r * r).sum().float() for r in results if r.dtype.is_float)


class Forward(flow.nn.Graph):
    def __init__(self, case: Case) -> None:
        super().__init__()
        self.case = case

    def build(self, *xs: Any) -> Any:
        attributes = dict(self.case.sample.attributes)
        return tuple(apply(self.case.cls.name, *operands(self.case, xs), **attributes))


class Learn(flow.nn.Graph):
    """Moves the operands that are floats by their gradients."""

    def __init__(self, case: Case, tensors: Sequence[Any]) -> None:
        super().__init__()
        self.case, self.tensors = case, tensors
        floats = [one for one in tensors if one.dtype.is_float]
        self.add_optimizer(flow.optim.SGD(floats, lr=1.0))

    def build(self) -> None:
        attributes = dict(self.case.sample.attributes)
        made = apply(self.case.cls.name, *operands(self.case, self.tensors), **attributes)
        total(made).backward()


@pytest.mark.parametrize("name", NAMES)
def test_results(name: str) -> None:
    case = cases_of(OPS[name])[0]
    tensors = [wrap(array) for array in case.arrays()]
    wanted = run(name, operands(case, tensors), dict(case.sample.attributes))
    for one, other in zip(Forward(case)(*tensors), wanted, strict=True):
        assert one.array.tobytes() == other.array.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_gradients(name: str) -> None:
    cases = [case for case in cases_of(OPS[name]) if differentiable(case)]
    if "grad" in OPS[name].waived or not cases:
        return
    case = cases[0]
    ours, theirs = ([wrap(array.copy()) for array in case.arrays()] for _ in range(2))
    for one in (*ours, *theirs):
        if one.dtype.is_float:
            one.requires_grad_()
    loss = total(run(name, operands(case, theirs), dict(case.sample.attributes)))
    loss.backward()
    flow.optim.SGD([one for one in theirs if one.dtype.is_float], lr=1.0).step()
    assert Learn(case, ours)() is None
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one.numpy(), other.numpy())
