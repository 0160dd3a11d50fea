"""Modules that define `bprop`: in eager code, graphs and functions of `flow.jit`."""

from typing import Any

import pytest

import penstock as flow
from penstock import nn


class Product(nn.Module):
    """x * y, with a gradient that differs from that of its op."""

    def forward(self, x: Any, y: Any) -> Any:
        return x * y

    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:
        return dout * (x + y), dout * out


class Weighted(nn.Module):
    def __init__(self, product: nn.Module) -> None:
        super().__init__()
        self.product = product
        self.w = nn.Parameter(flow.tensor([1.0]))

    def forward(self, y: Any) -> Any:
        return self.product(self.w, y)


class Step(nn.Graph):
    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        self.add_optimizer(flow.optim.SGD(model.parameters(), lr=1.0))

    def build(self, y: Any) -> Any:
        loss = self.model(y)
        loss.backward()
        return loss


def pair() -> tuple[Any, Any]:
    return tuple(flow.tensor([n], requires_grad=True) for n in (1.0, 2.0))  # type: ignore[return-value]


def test_eager() -> None:
    x, y = pair()
    out = Product()(x, y)
    out.backward()
    assert (out.item(), x.grad.item(), y.grad.item()) == (2.0, 3.0, 2.0)


def test_graph() -> None:
    model = Weighted(Product())
    step = Step(model)
    assert step(flow.tensor([2.0])).item() == 2.0
    assert model.w.item() == -2.0
    # Its ops are ops of the graph: nothing calls Python in a step.
    assert "flow.multiply" in step.trace().as_text()


def test_jit() -> None:
    product = Product()
    x, y = pair()
    flow.jit(lambda x, y: product(x, y))(x, y).backward()
    assert (x.grad.item(), y.grad.item()) == (3.0, 2.0)


def test_forward_hooks_are_outside_of_it() -> None:
    product = Product()
    product.register_forward_hook(lambda module, args, out: out * 10.0)
    x, y = pair()
    product(x, y).backward()
    assert (x.grad.item(), y.grad.item()) == (30.0, 20.0)


class Reused(Product):
    answer: Any = None

    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:
        return self.answer(dout)


WRONG = [
    (
        lambda d: d,
        "bprop of Reused must return 2 gradients, one for each argument of forward, got 1",
    ),
    (lambda d: (d, 1.0), "must return blobs, tensors or None, got 1.0 for argument 1"),
    (lambda d: (d, d.reshape(1, 1)), r"a gradient like argument 1, .*float32 of shape \(1,\)"),
]


@pytest.mark.parametrize(("answer", "message"), WRONG)
def test_wrong_gradients(answer: Any, message: str) -> None:
    model = Weighted(Reused())
    y = flow.tensor([2.0], requires_grad=True)
    model.product.answer = answer
    with pytest.raises((ValueError, TypeError), match=f"test_bprop.py:[0-9]+: .*{message}"):
        model(y).backward()
    step = Step(model)
    with pytest.raises((ValueError, TypeError), match=f"test_bprop.py:[0-9]+: .*{message}"):
        step(flow.tensor([2.0]))
    model.product.answer = lambda d: (d * 5.0, None)
    assert step(flow.tensor([2.0])).item() == 2.0
    assert model.w.item() == -4.0


def test_inputs_by_name_are_refused() -> None:
    x, y = pair()
    with pytest.raises(TypeError, match="with a bprop takes its inputs by position, got y= for "):
        Product()(x, y=y)


class Kept(nn.Module):
    """Its bprop reads numbers, also of what forward kept."""

    def forward(self, x: Any) -> Any:
        self.factor = x * 3.0
        return (x * x).sum()

    def bprop(self, x: Any, out: Any, dout: Any) -> Any:
        return dout * flow.tensor(self.factor.numpy())


def test_a_bprop_of_numbers_is_called_in_each_step() -> None:
    model = nn.Sequential(nn.Linear(1, 1, bias=False), Kept())
    flow.nn.init.ones_(model[0].weight)
    step, expected = Step(model), 1.0
    for _ in range(2):
        expected -= 3 * expected * 0.125 * 0.125
        step(flow.tensor([[0.125]]))
        assert model[0].weight.item() == pytest.approx(expected)
    assert list(step.called_functions()) == ["model.1/bprop"]


def test_a_bprop_of_numbers_cannot_use_other_blobs() -> None:
    def body(x: Any) -> Any:
        other = x * 2.0

        def bprop(x: Any, out: Any, dout: Any) -> Any:
            return other * float(dout.sum())

        return flow.custom_gradient(lambda x: x * x, bprop)(x)

    x = flow.ones(2, requires_grad=True)
    with pytest.raises(
        NotImplementedError, match=r"py:\d+: .*blob multiply of 'body', whose body has"
    ):
        flow.jit(body)(x).sum().backward()


def test_changes_in_place_make_it_a_call_out() -> None:
    square = flow.custom_gradient(lambda x: x * x, lambda x, out, dout: dout.mul_(5.0))
    x = flow.ones(2, requires_grad=True)
    flow.jit(lambda x: square(x))(x).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0]


class Signed(flow.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        positive = x > 0
        ctx.mark_non_differentiable(positive)
        return x * 2.0, positive

    @staticmethod
    def backward(ctx: Any, dout: Any, none: Any) -> Any:
        return dout * 2.0


def test_results_without_gradients_keep_their_type() -> None:
    x = flow.tensor([1.0, -1.0], requires_grad=True)
    for run in (Signed.apply, flow.jit(Signed.apply)):
        y, positive = run(x)
        assert positive.dtype == flow.bool
        assert positive.tolist() == [True, False]
        y.sum().backward()
    assert x.grad.tolist() == [4.0, 4.0]
