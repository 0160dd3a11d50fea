"""Global tensors on several ranks: their parts, and how ops and graphs pass signatures on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.tensors.modes import mode

S0, S1, B, P = flow.sbp.split(0), flow.sbp.split(1), flow.sbp.broadcast, flow.sbp.partial_sum
F = flow.nn.functional


@pytest.fixture(autouse=True)
def two_ranks() -> Iterator[None]:
    flow.config.cpu_device_num(2)
    yield
    mode.shares = False


def on(sbp: Any, *shape: int, ranks: Any = (0, 1), **options: Any) -> Any:
    return flow.randn(*shape, placement=flow.placement("cpu", ranks), sbp=sbp, **options)


RESULTS = {
    "rows times a matrix": (lambda: on(S0, 4, 3) @ on(B, 3, 2), S0),
    "a matrix times columns": (lambda: on(B, 4, 3) @ on(S1, 3, 2), S1),
    "columns times rows": (lambda: on(S1, 4, 3) @ on(S0, 3, 2), P),
    "by element": (lambda: flow.relu(on(S1, 4, 3)), S1),
    "with a number": (lambda: on(S0, 4, 3) * 2, S0),
    "a part and the whole": (lambda: on(S0, 4, 3) + on(B, 4, 3), S0),
    "the sum over samples": (lambda: on(S0, 4, 3).sum(0), P),
    "the sum by sample": (lambda: on(S0, 4, 3).sum(1), S0),
    "a sum of sums": (lambda: on(P, 4, 3) + on(P, 4, 3), P),
    "what is not linear": (lambda: flow.relu(on(P, 4, 3)), S0),
    "softmax by sample": (lambda: on(S0, 4, 3).softmax(-1), S0),
    "softmax over what is split": (lambda: on(S1, 4, 3).softmax(-1), S1),
    "a transposed one": (lambda: on(S0, 4, 3).T, S1),
    "the whole": (lambda: on(B, 4, 3).exp(), B),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_have_signatures_that_follow_from_the_operands(name: str) -> None:
    body, expected = RESULTS[name]
    made = body()
    assert (made.is_global, made.sbp) == (True, (expected,))
    assert made.placement == flow.placement.all("cpu")


def test_composed_functions_pass_signatures_on() -> None:
    x = on(S0, 4, 3)
    model = flow.nn.Linear(3, 2).to_global(x.placement, B)
    y = model(x)
    assert y.sbp == (S0,)
    assert flow.nn.LayerNorm(2).to_global(x.placement, B)(y).sbp == (S0,)
    labels = flow.tensor([0, 1, 1, 0], placement=x.placement, sbp=S0)
    assert F.cross_entropy(y, labels).sbp == (P,)


def test_parts_of_the_first_rank() -> None:
    x = on(S0, 5, 3)
    assert np.array_equal(x.to_local().numpy(), x.numpy()[:3])
    assert np.array_equal(x.to_global(sbp=S1).to_local().numpy(), x.numpy()[:, :2])
    assert x.to_global(sbp=B).to_local().shape == (5, 3)
    assert np.array_equal(x.to_global(sbp=P).to_local().numpy(), x.numpy())
    assert not x.to_local().is_global
    other = x.to_global(flow.placement("cpu", [1]), B)
    assert np.array_equal(other.numpy(), x.numpy())


def test_ranks_that_run_the_same_program_have_the_same_parts() -> None:
    x, cpu = flow.tensor([1.0, 2.0], requires_grad=True), flow.placement.all("cpu")
    whole = x.to_global(cpu, S0)
    assert whole.tolist() == [1.0, 2.0, 1.0, 2.0]
    assert x.to_global(cpu, B).tolist() == [1.0, 2.0]
    assert x.to_global(cpu, P).tolist() == [2.0, 4.0]
    (whole * whole).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2.0, 4.0]


def test_gradients_have_the_signature_of_the_tensor() -> None:
    x, w = on(S0, 4, 3), on(S1, 3, 2, requires_grad=True)
    (x @ w).sum().backward()
    assert (w.grad.sbp, w.grad.shape) == ((S1,), (3, 2))
    expected = x.numpy().sum(0)[:, None].repeat(2, 1)
    np.testing.assert_allclose(w.grad.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_a_mesh_of_ranks() -> None:
    flow.clear_default_session()
    flow.config.cpu_device_num(4)
    mesh = [[0, 1], [2, 3]]
    x, w = on([S0, B], 4, 6, ranks=mesh), on([B, S1], 6, 8, ranks=mesh)
    assert x.placement.hierarchy == (2, 2)
    assert (x @ w).sbp == (S0, S1)
    assert (x @ w).to_local().shape == (2, 4)
    assert (x @ w).sum().sbp == (P, P)


def graph_losses(ranks: Any) -> list[float]:
    """The losses of a network, whose second layer's units are shared, in a graph."""
    flow.clear_default_session()
    flow.config.cpu_device_num(int(np.size(ranks)))
    flow.manual_seed(1)
    placement = flow.placement("cpu", ranks)
    axes = placement.hierarchy
    whole, samples = [B] * len(axes), [S0, *[B] * (len(axes) - 1)]
    units = [*[B] * (len(axes) - 1), S0]
    model: Any = flow.nn.Sequential(flow.nn.Linear(6, 8), flow.nn.ReLU(), flow.nn.Linear(8, 3))
    draw = np.random.default_rng(0)
    x, t = draw.standard_normal((5, 6)).astype(np.float32), draw.integers(0, 3, 5)
    if placement.ranks.size > 1:
        model.to_global(placement, whole)
        model[2].to_global(sbp=units)

    class Training(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.model, self.loss = model, flow.nn.CrossEntropyLoss()
            self.add_optimizer(flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9))

        def build(self, x: Any, t: Any) -> Any:
            loss = self.loss(self.model(x), t)
            loss.backward()
            return loss

    training = Training()
    options = {"placement": placement, "sbp": samples} if placement.ranks.size > 1 else {}
    losses = [training(flow.tensor(x, **options), flow.tensor(t, **options)) for _ in range(3)]
    if placement.ranks.size > 1:
        assert (losses[0].placement, losses[0].sbp) == (placement, tuple(whole))
        assert (model[2].weight.sbp, model[2].weight.shape) == (tuple(units), (3, 8))
    return [float(loss.numpy()) for loss in losses]


