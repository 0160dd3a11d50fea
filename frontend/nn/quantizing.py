"""Quantization of floats to integers of a few bits, simulated with floats."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import check_flag, check_integer, check_within
from penstock.basics.dtypes import int64
from penstock.basics.errors import kind_of, located
from penstock.nn.modules.convs import Conv1d, Conv2d, Conv3d
from penstock.nn.modules.module import Module
from penstock.tensor_functions.calls import as_type, given, op, reshaped
from penstock.tensor_functions.pointwise import add, clamp, div, mul, sub
from penstock.tensor_functions.reductions import amax, amin
from penstock.tensors.creation import zeros
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor


class Quantizer(Module):
    """Base of the modules that quantize: the formula, the number of bits and the scheme."""

    def __init__(
        self, quantization_formula: str = "google", quantization_bit: int = 8,
        quantization_scheme: str = "symmetric",
    ) -> None:  # fmt: skip
        super().__init__()
        what = f"flow.nn.{type(self).__name__}"
        self.quantization_formula = quantization_formula
        self.quantization_bit = check_integer(quantization_bit, f"quantization_bit of {what}")
        self.quantization_scheme = quantization_scheme
        if not 2 <= quantization_bit <= 16:
            raise located(
                ValueError,
                f"quantization_bit of {what} must lie in [2, 16], got {quantization_bit}",
            )
        for word, value, known in (
            ("quantization_formula", quantization_formula, ("google", "cambricon")),
            ("quantization_scheme", quantization_scheme, ("symmetric", "affine")),
        ):
            if value not in known:
                raise located(
                    ValueError,
                    f'{word} of {what} must be "{known[0]}" or "{known[1]}", got {kind_of(value)}',
                )

    @property
    def is_affine(self) -> bool:
        """Whether integers have a zero point of their own."""
        return self.quantization_formula == "google" and self.quantization_scheme == "affine"

    def scale_of(self, low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]:
        """The scale and the zero point with which the integers cover [low, high]."""
        none = mul(high, 0)
        if self.quantization_formula == "cambricon":
            power = op("flow.floor", op("flow.log2", high))
            return sub(power, self.quantization_bit - 2), none
        if not self.is_affine:
            return div(high, 2 ** (self.quantization_bit - 1) - 1), none
        scale = div(sub(high, low), 2**self.quantization_bit - 1)
        return scale, op("flow.negative", op("flow.rint", div(low, scale)))

    def quantized(
        self, input: Tensor, scale: Tensor, zero_point: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The integers, the step between two of them, and the zero point."""
        what = f"flow.nn.{type(self).__name__}"
        x, rank = given(input, what), len(input.shape)
        step, place = (_per_row(given(one, what), rank) for one in (scale, zero_point))
        if self.quantization_formula == "cambricon":
            step = op("flow.exp2", step)
        if self.is_affine:
            number = op("flow.rint", add(div(x, step), place))
            return clamp(number, 0, 2**self.quantization_bit - 1), step, place
        most = 2 ** (self.quantization_bit - 1) - 1
        return clamp(op("flow.rint", div(x, step)), -most, most), step, place


def _per_row(x: Tensor, rank: int) -> Tensor:
    """A number for each position of dimension 0 as a tensor of that rank."""
    return reshaped(x, [x.shape[0], *[1] * (rank - 1)]) if rank else reshaped(x, [])


