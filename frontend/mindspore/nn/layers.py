"""Cells with parameters: dense layers, convolutions, embeddings, norms; and dropout."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import check_count, check_flag, is_integer
from penstock.basics.errors import kind_of, located
from penstock.mindspore import ops
from penstock.mindspore.formulas import channels_first, check_format
from penstock.mindspore.initializer import initializer
from penstock.mindspore.nn.activations import get_activation
from penstock.mindspore.nn.cell import Cell
from penstock.mindspore.parameter import Parameter
from penstock.mindspore.tensor import Tensor, faced, plain
from penstock.nn import functional as F


def _new(init: Any, shape: tuple[int, ...], name: str, trained: bool = True) -> Parameter:
    return Parameter(initializer(init, shape), name=name, requires_grad=trained)


def _pair(value: Any, what: str) -> tuple[int, int]:
    """Height and width from an int or a pair."""
    found = (value, value) if is_integer(value) else value
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise located(TypeError, f"{what} must be an int or a tuple of two, got {kind_of(value)}")
    return check_count(found[0], what), check_count(found[1], what)


class Dense(Cell):
    """A dense layer: x @ weight.T + bias, then an activation.

    x has shape (..., in_channels), the weight (out_channels, in_channels).

    >>> import penstock.mindspore as ms
    >>> layer = ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    >>> print(layer(ms.Tensor([[1.0, 2.0]])))
    [[3.]]
    """

    def __init__(
        self, in_channels: int, out_channels: int, weight_init: Any = "normal",
        bias_init: Any = "zeros", has_bias: bool = True, activation: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.in_channels = check_count(in_channels, "in_channels of Dense")
        self.out_channels = check_count(out_channels, "out_channels of Dense")
        self.has_bias = check_flag(has_bias, "has_bias of Dense")
        self.weight = _new(weight_init, (out_channels, in_channels), "weight")
        if has_bias:
            self.bias = _new(bias_init, (out_channels,), "bias")
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, x: Tensor) -> Any:
        bias = plain(self.bias) if self.has_bias else None
        made: Tensor = faced(F.linear(plain(x), plain(self.weight), bias))
        return made if self.activation is None else self.activation(made)

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"has_bias={self.has_bias}"
        )


class _Conv(Cell):
    """Base of convolutions."""

    transposed = False

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
        pad_mode: str = "same", padding: Any = 0, dilation: Any = 1, group: int = 1,
        has_bias: bool = False, weight_init: Any = "normal", bias_init: Any = "zeros",
        data_format: str = "NCHW",
    ) -> None:  # fmt: skip
        super().__init__()
        what = self.cls_name
        self.in_channels = check_count(in_channels, f"in_channels of {what}")
        self.out_channels = check_count(out_channels, f"out_channels of {what}")
        self.group = check_count(group, f"group of {what}")
        if in_channels % group or out_channels % group:
            raise located(
                ValueError,
                f"in_channels and out_channels of {what} must be multiples of group, {group}, got "
                f"{in_channels} and {out_channels}",
            )
        self.data_format = check_format(data_format)
        self.kernel_size = _pair(kernel_size, f"kernel_size of {what}")
        self.stride = _pair(stride, f"stride of {what}")
        self.dilation = _pair(dilation, f"dilation of {what}")
        self.pad_mode, self.padding = pad_mode, padding
        self.has_bias = check_flag(has_bias, f"has_bias of {what}")
        first, second = out_channels, in_channels // group
        if self.transposed:
            first, second = in_channels, out_channels // group
        shape = (first, second, *self.kernel_size)
        if data_format == "NHWC":
            if self.transposed:
                raise located(ValueError, f'data_format of {what} must be "NCHW", got "NHWC"')
            shape = (first, *self.kernel_size, second)
        self.weight = _new(weight_init, shape, "weight")
        if has_bias:
            self.bias = _new(bias_init, (out_channels,), "bias")

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
            f"padding={self.padding}, dilation={self.dilation}, group={self.group}, "
            f"has_bias={self.has_bias}"
        )


class Conv2d(_Conv):
    """A convolution of (N, C, H, W) by a weight of (out_channels, in_channels / group, kh, kw).

    By default it pads to keep H / stride and W / stride ("same"), and has no bias. `pad_mode` "pad"
    takes a `padding` of an int or (top, bottom, left, right), and "valid" pads nothing. With
    `data_format` "NHWC", channels are last in x, and in the weight.

    >>> import numpy as np
    >>> import penstock.mindspore as ms
    >>> conv = ms.nn.Conv2d(1, 2, 2, pad_mode="valid", weight_init="ones")
    >>> conv(ms.Tensor(np.ones([1, 1, 2, 2], np.float32))).asnumpy().ravel()
    array([4., 4.], dtype=float32)
    """

    def construct(self, x: Tensor) -> Any:
        made = ops.Conv2D(
            self.out_channels, self.kernel_size, pad_mode=self.pad_mode, pad=self.padding,
            stride=self.stride, dilation=self.dilation, group=self.group,
            data_format=self.data_format,
        )(x, self.weight)  # fmt: skip
        return ops.BiasAdd(self.data_format)(made, self.bias) if self.has_bias else made


class Conv2dTranspose(_Conv):
    """A transposed convolution; the weight has shape (in_channels, out_channels / group, kh, kw).

    With `pad_mode` "same" the result is H * stride high; with "valid" it has all that the kernel
    reaches; "pad" takes a `padding` of an int off each side.
    """

    transposed = True

    def construct(self, x: Tensor) -> Any:
        reach = [d * (k - 1) + 1 for k, d in zip(self.kernel_size, self.dilation, strict=True)]
        cut = [(self.padding, self.padding)] * 2
        if self.pad_mode != "pad":
            over = [max(r - s, 0) for r, s in zip(reach, self.stride, strict=True)]
            cut = [(n // 2, n - n // 2) for n in over]
            if self.pad_mode == "valid":
                cut = [(0, 0), (0, 0)]
        bias = plain(self.bias) if self.has_bias else None
        made = F.conv_transpose2d(
            plain(x), plain(self.weight), bias, self.stride, 0, 0, self.group, self.dilation
        )
        if self.pad_mode != "pad":
            short = [max(s - r, 0) for r, s in zip(reach, self.stride, strict=True)]
            made = F.pad(made, [0, short[1], 0, short[0]]) if any(short) else made
        (top, bottom), (left, right) = cut
        rows, columns = made.shape[2:]
        return faced(made[:, :, top : rows - bottom, left : columns - right])


class Embedding(Cell):
    """Rows of a table of (vocab_size, embedding_size), by index; `padding_idx` is a row of zeros.

    >>> import penstock.mindspore as ms
    >>> layer = ms.nn.Embedding(3, 2, embedding_table="ones")
    >>> print(layer(ms.Tensor([0, 2])))
    [[1. 1.]
     [1. 1.]]
    """

    def __init__(
        self, vocab_size: int, embedding_size: int, use_one_hot: bool = False,
        embedding_table: Any = "normal", dtype: Any = None, padding_idx: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.vocab_size = check_count(vocab_size, "vocab_size of Embedding")
        self.embedding_size = check_count(embedding_size, "embedding_size of Embedding")
        table = initializer(embedding_table, (vocab_size, embedding_size))
        if padding_idx is not None:
            if not is_integer(padding_idx) or not 0 <= padding_idx < vocab_size:
                raise located(
                    ValueError,
                    f"padding_idx of Embedding must lie in [0, {vocab_size}), got "
                    f"{kind_of(padding_idx)}",
                )
            table[padding_idx] = 0.0
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, ids: Tensor) -> Any:
        return ops.Gather()(self.embedding_table, ids, 0)

    def extend_repr(self) -> str:
        return f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}"


class _BatchNorm(Cell):
    """Base of batch normalizations."""

    rank: int

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros", moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones", use_batch_statistics: bool | None = None,
        data_format: str = "NCHW",
    ) -> None:  # fmt: skip
        super().__init__()
        shape = (check_count(num_features, f"num_features of {self.cls_name}"),)
        if not 0 <= momentum <= 1:
            raise located(
                ValueError, f"momentum of {self.cls_name} must lie in [0, 1], got {momentum}"
            )
        self.data_format = check_format(data_format)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.use_batch_statistics = use_batch_statistics
        self.moving_mean = _new(moving_mean_init, shape, "mean", False)
        self.moving_variance = _new(moving_var_init, shape, "variance", False)
        self.gamma = _new(gamma_init, shape, "gamma", affine)
        self.beta = _new(beta_init, shape, "beta", affine)

    def construct(self, x: Tensor) -> Any:
        if len(x.shape) != self.rank:
            raise located(
                ValueError,
                f"{self.cls_name} takes a tensor of rank {self.rank}, got shape {x.shape}",
            )
        uses_batch = self.use_batch_statistics
        uses_batch = self.training if uses_batch is None else uses_batch
        is_last = self.data_format == "NHWC"
        made: Tensor = faced(
            F.batch_norm(
                channels_first(plain(x)) if is_last else plain(x), plain(self.moving_mean),
                plain(self.moving_variance), plain(self.gamma), plain(self.beta), uses_batch,
                1 - self.momentum, self.eps,
            )
        )  # fmt: skip
        return made.transpose(0, 2, 3, 1) if is_last else made

    def extend_repr(self) -> str:
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}"


class BatchNorm1d(_BatchNorm):
    """Normalizes each feature of (N, C): by the batch in training, else by the moving statistics.

    A moving statistic becomes `momentum` of itself plus 1 - `momentum` of the batch's.
    """

    rank = 2


class BatchNorm2d(_BatchNorm):
    """Normalizes each channel of (N, C, H, W), as `BatchNorm1d` each feature.

    With `data_format` "NHWC", channels are last.
    """

    rank = 4


class LayerNorm(Cell):
    """Normalizes over the last dimensions, whose shape is `normalized_shape`."""

    def __init__(
        self, normalized_shape: Any, begin_norm_axis: int = -1, begin_params_axis: int = -1,
        gamma_init: Any = "ones", beta_init: Any = "zeros", epsilon: float = 1e-7,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = tuple(normalized_shape)
        self.begin_norm_axis, self.begin_params_axis = begin_norm_axis, begin_params_axis
        self.epsilon = epsilon
        self.gamma = _new(gamma_init, self.normalized_shape, "gamma")
        self.beta = _new(beta_init, self.normalized_shape, "beta")

    def construct(self, x: Tensor) -> Any:
        norm = ops.LayerNorm(self.begin_norm_axis, self.begin_params_axis, self.epsilon)
        return norm(x, self.gamma, self.beta)[0]


class GroupNorm(Cell):
    """Normalizes the channels of (N, C, H, W) in groups."""

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros",
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_groups = check_count(num_groups, "num_groups of GroupNorm")
        self.num_channels, self.eps = check_count(num_channels, "num_channels of GroupNorm"), eps
        self.gamma = _new(gamma_init, (num_channels,), "gamma", affine)
        self.beta = _new(beta_init, (num_channels,), "beta", affine)

    def construct(self, x: Tensor) -> Any:
        return faced(
            F.group_norm(plain(x), self.num_groups, plain(self.gamma), plain(self.beta), self.eps)
        )


class PReLU(Cell):
    """x where it is positive, else x times a weight, one or one for each channel."""

    def __init__(self, channel: int = 1, w: Any = 0.25) -> None:
        super().__init__()
        self.w = _new(w, (check_count(channel, "channel of PReLU"),), "a")

    def construct(self, x: Tensor) -> Any:
        return ops.PReLU()(x, self.w)


class Dropout(Cell):
    """In training, keeps elements with probability `keep_prob` and divides them by it."""

    def __init__(self, keep_prob: float = 0.5, dtype: Any = None) -> None:
        super().__init__()
        if not isinstance(keep_prob, int | float) or not 0 < keep_prob <= 1:
            raise located(
                ValueError, f"keep_prob of Dropout must lie in (0, 1], got {kind_of(keep_prob)}"
            )
        self.keep_prob = keep_prob

    def construct(self, x: Tensor) -> Any:
        return faced(F.dropout(plain(x), 1 - self.keep_prob, self.training))

    def extend_repr(self) -> str:
        return f"keep_prob={self.keep_prob}"
