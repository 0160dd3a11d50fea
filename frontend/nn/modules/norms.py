"""Normalizations as layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from penstock.basics.checks import check_flag
from penstock.basics.dtypes import DType, float64, int64
from penstock.basics.errors import located
from penstock.nn.functional import normalizing as F
from penstock.nn.functional.activations import relu
from penstock.nn.functional.constants import check_count, with_samples, without_samples
from penstock.nn.modules.faces import in_jobs
from penstock.nn.modules.initial import fill, new
from penstock.nn.modules.module import Module
from penstock.nn.modules.parameter import Parameter
from penstock.tensor_functions.calls import as_type
from penstock.tensor_functions.pointwise import add, div
from penstock.tensors.creation import ones, zeros
from penstock.tensors.inplace import assign
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor


class _Channels(Module):
    """Base of normalizations with a weight, a bias and a running mean for each channel."""

    _space: ClassVar[int] = 0
    weight: Parameter | None
    bias: Parameter | None
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    def __init__(
        self, num_features: int, eps: float, momentum: float | None, affine: bool,
        track_running_stats: bool, device: Any, dtype: DType | None,
    ) -> None:  # fmt: skip
        super().__init__()
        what = f"flow.nn.{type(self).__name__}"
        self.num_features = count = check_count(num_features, "num_features", what)
        self.eps = eps
        self.momentum = momentum
        self.affine = check_flag(affine, f"affine of {what}")
        self.track_running_stats = check_flag(track_running_stats, f"track_running_stats of {what}")
        for word in ("weight", "bias"):
            self.register_parameter(word, new((count,), dtype, device) if affine else None)
        tracked = self.track_running_stats
        self.register_buffer("running_mean", zeros(count, dtype=dtype) if tracked else None)
        self.register_buffer("running_var", ones(count, dtype=dtype) if tracked else None)
        number = zeros((), dtype=int64) if tracked else None
        self.register_buffer("num_batches_tracked", number)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Reset the running mean and variance to 0 and 1."""
        for buffer, value in (
            (self.running_mean, 0), (self.running_var, 1), (self.num_batches_tracked, 0),
        ):  # fmt: skip
            if buffer is not None:
                fill(buffer, value)

    def reset_parameters(self) -> None:
        """Reset: weight 1, bias 0."""
        self.reset_running_stats()
        if self.weight is not None:
            fill(self.weight, 1)
        if self.bias is not None:
            fill(self.bias, 0)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )


class _BatchNorm(_Channels):
    _ranks: ClassVar[tuple[int, ...]] = ()

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1,
        affine: bool = True, track_running_stats: bool = True, device: Any = None,
        dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        if len(input.shape) not in self._ranks:
            words = " or ".join(map(str, self._ranks))
            raise located(
                ValueError,
                f"flow.nn.{type(self).__name__} takes an input of {words} dimensions, got shape "
                f"{tuple(input.shape)}",
            )
        share = self._share()
        own = self.training or self.running_mean is None
        moves = not self.training or self.track_running_stats
        mean, variance = (self.running_mean, self.running_var) if moves else (None, None)
        return F.batch_norm(input, mean, variance, self.weight, self.bias, own, share, self.eps)

    def _share(self) -> float | Tensor:
        """Count this batch, and return the step size of the running mean."""
        batches = self.num_batches_tracked
        if not self.training or batches is None:
            return 0.0 if self.momentum is None else self.momentum
        with no_grad():
            number = add(batches, 1)
            assign(batches, number, f"flow.nn.{type(self).__name__}")
        # In float64, since a quotient of float32 would round the statistics of float64 layers.
        return self.momentum if self.momentum is not None else div(1.0, as_type(number, float64))


class BatchNorm1d(_BatchNorm):
    """Batch normalization of [n, channels] or [n, channels, width]: see `BatchNorm2d`."""

    _ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalization of [n, channels, height, width]: see `flow.nn.functional.batch_norm`.

    In training it normalizes by the mean and variance of the batch, and updates running ones: by
    `momentum`, or as the mean of all batches if that is None. After `eval()` it uses the running
    ones.

    >>> import penstock as flow
    >>> layer = flow.nn.BatchNorm2d(3)
    >>> layer(flow.randn(2, 3, 4, 4)).shape, layer.num_batches_tracked.item()
    (penstock.Size([2, 3, 4, 4]), 1)
    """

    _ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Batch normalization of [n, channels, depth, height, width]: see `BatchNorm2d`."""

    _ranks = (5,)


class _Fused(_BatchNorm):
    """Batch normalization, of which `relu` is taken, after adding `addend` if it is given."""

    def forward(self, input: Tensor, addend: Tensor | None = None) -> Tensor:
        y = super().forward(input)
        return relu(y if addend is None else add(y, addend))


class FusedBatchNorm1d(_Fused, BatchNorm1d):
    """relu(batch_norm(x) + addend), where the second argument of a call is optional."""


class FusedBatchNorm2d(_Fused, BatchNorm2d):
    """relu(batch_norm(x) + addend), where the second argument of a call is optional.

    >>> import penstock as flow
    >>> layer = flow.nn.FusedBatchNorm2d(1)
    >>> x = flow.tensor([[[[-1.0, 1.0]]]])
    >>> layer(x).round().tolist(), layer(x, x).round().tolist()
    ([[[[0.0, 1.0]]]], [[[[0.0, 2.0]]]])
    """


class FusedBatchNorm3d(_Fused, BatchNorm3d):
    """relu(batch_norm(x) + addend), where the second argument of a call is optional."""


