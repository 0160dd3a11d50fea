"""Pools as layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from penstock.nn.functional import pooling as F
from penstock.nn.modules.module import Module
from penstock.tensors.tensor import Tensor

Ints = int | Sequence[int]
MaybeInts = int | None | Sequence[int | None]


class _MaxPool(Module):
    _function: ClassVar[Any] = None

    def __init__(
        self, kernel_size: Ints, stride: Ints | None = None, padding: Ints = 0, dilation: Ints = 1,
        return_indices: bool = False, ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Any:
        return type(self)._function(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.return_indices,
            self.ceil_mode,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPool):
    """The largest of each window of [n, channels, width]: see `MaxPool2d`."""

    _function = F.max_pool1d


class MaxPool2d(_MaxPool):
    """The largest of each window: see `flow.nn.functional.max_pool2d`.

    >>> import penstock as flow
    >>> flow.nn.MaxPool2d(2)(flow.ones(1, 3, 4, 4)).shape
    penstock.Size([1, 3, 2, 2])
    """

    _function = F.max_pool2d


class MaxPool3d(_MaxPool):
    """The largest of each window of [n, channels, depth, height, width]: see `MaxPool2d`."""

    _function = F.max_pool3d


class _MaxUnpool(Module):
    _function: ClassVar[Any] = None

    def __init__(self, kernel_size: Ints, stride: Ints | None = None, padding: Ints = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding

    def forward(
        self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None
    ) -> Tensor:
        made: Tensor = type(self)._function(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )
        return made

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpool):
    """The partial inverse of `MaxPool1d`."""

    _function = F.max_unpool1d


class MaxUnpool2d(_MaxUnpool):
    """The partial inverse of `MaxPool2d`: see `flow.nn.functional.max_unpool2d`."""

    _function = F.max_unpool2d


class MaxUnpool3d(_MaxUnpool):
    """The partial inverse of `MaxPool3d`."""

    _function = F.max_unpool3d


class _AvgPool(Module):
    _function: ClassVar[Any] = None

    def __init__(
        self, kernel_size: Ints, stride: Ints | None = None, padding: Ints = 0,
        ceil_mode: bool = False, count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        made: Tensor = type(self)._function(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
            self.count_include_pad, self.divisor_override,
        )  # fmt: skip
        return made

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(_AvgPool):
    """The mean of each window of [n, channels, width]: see `AvgPool2d`."""

    def __init__(
        self, kernel_size: Ints, stride: Ints | None = None, padding: Ints = 0,
        ceil_mode: bool = False, count_include_pad: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)
        for word in ("kernel_size", "stride", "padding"):
            given = getattr(self, word)
            setattr(self, word, tuple(given) if isinstance(given, list | tuple) else (given,))

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
            self.count_include_pad,
        )  # fmt: skip


class AvgPool2d(_AvgPool):
    """The mean of each window: see `flow.nn.functional.avg_pool2d`.

    >>> import penstock as flow
    >>> flow.nn.AvgPool2d(2)(flow.ones(1, 3, 4, 4)).shape
    penstock.Size([1, 3, 2, 2])
    """

    _function = F.avg_pool2d


class AvgPool3d(_AvgPool):
    """The mean of each window of [n, channels, depth, height, width]: see `AvgPool2d`."""

    _function = F.avg_pool3d


class _Adaptive(Module):
    _function: ClassVar[Any] = None

    def __init__(self, output_size: MaybeInts) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Any:
        return type(self)._function(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(_Adaptive):
    """Means of `output_size` windows of [n, channels, width]: see `AdaptiveAvgPool2d`."""

    _function = F.adaptive_avg_pool1d


class AdaptiveAvgPool2d(_Adaptive):
    """Means of `output_size` windows: see `flow.nn.functional.adaptive_avg_pool2d`.

    >>> import penstock as flow
    >>> flow.nn.AdaptiveAvgPool2d((1, 2))(flow.ones(1, 3, 5, 5)).shape
    penstock.Size([1, 3, 1, 2])
    """

    _function = F.adaptive_avg_pool2d


class AdaptiveAvgPool3d(_Adaptive):
    """Means of `output_size` windows of [n, channels, depth, height, width]."""

    _function = F.adaptive_avg_pool3d


class _AdaptiveMax(_Adaptive):
    def __init__(self, output_size: MaybeInts, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Any:
        return type(self)._function(input, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMax):
    """The largest of `output_size` windows of [n, channels, width]."""

    _function = F.adaptive_max_pool1d


class AdaptiveMaxPool2d(_AdaptiveMax):
    """The largest of `output_size` windows of [n, channels, height, width]."""

    _function = F.adaptive_max_pool2d


class AdaptiveMaxPool3d(_AdaptiveMax):
    """The largest of `output_size` windows of [n, channels, depth, height, width]."""

    _function = F.adaptive_max_pool3d
