"""States of graphs, shared graphs, artifacts and the command line."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.runtime
from penstock.tools import cli

DRAW = np.random.default_rng(0)
X = DRAW.standard_normal((8, 6, 4)).astype(np.float32)
Y = X.sum(2, keepdims=True)

FILE = """\
import penstock as flow


class Train(flow.nn.Graph):
    def __init__(self, model, optimizer):
        super().__init__()
        self.model = model
        self.add_optimizer(optimizer)

    def build(self, x, y):
        loss = flow.nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        return loss


flow.manual_seed(0)
model = flow.nn.Sequential(flow.nn.Linear(4, 8), flow.nn.Tanh(), flow.nn.Linear(8, 1))
graph = Train(model, flow.optim.Adam(model.parameters(), lr=0.05))
graph.trace(flow.zeros(6, 4), flow.zeros(6, 1))
"""


class Train(flow.nn.Graph):
    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        flow.manual_seed(seed)
        self.model = flow.nn.Sequential(
            flow.nn.Linear(4, 8), flow.nn.BatchNorm1d(8), flow.nn.Tanh(), flow.nn.Dropout(0.1),
            flow.nn.Linear(8, 1),
        )  # fmt: skip
        self.optimizer = flow.optim.Adam(self.model.parameters(), lr=0.05)
        schedule = flow.optim.lr_scheduler.StepLR(self.optimizer, 3, 0.5)
        self.add_optimizer(self.optimizer, lr_sch=schedule)

    def build(self, x: Any, y: Any) -> Any:
        loss = flow.nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        return loss


def steps(graph: Any, *numbers: int) -> list[float]:
    return [graph(flow.tensor(X[i]), flow.tensor(Y[i])).item() for i in numbers]


def test_training_continues_from_a_state(tmp_path: Path) -> None:
    graph = Train()
    assert list(graph.state_dict()) == ["model"]
    flow.manual_seed(1)
    steps(graph, 0, 1, 2)
    state = graph.state_dict()
    assert list(state["model"]) == list(graph.model.state_dict())
    assert state["System-Train-TrainStep"].item() == 3
    assert state["System-Train-Schedule"].item() == 3
    assert state["model.0.weight-m"].shape == (8, 4)
    flow.save(state, tmp_path / "state")
    wanted = steps(graph, 3, 4, 5)

    for others_first in (False, True):
        other = Train(seed=9)
        if others_first:
            steps(other, 7)
        flow.manual_seed(1)
        other.load_state_dict(flow.load(tmp_path / "state"))
        assert steps(other, 3, 4, 5) == wanted
        assert other.optimizer.state["step"] == 6


def test_states_that_do_not_fit() -> None:
    graph = Train()
    steps(graph, 0)
    state = graph.state_dict()
    with pytest.raises(RuntimeError, match="module 'model' is missing"):
        graph.load_state_dict({})
    with pytest.raises(RuntimeError, match="module 'modle' is not expected"):
        graph.load_state_dict({**state, "modle": {}})
    with pytest.raises(RuntimeError, match="'model.0.weight-n' is not expected; did you mean"):
        graph.load_state_dict({**state, "model.0.weight-n": flow.ones(8, 4)})
    with pytest.raises(RuntimeError, match=r"has shape \(8, 4\) here and \(2,\) there"):
        graph.load_state_dict({**state, "model.0.weight-m": flow.ones(2)})
    with pytest.raises(TypeError, match="takes tensors, got 3 for 'step'"):
        graph.load_state_dict({**state, "step": 3})
    graph.load_state_dict({**state, "step": flow.ones(1)}, strict=False)
    late = Train()
    late.load_state_dict({**state, "other": flow.ones(1)})
    with pytest.raises(RuntimeError, match="'other' is not expected"):
        steps(late, 0)
    steps(late, 0)


def test_shared_parameters() -> None:
    class Evaluate(flow.nn.Graph):
        def __init__(self, model: Any) -> None:
            super().__init__()
            self.model = model.eval()

        def build(self, x: Any) -> Any:
            return self.model(x)

    trained, other = Train(), Train(seed=3)
    evaluate = Evaluate(other.model.to(flow.nn.Module))
    evaluate.share_from(trained)
    steps(trained, 0, 1)
    trained.model.to(flow.nn.Module).eval()
    x = flow.tensor(X[0])
    np.testing.assert_allclose(evaluate(x).numpy(), trained.model(x).numpy(), rtol=1e-6)
    with pytest.raises(ValueError, match="is in one of the graphs only"):
        evaluate.share_from(Evaluate(flow.nn.Linear(4, 1)))


def test_an_artifact_trains_as_the_graph_does(tmp_path: Path) -> None:
    graph = Train()
    flow.manual_seed(1)
    steps(graph, 0)
    flow.save_artifact(tmp_path / "train.pstk", graph)
    artifact = penstock.runtime.load(tmp_path / "train.pstk")
    job = artifact.jobs[graph.name]
    assert [feed.name for feed in job.feeds] == ["x", "y"]
    seen = []
    job.watch("model.0.weight/grad", lambda array: seen.append(array.shape))
    # The schedule is the program's; until it acts, an artifact learns at the same rate.
    assert [job(X[i], Y[i]).item() for i in (1, 2)] == steps(graph, 1, 2)
    assert seen == [(8, 4), (8, 4)]
    weight = dict(artifact.variables.items())["model.0.weight"]
    np.testing.assert_array_equal(weight, graph.model[0].weight.numpy())


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "net.py"
    file.write_text(FILE, encoding="utf-8")
    assert cli.main(["dump", f"{file}:graph", "--stage", "grad"]) == 0
    assert '%model.0.matmul = "flow.matmul"' in capsys.readouterr().out
    assert cli.main(["bisect", f"{file}:graph"]) == 0
    assert cli.main(["explore", f"{file}:graph", "-o", str(tmp_path / "page.html")]) == 0
    assert "model.0.matmul" in (tmp_path / "page.html").read_text(encoding="utf-8")
    artifact = tmp_path / "net.pstk"
    targets = ["--target", "x86-64-v2"]
    assert cli.main(["compile", f"{file}:graph", "-o", str(artifact), *targets]) == 0
    (job,) = penstock.runtime.load(artifact).jobs.values()
    losses = [job(X[0], Y[0]).item() for _ in range(3)]
    assert losses[2] < losses[1] < losses[0]
    assert cli.main(["dump", f"{file}:grph"]) == 1
    assert "did you mean graph" in capsys.readouterr().err
