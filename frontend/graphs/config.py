"""The settings of a graph: `self.config` in its `__init__`."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import check_flag, check_integer
from penstock.basics.dtypes import DType, bfloat16, check_dtype, float16
from penstock.basics.errors import located
from penstock.trace.job_config import bytes_of_rank


class GraphConfig:
    """The settings of a graph.

    >>> import penstock as flow
    >>> class Twice(flow.nn.Graph):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.config.enable_amp(True, dtype=flow.bfloat16)
    ...     def build(self, x):
    ...         return x * 2
    >>> Twice().config.amp_dtype
    flow.bfloat16
    """

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._training = False
        self.amp_dtype: DType | None = None
        """The element type of contractions; None to compute in the types of the tensors."""
        self.accumulation_steps = 1
        """The number of parts of a batch whose gradients are added for one update."""
        self.memory: int | None = None
        """The bytes of a rank that a step may take; None for no limit."""

    @property
    def training(self) -> bool:
        """Whether the graph has an optimizer."""
        return self._training

    def _train(self, mode: bool = True) -> None:
        self._training = mode

    def form(self) -> Any:
        """All that the code depends on."""
        return self.amp_dtype, self.accumulation_steps, self.memory

    def enable_amp(self, mode: bool = True, *, dtype: DType = float16) -> None:
        """Compute contractions in this 16-bit type, float16 or bfloat16, and the rest in float32.

        Parameters stay in their type.
        """
        check_flag(mode, "mode of enable_amp")
        if check_dtype(dtype, "dtype of enable_amp") not in (float16, bfloat16):
            raise located(
                ValueError, f"dtype of enable_amp is flow.float16 or flow.bfloat16, got {dtype}"
            )
        self.amp_dtype = dtype if mode else None

    def set_gradient_accumulation_steps(self, value: int) -> None:
        """Divide each batch into this many parts along dimension 0, and update once for all.

        `build` runs on each part; its results are stacked. Each loss counts by 1 / `value`.
        """
        if check_integer(value, "the gradient accumulation steps") < 1:
            raise located(
                ValueError, f"the gradient accumulation steps must be at least 1, got {value}"
            )
        self.accumulation_steps = int(value)

    def set_memory_limit(self, value: int | str) -> None:
        """The bytes of a rank that a step may take, or "machine": what the machine has, by ranks.

        Gradients compute forward ops again, and ranks split values, as far as the limit asks for
        it: the results have the same bits. The first call fails if the limit cannot be met. It is
        `function_config.memory_limit` of jobs. Raises a located TypeError or ValueError if it is
        neither a positive int nor "machine".
        """
        self.memory = bytes_of_rank(value, "set_memory_limit")

    def set_outputs_buffer_size(self, value: int = 2) -> None:
        """Accepted: results are buffered as needed."""
        self._values["outputs_buffer_size"] = check_integer(value, "the size of outputs buffers")

    def _flag(self, name: str, mode: bool) -> None:
        self._values[name] = check_flag(mode, f"mode of {name}")

    def enable_zero(self, mode: bool = True, **options: Any) -> None:
        """Accepted: on one rank there is nothing to share."""
        self._flag("enable_zero", mode)

    def set_zero_redundancy_optimizer_mode(self, mode: str = "distributed_split") -> None:
        """Accepted: on one rank there is nothing to share."""
        self._values["zero"] = mode

    def set_zero_redundancy_optimizer_min_size_after_split(self, value: int) -> None:
        """Accepted: on one rank there is nothing to share."""
        self._values["zero_min_size"] = check_integer(value, "the smallest size")

    def __getattr__(self, name: str) -> Any:
        if name in _KEPT:
            return lambda mode=True, *rest, **named: self._values.__setitem__(name, mode)
        if name.startswith("__"):
            raise AttributeError(name)
        from penstock.basics.errors import did_you_mean

        known = [*_KEPT, *(word for word in dir(type(self)) if not word.startswith("_"))]
        raise located(
            AttributeError, f"the config of a graph has no {name!r}{did_you_mean(name, known)}"
        )

    def __repr__(self) -> str:
        words = [f"training={self._training}, "]
        if self.amp_dtype is not None:
            words.append(f"enable_auto_mixed_precision=True, dtype={self.amp_dtype}, ")
        if self.accumulation_steps != 1:
            words.append(f"num_gradient_accumulation_steps={self.accumulation_steps}, ")
        if self.memory is not None:
            words.append(f"memory_limit={self.memory}, ")
        words += [f"{name}={value}, " for name, value in self._values.items()]
        return f"(CONFIG:config:GraphConfig({''.join(words)}))"


_KEPT = frozenset({
    "allow_fuse_model_update_ops", "allow_fuse_add_to_output", "allow_fuse_cast_scale",
    "enable_cudnn_conv_heuristic_search_algo", "enable_straighten_algorithm",
    "enable_compress_memory", "enable_choose_best_memory_allocation",
    "enable_multi_tensor_update", "enable_fused_model_update_cast", "enable_auto_parallel",
    "enable_auto_parallel_ignore_user_sbp_config", "set_auto_parallel_computation_cost_ratio",
    "set_auto_parallel_wait_time", "enable_auto_parallel_trunk_algo",
    "enable_auto_parallel_sbp_collector", "enable_auto_memory", "proto",
    "disable_straighten_algorithm_in_grad_acc", "enable_xla_jit", "enable_tensorrt",
    "enable_openvino", "set_optimizer_placement_optimization_mode",
})  # fmt: skip
"""Settings that are kept and shown, and change nothing: this build decides itself."""
