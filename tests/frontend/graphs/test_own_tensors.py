"""Tensors that `build` of a graph makes itself, and calls that belong outside of it."""

from typing import Any

import pytest

import penstock as flow
from penstock import nn

X = [[1.0, 2.0], [3.0, -4.0]]


class Train(nn.Graph):
    def __init__(self, body: Any = None) -> None:
        super().__init__()
        flow.manual_seed(0)
        self.model = nn.Linear(2, 1)
        self.body = body
        self.add_optimizer(flow.optim.Adam(self.model.parameters(), lr=0.1))

    def build(self, x: Any) -> Any:
        loss = self.model(x).square().mean()
        loss.backward()
        return loss if self.body is None else self.body(self.model, x, loss)


def test_tensors_of_build_start_anew_in_each_call() -> None:
    class Sum(nn.Graph):
        def build(self, x: Any) -> Any:
            total = flow.zeros(2)
            total.add_(x)
            total.mul_(2)
            whole = flow.Tensor(2)
            whole.copy_(x)
            whole.add_(1)
            return total, whole

    graph = Sum()
    for x in ([1.0, 2.0], [5.0, 7.0]):
        total, whole = graph(flow.tensor(x))
        assert total.tolist() == [2 * n for n in x]
        assert whole.tolist() == [n + 1 for n in x]
    assert graph.state_dict() == {}


def test_state_leaves_out_constants() -> None:
    weights = flow.tensor([0.5, 2.0])
    graph = Train(lambda model, x, loss: loss + (x * flow.tensor([1.0, 3.0]) * weights).sum())
    first = graph(flow.tensor(X))
    names = graph.state_dict().keys()
    assert {"model", "free_tensor", "model.weight-m", "model.bias-v"} <= names
    assert not any(name.startswith(("constant", "free_tensor_")) for name in names)
    graph.load_state_dict(graph.state_dict())
    weights.zero_()
    assert graph(flow.tensor(X)).item() > first.item() + 5


def test_tensors_that_build_makes_and_keeps() -> None:
    def cached(model: Any, x: Any, loss: Any) -> Any:
        model.total = flow.zeros(2, 2)
        model.total.add_(x)
        return model.total

    with pytest.raises(RuntimeError, match=r"py:\d+: add_ changes 'total', which build of graph"):
        Train(cached)(flow.tensor(X))


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda model: model.zero_grad(), "zero_grad of a module"),
        (lambda model: nn.utils.clip_grad_norm_(model.parameters(), 1.0), "clip_grad_norm_"),
        (lambda model: flow.optim.SGD(model.parameters(), lr=0.1).step(), "step of an optimizer"),
    ],
)
def test_calls_that_a_graph_makes_itself(call: Any, what: str) -> None:
    graph = Train(lambda model, x, loss: call(model))
    eager = graph.model(flow.tensor(X)).square().mean()
    eager.backward()
    kept = graph.model.weight.grad.tolist()
    with pytest.raises(RuntimeError, match=rf"py:\d+: {what} is called while .*; leave it out"):
        graph(flow.tensor(X))
    assert graph.model.weight.grad.tolist() == kept


def test_gradients_of_eager_code_are_refused() -> None:
    graph = Train(lambda model, x, loss: model.weight.grad * 2)
    with pytest.raises(TypeError):
        graph(flow.tensor(X))
    graph.model(flow.tensor(X)).square().mean().backward()
    with pytest.raises(RuntimeError, match=r"py:\d+: build of .* reads grad of model.weight"):
        graph(flow.tensor(X))
    good = Train(lambda model, x, loss: flow.gradients(loss, model.weight))
    good.model.load_state_dict(graph.model.state_dict())
    assert flow.allclose(good(flow.tensor(X)), graph.model.weight.grad)


def test_tensor_copies_arrays() -> None:
    import numpy as np

    array = np.ones(2, np.float32)
    made = [flow.Tensor(array), flow.FloatTensor(array), flow.tensor(array)]
    shared = [flow.from_numpy(array), flow.as_tensor(array)]
    array[0] = 5
    assert all(one.tolist() == [1, 1] for one in made)
    assert all(one.tolist() == [5, 1] for one in shared)