@pytest.mark.parametrize("ranks", [[0, 1], [[0, 1], [2, 3]]])
def test_ranks_share_a_graph_of_global_tensors(ranks: Any) -> None:
    alone, shared = graph_losses([0]), graph_losses(ranks)
    assert alone[-1] < alone[0]
    np.testing.assert_allclose(shared, alone, rtol=1e-5)


def test_graphs_take_captured_global_tensors() -> None:
    x, w = on(S0, 4, 3), on(S1, 3, 2)

    class Product(flow.nn.Graph):
        def build(self, x: Any) -> Any:
            return x @ w

    product = Product()
    y = product(x)
    np.testing.assert_allclose(y.numpy(), x.numpy() @ w.numpy(), rtol=1e-5, atol=1e-6)


def misuse_in_a_graph() -> None:
    flow.config.cpu_device_num(3)
    w = on(S0, 4, 3, ranks=[1, 2])

    class Mixed(flow.nn.Graph):
        def build(self, x: Any) -> Any:
            return x + w

    Mixed()(on(S0, 4, 3))


ERRORS: list[tuple[Any, type[Exception], str]] = [
    (lambda: on(S0, 4, 3) + flow.ones(4, 3), TypeError,
     r"flow.add takes either global or local tensors, got one of shape \(4, 3\) that is local"),
    (lambda: on(S0, 4, 3) + on(S0, 4, 3, ranks=[1, 0]), ValueError,
     "flow.add takes tensors on one placement, got .* convert one with to_global"),
    (misuse_in_a_graph, ValueError, "graph 'Mixed_.*' has .* and others on .*; convert one"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_misuse_is_told(number: int) -> None:
    misuse, kind, text = ERRORS[number]
    with pytest.raises(kind, match=rf"test_shared_layouts\.py:\d+: .*{text}"):
        misuse()


def test_other_threads_pass_signatures_on_once_they_make_global_tensors() -> None:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append((on(S0, 2, 2) + 1).sbp))
    thread.start()
    thread.join()
    assert found == [(S0,)]
