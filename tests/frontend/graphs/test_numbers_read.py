"""A body that reads numbers of captured tensors is traced anew once they change."""

from collections.abc import Callable
from typing import Any

import pytest

import penstock as flow

READS: dict[str, Callable[[Any, Any], Any]] = {
    "item": lambda x, c: x * c[1].item(),
    "bool": lambda x, c: x if c[1] > 0 else x * 2,
    "float": lambda x, c: x * float(c[1]),
    "int": lambda x, c: x * int(c[1]),
    "tolist": lambda x, c: x * c.tolist()[1],
    "numpy": lambda x, c: x * flow.tensor(c.numpy() + 1.0),
    "array": lambda x, c: x[[i for i in range(3) if i <= c.__array__()[1]]],
    "nonzero": lambda x, c: x * (c * 2).nonzero().shape[0],
    "mask of a tensor": lambda x, c: c[c > 0].sum() * x,
    "mask of a blob": lambda x, c: x[c > 0] * 2,
    "masked_select": lambda x, c: c.masked_select(c > 0).sum() * x,
    "repeat_interleave": lambda x, c: x.repeat_interleave(c),
    "bincount": lambda x, c: x.sum() * c.bincount(),
}


def in_jit(body: Callable[[Any, Any], Any], c: Any) -> Callable[[Any], Any]:
    function: Callable[[Any], Any] = flow.jit(lambda x: body(x, c))
    return function


def in_a_graph(body: Callable[[Any, Any], Any], c: Any) -> Callable[[Any], Any]:
    class Read(flow.nn.Graph):
        def build(self, x: Any) -> Any:
            return body(x, c)

    return Read()


@pytest.mark.parametrize("compiled", [in_jit, in_a_graph])
@pytest.mark.parametrize("name", READS)
def test_numbers_are_those_at_the_call(name: str, compiled: Any) -> None:
    body, c, x = READS[name], flow.tensor([1, 0, 2]), flow.tensor([1.0, 2.0, 3.0])
    function = compiled(body, c)
    for number in (0, 5, 5, 0):
        c[1] = number
        assert function(x).tolist() == body(x, c).tolist()


def test_a_tensor_that_is_replaced() -> None:
    c = flow.tensor([2.0])
    function = flow.jit(lambda x: x * c.item())
    assert function(flow.ones(2)).tolist() == [2.0, 2.0]
    c.data = flow.tensor([3.0])
    assert function(flow.ones(2)).tolist() == [3.0, 3.0]


def test_numbers_that_the_body_made_are_not_traced_anew() -> None:
    calls = []

    def body(x: Any) -> Any:
        calls.append(1)
        return x[flow.tensor([True, False, True])] * flow.tensor(3.0).item()

    function = flow.jit(body)
    for _ in range(3):
        assert function(flow.ones(3)).tolist() == [3.0, 3.0]
    assert len(calls) == 1


def test_numbers_of_a_tensor_that_the_body_changed_are_not_known() -> None:
    c = flow.tensor([1.0])

    def body(x: Any) -> Any:
        c.add_(1.0)
        return x * c.item()

    with pytest.raises(RuntimeError, match=r"test_numbers_read.py:\d+: the numbers .* read them"):
        flow.jit(body)(flow.ones(2))
    assert c.tolist() == [1.0]


def test_unique_elements_of_a_captured_tensor_are_refused() -> None:
    c = flow.tensor([1.0])
    with pytest.raises(RuntimeError, match=r"test_numbers_read.py:\d+: flow.unique .* call it"):
        flow.jit(lambda x: x * c.unique())(flow.ones(2))
