"""`flow.debug.profile` and `profile` of jobs and graphs: times of kernels, and the same bits."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.runtime
import penstock.typing as tp
from penstock import nn
from penstock.lowering.modules import target_level
from penstock.runtime.profiling.profile import Profile

HERE = Path(__file__).name
RATE = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
X = np.linspace(-1, 1, 64 * 32, dtype=np.float32).reshape(64, 32)


def train_job() -> Any:
    flow.clear_default_session()

    @flow.global_function(type="train")
    def step(x: tp.Numpy.Placeholder((64, 32))) -> tp.Numpy:
        weight = flow.get_variable("weight", (32, 48), initializer=flow.ones_initializer())
        hidden = flow.nn.relu(flow.matmul(x, weight, name="hidden"))
        loss = flow.math.reduce_sum(hidden * hidden)
        flow.optimizer.SGD(RATE, momentum=0).minimize(loss)
        return loss

    return step


def times_of(found: Profile, name: str) -> Any:
    times = found.jobs[name]
    lines = times.lines()
    assert sum(one.seconds for one in lines.values()) == pytest.approx(times.seconds)
    assert times.outside >= 0
    assert all(one.seconds > 0 for one in times.kernels())
    return times


def test_a_train_job_has_the_same_bits_and_its_lines_add_up() -> None:
    job = train_job()
    usual = [job(X) for _ in range(3)]
    with flow.debug.profile() as found:
        pass
    job = train_job()
    profile = job.profile(X, steps=2)
    after = job(X)  # The third step.
    assert after.tobytes() == usual[2].tobytes()
    times = times_of(profile, "step")
    assert (times.count, found.jobs) == (2, {})
    calls = [op.callee for op in job.lower().modules["fused"].job.body if op.name == "func.call"]
    assert [one.kernel.name for one in times.kernels()] == calls
    assert all(HERE in place or place == "outside of kernels" for place in times.lines())
    cost = job.lower().cost().total
    assert sum(one.kernel.flops for one in times.kernels()) == cost.flops
    assert sum(one.kernel.read + one.kernel.written for one in times.kernels()) == cost.bytes
    assert 0 < max(times.description.in_use) <= times.description.arena_bytes


def test_threads_compute_the_same_bits() -> None:
    job = train_job()
    before = penstock.runtime.threads.num_threads()
    sums = []
    try:
        for count in (1, 3):
            penstock.runtime.threads.set_num_threads(count)
            job = train_job()
            with flow.debug.profile() as found:
                sums.append([job(X).tobytes() for _ in range(2)])
            times_of(found, "step")
    finally:
        penstock.runtime.threads.set_num_threads(before)
    assert sums[0] == sums[1]


def test_kernels_are_the_same_code() -> None:
    modules = train_job().lower().modules
    from penstock.lowering.modules import Modules

    plain = Modules("job", modules["job"])
    usual, timed = plain.program(), plain.with_times().program()
    kernels = usual.objects[1:]
    assert kernels
    # The entry, which calls them, is another; and there is what records.
    assert set(kernels) == set(timed.objects[1:-1])
    assert "penstock_begin" not in usual.llvm
    assert "penstock_begin" in timed.llvm
    assert b"penstock_" not in usual.image
    again = Modules("job", modules["job"]).with_times().program()
    assert timed.image == again.image


def test_graphs_and_functions_and_handlers() -> None:
    layer = nn.Linear(8, 4)

    class Net(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.layer = layer

        def build(self, x: Any) -> Any:
            return self.layer(x)

    @flow.jit
    def twice(x: Any) -> Any:
        return x * 2.0

    net, x = Net(), flow.ones(2, 8)
    expected = net(x).numpy()
    seen: list[Any] = []
    stop = net.watch("*", seen.append)
    with flow.debug.profile() as found:
        result = net(x)
        doubled = twice(x)
    assert seen
    stop()
    assert result.numpy().tobytes() == expected.tobytes()
    assert doubled.numpy().tolist() == [[2.0] * 8] * 2
    names = list(found.jobs)
    assert len(names) == 2
    for name in names:
        times_of(found, name)
    assert net.profile(x, steps=3).jobs[names[0]].count == 3


def test_an_artifact_is_profiled_by_the_runtime_alone(tmp_path: Path) -> None:
    job = train_job()
    path, plain = tmp_path / "step.pstk", tmp_path / "plain.pstk"
    flow.save_artifact(path, job, targets=[target_level()], profile=True)
    flow.save_artifact(plain, job, targets=[target_level()])
    np.save(tmp_path / "x.npy", X)
    program = f"""
import sys
import numpy as np
import penstock.runtime
x = np.load({str(tmp_path / "x.npy")!r})
usual = penstock.runtime.load({str(path)!r})
losses = [usual(x).tobytes() for _ in range(3)]
job = penstock.runtime.load({str(path)!r})
with penstock.runtime.profile() as found:
    profiled = [job(x).tobytes() for _ in range(2)]
assert [*profiled, job(x).tobytes()] == losses
times = found.jobs["step"]
assert times.count == 2 and "matmul" in str(found), str(found)
assert not [name for name in sys.modules if "llvmlite" in name or "penstock.ir" in name]
"""
    subprocess.run([sys.executable, "-c", program], check=True)
    usual = penstock.runtime.load(plain)
    with flow.debug.profile(), pytest.raises(ValueError, match="compiled without counters"):
        usual(X)
    assert usual(X).shape == (1,)


def test_what_cannot_be_profiled_is_refused() -> None:
    job = train_job()
    with pytest.raises(ValueError, match="steps of profile must be an int of at least 1"):
        job.profile(X, steps=0)
    loops = job.lower().as_text("loops")
    lowered = flow.compile(loops)
    with flow.debug.profile(), pytest.raises(ValueError, match="given at stage loops cannot be"):
        lowered(X)


def test_jobs_of_several_ranks_are_refused() -> None:
    flow.clear_default_session()
    flow.config.cpu_device_num(2)

    @flow.global_function()
    def shared(x: tp.Numpy.Placeholder((4, 2))) -> tp.Numpy:
        with flow.scope.placement("cpu", "0:0-1"):
            return flow.math.relu(x)

    with pytest.raises(ValueError, match="'shared' is placed on 2 ranks and cannot be profiled"):
        shared.profile(np.ones((4, 2), np.float32))
