"""Convolutions and transposed convolutions as layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from penstock.basics.checks import check_flag
from penstock.basics.dtypes import DType
from penstock.basics.errors import kind_of, located
from penstock.nn.functional import convolution as F
from penstock.nn.functional.constants import check_count, several
from penstock.nn.functional.padding import pad
from penstock.nn.modules.initial import draw_bias, draw_weight, new
from penstock.nn.modules.module import Module
from penstock.nn.modules.parameter import Parameter
from penstock.tensors.tensor import Tensor

Ints = int | Sequence[int]
_MODES = ("zeros", "reflect", "replicate", "circular")


class _Conv(Module):
    """Base of convolutions over `_space` dimensions."""

    _space: ClassVar[int] = 0
    _turned: ClassVar[bool] = False
    weight: Parameter
    bias: Parameter | None

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Ints, stride: Ints,
        padding: Ints | str, dilation: Ints, groups: int, bias: bool, padding_mode: str,
        dtype: DType | None, device: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        what = f"flow.nn.{type(self).__name__}"
        space = self._space
        self.in_channels = check_count(in_channels, "in_channels", what)
        self.out_channels = check_count(out_channels, "out_channels", what)
        self.kernel_size = tuple(several(kernel_size, space, "kernel_size", what))
        self.stride = tuple(several(stride, space, "stride", what))
        self.dilation = tuple(several(dilation, space, "dilation", what))
        self.groups = check_count(groups, "groups", what)
        F.pairs_of(padding, list(self.kernel_size), list(self.stride), list(self.dilation), what)
        self.padding: str | tuple[int, ...] = (
            padding
            if isinstance(padding, str)
            else tuple(several(padding, space, "padding", what, 0))
        )
        if self.in_channels % self.groups or self.out_channels % self.groups:
            raise located(
                ValueError,
                f"in_channels and out_channels of {what} must divide by groups {groups}, got "
                f"{in_channels} and {out_channels}",
            )
        if padding_mode not in _MODES or (self._turned and padding_mode != "zeros"):
            words = ", ".join(f'"{mode}"' for mode in (_MODES[:1] if self._turned else _MODES))
            raise located(
                ValueError, f"padding_mode of {what} must be {words}, got {kind_of(padding_mode)}"
            )
        self.padding_mode = padding_mode
        first, second = self.out_channels, self.in_channels
        if self._turned:
            first, second = second, first
        self.weight = new((first, second // self.groups, *self.kernel_size), dtype, device)
        has_bias = check_flag(bias, f"bias of {what}")
        self.register_parameter("bias", new((self.out_channels,), dtype) if has_bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        draw_weight(self.weight)
        draw_bias(self.bias, self.weight)

    def forward(self, input: Tensor) -> Tensor:
        return self.convolved(input, self.weight)

    def convolved(self, input: Tensor, weight: Tensor) -> Tensor:
        """The convolution with this weight instead of the layer's own."""
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            pairs = F.pairs_of(
                padding, list(self.kernel_size), list(self.stride), list(self.dilation), "a layer"
            )
            around = [n for pair in reversed(pairs) for n in pair]
            input = pad(input, around, self.padding_mode)
            padding = 0
        return F.convolution(
            self._space, input, weight, self.bias, self.stride, padding, self.dilation,
            self.groups,
        )  # fmt: skip

    def extra_repr(self) -> str:
        words = (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}"
        )
        ones, zeros = (1,) * self._space, (0,) * self._space
        for word, default in (
            ("padding", zeros), ("dilation", ones), ("output_padding", zeros), ("groups", 1),
        ):  # fmt: skip
            value = (
                getattr(self, word, default) if word == "output_padding" else getattr(self, word)
            )
            if value != default:
                words += f", {word}={value}"
        if self.bias is None:
            words += ", bias=False"
        if self.padding_mode != "zeros":
            words += f", padding_mode={self.padding_mode}"
        return words


class _Straight(_Conv):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Ints, stride: Ints = 1,
        padding: Ints | str = 0, dilation: Ints = 1, groups: int = 1, bias: bool = True,
        padding_mode: str = "zeros", device: Any = None, dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
            padding_mode, dtype, device,
        )  # fmt: skip


class Conv1d(_Straight):
    """The convolution of [n, channels, width]: see `Conv2d`."""

    _space = 1


class Conv2d(_Straight):
    """The convolution of [n, channels, height, width]: see `flow.nn.functional.conv2d`.

    `weight` has shape (out_channels, in_channels / groups, height, width). It and the bias are
    initialised uniformly in +-1 / sqrt(number of inputs of an output). `padding_mode` is "zeros",
    "reflect", "replicate" or "circular".

    >>> import penstock as flow
    >>> layer = flow.nn.Conv2d(1, 4, 3, padding=1)
    >>> layer(flow.ones(2, 1, 5, 5)).shape
    penstock.Size([2, 4, 5, 5])
    >>> layer
    Conv2d(1, 4, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))
    """

    _space = 2


class Conv3d(_Straight):
    """The convolution of [n, channels, depth, height, width]: see `Conv2d`."""

    _space = 3


class _Transposed(_Conv):
    _turned = True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Ints, stride: Ints = 1,
        padding: Ints = 0, output_padding: Ints = 0, groups: int = 1, bias: bool = True,
        dilation: Ints = 1, padding_mode: str = "zeros", device: Any = None,
        dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
            padding_mode, dtype, device,
        )  # fmt: skip
        what = f"flow.nn.{type(self).__name__}"
        self.output_padding = tuple(several(output_padding, self._space, "output_padding", what, 0))

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        more = self._more(input, output_size)
        function = getattr(F, f"conv_transpose{self._space}d")
        made: Tensor = function(
            input, self.weight, self.bias, self.stride, self.padding, more, self.groups,
            self.dilation,
        )  # fmt: skip
        return made

    def _more(self, input: Tensor, output_size: Sequence[int] | None) -> Sequence[int]:
        """The output padding for the wanted extents."""
        if output_size is None:
            return self.output_padding
        wanted = list(output_size)[-self._space :]
        extents = list(input.shape)[-self._space :]
        padding: Any = self.padding
        least = [
            (n - 1) * s - 2 * p + (k - 1) * d + 1
            for n, s, p, k, d in zip(
                extents, self.stride, padding, self.kernel_size, self.dilation, strict=True
            )
        ]
        more = [w - n for w, n in zip(wanted, least, strict=True)]
        if any(not 0 <= m < max(s, d) for m, s, d in zip(more, self.stride, self.dilation,
                                                          strict=True)):  # fmt: skip
            raise located(
                ValueError,
                f"output_size of flow.nn.{type(self).__name__} must be at least {least}, and less "
                f"than that plus the stride, got {wanted}",
            )
        return more


class ConvTranspose1d(_Transposed):
    """The transposed convolution of [n, channels, width]: see `ConvTranspose2d`."""

    _space = 1


class ConvTranspose2d(_Transposed):
    """The transposed convolution of [n, channels, height, width].

    `weight` has shape (in_channels, out_channels / groups, height, width); see
    `flow.nn.functional.conv_transpose2d`. `forward` also takes `output_size`, the wanted extents.

    >>> import penstock as flow
    >>> layer = flow.nn.ConvTranspose2d(3, 2, 2, stride=2)
    >>> layer(flow.ones(1, 3, 4, 4)).shape
    penstock.Size([1, 2, 8, 8])
    """

    _space = 2


class ConvTranspose3d(_Transposed):
    """The transposed convolution of [n, channels, depth, height, width]: see `ConvTranspose2d`."""

    _space = 3
