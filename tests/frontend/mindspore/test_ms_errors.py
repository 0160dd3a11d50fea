"""Each misuse is one sentence that begins with the user's line, and the next call works."""

from typing import Any

import numpy as np
import pytest

import penstock.mindspore as ms
from penstock.mindspore import Parameter, ParameterTuple, Tensor, context, ms_function, nn, ops

X = Tensor([1.0, 2.0])


class Bare(nn.Cell):
    pass


class Short(nn.Cell):
    def construct(self, x: Tensor, y: Tensor) -> Any:
        return x * y

    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> Any:
        return dout


class Unshaped(Short):
    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> Any:
        return dout, dout.sum()


class Early(nn.Cell):
    def __init__(self) -> None:
        self.layer = nn.ReLU()


GRAD = ops.GradOperation(get_all=True)
relu = nn.ReLU()

CASES: list[tuple[Any, type[Exception], str]] = [
    (lambda: ops.Add()(X), TypeError, r"ops.Add\(\) takes \(x, y\), and y is missing"),
    (lambda: ops.Add()(X, X, X), TypeError, r"ops.Add\(\) takes \(x, y\), got 3 arguments"),
    (lambda: ops.Add(1), TypeError, "ops.Add takes no argument, got 1 argument"),
    (lambda: ops.MatMul(transpose_c=True), TypeError,
     "and no 'transpose_c'; did you mean \"transpose_"),
    (lambda: ops.add("a", X), TypeError, "got the string"),
    (lambda: ops.exp(2.0), TypeError, r"ops.exp takes tensors, got 2.0; use Tensor\(x\)"),
    (lambda: ops.Concat(1)(X), TypeError, "takes a list of tensors, got a Tensor"),
    (lambda: ops.relo, AttributeError, "flow.mindspore.ops has no 'relo'; did you mean \"relu\""),
    (lambda: nn.Dens, AttributeError, "flow.mindspore.nn has no 'Dens'; did you mean \"Dense\""),
    (lambda: ms.Tenso, AttributeError, "flow.mindspore has no 'Tenso'; did you mean"),
    (lambda: X.asnumpi(), AttributeError, "a tensor has no 'asnumpi'; did you mean \"asnumpy\""),
    (lambda: X.item(), ValueError, r"item needs an index, since the tensor has shape \(2,\)"),
    (lambda: X.transpose(0, 0, 1), ValueError, "takes each axis once"),
    (lambda: X.sum(axes=1), TypeError, "and no 'axes'; did you mean \"axis\""),
    (lambda: bool(X), RuntimeError, "is neither true nor false"),
    (lambda: Tensor([1], "float32"), TypeError, "must be an element type such as mindspore"),
    (lambda: Tensor([1], ms.uint16), TypeError, "cannot be UInt16: there are no tensors of it"),
    (lambda: Tensor(), ValueError, "takes input_data, or shape, dtype and init together"),
    (lambda: Tensor([[1], [1, 2]]), ValueError, "needs lists of one length"),
    (lambda: context.set_context(mod=1), ValueError, "no setting 'mod'; did you mean \"mode\""),
    (lambda: context.set_context(mode=2), ValueError, "must be context.GRAPH_MODE or"),
    (lambda: context.set_context(device_target="GPU"), ValueError, "there is only the CPU here"),
    (lambda: context.get_context("modes"), ValueError, "did you mean \"mode\""),
    (lambda: Bare()(X), NotImplementedError, r"Bare has no construct\(\); define what it computes"),
    (Early, AttributeError, "call super"),
    (lambda: GRAD(Short())(X, X), ValueError,
     "bprop of Short must return 2 gradients, one for each argument of construct, got 1"),
    (lambda: GRAD(Unshaped())(X, X), ValueError, r"must return a gradient like argument 1, .*"),
    (lambda: Short()(X, y=X), TypeError, "a cell with a bprop takes its inputs by position"),
    (lambda: GRAD(3), TypeError, "GradOperation takes a function or a cell, got 3"),
    (lambda: GRAD(lambda x: x > 0)(X), TypeError, "that return floats, .* got Bool"),
    (lambda: GRAD(lambda x: 3)(X), TypeError, "that return tensors, got 3 as a result"),
    (lambda: ops.GradOperation()(lambda: X)(), ValueError, "needs an input"),
    (lambda: ops.GradOperation(get_by_list=True)(lambda x: x), ValueError,
     r"grad\(fn, weights\), got no weights"),
    (lambda: ops.GradOperation(get_by_list=True)(relu, [X]), TypeError, "must be parameters, got"),
    (lambda: ops.GradOperation(get_by_list=True)(relu, [Parameter(X, "p", False)]), ValueError,
     "parameter 'p' among the weights of GradOperation has requires_grad=False"),
    (lambda: ops.GradOperation(sens_param=True)(relu)(X, Tensor([1.0])), ValueError,
     r"sens of GradOperation must be like the output, Float32 of shape \(2,\), got Float32 of"),
    (lambda: ops.GradOperation(1), TypeError, "get_all of GradOperation must be"),
    (lambda: ops.HookBackward(3), TypeError, "HookBackward takes a function, got 3"),
    (lambda: ops.HookBackward(print)(3), TypeError, r"HookBackward\(\) takes tensors, got 3"),
    (lambda: relu.register_forward_hook(3), TypeError, "register_forward_hook takes a function"),
    (lambda: ms_function(3), TypeError, "ms_function decorates a function"),
    (lambda: ms_function(lambda x: x if x.sum() > 0 else -x)(X), TypeError,
     "has no truth value"),
    (lambda: ms_function(lambda x: x.asnumpy())(X), TypeError,
     "asnumpy needs the elements of a tensor, which has none while a function is compiled"),
    (lambda: ParameterTuple([X]), TypeError, "ParameterTuple takes parameters, got a Tensor"),
    (lambda: Parameter(X, 3), TypeError, "name of Parameter must be a string, got 3"),
    (lambda: Parameter(X).set_data(Tensor([1.0])), ValueError, r"of shape \(2,\), got \(1,\)"),
    (lambda: ops.Assign()(X, X), TypeError, r"ops.Assign\(\) changes parameters, got a Tensor"),
    (lambda: nn.Dense(0.5, 1), ValueError, "in_channels of Dense"),
    (lambda: nn.Conv2d(3, 4, 3, group=2), ValueError, "must be multiples of group, 2, got 3"),
    (lambda: nn.Conv2d(1, 1, 3, pad_mode="some")(Tensor(np.ones((1, 1, 3, 3), np.float32))),
     ValueError, 'pad_mode must be "same", "valid" or "pad"'),
    (lambda: nn.Dense(1, 1, "one"), ValueError, 'no initializer .*; did you mean "ones"'),
    (lambda: nn.Dense(1, 1, activation="rel"), ValueError, 'did you mean "relu"'),
    (lambda: nn.BatchNorm2d(2)(X), ValueError, r"takes a tensor of rank 4, got shape \(2,\)"),
    (lambda: nn.MSELoss("avg"), ValueError, 'must be "mean", "sum" or "none"'),
    (lambda: nn.MSELoss()(X, Tensor([1.0])), ValueError, "logits and labels of one shape"),
    (lambda: nn.SGD([], 0.1), ValueError, "params of SGD must not be empty"),
    (lambda: nn.SGD([X], 0.1), TypeError, "params of SGD must be parameters"),
    (lambda: nn.SGD([Parameter(X)], 0.1)((X, X)), ValueError, "SGD takes 1 gradient, .* got 2"),
    (lambda: nn.SGD([Parameter(X, "w")], 0.1)((Tensor([1.0]),)), ValueError,
     r"needs a gradient of shape \(2,\) for parameter 'w', got \(1,\)"),
    (lambda: nn.TrainOneStepCell(relu, relu), TypeError, "must be an optimizer of mindspore.nn"),
    (lambda: nn.SequentialCell(relu, 3), TypeError, "must be a Cell, got 3"),
    (lambda: nn.SequentialCell(relu)[1], IndexError, "has 1 cells, and none at 1"),
    (lambda: ops.GetNext([ms.float32], [], 1, "q"), ValueError, "one of types and shapes for each"),
]  # fmt: skip