class Scaled(flow.autograd.Function):
    """x * y and the sign of x; the gradients are three times as large."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any, factor: float) -> Any:
        ctx.save_for_backward(x, y)
        ctx.factor = factor
        sign = flow.sign(x)
        ctx.mark_non_differentiable(sign)
        return x * y * factor, sign

    @staticmethod
    def backward(ctx: Any, gradient: Any, _: Any) -> Any:
        x, y = ctx.saved_tensors
        assert ctx.needs_input_grad[0]
        return gradient * y * (3 * ctx.factor), gradient * x * (3 * ctx.factor), None


def test_autograd_functions_in_graphs() -> None:
    model = nn.Linear(2, 2)
    eager = nn.Linear(2, 2)
    eager.load_state_dict(model.state_dict())

    class Fit(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.model = model
            self.add_optimizer(flow.optim.SGD(model.parameters(), lr=0.1))

        def build(self, x: Any) -> Any:
            loss = loss_of(self.model, x)
            loss.backward()
            return loss

    def loss_of(model: Any, x: Any) -> Any:
        scaled, sign = Scaled.apply(model(x), x, 2.0)
        return (scaled * sign).mean()

    graph, x = Fit(), flow.tensor(X)
    optimizer = flow.optim.SGD(eager.parameters(), lr=0.1)
    for _ in range(3):
        loss = loss_of(eager, x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        assert flow.allclose(graph(x), loss.detach(), 1e-6, 1e-6)
    assert flow.allclose(model.weight, eager.weight, 1e-6, 1e-6)


def test_autograd_functions_with_wrong_gradients() -> None:
    class Wrong(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient.sum()

    graph = Train(lambda model, x, loss: Wrong.apply(model(x)))
    with pytest.raises(ValueError, match=r"py:\d+: backward of Wrong must return a gradient like"):
        graph(flow.tensor(X))


def test_tensors_of_modules_stay_tensors() -> None:
    model = nn.Linear(2, 1)
    nn.utils.prune.l1_unstructured(model, "weight", 0.5)

    class Fit(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.model = model
            self.add_optimizer(flow.optim.SGD(model.parameters(), lr=0.1))

        def build(self, x: Any) -> Any:
            found = self.model(x)
            model.last = found
            loss = found.square().mean()
            loss.backward()
            return loss

    graph, x = Fit(), flow.tensor(X)
    before = model(x).square().mean().detach()
    assert flow.allclose(graph(x), before)
    assert isinstance(model.weight, flow.Tensor)
    assert not hasattr(model, "last")
    assert graph(x).item() < before.item()
    assert (model.weight == 0).sum().item() == 1


def test_detached_losses_are_refused() -> None:
    graph = Train(lambda model, x, loss: loss)
    for body in (
        lambda model, x: model(x).detach().mean(),
        lambda model, x: flow.stop_gradient(model.weight).sum(),
    ):

        class Detached(Train):
            def build(self, x: Any, body: Any = body) -> Any:
                loss = body(self.model, x)
                loss.backward()
                return loss

        with pytest.raises(RuntimeError, match=r"py:\d+: the losses of .* depend on no parameter"):
            Detached()(flow.tensor(X))
    assert graph(flow.tensor(X)).ndim == 0


def test_gradients_as_in_eager_code() -> None:
    class Penalty(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            flow.manual_seed(0)
            self.model = nn.Linear(2, 1)

        def build(self, x: Any) -> Any:
            zeros = flow.zeros(2, device=x.device).to(x).to(x.device)
            return flow.autograd.grad(slope(self.model, x) + zeros.sum(), self.model.weight)

    def slope(model: Any, x: Any) -> Any:
        loss = model(x).square().mean()
        return flow.autograd.grad(loss, model.weight, create_graph=True)[0].square().sum()

    graph, x = Penalty(), flow.tensor(X)
    (wanted,) = flow.autograd.grad(slope(graph.model, x), graph.model.weight)
    (found,) = graph(x)
    assert flow.allclose(found, wanted, 1e-6, 1e-6)


def test_tensors_like_inputs() -> None:
    class Like(nn.Graph):
        def build(self, x: Any) -> Any:
            total = flow.zeros_like(x)
            total.add_(x)
            return total, flow.ones_like(x) + x, flow.full_like(x, 2, dtype=flow.int32)

    x = flow.tensor(X)
    graph = Like()
    for _ in range(2):
        total, one, two = graph(x)
        assert (total.tolist(), one.tolist()) == (X, (x + 1).tolist())
        assert (two.dtype, two.tolist()) == (flow.int32, [[2, 2], [2, 2]])
