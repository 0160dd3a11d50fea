"""L-BFGS: as PyTorch's, down a curved valley, saved and loaded."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow

START = np.array([-1.2, 1.0])


def valley(x: Any) -> Any:
    """Rosenbrock's function, 0 at (1, 1)."""
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


def steps(library: Any, optimizer: Any, x: Any, count: int) -> list[float]:
    def closure() -> Any:
        optimizer.zero_grad()
        loss = valley(x)
        loss.backward()
        return loss

    return [optimizer.step(closure).item() for _ in range(count)]


def test_it_reaches_the_end_of_the_valley() -> None:
    x = flow.tensor(START, requires_grad=True)
    lbfgs = flow.optim.LBFGS([x], history_size=5, line_search_fn="strong_wolfe")
    losses = steps(flow, lbfgs, x, 4)
    assert losses[0] == pytest.approx(24.2)
    np.testing.assert_allclose(x.detach().numpy(), [1, 1], atol=1e-4)
    assert lbfgs.state[x]["func_evals"] < 100


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
@pytest.mark.parametrize("rate", [1.0, 0.01])
def test_as_pytorch(search: Any, rate: float) -> None:
    torch = pytest.importorskip("torch")
    found = []
    for library in (flow, torch):
        x = library.tensor(START, requires_grad=True)
        given = {"lr": rate, "max_iter": 6, "history_size": 3, "line_search_fn": search}
        optimizer = library.optim.LBFGS([x], **given)
        found.append([*steps(library, optimizer, x, 4), *x.detach().numpy()])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-7)


def test_saving(tmp_path: Path) -> None:
    ends = []
    for is_saved in (False, True):
        x = flow.tensor(START, requires_grad=True)
        lbfgs = flow.optim.LBFGS([x], max_iter=4, line_search_fn="strong_wolfe")
        steps(flow, lbfgs, x, 2)
        if is_saved:
            flow.save(lbfgs.state_dict(), tmp_path / "state")
            lbfgs = flow.optim.LBFGS([x])
            lbfgs.load_state_dict(flow.load(tmp_path / "state"))
        steps(flow, lbfgs, x, 2)
        ends.append(x.tolist())
    assert ends[0] == ends[1]


def test_parameters_without_gradients_stay() -> None:
    x, other = flow.tensor(START, requires_grad=True), flow.ones(2, 2).double().requires_grad_()
    lbfgs = flow.optim.LBFGS([other, x], line_search_fn="strong_wolfe")
    steps(flow, lbfgs, x, 2)
    assert other.tolist() == [[1, 1], [1, 1]]
    assert valley(x).item() < 1e-3


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"line_search_fn": "wolfe"}, ValueError, 'must be None or "strong_wolfe", got the string'),
        ({"max_iter": 0}, ValueError, "max_iter of LBFGS must be at least 1, got 0"),
        ({"params": [flow.ones(1), flow.ones(1).double()]}, TypeError, "floats of one dtype, got"),
        ({"params": []}, ValueError, "LBFGS takes one group of parameters, got"),
    ],
)
def test_misuse(given: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=rf"test_lbfgs\.py:\d+: .*{message}"):
        flow.optim.LBFGS(**{"params": [flow.ones(1)], **given})
    with pytest.raises(TypeError, match="step of LBFGS needs a closure"):
        flow.optim.LBFGS([flow.ones(1)]).step()


def test_areas_under_curves() -> None:
    rng = np.random.default_rng(0)
    label, pred = rng.integers(0, 2, 60), rng.integers(0, 9, 60).astype(np.float32)
    pairs = [(p, n) for p in pred[label == 1] for n in pred[label == 0]]
    wanted = np.mean([(p > n) + 0.5 * (p == n) for p, n in pairs])
    for dtype in (flow.int8, flow.float64, flow.uint8):
        found = flow.roc_auc_score(flow.tensor(label, dtype=dtype), flow.tensor(pred))
        assert found.shape == (1,)
        np.testing.assert_allclose(found.item(), wanted, rtol=1e-6)
    assert np.isnan(flow.roc_auc_score(flow.ones(2), flow.ones(2)).item())
    with pytest.raises(ValueError, match="flow.roc_auc_score takes labels and predictions"):
        flow.roc_auc_score(flow.ones(2), flow.ones(3))