@pytest.mark.parametrize(("deed", "kind", "said"), CASES)
@pytest.mark.parametrize("mode", [context.PYNATIVE_MODE, context.GRAPH_MODE])
def test_misuse(deed: Any, kind: type[Exception], said: str, mode: int) -> None:
    context.set_context(mode=mode)
    with pytest.raises(kind, match=rf"(?s)test_ms_errors.py:\d+: .*{said}") as caught:
        deed()
    assert "\n" not in str(caught.value)
    assert relu(X).asnumpy().tolist() == [1.0, 2.0]
    assert GRAD(relu)(X)[0].asnumpy().tolist() == [1.0, 1.0]


HOOKS: list[tuple[str, Any, type[Exception], str]] = [
    ("forward_pre", lambda cell_id, inputs: 3, TypeError, r"ops.ReLU\(\) takes tensors, got 3"),
    ("forward", lambda cell_id, inputs: None, TypeError,
     r"takes a function of \(cell_id, inputs, outputs\), got <lambda> of \(cell_id, inputs\)"),
    ("backward", lambda cell_id, before, after: after[0], TypeError,
     "a backward hook of ReLU must return None or a tuple of gradients, got a Tensor"),
    ("backward", lambda cell_id, before, after: after * 2, ValueError,
     "a backward hook of ReLU must return None or 1 gradient, got 2"),
    ("backward", lambda cell_id, before, after: (after[0].sum(),), ValueError,
     r"must return gradient 0 as Float32 of shape \(2,\), got Float32 of shape \(\)"),
    ("backward", lambda cell_id, before, after: (after[0].astype(ms.float64),), ValueError,
     r"must return gradient 0 as Float32 of shape \(2,\), got Float64 of shape \(2,\)"),
    ("backward", lambda cell_id, before, after: (1,), TypeError, "must return tensors, got 1 for"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "hook", "kind", "said"), HOOKS)
