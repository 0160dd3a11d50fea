"""What a program says of devices and of how ranks share values, as it stands in the module."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.attributes import python_value
from penstock.ir.core import Operation

split, broadcast, auto = flow.distribute.split, flow.distribute.broadcast, flow.distribute.auto
ONES = flow.ones_initializer()


def traced(body: Any, shape: tuple[int, ...] = (4, 6), **options: Any) -> Any:
    """The module of a job of one feed."""

    @flow.global_function(**options)
    def job(x: tp.Numpy.Placeholder(shape)) -> tp.Numpy:  # type: ignore[valid-type]
        return body(x)

    return job.trace().modules["job"]


def ops(module: Any, name: str) -> list[Operation]:
    return [op for op in module.job.body if op.name == name]


def fact(op: Operation, name: str) -> Any:
    return python_value(op.attributes[name]) if name in op.attributes else None


def placement_of(holder: Any) -> Any:
    found = holder.attributes.get("job.placement")
    return None if found is None else python_value(found)["ranks"]


# -- devices --------------------------------------------------------------------------------------


def test_a_job_is_on_all_devices_of_the_run() -> None:
    assert placement_of(traced(lambda x: x + 1.0)) is None
    flow.config.cpu_device_num(4)
    assert placement_of(traced(lambda x: x + 1.0)) == ["0:0-3"]
    flow.env.machine({"addr": "10.0.0.1"}, {"addr": "10.0.0.2"})
    assert placement_of(traced(lambda x: x + 1.0)) == ["0:0-3", "1:0-3"]
    assert flow.env.current_resource() == {
        "machine_num": 2, "cpu_device_num": 4, "gpu_device_num": 0
    }  # fmt: skip


def test_gpus_are_cpu_ranks_if_the_environment_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    flow.config.gpu_device_num(2)
    monkeypatch.setenv("PENSTOCK_GPU", "cpu")
    assert placement_of(traced(lambda x: x + 1.0)) == ["0:0-1"]

    def body(x: Any) -> Any:
        with flow.scope.placement("gpu", "0:1"):
            y = x + 1.0
            assert y.parallel_conf.device_name == ("0:1",)
            return y

    (op,) = ops(traced(body), "flow.add")
    assert fact(op, "job.placement") == {"device": "cpu", "ranks": ["0:1"]}


def test_jobs_are_on_the_gpu_if_there_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    flow.config.gpu_device_num(1)
    assert flow.env.current_resource()["gpu_device_num"] == 1
    for said, device in {"": "gpu", "sim": "gpu-sim"}.items():
        monkeypatch.setenv("PENSTOCK_GPU", said)
        module = traced(lambda x: x + 1.0)
        assert fact(module, "job.placement") == {"device": device, "ranks": ["0:0"]}


def test_a_new_session_has_one_device() -> None:
    flow.config.cpu_device_num(2)
    flow.env.machine({"addr": "10.0.0.1"}, {"addr": "10.0.0.2"})
    flow.clear_default_session()
    assert flow.env.current_resource()["machine_num"] == 1
    assert placement_of(traced(lambda x: x + 1.0)) is None


def test_tensors_are_not_on_all_devices() -> None:
    flow.config.cpu_device_num(2)

    @flow.jit
    def twice(x: Any) -> Any:
        return x * 2

    assert twice(flow.ones(2)).tolist() == [2.0, 2.0]


# -- hints ----------------------------------------------------------------------------------------


def test_a_hint_on_a_blob_is_a_cast() -> None:
    flow.config.cpu_device_num(2)

    def body(x: Any) -> Any:
        y = x.with_distribute(split(1))
        assert (y.split_axis, y.unique_name) == (1, "x_cast/out:S1")
        z = flow.parallel_cast(y, "z", broadcast(), gradient_distribute=split(0))
        assert (z.split_axis, z.unique_name) == (None, "z/out:B")
        return z.with_gradient_distribute(broadcast())

    hints = [(fact(op, "sbp.hint"), fact(op, "gradient")) for op in ops(traced(body), "sbp.cast")]
    assert hints == [(["S(1)"], None), (["B"], "S(0)"), (None, "B")]


@pytest.mark.parametrize("distribute", [None, auto()])
def test_the_compiler_chooses_unless_told(distribute: Any) -> None:
    flow.config.cpu_device_num(2)

    def body(x: Any) -> Any:
        w = flow.get_variable("w", (6, 6), initializer=ONES, distribute=distribute)
        y = x if distribute is None else x.with_distribute(distribute)
        return flow.matmul(y, w)

    module = traced(body)
    assert "sbp." not in str(module)


def test_hints_of_variables() -> None:
    flow.config.cpu_device_num(2)

    def body(x: Any) -> Any:
        w = flow.get_variable("w", (6, 6), initializer=ONES, distribute=split(1))
        assert (w.split_axis, w.batch_axis) == (1, None)
        y = flow.layers.dense(x @ w, 3, name="d", model_distribute=split(0))
        return flow.layers.prelu(y, name="p", model_distribute=broadcast())

    job = traced(body).job
    found = {
        python_value(job.argument_attributes(i)["job.variable"]): python_value(
            job.argument_attributes(i)["sbp.hint"]
        )
        for i in range(1, len(job.arguments))
    }
    assert found == {"w": "S(1)", "d-weight": "S(0)", "d-bias": "S(0)", "p-alpha": "B"}


def test_one_rank_needs_no_casts() -> None:
    def body(x: Any) -> Any:
        w = flow.get_variable("w", (6, 6), initializer=ONES, distribute=split(1))
        y = flow.parallel_cast(x.with_distribute(split(0)), distribute=split(1)) @ w
        assert y.with_distribute(split(0)).unique_name.endswith(":S0")
        return y

    module = traced(body)
    assert "sbp." not in str(module)


def test_gradients_of_casts() -> None:
    flow.config.cpu_device_num(2)

    def body(x: Any) -> Any:
        w = flow.get_variable("w", (6, 6), initializer=ONES)
        y = flow.parallel_cast(x @ w, gradient_distribute=split(1))
        flow.optimizer.SGD(lr=0.1).minimize(y)
        return y

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4, 6))) -> tp.Numpy:  # type: ignore[valid-type]
        return body(x)

    from penstock.passes.manager import run_pipeline
    from penstock.passes.pipeline import Pipeline

    module = job.trace().modules["job"].clone()
    run_pipeline(module, Pipeline.of("autodiff", "canonicalize", "cse", "dce"))
    assert [fact(op, "sbp.hint") for op in ops(module, "sbp.cast")] == [None, ["S(1)"]]


def test_a_mesh_has_a_hint_for_each_axis() -> None:
    flow.config.cpu_device_num(4)

    def body(x: Any) -> Any:
        # What is outside of the `with` is on the same ranks, in the same mesh.
        with flow.scope.placement("cpu", "0:0-3", [2, 2]):
            w = flow.get_variable("w", (6, 8), initializer=ONES, distribute=[broadcast(), split(1)])
            y = flow.matmul(x, w).with_distribute((split(0), split(1)))
            assert (y.split_axis, y.unique_name) == (None, "matmul_cast/out:S0,S1")
            assert y.parallel_conf.device_name == ("0:0-3",)
        y = flow.parallel_cast(y, gradient_distribute=(split(0), broadcast()))
        return flow.layers.dense(y, 4, name="d", model_distribute=[split(0), broadcast()])

    module = traced(body)
    mesh = {"device": "cpu", "ranks": ["0:0-3"], "mesh": [2, 2]}
    assert fact(module, "job.placement") == mesh
    assert not any("job.placement" in op.attributes for op in module.job.body)
    job = module.job
    hints = [job.argument_attributes(i).get("sbp.hint") for i in range(1, len(job.arguments))]
    assert list(map(python_value, hints)) == ["B, S(1)", "S(0), B", "S(0), B"]
    casts = [(fact(op, "sbp.hint"), fact(op, "gradient")) for op in ops(module, "sbp.cast")]
    assert casts == [(["S(0), S(1)"], None), (None, "S(0), B")]


# -- batch axes -----------------------------------------------------------------------------------


def test_batch_axes_follow_from_the_ops() -> None:
    def body(x: Any) -> Any:
        axes = {
            "feed": x.batch_axis,
            "transposed": flow.transpose(x, [1, 0]).batch_axis,
            "dense": flow.layers.dense(x, 3, name="d").batch_axis,
            "summed over samples": flow.math.reduce_sum(x, axis=0).batch_axis,
            "summed by sample": flow.math.reduce_sum(x, axis=1).batch_axis,
            "variable": flow.get_variable("w", (6,), initializer=ONES).batch_axis,
            "constant": flow.constant(1.0, flow.float, (4,)).batch_axis,
        }
        assert axes == {
            "feed": 0, "transposed": 1, "dense": 0, "summed over samples": None,
            "summed by sample": 0, "variable": None, "constant": None,
        }  # fmt: skip
        return x

    traced(body)


def test_a_feed_without_batch() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 6), batch_axis=None)) -> tp.Numpy:  # type: ignore[valid-type]
        assert x.batch_axis is None
        assert x.split_axis is None
        assert x.parallel_conf.device_tag == "cpu"
        return x

    job.trace()


# -- flow.advanced --------------------------------------------------------------------------------


def test_parts_of_a_batch_on_one_rank_each() -> None:
    flow.config.cpu_device_num(3)

    def body(x: Any) -> Any:
        parts = flow.advanced.distribute_split(x)
        assert [part.shape for part in parts] == [(2, 6), (1, 6), (1, 6)]
        assert [part.parallel_conf.device_name for part in parts] == [("0:0",), ("0:1",), ("0:2",)]
        copies = flow.advanced.distribute_clone(x)
        total = flow.advanced.distribute_add(copies)
        return flow.advanced.distribute_concat(parts) + total

    module = traced(body)
    placed = [fact(op, "job.placement")["ranks"] for op in ops(module, "flow.slice")]
    assert placed == [["0:0"], ["0:1"], ["0:2"]]


def test_a_function_of_each_part() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:  # type: ignore[valid-type]
        doubled = flow.advanced.distribute_map(x, lambda part: part * 2.0)
        first, _ = flow.advanced.distribute_map([x, doubled], lambda a, b: (a + b, a))
        return first

    np.testing.assert_array_equal(job(np.arange(4, dtype=np.float32)), [0, 3, 6, 9])
