"""In-place changes of views in a graph: whatever shares the elements shows them, as eagerly."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock import nn

X = flow.tensor(np.arange(20.0).reshape(4, 5) - 7, dtype=flow.float32)
I = flow.tensor([[0, 1], [3, 2]])  # noqa: E741


class Compiled(nn.Graph):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def build(self, *given: Any) -> Any:
        return tuple(self.function(*given))


def same(function: Callable[..., Any], *given: Any) -> None:
    wanted, found = function(*(one.clone() for one in given)), Compiled(function)(*given)
    for mine, other in zip(wanted, found, strict=True):
        np.testing.assert_array_equal(mine.numpy(), other.numpy())


def assignments(x: Any, i: Any) -> Any:
    y = x * 2
    y[0] = 3
    y[1:3, 2] += 1
    y[y > 25] = 0.5
    y[[0, 2], 1] = flow.tensor([5.0, 6.0])
    y[:, ::-1][0, 0] = 7
    y[::2] *= 2
    y[1, ...] = y[2]
    y[i[0]] -= 1.5
    y[i[:, 0], i[:, 1]] = 10.0
    y[None, 3] = x[:1]
    return [y]


def filled(x: Any, i: Any) -> Any:
    y = x * 2
    y[0].masked_fill_(y[0] > -10, 5.0)
    return [y.masked_fill_(y > 8, 1.0)]


def views(x: Any, i: Any) -> Any:
    y = x * 2
    row, flat, turned = y[0], y.view(-1), y.t()
    row.add_(1).mul_(2)
    flat[7] = 100
    turned[3].fill_(-1)
    parts = y.chunk(2, 0)
    parts[0].copy_(parts[1])
    parts[1].zero_()
    column = y.unbind(1)[2]
    column += 4
    y.relu_()
    return [y, row, flat, turned, *parts, column]


def copies(x: Any, i: Any) -> Any:
    y = x * 2
    flat, packed, same = y.t().reshape(-1), y.t().contiguous(), y.contiguous()
    flat.zero_()
    packed += 1
    same[0, 0] = 9
    z = x * 3
    y.copy_(z)
    z += 1
    detached = y.detach()
    y.sub_(2)
    return [y, z, flat, packed, same, detached, y.clone().clamp_(0, 1)]


def own(x: Any, i: Any) -> Any:
    made = flow.zeros(3, 4)
    row = made[1]
    row += 2
    made[0, :2] = x[0, :2]
    made.t()[3] = 5
    return [made, row, made.sum(0)]


@pytest.mark.parametrize("function", [assignments, views, copies, own])
def test_as_on_tensors(function: Callable[..., Any]) -> None:
    same(function, X, I)


STEPS: list[Callable[[Any, Any, Any], Any]] = [
    lambda one, other, n: one[n % one.shape[0]],
    lambda one, other, n: one.reshape(-1),
    lambda one, other, n: one.reshape(2, -1) if one.numel() % 2 == 0 else one[None],
    lambda one, other, n: one.transpose(0, -1),
    lambda one, other, n: one[::-1],
    lambda one, other, n: one[1:],
    lambda one, other, n: one.contiguous(),
    lambda one, other, n: one * 2,
    lambda one, other, n: one.add_(n),
    lambda one, other, n: one.neg_(),
    lambda one, other, n: one.fill_(n),
    lambda one, other, n: one.copy_(other.reshape(-1)[:1].reshape([])),
    lambda one, other, n: one.__setitem__(0, n),
    lambda one, other, n: one.__setitem__(slice(None, None, 2), other.sum()),
]


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=() if n < 4 else pytest.mark.long) for n in range(200)]
)
def test_random_programs(seed: int) -> None:
    def program(x: Any) -> Any:
        rng = np.random.default_rng(seed)
        found = [x * 1]
        for _ in range(14):
            one, other = (found[int(rng.integers(len(found)))] for _ in range(2))
            step, n = STEPS[int(rng.integers(len(STEPS)))], int(rng.integers(5))
            if one.shape and one.shape[0]:
                made = step(one, other, n)
                if made is not None:
                    found.append(made)
        return found

    same(program, X)


def test_buffers_of_modules_and_gradients() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(X.clone())
            self.register_buffer("seen", flow.zeros(3, 4))
            self.register_buffer("steps", flow.zeros((), dtype=flow.int64))

        def forward(self, x: Any) -> Any:
            self.seen[1] += x[0, :4]
            self.seen.t()[0] = 2
            flat = self.seen.reshape(-1)
            flat[5] = 9
            self.steps += 1
            y = self.weight * 1.0
            y[0] *= 2
            turned = y.t()
            turned[1] = turned[0] * y[:, 2]
            return (y * y).sum() + flat.sum()

    eager, model = Model(), Model()
    optimizer = flow.optim.SGD(eager.parameters(), lr=0.001)
    learner = flow.optim.SGD(model.parameters(), lr=0.001)

    class Learn(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.model = model
            self.add_optimizer(learner)

        def build(self, x: Any) -> Any:
            loss = self.model(x)
            loss.backward()
            return loss

    graph = Learn()
    for _ in range(3):
        optimizer.zero_grad()
        loss = eager(X)
        loss.backward()
        optimizer.step()
        np.testing.assert_allclose(graph(X).numpy(), loss.detach().numpy(), rtol=1e-6)
    for mine, other in zip(eager.state_dict().values(), model.state_dict().values(), strict=True):
        np.testing.assert_allclose(mine.numpy(), other.numpy(), rtol=1e-5, atol=1e-5)
    assert model.steps.item() == 3


VIEW = flow.ones(2, 2)[0]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: [x.expand(2, 4, 5).add_(1)], "holds elements several times, or is detached"),
        (lambda x: [x.detach().add_(1)], "holds elements several times, or is detached"),
        (lambda x: [VIEW.add_(1)], "changes a view of a tensor in build .* make the view in build"),
        (lambda x: [VIEW.__setitem__(0, x[0, 0])], "changes a view of a tensor in build"),
        (lambda x: [x.long().add_(1.5)], "cannot put flow.float32 into a tensor of flow.int64"),
    ],
)
def test_what_cannot_be_changed(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=rf"test_views\.py:\d+: .*{message}"):
        Compiled(function)(X)


def test_masks_that_do_not_fit() -> None:
    def build(x: Any) -> Any:
        x[x > 0] = x[0]
        return [x]

    with pytest.raises(IndexError, match="by a mask takes a mask of the first dimensions of shape"):
        Compiled(build)(X)
