"""Global tensors on one rank: placements, signatures, and what they refuse."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import penstock as flow

CPU = flow.placement.all("cpu")
SPLIT, BROADCAST = flow.sbp.split(0), flow.sbp.broadcast

MAKERS = {
    "tensor": lambda **named: flow.tensor([[1.0, 2.0]], **named),
    "Tensor": lambda **named: flow.Tensor(1, 2, **named),
    "zeros": lambda **named: flow.zeros(1, 2, **named),
    "ones": lambda **named: flow.ones((1, 2), **named),
    "empty": lambda **named: flow.empty(1, 2, **named),
    "full": lambda **named: flow.full((1, 2), 3, **named),
    "zeros_like": lambda **named: flow.zeros_like(flow.ones(1, 2), **named),
    "ones_like": lambda **named: flow.ones_like(flow.ones(1, 2), **named),
    "full_like": lambda **named: flow.full_like(flow.ones(1, 2), 3, **named),
    "eye": lambda **named: flow.eye(1, 2, **named),
    "arange": lambda **named: flow.arange(4, **named),
    "linspace": lambda **named: flow.linspace(0, 1, 3, **named),
    "logspace": lambda **named: flow.logspace(0, 1, 3, **named),
    "rand": lambda **named: flow.rand(1, 2, **named),
    "randn": lambda **named: flow.randn(1, 2, **named),
    "normal": lambda **named: flow.normal(0, 1, (1, 2), **named),
    "randint": lambda **named: flow.randint(0, 3, (1, 2), **named),
    "randperm": lambda **named: flow.randperm(4, **named),
}


@pytest.mark.parametrize("name", MAKERS)
def test_tensors_are_made_global(name: str) -> None:
    made = MAKERS[name](placement=CPU, sbp=SPLIT)
    assert (made.is_global, made.is_local) == (True, False)
    assert (made.placement, made.sbp) == (CPU, (SPLIT,))
    assert not MAKERS[name]().is_global


def test_converting_keeps_elements_and_gradients() -> None:
    x: Any = flow.tensor([1.0, 2.0], requires_grad=True)
    y = x.to_global(CPU, SPLIT)
    assert (y.data_ptr(), y.sbp, y.is_leaf) == (x.data_ptr(), (SPLIT,), False)
    z = y.to_global(sbp=BROADCAST, grad_sbp=SPLIT)
    assert (z.placement, z.sbp) == (CPU, (BROADCAST,))
    local = z.to_local()
    assert (local.is_global, local.data_ptr()) == (False, x.data_ptr())
    (local * local).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]
    assert z.to_local(copy=True).data_ptr() != x.data_ptr()
    assert z.detach().sbp == copy.deepcopy(z).sbp == (BROADCAST,)


def test_results_say_that_one_rank_has_everything() -> None:
    made: Any = flow.ones(2, placement=CPU, sbp=SPLIT) + 1
    assert (made.is_global, made.placement, made.sbp) == (False, CPU, (BROADCAST,))
    like: Any = flow.ones(2, dtype=flow.int32)
    typed = like.type_as(flow.ones(3, placement=CPU, sbp=SPLIT))
    assert (typed.dtype, typed.sbp) == (flow.float32, (SPLIT,))
    assert typed.new(4).sbp == (SPLIT,)


def test_modules_and_nests() -> None:
    model = flow.nn.Linear(2, 3).to_global(CPU, BROADCAST)
    assert all(p.is_global and p.is_leaf for p in model.parameters())
    state = flow.utils.global_view.to_global(
        {"a": [flow.ones(2), 1], "b": (flow.ones(3), "x")}, CPU,
        sbp=lambda nest, tensor: flow.sbp.split(0) if tensor.shape[0] == 2 else BROADCAST,
    )  # fmt: skip
    assert (state["a"][0].sbp, state["a"][1]) == ((SPLIT,), 1)
    assert (state["b"][0].sbp, state["b"][1]) == ((BROADCAST,), "x")
    assert not flow.utils.global_view.to_local(state)["a"][0].is_global


def test_values_compare_and_show() -> None:
    assert flow.placement("cpu", [[0]]) != CPU
    assert flow.placement("cpu", [[0]]).hierarchy == (1, 1)
    assert len({CPU, flow.placement("cpu", [0]), flow.placement("cuda", [0])}) == 2
    assert repr(flow.placement("cuda", range(2))) == 'penstock.placement(type="cuda", ranks=[0, 1])'
    assert flow.sbp.broadcast() is flow.sbp.broadcast
    assert repr((flow.sbp.partial_sum, SPLIT)) == (
        "(penstock.sbp.partial_sum, penstock.sbp.split(dim=0))"
    )
    assert isinstance(SPLIT, flow.sbp.sbp)
    assert (flow.env.get_rank(), flow.env.get_local_rank()) == (0, 0)
    assert (flow.env.get_world_size(), flow.env.get_node_size()) == (1, 1)


def ones(placement: Any, sbp: Any) -> Any:
    return flow.ones(2, 3, placement=placement, sbp=sbp)


ERRORS: list[tuple[Any, type[Exception], str]] = [
    (lambda: ones(flow.placement("cpu", [0, 1]), SPLIT), ValueError,
     r'cannot be on penstock.placement\(type="cpu", ranks=\[0, 1\]\): there is no rank 1, since '
     r"the run has 1 rank; call flow.config.cpu_device_num\(2\) first, or .* --ranks 2"),
    (lambda: ones(flow.placement("cpu", [0, 0]), SPLIT), ValueError, "name each rank once"),
    (lambda: ones(flow.placement("cuda", [0]), SPLIT), NotImplementedError, "PENSTOCK_GPU=cpu"),
    (lambda: ones(CPU, None), TypeError, "takes both a placement, .*, and an sbp, or neither"),
    (lambda: ones(None, SPLIT), TypeError, "takes both a placement"),
    (lambda: ones(CPU, "S0"), TypeError, "sbp of the tensor must be flow.sbp.split"),
    (lambda: ones(CPU, [SPLIT, SPLIT]), ValueError, "for each of the 1 dimensions .*, got 2"),
    (lambda: ones(CPU, flow.sbp.split(2)), ValueError, "rank 2 and cannot be split along dim 2"),
    (lambda: flow.ones(2).to_global(), ValueError, "of a local tensor takes a placement and"),
    (lambda: flow.placement("tpu", [0]), ValueError, "type of flow.placement must be"),
    (lambda: flow.placement("cpu", [0.5]), ValueError, "ranks of flow.placement must be a list"),
    (lambda: flow.placement("cpu", []), ValueError, "ranks of flow.placement must be a list"),
    (lambda: flow.sbp.split(-1), ValueError, "flow.sbp.split takes a dimension of at least 0"),
    (lambda: flow.utils.global_view.to_global(flow.ones(2)), ValueError, "got neither"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_misuse_is_told(number: int) -> None:
    misuse, kind, text = ERRORS[number]
    with pytest.raises(kind, match=rf"test_layouts\.py:\d+: .*{text}"):
        misuse()
