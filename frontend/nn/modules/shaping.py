"""Layers without parameters that pad, shuffle, resize, unfold and drop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from penstock.basics.checks import check_number
from penstock.basics.errors import located
from penstock.nn.functional import images, masking
from penstock.nn.functional.constants import several
from penstock.nn.functional.padding import pad
from penstock.nn.modules.faces import in_jobs
from penstock.nn.modules.module import Module
from penstock.tensor_functions.random_numbers import Generator
from penstock.tensors.tensor import Tensor

Ints = int | Sequence[int]


class _Dropout(Module):
    _function: ClassVar[Any] = None

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        self.p = check_number(p, f"p of flow.nn.{type(self).__name__}")
        if not 0 <= self.p <= 1:
            raise located(
                ValueError, f"p of flow.nn.{type(self).__name__} must lie in [0, 1], got {p}"
            )
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        made: Tensor = type(self)._function(input, self.p, self.training, self.inplace)
        return made

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    """In training, 0 with probability `p`, else x / (1 - p); otherwise x. Plus `addend`, if given.

    >>> import penstock as flow
    >>> flow.nn.Dropout(0.5).eval()(flow.ones(2))
    tensor([1., 1.], dtype=penstock.float32)
    """

    def __init__(
        self, p: float = 0.5, inplace: bool = False, generator: Generator | None = None
    ) -> None:
        super().__init__(p, inplace)
        self.generator = generator

    def forward(self, input: Tensor, addend: Tensor | None = None) -> Tensor:
        return masking.dropout(
            input, self.p, self.training, self.inplace, generator=self.generator, addend=addend
        )


class Dropout1d(_Dropout):
    """`Dropout` of whole channels of [n, channels, width]."""

    _function = masking.dropout1d


class Dropout2d(_Dropout):
    """`Dropout` of whole channels of [n, channels, height, width]."""

    _function = masking.dropout2d


class Dropout3d(_Dropout):
    """`Dropout` of whole channels of [n, channels, depth, height, width]."""

    _function = masking.dropout3d


class AlphaDropout(_Dropout):
    """Dropout that preserves mean 0 and variance 1, for networks of `SELU`."""

    _function = masking.alpha_dropout


# -- padding --------------------------------------------------------------------------------------


class _Pad(Module):
    _space: ClassVar[int] = 0
    _mode: ClassVar[str] = "constant"

    def __init__(self, padding: Ints) -> None:
        super().__init__()
        what = f"flow.nn.{type(self).__name__}"
        self.padding = tuple(several(padding, 2 * self._space, "padding", what, -(2**31)))

    def forward(self, input: Tensor) -> Tensor:
        return pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ReflectionPad1d(_Pad):
    """The mirror image, without the edge, around the last dimension."""

    _space, _mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    """The mirror image, without the edge, around the last two dimensions.

    `padding` is one width, or (left, right, top, bottom).

    >>> import penstock as flow
    >>> flow.nn.ReflectionPad2d((2, 0, 0, 0))(flow.tensor([[[[1.0, 2.0, 3.0]]]])).tolist()
    [[[[3.0, 2.0, 1.0, 2.0, 3.0]]]]
    """

    _space, _mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """The mirror image, without the edge, around the last three dimensions."""

    _space, _mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """Copies of the edge around the last dimension."""

    _space, _mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    """Copies of the edge around the last two dimensions."""

    _space, _mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """Copies of the edge around the last three dimensions."""

    _space, _mode = 3, "replicate"


class CircularPad1d(_Pad):
    """The elements of the other end around the last dimension."""

    _space, _mode = 1, "circular"


class CircularPad2d(_Pad):
    """The elements of the other end around the last two dimensions."""

    _space, _mode = 2, "circular"


class CircularPad3d(_Pad):
    """The elements of the other end around the last three dimensions."""

    _space, _mode = 3, "circular"


class ZeroPad1d(_Pad):
    """Zeros around the last dimension."""

    _space = 1


class ZeroPad2d(_Pad):
    """Zeros around the last two dimensions: one width, or (left, right, top, bottom)."""

    _space = 2


class ZeroPad3d(_Pad):
    """Zeros around the last three dimensions."""

    _space = 3


class _ConstantPad(_Pad):
    def __init__(self, padding: Ints, value: float = 0) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPad):
    """A constant around the last dimension."""

    _space = 1


class ConstantPad2d(_ConstantPad):
    """A constant around the last two dimensions: one width, or (left, right, top, bottom)."""

    _space = 2


class ConstantPad3d(_ConstantPad):
    """A constant around the last three dimensions."""

    _space = 3


# -- images ---------------------------------------------------------------------------------------


@in_jobs("penstock.functions.movement:PixelShuffle")
class PixelShuffle(Module):
    """(..., C h w, H, W) as (..., C, H h, W w): rearranges channels to pixels.

    >>> import penstock as flow
    >>> flow.nn.PixelShuffle(2)(flow.ones(1, 8, 3, 3)).shape
    penstock.Size([1, 2, 6, 6])
    """

    def __init__(
        self, upscale_factor: int | None = None, h_upscale_factor: int | None = None,
        w_upscale_factor: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.h_upscale_factor, self.w_upscale_factor = images.factors_of(
            upscale_factor, h_upscale_factor, w_upscale_factor, "flow.nn.PixelShuffle"
        )

    def forward(self, input: Tensor) -> Tensor:
        down, right = self.h_upscale_factor, self.w_upscale_factor
        return images.pixel_shuffle(input, None, down, right)

    def extra_repr(self) -> str:
        return f"h_upscale_factor={self.h_upscale_factor}, w_upscale_factor={self.w_upscale_factor}"


class PixelUnshuffle(Module):
    """(..., C, H r, W r) as (..., C r r, H, W): the inverse of `PixelShuffle`."""

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return images.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"


class Upsample(Module):
    """Resize the spatial dimensions: see `flow.nn.functional.interpolate`.

    >>> import penstock as flow
    >>> flow.nn.Upsample(scale_factor=2)(flow.ones(1, 1, 2, 3)).shape
    penstock.Size([1, 1, 4, 6])
    """

    def __init__(
        self, size: Ints | None = None, scale_factor: float | Sequence[float] | None = None,
        mode: str = "nearest", align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return images.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners,
            self.recompute_scale_factor,
        )  # fmt: skip

    def extra_repr(self) -> str:
        how = (
            f"size={self.size}"
            if self.scale_factor is None
            else f"scale_factor={self.scale_factor}"
        )
        return f"{how}, mode='{self.mode}'"


class UpsamplingNearest2d(Upsample):
    """`Upsample` of mode "nearest"."""

    def __init__(
        self, size: Ints | None = None, scale_factor: float | Sequence[float] | None = None
    ) -> None:
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """`Upsample` of mode "bilinear", with align_corners=True."""

    def __init__(
        self, size: Ints | None = None, scale_factor: float | Sequence[float] | None = None
    ) -> None:
        super().__init__(size, scale_factor, "bilinear", True)


class Unfold(Module):
    """The windows of [n, channels, height, width] as columns."""

    def __init__(
        self, kernel_size: Ints, dilation: Ints = 1, padding: Ints = 0, stride: Ints = 1
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return images.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, "
            f"stride={self.stride}"
        )


class Fold(Unfold):
    """Add up windows, given as columns, at their positions: the transpose of `Unfold`."""

    def __init__(
        self, output_size: Ints, kernel_size: Ints, dilation: Ints = 1, padding: Ints = 0,
        stride: Ints = 1,
    ) -> None:  # fmt: skip
        super().__init__(kernel_size, dilation, padding, stride)
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        return images.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}, {super().extra_repr()}"