def test_wrong_hooks(name: str, hook: Any, kind: type[Exception], said: str) -> None:
    cell = nn.ReLU()
    register = getattr(cell, f"register_{name}_hook")

    def call() -> None:
        handle = register(hook)
        try:
            GRAD(cell)(X)
        finally:
            handle.remove()

    with pytest.raises(kind, match=rf"test_ms_errors.py:\d+: .*{said}"):
        call()
    assert GRAD(cell)(X)[0].asnumpy().tolist() == [1.0, 1.0]


def test_hooks_may_raise_remove_themselves_and_call_the_cell_again() -> None:
    cell = nn.ReLU()
    seen = []

    def once(cell_id: str, inputs: Any) -> None:
        seen.append(cell_id)
        handle.remove()
        cell(*inputs)
        raise KeyError("mine")

    handle = cell.register_forward_pre_hook(once)
    with pytest.raises(KeyError, match="mine"):
        cell(X)
    assert cell(X).asnumpy().tolist() == [1.0, 2.0]
    assert len(seen) == 1


def test_wrong_results_of_hook_backward() -> None:
    for made, said in (
        (lambda g: (g[0], g[0]), "1 gradient, got 2"),
        (lambda g: g[0].sum(), "as F"),
    ):
        with pytest.raises(ValueError, match=rf"test_ms_errors.py:\d+: the function of .*{said}"):
            ops.GradOperation()(ops.HookBackward(made))(X)