class SyncBatchNorm(_BatchNorm):
    """Batch normalization over all ranks; as there is only one, it equals ordinary batch norm."""

    _ranks = (2, 3, 4, 5)

    @classmethod
    def convert_sync_batchnorm(cls, module: Any, process_group: Any = None) -> Any:
        """The module with all its batch normalizations converted to this class."""
        made = module
        if isinstance(module, _BatchNorm) and not isinstance(module, SyncBatchNorm):
            made = cls(
                module.num_features, module.eps, module.momentum, module.affine,
                module.track_running_stats,
            )  # fmt: skip
            made._parameters.update(module._parameters)
            made._buffers.update(module._buffers)
            made.training = module.training
        for name, child in module.named_children():
            made._modules[name] = cls.convert_sync_batchnorm(child)
        return made


class _InstanceNorm(_Channels):
    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1,
        affine: bool = False, track_running_stats: bool = False, device: Any = None,
        dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        x, was_added = with_samples(input, self._space, f"flow.nn.{type(self).__name__}")
        if x.shape[1] != self.num_features:
            raise located(
                ValueError,
                f"flow.nn.{type(self).__name__} takes {self.num_features} channels, got shape "
                f"{tuple(input.shape)}",
            )
        own = self.training or not self.track_running_stats
        share = 0.0 if self.momentum is None else self.momentum
        y = F.instance_norm(
            x, self.running_mean, self.running_var, self.weight, self.bias, own, share, self.eps
        )
        return without_samples(y, was_added)


@in_jobs("penstock.networks.norms:InstanceNorm1d")
class InstanceNorm1d(_InstanceNorm):
    """Normalization of each channel of each sample of [n, channels, width], or without n."""

    _space = 1


@in_jobs("penstock.networks.norms:InstanceNorm2d")
class InstanceNorm2d(_InstanceNorm):
    """Normalization of each channel of each sample of [n, channels, height, width], or without n.

    >>> import penstock as flow
    >>> flow.nn.InstanceNorm2d(1, eps=0.0)(flow.tensor([[[[1.0, 3.0]]]]))
    tensor([[[[-1.,  1.]]]], dtype=penstock.float32)
    """

    _space = 2


@in_jobs("penstock.networks.norms:InstanceNorm3d")
class InstanceNorm3d(_InstanceNorm):
    """Normalization of each channel of each sample of [n, channels, depth, height, width]."""

    _space = 3


@in_jobs("penstock.networks.norms:GroupNorm")
class GroupNorm(Module):
    """Normalization of each sample over the channels of a group and all further dimensions.

    >>> import penstock as flow
    >>> flow.nn.GroupNorm(2, 6)(flow.randn(2, 6, 4)).shape
    penstock.Size([2, 6, 4])
    """

    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
        device: Any = None, dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        what = "flow.nn.GroupNorm"
        self.num_groups = check_count(num_groups, "num_groups", what)
        self.num_channels = check_count(num_channels, "num_channels", what)
        if self.num_channels % self.num_groups:
            raise located(
                ValueError,
                f"num_groups of {what} must divide num_channels {num_channels}, got {num_groups}",
            )
        self.eps = eps
        self.affine = check_flag(affine, f"affine of {what}")
        for word in ("weight", "bias"):
            self.register_parameter(
                word, new((self.num_channels,), dtype, device) if affine else None
            )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset: weight 1, bias 0."""
        if self.weight is not None and self.bias is not None:
            fill(self.weight, 1)
            fill(self.bias, 0)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"


class LayerNorm(Module):
    """Normalization over the last dimensions, of shape `normalized_shape`.

    >>> import penstock as flow
    >>> flow.nn.LayerNorm(2, eps=0.0)(flow.tensor([[1.0, 3.0]])).tolist()
    [[-1.0, 1.0]]
    """

    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self, normalized_shape: int | Sequence[int], eps: float = 1e-5,
        elementwise_affine: bool = True, bias: bool = True, device: Any = None,
        dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        what = "flow.nn.LayerNorm"
        self.normalized_shape = F.shape_of(normalized_shape, what)
        self.eps = eps
        self.elementwise_affine = check_flag(elementwise_affine, f"elementwise_affine of {what}")
        wanted = {"weight": elementwise_affine, "bias": elementwise_affine and bias}
        for word, is_wanted in wanted.items():
            made = new(self.normalized_shape, dtype, device) if is_wanted else None
            self.register_parameter(word, made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset: weight 1, bias 0."""
        if self.weight is not None:
            fill(self.weight, 1)
        if self.bias is not None:
            fill(self.bias, 0)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class RMSNorm(Module):
    """x / sqrt(mean of x squared + eps), times a weight, over the last dimensions."""

    weight: Parameter | None

    def __init__(
        self, normalized_shape: int | Sequence[int], eps: float | None = 1e-6,
        elementwise_affine: bool = True, device: Any = None, dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        what = "flow.nn.RMSNorm"
        self.normalized_shape = F.shape_of(normalized_shape, what)
        self.eps = eps
        self.elementwise_affine = check_flag(elementwise_affine, f"elementwise_affine of {what}")
        made = new(self.normalized_shape, dtype, device) if elementwise_affine else None
        self.register_parameter("weight", made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset: weight 1."""
        if self.weight is not None:
            fill(self.weight, 1)

    def forward(self, input: Tensor) -> Tensor:
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class RMSLayerNorm(RMSNorm):
    """`RMSNorm` over the last dimension, of `hidden_size`, as in T5: Raffel et al., 2019."""

    def __init__(self, hidden_size: int, eps: float = 1e-6) -> None:
        super().__init__(check_count(hidden_size, "hidden_size", "flow.nn.RMSLayerNorm"), eps)
