"""`flow.debug.compare`: equal runs, a wrong rewrite, a body that is traced differently, misuse."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock import nn
from penstock.debug import Comparison
from penstock.ir.dialects import flow as flow_ops  # noqa: F401 - fills the registry
from penstock.ir.opdef import registry
from penstock.ir.rewriting.rewrite import Rewriter, pattern

F = nn.functional
HERE = Path(__file__).name
RATE = flow.optimizer.PiecewiseConstantScheduler([], [0.1])


def found(comparison: Comparison, phase: str) -> list[str]:
    return [row.op for row in comparison.rows if row.phase == phase]


def norms(x: Any, scale: float = 1.0) -> Any:
    y = flow.tanh(x) * scale
    return {"sum": (y * y).sum(), "place": y.argmax(1)}


def test_a_function_forward_and_backward() -> None:
    flow.manual_seed(1)
    x = flow.randn(3, 4)
    report = flow.debug.compare(norms, x, scale=2.0)
    assert report.ok, str(report)
    assert report.first is None
    assert found(report, "forward")[:4] == [
        "flow.tanh", "flow.multiply", "flow.multiply", "flow.reduce_sum"
    ]  # fmt: skip
    assert "flow.multiply" in found(report, "backward")
    assert found(report, "result") == ["", ""]
    assert {row.against for row in report.rows} == {"tensors", "op by op"}
    tanh = report.rows[0]
    assert tanh.location.endswith(f"{HERE}:{norms.__code__.co_firstlineno + 1}")
    assert (tanh.against, tanh.dtype, tanh.shape) == ("tensors", "float32", (3, 4))
    text = str(report).splitlines()
    assert "function 'norms': " in text[0]
    assert text[1].split()[:3] == ["line", "op", "phase"]
    assert not x.requires_grad
    assert len(flow.debug.compare(norms, x, backward=False).rows) < len(report.rows)
    assert flow.debug.compare(flow.jit(norms), x, scale=2.0).rows[0].op == "flow.tanh"


def test_modules_and_what_they_captured_stay_as_they_were() -> None:
    flow.manual_seed(2)
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))
    before = {name: tensor.numpy().copy() for name, tensor in model.state_dict().items()}
    x = flow.randn(6, 4)
    model(x).sum().backward()
    gradient = model[0].weight.grad.numpy().copy()
    model.load_state_dict({name: flow.tensor(array) for name, array in before.items()})
    model.eval()
    report = flow.debug.compare(model, x)
    assert report.ok, str(report)
    for name, tensor in model.state_dict().items():
        assert tensor.numpy().tobytes() == before[name].tobytes()
    assert model[0].weight.grad.numpy().tobytes() == gradient.tobytes()


def elements(state: Any) -> Any:
    """A nest of tensors as bytes."""
    if isinstance(state, dict):
        return {name: elements(member) for name, member in state.items()}
    return state.numpy().tobytes()


class Fit(nn.Graph):
    def __init__(self, model: nn.Module, optimizer: Any) -> None:
        super().__init__()
        self.model = model
        self.add_optimizer(optimizer)

    def build(self, x: Any, y: Any) -> Any:
        loss = F.mse_loss(F.dropout(self.model(x), 0.5), y)
        loss.backward()
        return loss


def test_a_graph_that_trains() -> None:
    flow.manual_seed(3)
    model = nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5), nn.Tanh(), nn.Linear(5, 1))
    optimizer = flow.optim.Adam(model.parameters(), lr=0.05)
    graph = Fit(model, optimizer)
    x, y = flow.randn(8, 3), flow.randn(8, 1)
    graph(x, y)
    before = elements(graph.state_dict())
    report = flow.debug.compare(graph, x, y)
    assert report.ok, str(report)
    assert {"forward", "backward", "update", "result"} <= {row.phase for row in report.rows}
    assert elements(graph.state_dict()) == before
    assert model[0].weight.grad is None
    eager = [row for row in report.rows if row.against == "tensors" and row.phase == "backward"]
    assert eager


def trained() -> Any:
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        w = flow.get_variable("w", (3, 2), initializer=flow.ones_initializer())
        root = flow.math.sqrt(flow.matmul(x, w, name="product"), name="root")
        loss = flow.math.reduce_mean(root, name="loss")
        flow.optimizer.SGD(RATE, momentum=0.9).minimize(loss)
        return loss

    return job


def test_a_job_that_trains_is_compared_with_its_ops_one_by_one() -> None:
    job = trained()
    x = np.random.default_rng(0).random((4, 3), np.float32)
    first = job(x)
    before = flow.get_all_variables()
    before = {name: variable.numpy() for name, variable in before.items()}
    report = flow.debug.compare(job, x)
    assert report.ok, str(report)
    assert {row.against for row in report.rows} == {"op by op"}
    assert "update" in {row.phase for row in report.rows}
    for name, variable in flow.get_all_variables().items():
        assert variable.numpy().tobytes() == before[name].tobytes()
    assert job(x) < first


@pytest.fixture
def wrong_sigmoid(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rewrite that replaces sigmoid by its operand, unless it is alone: a fault of a pass."""
    kind: Any = registry["flow.sigmoid"]

    def drop(op: Any, rewriter: Rewriter) -> None:
        if op.operands[0].defining_op is not None:
            rewriter.replace(op, op.operands[0])

    drop.__annotations__["op"] = kind
    monkeypatch.setattr(kind, "canonicalization_patterns", (pattern(drop),), raising=False)
    monkeypatch.setenv("PENSTOCK_CACHE", "off")


