"""`flow.function_config()`: settings of one job function."""

from __future__ import annotations

import copy
import os
from typing import Any

from penstock.basics.dtypes import DType, check_dtype
from penstock.basics.errors import kind_of, located
from penstock.basics.notices import tell_once
from penstock.basics.settings import Setting, Settings, count, flag, text
from penstock.process import devices
from penstock.scope import Placement, View

_CPU = "this build runs on the CPU; the value is kept and changes nothing"
_ONE_RANK = "this build runs as one rank; the value is kept and changes nothing"
_PLANNED = "this build plans buffers when it compiles; the value is kept and changes nothing"
_FUSED = "this build decides itself what to fuse; the value is kept and changes nothing"
_NO_QUANTIZATION = "this build has no quantization; the value is kept and changes nothing"
_OWN_COMPILER = "this build compiles every job itself; the value is kept and changes nothing"
_ADDED = "flow.losses.add_loss learns by it"
_ROWS = "optimizers leave the rows alone that no index touched"
_NO_EFFECT = "has no effect"

_PRECISIONS = ("f32", "3xtf32", "tf32")
_ON_GPUS = "so do tensor cores of a GPU multiply factors of float32"

_TABLE: dict[str, Setting] = {
    "allow_cpu_return_op": flag("every result is returned on the CPU; the value is kept"),
    "enable_auto_mixed_precision": flag(
        "this build computes in the types the job names; the value is kept and changes nothing"
    ),
    "enable_inplace": flag(_PLANNED),
    "enable_inplace_in_reduce_struct": flag(_PLANNED),
    "enable_reused_mem": flag(_PLANNED),
    "use_memory_allocation_algorithm_v2": flag(_PLANNED),
    "enable_cudnn": flag(_CPU),
    "enable_nccl": flag(_CPU),
    "enable_cudnn_fused_normalization_add_relu": flag(_CPU),
    "cudnn_buf_limit_mbyte": count(_CPU),
    "cudnn_conv_force_fwd_algo": count(_CPU),
    "cudnn_conv_force_bwd_data_algo": count(_CPU),
    "cudnn_conv_force_bwd_filter_algo": count(_CPU),
    "cudnn_conv_heuristic_search_algo": flag(_CPU),
    "cudnn_conv_use_deterministic_algo_only": flag(_CPU),
    "cudnn_conv_enable_pseudo_half": flag(_CPU),
    "cudnn_conv_enable_true_half": flag(_CPU),
    "enable_float_compute_for_half_gemm": flag(_CPU),
    "do_parallel_cast_before_widening_type_cast": flag(_ONE_RANK),
    "enable_keep_header_only": flag(),
    "concurrency_width": count(_ONE_RANK, lowest=1),
    "prune_parallel_cast_ops": flag(_FUSED),
    "prune_cast_to_static_shape_ops": flag(_FUSED),
    "enable_fuse_add_to_output": flag(_FUSED),
    "enable_fuse_cast_scale": flag(_FUSED),
    "enable_fuse_model_update_ops": flag(_FUSED),
    "enable_gradients_stats_aggregation": flag(_FUSED),
    "optimizer_placement_optimization_mode": text(_ONE_RANK),
    "optimizer_placement_optimization_threshold": count(_ONE_RANK),
    "enable_non_distributed_optimizer": flag(_ONE_RANK),
    "indexed_slices_optimizer_conf": Setting(dict, _ROWS, works=True),
    "enable_qat": flag(_NO_QUANTIZATION),
    "qat.per_channel_weight_quantization": flag(_NO_QUANTIZATION),
    "qat.symmetric": flag(_NO_QUANTIZATION),
    "qat.moving_min_max_momentum": Setting(float, _NO_QUANTIZATION),
    "qat.moving_min_max_stop_update_after_iters": count(_NO_QUANTIZATION),
    "use_xla_jit": flag(_OWN_COMPILER),
    "use_tensorrt": flag(_OWN_COMPILER),
    "tensorrt.use_fp16": flag(_OWN_COMPILER),
    "tensorrt.use_int8": flag(_OWN_COMPILER),
    "tensorrt.int8_calibration": text(_OWN_COMPILER),
    "float32_matmul_precision": Setting(str, _ON_GPUS, choices=_PRECISIONS, works=True),
    "train.primary_lr": Setting(float, _ADDED, works=True),
    "train.secondary_lr": Setting(float, "all variables learn at the primary rate"),
    "train.model_update_conf": Setting(dict, _ADDED, works=True),
    "train.loss_scale_factor": Setting(float, _ADDED, works=True),
    "use_boxing_v2": flag(_NO_EFFECT),
    "all_reduce_lazy_ratio": Setting(float, _NO_EFFECT),
    "all_reduce_group_num": count(_NO_EFFECT),
    "all_reduce_group_min_mbyte": count(_NO_EFFECT),
    "all_reduce_group_size_warmup": Setting(float, _NO_EFFECT),
    "all_reduce_fp16": flag(_NO_EFFECT),
    "use_nccl_inter_node_communication": flag(_NO_EFFECT),
    "disable_all_reduce_sequence": flag(_NO_EFFECT),
    "non_distributed_optimizer_group_size_mbyte": count(_NO_EFFECT),
}

