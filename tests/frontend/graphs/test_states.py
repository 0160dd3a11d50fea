"""States of graphs, shared graphs, artifacts and the command line."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.runtime
from penstock.ir.attributes import StringAttr
from penstock.ir.builder import Builder
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func, Return
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.types import TensorType, f64
from penstock.lowering.modules import target_level
from penstock.optim import lr_scheduler as S
from penstock.optim.formulas import Number, Ops
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
    assert [job(X[i], Y[i]).item() for i in (1, 2, 0, 1)] == steps(graph, 1, 2, 0, 1)
    assert seen == 4 * [(8, 4)]
    weight = dict(artifact.variables.items())["model.0.weight"]
    np.testing.assert_array_equal(weight, graph.model[0].weight.numpy())


SCHEDULES: Any = [
    lambda o: S.StepLR(o, 3, 0.5),
    lambda o: S.MultiStepLR(o, [2, 5], 0.3),
    lambda o: S.MultiStepLR(o, [], 0.3),
    lambda o: S.ExponentialLR(o, 0.9),
    lambda o: S.LinearLR(o, 0.3, 1.0, 5),
    lambda o: S.ConstantLR(o, 0.3, 4),
    lambda o: S.CosineAnnealingLR(o, 9, 0.001),
    lambda o: S.CosineDecayLR(o, 8, 0.1),
    lambda o: S.CosineAnnealingWarmRestarts(o, 4, 1, 0.001, 0.9),
    lambda o: S.CosineAnnealingWarmRestarts(o, 2, 2, 0.001, 0.9, 3),
    lambda o: S.PolynomialLR(o, 7, 0.001, 2.0),
    lambda o: S.PolynomialLR(o, 4, 0.001, 1.5, True),
    lambda o: S.WarmupLR(S.CosineAnnealingLR(o, 9), 0.1, 4),
    lambda o: S.WarmupLR(S.StepLR(o, 3), 0.1, 4, "constant", True),
    lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.3, 4), S.ExponentialLR(o, 0.9)]),
    lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.3, 4), S.ExponentialLR(o, 0.9)], [4], True),
]


class Rates(flow.nn.Graph):
    """A step whose loss is the parameter, with a schedule."""

    def __init__(self, make: Any) -> None:
        super().__init__()
        self.w = flow.nn.Linear(1, 1, bias=False)
        self.optimizer = flow.optim.SGD(self.w.to(flow.nn.Module).parameters(), lr=0.05)
        self.add_optimizer(self.optimizer, lr_sch=make(self.optimizer))

    def build(self, x: Any) -> Any:
        loss = self.w(x).sum()
        loss.backward()
        return loss


@pytest.mark.parametrize("number", range(len(SCHEDULES)))
def test_formulas_of_schedules_are_those_of_python(number: int) -> None:
    schedule = SCHEDULES[number](flow.optim.SGD([flow.ones(1, requires_grad=True)], lr=0.05))
    assert schedule.has_formulas
    module = Module.empty("rates")
    module.attributes["job.type"] = StringAttr("predict")
    function = Func.make("rates", [TensorType((), f64)])
    module.body.append(function)
    b = Builder.at_end(function.body)
    step = Number(b, function.arguments[0])
    (rate,) = schedule.formulas(Ops(step), [0.05], step)
    b.create(Return, [Ops(step).value(rate)])
    function.update_type()
    function.set_all_argument_attributes([{"job.feed": "step"}])
    function.set_all_result_attributes([{"job.fetch": "0"}])
    for n in range(24):
        wanted = schedule.get_last_lr()
        (found,) = interpret(module, [np.array(n, np.float64)])
        np.testing.assert_allclose(found, wanted[0], rtol=1e-13, err_msg=f"step {n}")
        schedule.step()


def test_an_artifact_continues_a_schedule(tmp_path: Path) -> None:
    graph = Rates(lambda o: S.WarmupLR(S.CosineAnnealingLR(o, 9), 0.1, 4))
    x = flow.ones(1, 1)
    graph(x)
    flow.save_artifact(tmp_path / "rates.pstk", graph, targets=[target_level()])
    artifact = penstock.runtime.load(tmp_path / "rates.pstk")
    rate, count = (f"System-Train-{word}-{graph.name}" for word in ("LearningRate", "Schedule"))
    for _ in range(12):
        assert artifact(x.numpy()) == pytest.approx(graph(x).item(), rel=1e-6)
        assert artifact.variables[rate] == pytest.approx(graph.optimizer.param_groups[0]["lr"])
    assert artifact.variables[count] == 13


def test_schedules_of_python_code_have_no_artifact(tmp_path: Path) -> None:
    class Own(S.StepLR):
        def get_lr(self, base_lr: float, step: int) -> float:
            return base_lr / (step + 1)

    for make in (lambda o: S.LambdaLR(o, lambda step: 0.9**step), lambda o: Own(o, 3)):
        graph = Rates(make)
        graph(flow.ones(1, 1))
        text = rf"py:\d+: an artifact of job '{graph.name}' cannot compute the rates of "
        with pytest.raises(NotImplementedError, match=text):
            flow.save_artifact(tmp_path / "rates.pstk", graph)
        graph(flow.ones(1, 1))


def test_a_compiled_graph_is_saved_and_loaded(tmp_path: Path) -> None:
    graph = Train()
    flow.manual_seed(1)
    steps(graph, 0)
    flow.save(graph.runtime_state_dict(), str(tmp_path / "graph"))
    other = flow.nn.Graph()
    other.load_runtime_state_dict(flow.load(str(tmp_path / "graph")))
    assert other.is_compiled
    assert steps(other, 1, 2) == steps(graph, 1, 2)
    third = flow.nn.Graph()
    third.load_runtime_state_dict(other.runtime_state_dict())
    assert steps(third, 0) == steps(graph, 0)
    with pytest.raises(ValueError, match=rf"py:\d+: graph '{other.name}': .* expects"):
        other(flow.ones(1, 2), flow.ones(1))
    with pytest.raises(TypeError, match=rf"py:\d+: graph '{other.name}': .* takes 2 arrays"):
        other(flow.ones(1, 2))
    for wrong in (3, {}):
        with pytest.raises(TypeError, match=r"py:\d+: load_runtime_state_dict of graph"):
            other.load_runtime_state_dict(wrong)
    damaged = dict(graph.runtime_state_dict())
    damaged["artifact"] = damaged["artifact"][:100]
    with pytest.raises(ValueError, match=r"py:\d+: load_runtime_state_dict of graph .*pstk"):
        other.load_runtime_state_dict(damaged)


def test_the_outputs_of_a_loaded_graph_have_their_form() -> None:
    class Outputs(flow.nn.Graph):
        def build(self, x: Any) -> Any:
            return {"y": (x * 2, [x > 1, 7]), "none": None}

    graph, other = Outputs(), flow.nn.Graph()
    x = flow.tensor([1.0, 2.0])
    wanted = graph(x)
    other.load_runtime_state_dict(graph.runtime_state_dict())
    assert str(other(x)) == str(wanted)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "graph_in_a_file.py"
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
