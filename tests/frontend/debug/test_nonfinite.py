"""`flow.debug.nonfinite` names the op that makes a NaN or Inf, wherever it runs."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from everywhere import WORLDS

import penstock as flow
import penstock.runtime
import penstock.typing as tp
from penstock import nn
from penstock.debug import Nonfinite, NonfiniteError
from penstock.lowering.modules import target_level

HERE = Path(__file__).name
RATE = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
GOOD = np.ones((4, 3), np.float32)
ZERO_ROW = np.where(np.arange(4)[:, None] == 2, 0, GOOD).astype(np.float32)


def line_of(function: Callable[..., Any], offset: int) -> str:
    return f"{HERE}:{function.__code__.co_firstlineno + offset}"


def found(call: Callable[..., Any], *arguments: Any) -> Nonfinite:
    with pytest.raises(NonfiniteError) as error, flow.debug.nonfinite():
        call(*arguments)
    assert str(error.value) == str(error.value.finding)
    return error.value.finding


def check(finding: Nonfinite, op: str, place: str, phase: str, first: tuple[int, ...]) -> None:
    assert (finding.op, finding.phase, finding.summary.first) == (op, phase, first)
    assert finding.location.endswith(place)
    assert str(finding).startswith(finding.location)


# -- tensors ------------------------------------------------------------------------------------


def logs(x: Any) -> Any:
    y = x + 1
    return flow.log(y) * 2


def test_an_op_on_tensors() -> None:
    finding = found(logs, flow.tensor([[1.0, -1.0], [-3.0, 2.0]]))
    check(finding, "flow.log", line_of(logs, 2), "forward", (0, 1))
    assert (finding.summary.nans, finding.summary.infs) == (1, 1)
    (operand,) = finding.operands
    assert operand.summary is not None
    assert (operand.summary.low, operand.summary.high) == (-2.0, 3.0)
    assert "makes 1 NaN and 1 Inf of 4, the first, -inf, at [0, 1]" in str(finding)


def test_what_an_operand_has_already_is_passed_on() -> None:
    finding = found(lambda: flow.tensor([1.0, np.nan]) * 2)
    assert "flow.multiply passes on 1 NaN and 0 Inf of 2" in str(finding)
    assert "operand 0: float32[2] from 1 to 1, 1 NaN and 0 Inf" in str(finding)


def test_backward_of_tensors() -> None:
    def run() -> None:
        x = flow.tensor([4.0, 0.0], requires_grad=True)
        y = flow.sqrt(x)
        y.sum().backward()

    finding = found(run)
    check(finding, "sqrt_backward", line_of(run, 2), "backward", (1,))
    names = [operand.name for operand in finding.operands]
    assert names == ["the result", "the gradient of the result"]


def test_a_step_of_an_optimizer_changes_nothing() -> None:
    model = nn.Linear(2, 1)
    optimizer = flow.optim.SGD(model.parameters(), lr=1e38)
    before = model.weight.numpy().copy()
    model(flow.full((1, 2), 1e3)).sum().backward()
    finding = found(optimizer.step)
    assert (finding.op, finding.phase) == ("job.sgd", "update")
    assert [o.name for o in finding.operands] == ["the parameter", "its gradient"]
    assert (model.weight.numpy() == before).all()


def test_finite_programs_give_the_same_bits() -> None:
    def run() -> bytes:
        flow.manual_seed(3)
        x = flow.randn(5, 4, requires_grad=True)
        (flow.softmax(x, 1) * x).sum().backward()
        return bytes(x.grad.numpy().tobytes())

    plain = run()
    with flow.debug.nonfinite():
        assert run() == plain
    assert run() == plain


def test_a_handler_gets_each_origin_and_nothing_is_raised() -> None:
    seen: list[Nonfinite] = []
    with flow.debug.nonfinite(seen.append):
        x = flow.log(flow.tensor([-1.0]))
        x = x * 2
        flow.exp(flow.tensor([1000.0])) + x
    assert [finding.op for finding in seen] == ["flow.log", "flow.exp"]
    assert seen[0].to_dict()["operands"][0]["min"] == -1.0


def test_infinities_of_masks_do_not_count_if_the_program_says_so() -> None:
    def masked() -> Any:
        scores = flow.tensor([[1.0, 2.0], [3.0, 4.0]]).masked_fill(
            flow.tensor([[0, 1], [0, 0]]) > 0, float("-inf")
        )
        return flow.softmax(scores, 1) / flow.tensor([[0.0, 1.0], [1.0, 1.0]]) - float("inf")

    text = "flow.subtract makes 1 NaN and 3 Inf of 4, the"
    with pytest.raises(NonfiniteError, match=text), flow.debug.nonfinite(infinite=False):
        masked()
    assert found(masked).summary.nans == 0


def test_it_concerns_its_own_thread_and_ends_with_its_block() -> None:
    raised: list[BaseException] = []

    def other() -> None:
        try:
            flow.log(flow.tensor([-1.0]))
        except NonfiniteError as error:
            raised.append(error)

    with flow.debug.nonfinite():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    other()
    assert not raised


def test_a_switch() -> None:
    switch = flow.debug.nonfinite()
    switch.start()
    try:
        with pytest.raises(NonfiniteError):
            flow.log(flow.tensor([-1.0]))
        with pytest.raises(RuntimeError, match=r"py:\d+: this flow.debug.nonfinite has started"):
            switch.start()
    finally:
        switch.stop()
        switch.stop()
    assert np.isnan(flow.log(flow.tensor([-1.0])).item())


@pytest.mark.parametrize(
    ("handler", "text"),
    [(3, "must be a plain function, got 3"), (lambda: None, "takes one argument, the finding")],
)
def test_handlers_that_do_not_fit(handler: Any, text: str) -> None:
    with pytest.raises(TypeError, match=rf"py:\d+: the handler of flow.debug.nonfinite {text}"):
        flow.debug.nonfinite(handler)


# -- compiled code ------------------------------------------------------------------------------


@flow.jit
def compiled(x: Any) -> Any:
    root = flow.sqrt(x - 1.0)
    return flow.exp(root) * 2


def test_a_compiled_function_and_its_backward() -> None:
    finding = found(compiled, flow.tensor([5.0, 0.0]))
    check(finding, "flow.sqrt", line_of(compiled._function, 2), "forward", (1,))
    assert finding.subject == "function 'compiled'"
    x = flow.tensor([1.0, 5.0], requires_grad=True)
    finding = found(lambda: compiled(x).sum().backward())
    check(finding, "flow.divide", line_of(compiled._function, 2), "backward", (0,))
    assert compiled(flow.tensor([2.0])).item() == pytest.approx(2 * np.e)


def trained() -> Any:
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        w = flow.get_variable("w", (3, 2), initializer=flow.ones_initializer())
        root = flow.math.sqrt(flow.matmul(x, w, name="product"), name="root")
        loss = flow.math.reduce_mean(root, name="loss")
        flow.optimizer.SGD(RATE, momentum=0).minimize(loss)
        return loss

    return job


def test_a_live_job_whose_variables_are_set_back() -> None:
    job = trained()
    wanted = [job(GOOD) for _ in range(2)]
    flow.clear_default_session()
    job = trained()
    first = job(GOOD)
    finding = found(job, ZERO_ROW)
    check(finding, "flow.divide", line_of(trained, 4), "backward", (2, 0))
    assert [operand.name for operand in finding.operands] == ["a constant", "root"]
    with flow.debug.nonfinite():
        second = job(GOOD)
    assert [first.tobytes(), second.tobytes()] == [array.tobytes() for array in wanted]
    assert np.isnan(job(np.where(ZERO_ROW > 0, np.nan, 0).astype(np.float32))).all()


def test_feeds_and_variables_of_a_job() -> None:
    job = trained()
    bad = GOOD.copy()
    bad[1, 1] = np.nan
    finding = found(job, bad)
    check(finding, "", line_of(trained, 1), "feed", (1, 1))
    assert "feed x has 1 NaN and 0 Inf of 12" in str(finding)
    job(GOOD)
    flow.load_variables({"w": np.full((3, 2), np.inf, np.float32)})
    finding = found(job, GOOD)
    check(finding, "", line_of(trained, 3), "variable", (0, 0))


def test_handlers_of_a_job_run_and_calls_are_native_again_afterwards() -> None:
    seen: list[Any] = []
    job = trained()
    stop = job.watch("root", lambda array: seen.append(array.shape))
    with flow.debug.nonfinite():
        job(GOOD)
    assert seen == [(4, 2)]
    stop()
    job(GOOD)
    assert type(job) is not flow.jobs.job.JobFunction


def test_a_job_of_an_artifact(tmp_path: Path) -> None:
    flow.save_artifact(tmp_path / "job.pstk", trained(), targets=[target_level()])
    artifact = penstock.runtime.load(tmp_path / "job.pstk")
    finding = found(artifact, ZERO_ROW)
    check(finding, "flow.multiply", line_of(trained, 4), "backward", (2, 0))
    assert (finding.name, finding.operands[0].name) == ("product/grad", "root/grad")
    assert (artifact.variables["w"] == 1).all()
    with flow.debug.nonfinite():  # what is loaded inside is watched, too
        other = penstock.runtime.load(tmp_path / "job.pstk")
        with pytest.raises(NonfiniteError):
            other(ZERO_ROW)
    assert np.isfinite(artifact(GOOD)).all()


def test_a_job_made_of_text() -> None:
    job = flow.compile(trained().trace().as_text())
    finding = found(job, ZERO_ROW)
    check(finding, "flow.divide", line_of(trained, 4), "backward", (2, 0))
    later = flow.compile(trained().lower().as_text("loops"))
    with flow.debug.nonfinite():
        later(ZERO_ROW)  # shows only what the job itself watches


class Roots(nn.Graph):
    def __init__(self, model: nn.Module, optimizer: Any = None) -> None:
        super().__init__()
        self.model = model
        if optimizer is not None:
            self.add_optimizer(optimizer)

    def build(self, x: Any) -> Any:
        loss = flow.sqrt(self.model(x)).sum()
        if self.training:
            loss.backward()
        return loss


def ones() -> nn.Module:
    model = nn.Linear(3, 2)
    nn.init.ones_(model.weight)
    nn.init.zeros_(model.bias)
    return model


def test_a_graph() -> None:
    graph = Roots(ones())
    finding = found(graph, flow.tensor(-GOOD))
    check(finding, "flow.sqrt", line_of(Roots.build, 1), "forward", (0, 0))
    assert finding.subject == f"graph {graph.name!r}"
    assert graph(flow.tensor(GOOD)).item() == pytest.approx(8 * np.sqrt(3))


def test_a_graph_that_trains_is_set_back() -> None:
    model = ones()
    optimizer = flow.optim.Adam(model.parameters())
    graph = Roots(model, optimizer)
    graph(flow.tensor(GOOD))
    before = {name: tensor.numpy().copy() for name, tensor in model.state_dict().items()}
    with flow.no_grad():
        model.bias.fill_(0.0)
    before["bias"][...] = 0
    finding = found(graph, flow.tensor(ZERO_ROW))
    check(finding, "flow.divide", line_of(Roots.build, 1), "backward", (2, 0))
    assert optimizer.state["step"] == 1
    for name, tensor in model.state_dict().items():
        assert tensor.numpy().tobytes() == before[name].tobytes()
    assert np.isfinite(graph(flow.tensor(GOOD)).item())
    assert optimizer.state["step"] == 2


class Guarded(nn.Module):
    """x * x, whose gradient is a call-out that may be NaN."""

    scale = 1.0

    def forward(self, x: Any) -> Any:
        return x * x

    def bprop(self, x: Any, out: Any, dout: Any) -> Any:
        return flow.tensor(dout.numpy() * np.float32(self.scale))


@pytest.mark.parametrize("world", WORLDS)
def test_what_call_outs_return(world: str) -> None:
    module, hooked = Guarded(), nn.Tanh()
    hooked.register_forward_hook(lambda module, args, output: output * 2.0)
    run = WORLDS[world](lambda w, x: hooked(module(w * x)))
    with flow.debug.nonfinite():
        run.step()
        learned = run.learned().copy()
        module.scale = np.nan
        with pytest.raises(NonfiniteError) as error:
            run.step()
    assert error.value.finding.phase == "backward"
    assert error.value.finding.summary.nans == 3
    assert error.value.finding.op in ("job.pure_callout", "_OfTensors_backward")
    np.testing.assert_array_equal(run.learned(), learned)