_METHODS = (
    "default_data_type",
    "default_logical_view",
    "default_placement_scope",
    "default_initializer_conf",
    "memory_limit",
)


def bytes_of_rank(limit: object, what: str) -> int:
    """The bytes of a rank that a limit says, an int or "machine"; `what` takes it.

    Raises a located TypeError or ValueError for anything else.
    """
    if limit == "machine":
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return total // devices.ranks_of_machine()
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise located(TypeError, f'{what} takes bytes as an int, or "machine", got {limit!r}')
    if limit < 1:
        raise located(ValueError, f"{what} takes at least 1 byte, got {limit}")
    return limit


class FunctionConfig:
    """Settings of one job function, given to `global_function(function_config=...)`.

    >>> import penstock as flow
    >>> config = flow.function_config()
    >>> config.default_data_type(flow.float)
    """

    def __init__(self) -> None:
        self._settings = Settings("function_config", _TABLE, also=_METHODS)
        self.data_type: DType | None = None
        self.logical_view: View | None = None
        self.placement: Placement | None = None
        self.initializer: dict[str, Any] | None = None
        self.memory: int | None = None
        """The bytes of a rank that a step may take; None for no limit."""

    def memory_limit(self, limit: int | str) -> None:
        """The bytes of a rank that a step may take, or "machine": what the machine has, by ranks.

        Gradients compute forward ops again, and ranks split values, as far as the limit asks for
        it. Machines of one run are taken to be alike. Raises a located TypeError or ValueError if
        it is neither a positive int nor "machine".
        """
        self.memory = bytes_of_rank(limit, "memory_limit")

    def default_data_type(self, dtype: DType) -> None:
        """The element type of variables made with `dtype=None`."""
        self.data_type = check_dtype(dtype, "default_data_type")

    def default_logical_view(self, view: View) -> None:
        """The view in which the body runs; on one rank both are the same."""
        if not isinstance(view, View):
            raise located(
                TypeError,
                "default_logical_view takes flow.scope.consistent_view() or mirrored_view(), "
                f"got {kind_of(view)}",
            )
        self.logical_view = view

    def default_distribute_strategy(self, view: View) -> None:
        """Deprecated name of `default_logical_view`."""
        tell_once(
            "default_distribute_strategy",
            "default_distribute_strategy is deprecated; use default_logical_view instead",
        )
        self.default_logical_view(view)

    def default_placement_scope(self, placement: Placement) -> None:
        """The placement in which the body runs."""
        if not isinstance(placement, Placement):
            raise located(
                TypeError,
                "default_placement_scope takes flow.scope.placement(...), "
                f"got {kind_of(placement)}",
            )
        self.placement = placement

    def default_initializer_conf(self, initializer: dict[str, Any]) -> None:
        """The initializer of variables without one."""
        if not isinstance(initializer, dict) or "kind" not in initializer:
            raise located(
                TypeError,
                "default_initializer_conf takes an initializer such as "
                f"flow.zeros_initializer(), got {kind_of(initializer)}",
            )
        self.initializer = initializer

    @property
    def training(self) -> dict[str, Any]:
        """The settings `train.*` that were made, by the rest of their names."""
        pairs = ((name.partition("."), value) for name, value in self._settings.values.items())
        return {name: value for (group, _, name), value in pairs if group == "train"}

    @property
    def precision(self) -> str | None:
        """How a GPU multiplies factors of float32; None if nothing was set.

        `flow.config.enable_tensor_float_32_compute(True)` has all jobs multiply in TF32 that do not
        say otherwise.
        """
        own = self._settings.values.get("float32_matmul_precision")
        if own is None and devices.settings.get("enable_tensor_float_32_compute"):
            return "tf32"
        return own

    @property
    def indexed_rows(self) -> list[str]:
        """The variables of whose rows only those are updated that indices touched."""
        found = self._settings.values.get("indexed_slices_optimizer_conf")
        if found is None or found.get("enable") is False:
            return []
        inner = found.get("include_op_names")
        names: Any = inner.get("op_name") if isinstance(inner, dict) else None
        is_list = isinstance(names, list | tuple) and all(isinstance(one, str) for one in names)
        if not is_list or found.keys() - {"enable", "include_op_names"}:
            raise located(
                ValueError,
                "indexed_slices_optimizer_conf takes dict(include_op_names=dict(op_name=[...])), "
                f"with names of variables, got {found}",
            )
        return list(names)

    @property
    def trains(self) -> bool:
        """Whether such a setting was made."""
        return bool(self.training)

    def clone(self) -> FunctionConfig:
        """A copy that later changes of this one do not affect."""
        config = FunctionConfig()
        config._settings.values.update(copy.deepcopy(self._settings.values))
        config.data_type, config.logical_view = self.data_type, self.logical_view
        config.placement, config.initializer = self.placement, self.initializer
        config.memory = self.memory
        return config

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._settings.find(name)


def function_config() -> FunctionConfig:
    """A new `FunctionConfig`."""
    return FunctionConfig()