class MinMaxObserver(Quantizer):
    """The scale and zero point with which integers of some bits cover all elements of a tensor.

    Both have shape (1,), or with `per_layer_quantization=False` an element for each position of
    dimension 0. With the formula "google" and the scheme "symmetric", the scale is
    max |x| / (2 ** (bits - 1) - 1) and the zero point 0; with "affine" it is
    (max x - min x) / (2 ** bits - 1), and the zero point -min x / scale, rounded. With
    "cambricon" the scale is the exponent of a power of 2, for the whole tensor.

    >>> import penstock as flow
    >>> flow.nn.MinMaxObserver()(flow.tensor([-127.0, 3.0, 5.0]))
    (tensor([1.], dtype=penstock.float32), tensor([0.], dtype=penstock.float32))
    """

    def __init__(
        self, quantization_formula: str = "google", quantization_bit: int = 8,
        quantization_scheme: str = "symmetric", per_layer_quantization: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(quantization_formula, quantization_bit, quantization_scheme)
        self.per_layer_quantization = check_flag(per_layer_quantization, "per_layer_quantization")

    def forward(self, input: Tensor) -> tuple[Tensor, Tensor]:
        x = given(input, "flow.nn.MinMaxObserver")
        whole = self.per_layer_quantization or self.quantization_formula == "cambricon"
        if not x.shape and not whole:
            raise located(ValueError, "flow.nn.MinMaxObserver takes rows in dimension 0, got ()")
        axes = list(range(0 if whole else 1, len(x.shape)))
        low, high = _extremes(x, axes, self.is_affine)
        rows = [1 if whole else x.shape[0]]
        return self.scale_of(reshaped(low, rows), reshaped(high, rows))


def _extremes(x: Tensor, axes: list[int], affine: bool) -> tuple[Tensor, Tensor]:
    """The range of the elements along some dimensions, none of which is all; else symmetric."""
    if affine:
        return (amin(x, axes), amax(x, axes)) if axes else (x, x)
    size = op("flow.abs", x)
    high = amax(size, axes) if axes else size
    return op("flow.negative", high), high


class MovingAverageMinMaxObserver(Quantizer):
    """As `MinMaxObserver`, from moving averages of the extremes, the buffers `moving_max` and
    `moving_min`.

    `forward(input, current_train_step)` updates them in training while the step is at most
    `stop_update_after_iters`: moving = momentum * moving + (1 - momentum) * extreme. They start
    with the first extremes.

    >>> import penstock as flow
    >>> observer = flow.nn.MovingAverageMinMaxObserver(momentum=0.5)
    >>> scale, zero_point = observer(flow.tensor([-127.0, 3.0]), flow.zeros(1, dtype=flow.int64))
    >>> scale, observer.moving_max
    (tensor([1.], dtype=penstock.float32), tensor([127.], dtype=penstock.float32))
    """

    moving_max: Tensor
    moving_min: Tensor

    def __init__(
        self, stop_update_after_iters: int = 1, quantization_formula: str = "google",
        quantization_bit: int = 8, quantization_scheme: str = "symmetric", momentum: float = 0.95,
    ) -> None:  # fmt: skip
        super().__init__(quantization_formula, quantization_bit, quantization_scheme)
        self.stop_update_after_iters = check_integer(
            stop_update_after_iters, "stop_update_after_iters"
        )
        self.momentum = check_within(momentum, "momentum", 0, 1)
        self.register_buffer("moving_max", zeros(1))
        self.register_buffer("moving_min", zeros(1))

    def reset_running_stats(self) -> None:
        """Start the averages over."""
        for average in (self.moving_max, self.moving_min):
            average.fill_(0)

    def forward(self, input: Tensor, current_train_step: Tensor) -> tuple[Tensor, Tensor]:
        x = given(input, "flow.nn.MovingAverageMinMaxObserver")
        if self.training and int(current_train_step.item()) <= self.stop_update_after_iters:
            with no_grad():
                low, high = _extremes(x, list(range(len(x.shape))), self.is_affine)
                low = low if self.is_affine else high
                for average, now in ((self.moving_max, high), (self.moving_min, low)):
                    self._average(average, now)
        return self.scale_of(self.moving_min, self.moving_max)

    def _average(self, average: Any, now: Tensor) -> None:
        if average.item() != 0:
            now = add(mul(average, self.momentum), mul(now, 1 - self.momentum))
        average.copy_(reshaped(as_type(now, average.dtype), [1]))


class Quantization(Quantizer):
    """The integers that floats are rounded to, as floats.

    `forward(input, scale, zero_point)` takes these from an observer.

    >>> import penstock as flow
    >>> x = flow.tensor([-127.0, 3.4, 5.0])
    >>> flow.nn.Quantization()(x, *flow.nn.MinMaxObserver()(x))
    tensor([-127.,    3.,    5.], dtype=penstock.float32)
    """

    def forward(self, input: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
        return self.quantized(input, scale, zero_point)[0]


class FakeQuantization(Quantizer):
    """Floats rounded to what their integers stand for; the gradient passes unchanged.

    >>> import penstock as flow
    >>> x = flow.tensor([-254.0, 3.4, 5.0])
    >>> flow.nn.FakeQuantization()(x, *flow.nn.MinMaxObserver()(x))
    tensor([-254.,    4.,    4.], dtype=penstock.float32)
    """

    def forward(self, input: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
        number, step, place = self.quantized(input, scale, zero_point)
        rounded = mul(sub(number, place) if self.is_affine else number, step)
        return add(input, op("flow.stop_gradient", sub(rounded, input)))


class _Quantized:
    """The part that is common to convolutions of any rank."""

    _space: int

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
        padding: Any = 0, dilation: Any = 1, groups: int = 1, bias: bool = True,
        padding_mode: str = "zeros", quantization_formula: str = "google",
        quantization_bit: int = 8, quantization_scheme: str = "symmetric",
        weight_quant_per_layer: bool = True, input_quant_momentum: float = 0.95,
    ) -> None:  # fmt: skip
        made: Any = super()
        made.__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
            padding_mode,
        )  # fmt: skip
        options = (quantization_formula, quantization_bit, quantization_scheme)
        self.input_min_max_observer = MovingAverageMinMaxObserver(
            1, *options, momentum=input_quant_momentum
        )
        self.weight_min_max_observer = MinMaxObserver(*options, weight_quant_per_layer)
        self.fake_quantizer = FakeQuantization(*options)
        made.register_buffer("current_train_step", zeros(1, dtype=int64))

    def forward(self, input: Tensor) -> Tensor:
        layer: Any = self
        scale = self.input_min_max_observer(input, layer.current_train_step)
        x = self.fake_quantizer(input, *scale)
        weight = self.fake_quantizer(layer.weight, *self.weight_min_max_observer(layer.weight))
        made: Tensor = layer.convolved(x, weight)
        return made


class QatConv1d(_Quantized, Conv1d):
    """`Conv1d` of an input and a weight with simulated quantization: see `QatConv2d`."""


class QatConv2d(_Quantized, Conv2d):
    """`Conv2d` for training that takes quantization into account.

    The weight and the input pass through `FakeQuantization`, with the scales of a `MinMaxObserver`
    for the weight and a `MovingAverageMinMaxObserver` for the input.

    >>> import penstock as flow
    >>> flow.nn.QatConv2d(3, 4, 3, padding=1)(flow.ones(2, 3, 5, 5)).shape
    penstock.Size([2, 4, 5, 5])
    """


class QatConv3d(_Quantized, Conv3d):
    """`Conv3d` of an input and a weight with simulated quantization: see `QatConv2d`."""
