"""Hooks for gradients: of modules, tensors, parameters and `HookBackward`, eager and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from everywhere import EagerTrain, Train, jit_train

import penstock as flow
import penstock.typing as tp
from penstock import nn
from penstock.nn.hooks.gates import HookBackward

X = flow.tensor(np.linspace(-1, 1, 15, dtype=np.float32).reshape(5, 3))


class Network(nn.Module):
    """Two layers, whose hidden tensor the test may hook in `forward`."""

    def __init__(self, hidden: Callable[[Any], Any] = lambda h: h) -> None:
        super().__init__()
        flow.manual_seed(0)
        self.first, self.last = nn.Linear(3, 4), nn.Linear(4, 2)
        self.tanh = nn.Tanh()
        self.hidden = hidden

    def forward(self, x: Any) -> Any:
        return self.last(self.hidden(self.tanh(self.first(x))))


def numbers(gradients: Any) -> Any:
    return [None if g is None else np.round(g.numpy(), 5).tolist() for g in gradients]


class Seen(list[Any]):
    """Hooks that note what they see."""

    def module(self, module: Any, grad_input: Any, grad_output: Any) -> Any:
        self.append((type(module).__name__, numbers(grad_input), numbers(grad_output)))
        if grad_input[0] is not None:
            return (grad_input[0] * 0.5,)
        return None

    def before(self, module: Any, grad_output: Any) -> Any:
        self.append(("before", numbers(grad_output)))
        return (grad_output[0] + 1.0,)

    def tensor(self, gradient: Any) -> Any:
        self.append(("tensor", numbers([gradient])))
        return gradient * 3.0

    def observe(self, gradient: Any) -> None:
        self.append(("observe", numbers([gradient])))

    def backward(self, gradients: Any) -> Any:
        self.append(("HookBackward", numbers(gradients)))
        return gradients[0] + 0.5

    def add_to(self, model: Any) -> None:
        model.tanh.register_full_backward_hook(self.module)
        model.last.register_full_backward_pre_hook(self.before)
        model.first.register_full_backward_hook(self.module)  # whose input has no gradient
        model.last.weight.register_hook(self.observe)
        model.first.bias.register_hook(self.tensor)

    def hidden(self, h: Any) -> Any:
        h.register_hook(self.tensor)
        return HookBackward(self.backward)(h)


@pytest.mark.parametrize("compiled", [Train, jit_train])
def test_compiled_code_is_as_eager_code(compiled: Any) -> None:
    seen = [Seen(), Seen()]
    models = [Network(one.hidden) for one in seen]
    for model, one in zip(models, seen, strict=True):
        one.add_to(model)
    eager, other = EagerTrain(models[0]), compiled(models[1])
    for _ in range(2):
        seen[0].clear()
        seen[1].clear()
        np.testing.assert_allclose(eager(X).item(), other(X).item(), rtol=1e-5)
        for p, q in zip(models[0].parameters(), models[1].parameters(), strict=True):
            np.testing.assert_allclose(p.numpy(), q.numpy(), rtol=1e-5, atol=1e-6)
        assert sorted(map(str, seen[0])) == sorted(map(str, seen[1]))
        order = [[one[0] for one in each if one[0] not in ("observe",)] for each in seen]
        assert order[0][:4] == order[1][:4] == ["before", "HookBackward", "tensor", "Tanh"]


def test_handles_remove() -> None:
    model = Network()
    graph = Train(model)
    seen: list[str] = []
    removed = [
        model.tanh.register_full_backward_hook(lambda *given: seen.append("module")),
        model.last.bias.register_hook(lambda g: seen.append("parameter")),
    ]
    graph(X)
    assert sorted(seen) == ["module", "parameter"]
    removed[0].remove()
    graph(X)
    assert sorted(seen[2:]) == ["parameter"]
    removed[1].remove()
    graph(X)
    assert len(seen) == 3


def test_a_hook_in_build_may_remove_itself() -> None:
    seen: list[Any] = []

    def hidden(h: Any) -> Any:
        def hook(gradient: Any) -> Any:
            seen.append(gradient)
            handle.remove()
            return gradient * 0.0

        handle = h.register_hook(hook)
        return h

    model = Network(hidden)
    graph, start = Train(model), model.first.weight.numpy().copy()
    graph(X)
    np.testing.assert_array_equal(model.first.weight.numpy(), start)
    graph(X)
    assert len(seen) == 1
    assert not np.array_equal(model.first.weight.numpy(), start)


def test_one_blob_has_hooks_in_turn_and_for_all_uses() -> None:
    seen: list[float] = []

    def body(x: Any) -> Any:
        early = x * 2.0
        y = early * 1.0
        z = y * 3.0
        y.register_hook(lambda g: seen.append(g.numpy()[0]))
        y.register_hook(lambda g: g * 10.0)
        return flow.gradients(z + y * 4.0, x)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
        return body(x)

    assert job(np.ones(1, np.float32)).tolist() == [140.0]
    assert seen == [7.0]


def test_a_train_job() -> None:
    seen: list[Any] = []

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        w = flow.get_variable("w", (2,), initializer=flow.constant_initializer(1.0))
        y = w * x
        y.register_hook(lambda g: seen.append(g.numpy().tolist()) or g * 2.0)
        loss = flow.math.reduce_sum(y * y)
        flow.optimizer.SGD(lr=0.5).minimize(loss)
        return loss

    job(np.array([1, 2], np.float32))
    assert seen == [[2, 4]]
    assert flow.get_all_variables()["w"].numpy().tolist() == [-1, -7]


@pytest.mark.parametrize(
    ("hook", "kind", "message"),
    [
        (lambda g: g[:1], ValueError, r"must return flow.float32 of shape \(5, 4\) in compiled co"),
        (lambda g: g.double(), ValueError, "must return flow.float32 .* got flow.float64"),
        (lambda g: 3.0, TypeError, "must return tensors, got 3.0"),
        (lambda g: [][0], IndexError, "list index"),
    ],
)
def test_wrong_hooks_of_tensors(hook: Any, kind: Any, message: str) -> None:
    state = {"hook": hook}

    def hidden(h: Any) -> Any:
        h.register_hook(lambda g: state["hook"](g))
        return h

    model = Network(hidden)
    graph, start = Train(model), [p.numpy().copy() for p in model.parameters()]
    for _ in range(2):
        with pytest.raises(kind, match=message) as caught:
            graph(X)
        if kind is not IndexError:
            assert "test_backward_hooks.py:" in str(caught.value)
    for old, p in zip(start, model.parameters(), strict=True):
        np.testing.assert_array_equal(old, p.numpy())
    state["hook"] = lambda g: None
    assert graph(X).shape == ()


def test_a_module_hook_that_returns_too_few_gradients() -> None:
    class Pair(nn.Module):
        def forward(self, x: Any, y: Any) -> Any:
            return x * y

    class Both(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.pair = Pair()
            self.a, self.b = nn.Parameter(flow.ones(2)), nn.Parameter(flow.ones(2))

        def forward(self, x: Any) -> Any:
            return self.pair(self.a, self.b) * x.sum()

    model = Both()
    model.pair.register_full_backward_hook(lambda module, given, made: (made[0],))
    message = r"py:\d+: full_backward_hook <lambda> of .* must return None or 2 gradients, got 1"
    with pytest.raises(ValueError, match=message):
        model(X).sum().backward()
    with pytest.raises(ValueError, match=message):
        Train(model)(X)


def test_cut_gradients_are_zeros() -> None:
    """A hook that cuts the path, as with a new tensor: parameters before it do not change."""

    def new(module: Any, args: Any, output: Any) -> Any:
        return flow.ones(5, 4)

    models = [Network(), Network()]
    for model in models:
        model.tanh.register_forward_hook(new)
    eager, graph = EagerTrain(models[0]), Train(models[1])
    start = models[1].first.weight.numpy().copy()
    assert eager(X).item() == pytest.approx(graph(X).item(), rel=1e-6)
    np.testing.assert_array_equal(models[1].first.weight.numpy(), start)
    for p, q in zip(models[0].parameters(), models[1].parameters(), strict=True):
        np.testing.assert_allclose(p.numpy(), q.numpy(), rtol=1e-6)


def test_hook_backward_of_a_product() -> None:
    """z = x * y, hooked, and z * y: the hook sees y, and twice its value goes on to x and y."""
    seen: list[Any] = []

    def hook(gradients: Any) -> Any:
        seen.append(numbers(gradients))
        return gradients[0] * 2.0

    def function(x: Any, y: Any) -> Any:
        return HookBackward(hook)(x * y) * y

    for run in (function, flow.jit(function)):
        x, y = (flow.tensor([n], requires_grad=True) for n in (1.0, 2.0))
        run(x, y).backward()
        assert (x.grad.item(), y.grad.item()) == (8.0, 6.0)
    assert seen == [[[2.0]]] * 2


class Inner(nn.Module):
    """A module whose backward hooks see what `forward` itself returned, as those of cells do."""

    hooks_inside = True

    def forward(self, x: Any) -> Any:
        return flow.nn.functional.relu(x)


def test_backward_hooks_inside_of_forward_hooks() -> None:
    module, seen = Inner(), []
    module.register_forward_hook(lambda module, args, out: out + out)
    module.register_full_backward_hook(
        lambda module, given, made: seen.append((numbers(given), numbers(made)))
    )
    for run in (module, flow.jit(lambda x: module(x))):
        x = flow.tensor([1.0], requires_grad=True)
        run(x).backward()
        assert x.grad.item() == 2.0
    assert seen == [([[2.0]], [[2.0]])] * 2


def test_hooks_of_what_a_body_computes_of_parameters_alone() -> None:
    """There, tensors are computed, whose gradients only the compiled code knows."""

    def body(layer: Any, x: Any) -> Any:
        weight = layer.weight * 2.0
        weight.register_hook(lambda gradient: gradient * 3.0)
        return (x @ weight.T).sum()

    class Doubled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            flow.manual_seed(0)
            self.layer = nn.Linear(3, 1, bias=False)

        def forward(self, x: Any) -> Any:
            return body(self.layer, x)

    models = [Doubled(), Doubled(), Doubled()]
    steps = [EagerTrain(models[0]), Train(models[1]), jit_train(models[2])]
    for step in steps:
        step(X)
    for model in models[1:]:
        wanted = models[0].layer.weight.numpy()
        np.testing.assert_allclose(model.layer.weight.numpy(), wanted, rtol=1e-6)

    def constant(x: Any) -> Any:
        (flow.ones(2) * 2.0).register_hook(print)
        return x

    with pytest.raises(RuntimeError, match="a hook needs a tensor that requires gradients"):
        flow.jit(constant)(X)