def gated(x: Any) -> Any:
    y = flow.exp(x)
    gate = flow.sigmoid(y)
    return y * gate


def test_a_wrong_rewrite_is_found_at_its_op(wrong_sigmoid: None) -> None:
    report = flow.debug.compare(gated, flow.tensor([[0.0, 1.0]]))
    assert not report.ok
    row = report.first
    assert row is not None
    assert (row.op, row.phase, row.first) == ("flow.sigmoid", "forward", (0, 0))
    assert row.location.endswith(f"{HERE}:{gated.__code__.co_firstlineno + 2}")
    assert (row.compiled, row.eager) == (1.0, pytest.approx(1 / (1 + np.exp(-1))))
    assert not row.is_traced_so
    assert "flow.sigmoid of blob sigmoid in function 'gated' is the first that differs" in str(
        report
    )
    assert "penstock bisect finds the pass" in str(report)


def test_a_body_that_is_traced_differently() -> None:
    def odd(x: Any) -> Any:
        y = flow.exp(x)
        return y * (2.0 if isinstance(x, flow.Tensor) else 3.0)

    report = flow.debug.compare(odd, flow.tensor([0.0, 1.0]))
    row = report.first
    assert row is not None
    assert row.is_traced_so
    assert (row.op, row.compiled, row.eager) == ("flow.multiply", 3.0, 2.0)
    assert "the body does something else when it is traced" in str(report)


def test_a_stated_bound() -> None:
    x = flow.randn(8, 8)
    exact = flow.debug.compare(norms, x, rtol=0.0)
    assert {row.allowed for row in exact.rows} == {0.0}
    loose = flow.debug.compare(norms, x, rtol=1e-5, atol=1.0)
    assert loose.ok
    assert min(row.allowed for row in loose.rows) >= 1.0


@pytest.mark.parametrize(
    ("function", "named", "kind", "text"),
    [
        (3, {}, TypeError, "takes a function of tensors, a module, a job function or a graph"),
        (
            norms,
            {"rtol": -1},
            ValueError,
            "rtol of flow.debug.compare must be a number of at least",
        ),
        (norms, {"backward": 1}, TypeError, "backward of flow.debug.compare must be True or False"),
        (
            lambda x: flow.callout(lambda a: a, x),
            {},
            NotImplementedError,
            "since it calls the Python function",
        ),
        (lambda x: flow.watch(x), {}, NotImplementedError, "watches blobs, which only jobs can"),
    ],
)
def test_misuse(function: Any, named: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=rf"py:\d+: .*{text}"):
        flow.debug.compare(function, flow.ones(2, 2), **named)
    assert flow.debug.compare(norms, flow.ones(2, 2)).ok


def test_inputs_of_other_shapes_are_refused_as_in_a_call() -> None:
    with pytest.raises(ValueError, match=r"py:\d+: job 'job': parameter 'x' .* expects"):
        flow.debug.compare(trained(), np.ones((2, 3), np.float32))
