"""Wrong settings, scopes, initializers and schedules."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]
optimizer = flow.optimizer


def test_unknown_setting(refused: Refused) -> None:
    with refused(AttributeError, '"gpu_devices"', 'did you mean "gpu_device_num"?'):
        flow.config.gpu_devices(1)  # here


def test_unknown_group_member(refused: Refused) -> None:
    with refused(AttributeError, 'did you mean "collective_boxing.nccl_num_streams"?'):
        flow.config.collective_boxing.num_streams(1)  # here


def test_setting_of_another_type(refused: Refused) -> None:
    with refused(TypeError, "flow.config.gpu_device_num takes an int, got True"):
        flow.config.gpu_device_num(True)  # here


def test_setting_without_value(refused: Refused) -> None:
    with refused(TypeError, "flow.config.cpu_device_num takes an int, got None"):
        flow.config.cpu_device_num()  # here


def test_setting_that_is_no_choice(refused: Refused) -> None:
    with refused(
        ValueError, "function_config.float32_matmul_precision takes one of 'f32', '3x", "'f16'"
    ):
        flow.function_config().float32_matmul_precision("f16")  # here


def test_setting_out_of_range(refused: Refused) -> None:
    with refused(ValueError, "flow.config.cpu_device_num takes at least 1, got 0"):
        flow.config.cpu_device_num(0)  # here


def test_no_machine(refused: Refused) -> None:
    with refused(ValueError, 'takes at least one {"addr": "..."}, got none'):
        flow.env.machine([])  # here


def test_machine_without_address(refused: Refused) -> None:
    with refused(TypeError, 'takes {"addr": "..."}, got the string "10.0.0.1"'):
        flow.env.machine(["10.0.0.1"])  # here


def test_unknown_function_setting(refused: Refused) -> None:
    config = flow.function_config()
    with refused(AttributeError, 'did you mean "enable_inplace"?'):
        config.enable_in_place(True)  # here


def test_function_setting_of_another_type(refused: Refused) -> None:
    config = flow.function_config()
    with refused(TypeError, "function_config.enable_inplace takes a bool, got 1"):
        config.enable_inplace(1)  # here


def test_default_data_type(refused: Refused) -> None:
    config: Any = flow.function_config()
    with refused(TypeError, 'got the string "float32"; write flow.float32'):
        config.default_data_type("float32")  # here


def test_default_view(refused: Refused) -> None:
    config: Any = flow.function_config()
    with refused(TypeError, "flow.scope.consistent_view() or mirrored_view()"):
        config.default_logical_view("consistent")  # here


def test_default_placement(refused: Refused) -> None:
    config: Any = flow.function_config()
    with refused(TypeError, "takes flow.scope.placement(...)"):
        config.default_placement_scope("cpu:0")  # here


def test_default_initializer(refused: Refused) -> None:
    config: Any = flow.function_config()
    with refused(TypeError, "takes an initializer such as flow.zeros_initializer(), got 0"):
        config.default_initializer_conf(0)  # here


def _trace_on(placement: Any) -> None:
    config = flow.function_config()
    config.default_placement_scope(placement)

    @flow.global_function(function_config=config)
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:  # type: ignore[valid-type]
        return x + 1.0

    job.trace()


def test_placement_on_several_gpus(refused: Refused) -> None:
    placed = flow.scope.placement("gpu", "0:0-1")  # here
    with refused(
        ValueError, 'placement("gpu", "0:0-1"): a job runs on one GPU', "set PENSTOCK_GPU=cpu"
    ):
        _trace_on(placed)


def test_placement_on_a_second_simulated_gpu(refused: Refused) -> None:
    placed = flow.scope.placement("gpu-sim", "0:1")  # here
    with refused(ValueError, "and the simulated device is 0:0; place it there"):
        _trace_on(placed)


def test_placement_on_a_device_that_is_not_there(refused: Refused) -> None:
    placed = flow.scope.placement("cpu", "0:0-3")  # here
    flow.config.cpu_device_num(2)
    with refused(
        ValueError, "no device 0:2", "1 machine of 2 devices", "flow.config.cpu_device_num(4)"
    ):
        _trace_on(placed)


def test_placement_on_a_machine_that_is_not_there(refused: Refused) -> None:
    with refused(ValueError, "no device 1:0", "name 2 machines with flow.env.machine"):
        _trace_on(flow.scope.placement("cpu", ["0:0", "1:0"]))  # here


def test_an_unknown_kind_of_gpu(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_GPU", "cuda")
    with refused(ValueError, "PENSTOCK_GPU is 'cuda'", "expected cpu", "or sim"):
        flow.env.current_resource()  # here


def test_unreadable_placement(refused: Refused) -> None:
    with refused(ValueError, '"machine:device"', 'got the string "zero"'):
        flow.scope.placement("cpu", "zero")  # here


@pytest.mark.parametrize("hierarchy", [4, (), (2, 0), (2.0, 2)], ids=str)
def test_hierarchy_that_is_no_mesh(refused: Refused, hierarchy: Any) -> None:
    with refused(TypeError, "hierarchy of flow.scope.placement", "such as (2, 2), got"):
        flow.scope.placement("cpu", "0:0-3", hierarchy)  # here


def test_hierarchy_of_another_number_of_devices(refused: Refused) -> None:
    with refused(ValueError, "has 4 devices", "hierarchy (2, 3) 6", "whose product is 4"):
        flow.scope.placement("cpu", "0:0-3", (2, 3))  # here


def test_placement_on_an_unknown_kind_of_device(refused: Refused) -> None:
    with refused(ValueError, 'takes "cpu", "gpu" or "gpu-sim", got the string "tpu"'):
        flow.scope.placement("tpu", "0:0")  # here


def test_namespace_without_name(refused: Refused) -> None:
    with refused(TypeError, "flow.scope.namespace takes a name"):
        flow.scope.namespace("")  # here


def test_split_with_invalid_axis(refused: Refused) -> None:
    with refused(ValueError, "takes an axis of at least 0, got -1"):
        flow.distribute.split(-1)  # here


def test_shape_that_is_not_a_tuple(refused: Refused) -> None:
    with refused(TypeError, "Numpy.Placeholder must be a tuple or list, got 2; write (2,)"):
        tp.Numpy.Placeholder(2)  # type: ignore[arg-type] # here


def test_dimension_that_is_not_an_int(refused: Refused) -> None:
    with refused(TypeError, "must be an int, got 2.5 in (2.5,)"):
        tp.Numpy.Placeholder((2.5,))  # type: ignore[arg-type] # here


def test_dimension_of_zero(refused: Refused) -> None:
    with refused(ValueError, "must be at least 1, got 0"):
        tp.ListNumpy.Placeholder((2, 0))  # here


def test_placeholder_of_a_type_of_python(refused: Refused) -> None:
    with refused(TypeError, "the dtype of Numpy.Placeholder", "write flow.float64"):
        tp.Numpy.Placeholder((2,), dtype=float)  # here


def test_batch_axis_out_of_range(refused: Refused) -> None:
    with refused(ValueError, "must lie in [-2, 2), got 2"):
        tp.Numpy.Placeholder((2, 3), batch_axis=2)  # here


def test_uniform_with_swapped_bounds(refused: Refused) -> None:
    with refused(ValueError, "needs minval <= maxval, got 1 and -1"):
        flow.random_uniform_initializer(1, -1)  # here


def test_negative_deviation(refused: Refused) -> None:
    with refused(ValueError, "stddev of truncated_normal must be at least 0, got -0.1"):
        flow.truncated_normal(-0.1)  # here


def test_unknown_fan(refused: Refused) -> None:
    with refused(ValueError, '"fan_in", "fan_out", "fan_avg", got the string "fan"'):
        flow.variance_scaling_initializer(1.0, "fan")  # here


def test_invalid_seed(refused: Refused) -> None:
    with refused(TypeError, "a seed must be an int in [0, 2**63), got -1"):
        flow.random_normal_initializer(seed=-1)  # here


def test_integer_constant_with_a_fraction(refused: Refused) -> None:
    with refused(ValueError, "flow.int32 takes an int, got 0.5"):
        flow.constant_initializer(0.5, flow.int32)  # here


def test_negative_penalty(refused: Refused) -> None:
    with refused(ValueError, "the rate of l2 must be at least 0, got -1"):
        flow.regularizers.l2(-1)  # here


def test_values_that_do_not_fit_boundaries(refused: Refused) -> None:
    with refused(ValueError, "one value more than boundaries, got 1 values and 1 boundaries"):
        optimizer.PiecewiseConstantScheduler([10], [0.1])  # here


def test_descending_boundaries(refused: Refused) -> None:
    with refused(ValueError, "boundaries of PiecewiseConstantScheduler must ascend, got [20, 10]"):
        optimizer.PiecewiseConstantScheduler([20, 10], [0.1, 0.2, 0.3])  # here


def test_rate_that_is_not_a_number(refused: Refused) -> None:
    with refused(TypeError, 'must be a number, got the string "fast"'):
        optimizer.CosineScheduler("fast", 10)  # type: ignore[arg-type] # here


def test_schedule_of_no_steps(refused: Refused) -> None:
    with refused(ValueError, "steps of CosineScheduler must be at least 1, got 0"):
        optimizer.CosineScheduler(0.1, 0)  # here


def test_invalid_warmup(refused: Refused) -> None:
    with refused(TypeError, "warmup of CosineScheduler", "got 5"):
        optimizer.CosineScheduler(0.1, 10, warmup=5)  # type: ignore[arg-type] # here


def test_warmup_multiplier_out_of_range(refused: Refused) -> None:
    with refused(ValueError, "must lie in (0, 1), got 1.0"):
        optimizer.warmup.constant(5, 1.0)  # here
