"""`flow.layers.conv1d` and its kin: convolutions with variables of their own."""

from __future__ import annotations

from collections.abc import Callable

from penstock.basics.checks import check_count, check_flag
from penstock.basics.errors import located
from penstock.functions.windows import Numbers, Padding, channels_come_last, check_rank, numbers_of
from penstock.networks.convolutions import convolution
from penstock.networks.layer_parts import (
    activated,
    bias_add,
    check_activation,
    check_layer_name,
    layer,
)
from penstock.regularizers import Regularizer
from penstock.scope import namespace
from penstock.trace.blob import Blob, check_blob
from penstock.trace.initializers import Initializer
from penstock.trace.variables import layer_variable


@layer
def conv1d(
    inputs: Blob,
    filters: int,
    kernel_size: Numbers = 1,
    strides: Numbers = 1,
    padding: Padding = "VALID",
    data_format: str = "NCW",
    dilation_rate: Numbers | None = None,
    groups: int = 1,
    activation: Callable[..., Blob] | None = None,
    use_bias: bool = True,
    kernel_initializer: Initializer | None = None,
    bias_initializer: Initializer | None = None,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None,
    trainable: bool = True,
    name: str = "Conv1d",
    weight_name: str | None = None,
    bias_name: str | None = None,
) -> Blob:
    """A convolution of [n, channels, width], or with "NWC" [n, width, channels]: see `conv2d`."""
    return _layer(
        1, inputs, filters, kernel_size, strides, padding, data_format, dilation_rate, groups,
        activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer,
        bias_regularizer, trainable, name, weight_name, bias_name,
    )  # fmt: skip


@layer
def conv2d(
    inputs: Blob,
    filters: int,
    kernel_size: Numbers = 1,
    strides: Numbers = 1,
    padding: Padding = "VALID",
    data_format: str = "NCHW",
    dilation_rate: Numbers | None = None,
    groups: int = 1,
    activation: Callable[..., Blob] | None = None,
    use_bias: bool = True,
    kernel_initializer: Initializer | None = None,
    bias_initializer: Initializer | None = None,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None,
    trainable: bool = True,
    name: str = "Conv2d",
    weight_name: str | None = None,
    bias_name: str | None = None,
) -> Blob:
    """A convolution with variables: y = activation(conv(inputs, weight) + bias).

    `inputs` is [n, channels, height, width], or with "NHWC" [n, height, width, channels]; y has
    `filters` channels. The variables are `<name>-weight`, of shape (filters, channels / groups,
    height, width), or (filters, height, width, channels / groups), and `<name>-bias` of shape
    (filters,), both initialised to 0 by default. `weight_name` and `bias_name` replace these names.
    Layers of a job need distinct names. The other arguments are as for `flow.nn.conv2d`.

    Raises a located TypeError or ValueError for invalid arguments.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((1, 1, 2, 3))) -> tp.Numpy:
    ...     ones = flow.ones_initializer()
    ...     return flow.layers.conv2d(x, 1, 2, kernel_initializer=ones, name="conv")
    >>> job(np.array([[[[1, 2, 3], [4, 5, 6]]]], np.float32))
    array([[[[12., 16.]]]], dtype=float32)
    >>> {name: v.shape for name, v in flow.get_all_variables().items()}
    {'conv-weight': (1, 1, 2, 2), 'conv-bias': (1,)}
    """
    return _layer(
        2, inputs, filters, kernel_size, strides, padding, data_format, dilation_rate, groups,
        activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer,
        bias_regularizer, trainable, name, weight_name, bias_name,
    )  # fmt: skip


@layer
def conv3d(
    inputs: Blob,
    filters: int,
    kernel_size: Numbers = 1,
    strides: Numbers = 1,
    padding: Padding = "VALID",
    data_format: str = "NCDHW",
    dilation_rate: Numbers | None = None,
    groups: int = 1,
    activation: Callable[..., Blob] | None = None,
    use_bias: bool = True,
    kernel_initializer: Initializer | None = None,
    bias_initializer: Initializer | None = None,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None,
    trainable: bool = True,
    name: str = "Conv3d",
    weight_name: str | None = None,
    bias_name: str | None = None,
) -> Blob:
    """A convolution of [n, channels, depth, height, width], or with "NDHWC" [n, depth, height,
    width, channels]: see `conv2d`."""
    return _layer(
        3, inputs, filters, kernel_size, strides, padding, data_format, dilation_rate, groups,
        activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer,
        bias_regularizer, trainable, name, weight_name, bias_name,
    )  # fmt: skip


def _layer(
    space: int,
    inputs: Blob,
    filters: int,
    kernel_size: Numbers,
    strides: Numbers,
    padding: Padding,
    data_format: str,
    dilation_rate: Numbers | None,
    groups: int,
    activation: Callable[..., Blob] | None,
    use_bias: bool,
    kernel_initializer: Initializer | None,
    bias_initializer: Initializer | None,
    kernel_regularizer: Regularizer | None,
    bias_regularizer: Regularizer | None,
    trainable: bool,
    name: str,
    weight_name: str | None,
    bias_name: str | None,
) -> Blob:
    """The layer for a number of spatial dimensions."""
    what = f"flow.layers.conv{space}d"
    x = _checked(space, inputs, filters, activation, use_bias, trainable, name, what)
    shape = _weight_shape(x, filters, kernel_size, data_format, groups, what)
    weight = _variable(
        name, weight_name, "weight", shape, x, kernel_initializer, kernel_regularizer, trainable
    )
    y = convolution(
        space, what, x, weight, strides, padding, data_format, dilation_rate, groups, name
    )
    if use_bias:
        bias = _variable(
            name, bias_name, "bias", [filters], x, bias_initializer, bias_regularizer, trainable
        )
        y = bias_add(y, bias, data_format, name=f"{name}_bias_add")
    return y if activation is None else activated(activation, y, f"{name}_activation", what)


def _checked(
    space: int,
    inputs: Blob,
    filters: int,
    activation: object,
    use_bias: bool,
    trainable: bool,
    name: str,
    what: str,
) -> Blob:
    """The inputs, after checking all arguments that do not depend on the layout."""
    x = check_blob(inputs, what)
    check_rank(x, space, "inputs", what)
    check_count(filters, f"filters of {what}")
    check_activation(activation, what)
    check_flag(use_bias, f"use_bias of {what}")
    check_flag(trainable, f"trainable of {what}")
    check_layer_name(name, what)
    return x


def _weight_shape(
    x: Blob, filters: int, kernel_size: object, data_format: object, groups: object, what: str
) -> list[int]:
    """The shape of the weight in the inputs' layout."""
    space = len(x.shape) - 2
    last = channels_come_last(data_format, space, what)
    window = numbers_of(kernel_size, space, "kernel_size", what)
    number, channels = check_count(groups, f"groups of {what}"), x.shape[-1 if last else 1]
    if channels % number or filters % number:
        raise located(
            ValueError,
            f"groups of {what} must divide the {channels} channels of its inputs and its {filters} "
            f"filters, got {number}",
        )
    own = channels // number
    return [int(filters), *window, own] if last else [int(filters), own, *window]


def _variable(
    layer: str,
    name: str | None,
    word: str,
    shape: list[int],
    like: Blob,
    initializer: Initializer | None,
    regularizer: Regularizer | None,
    trainable: bool,
) -> Blob:
    """A variable of the layer, under a given name or the layer's name and a suffix."""
    if name is not None:
        return layer_variable(name, shape, like.dtype, initializer, regularizer, trainable)
    with namespace(layer):
        return layer_variable(word, shape, like.dtype, initializer, regularizer, trainable)
