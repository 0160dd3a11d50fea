"""`flow.layers`: ops with variables, which are named after the layer."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING

from penstock.basics.checks import check_count, check_flag
from penstock.basics.errors import located
from penstock.basics.names import from_homes, no_such
from penstock.distribute import Distribution, check_distribute
from penstock.networks.layer_parts import (
    activated,
    bias_add,
    check_activation,
    check_layer_name,
    layer,
)
from penstock.nn.older import layer_norm as nn_layer_norm
from penstock.regularizers import Regularizer
from penstock.scope import namespace
from penstock.trace.blob import Blob, apply, check_blob
from penstock.trace.initializers import Initializer
from penstock.trace.thin import axis_of
from penstock.trace.variables import layer_variable

if TYPE_CHECKING:
    from penstock.networks.conv_layers import conv1d, conv2d, conv3d
    from penstock.networks.norm_layers import (
        batch_normalization,
        batch_normalization_add_relu,
        batch_normalization_relu,
        layer_norm_grad,
        layer_norm_param_grad,
        prelu,
    )
    from penstock.networks.upsampling import upsample_2d

_HOMES = {
    "networks.conv_layers": ("conv1d", "conv2d", "conv3d"),
    "networks.norm_layers": (
        "batch_normalization", "batch_normalization_add_relu", "batch_normalization_relu",
        "layer_norm_grad", "layer_norm_param_grad", "prelu",
    ),
    "networks.upsampling": ("upsample_2d",),
}  # fmt: skip
"""Names that other modules define."""

__all__ = [
    "batch_normalization",
    "batch_normalization_add_relu",
    "batch_normalization_relu",
    "conv1d",
    "conv2d",
    "conv3d",
    "dense",
    "layer_norm",
    "layer_norm_grad",
    "layer_norm_param_grad",
    "prelu",
    "upsample_2d",
]


@layer
def dense(
    inputs: Blob,
    units: int,
    activation: Callable[..., Blob] | None = None,
    use_bias: bool = True,
    kernel_initializer: Initializer | None = None,
    bias_initializer: Initializer | None = None,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None,
    trainable: bool = True,
    name: str = "Dense",
    model_distribute: Distribution | None = None,
) -> Blob:
    """A fully connected layer: y = activation(x W^T + b).

    `inputs` has shape [..., in], with at least two dimensions, and y has shape [..., units]. The
    variables are `<name>-weight` of shape (units, in) and `<name>-bias` of shape (units,), both
    initialised to 0 by default. A network of several layers then never learns, so give all but the
    last a `kernel_initializer`. Layers of a job need distinct names. With
    `model_distribute=flow.distribute.split(0)`, each rank has the weights of some units.

    Raises a located TypeError or ValueError for invalid arguments.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
    ...     ones = flow.ones_initializer()
    ...     return flow.layers.dense(x, 2, flow.nn.relu, kernel_initializer=ones, name="fc")
    >>> job(np.array([[1, 2, 3], [-4, -5, -6]], np.float32))
    array([[6., 6.],
           [0., 0.]], dtype=float32)
    """
    what = "flow.layers.dense"
    inputs = check_blob(inputs, what)
    units = check_count(units, f"units of {what}")
    check_flag(use_bias, f"use_bias of {what}")
    check_flag(trainable, f"trainable of {what}")
    check_layer_name(name, what)
    if len(inputs.shape) < 2:
        raise located(
            ValueError,
            f"{what} takes inputs of at least two dimensions, the first for samples, got shape "
            f"{inputs.shape}",
        )
    check_activation(activation, what)
    _check_model_distribute(model_distribute, inputs, what)
    outer, features = inputs.shape[:-1], inputs.shape[-1]
    y = inputs
    if len(outer) > 1:
        y = apply("flow.reshape", y, shape=[prod(outer), features], what=what)[0]
    with namespace(name):
        weight = layer_variable(
            "weight", (units, features), inputs.dtype, kernel_initializer, kernel_regularizer,
            trainable, distribute=model_distribute,
        )  # fmt: skip
        y = apply("flow.matmul", y, weight, transpose_b=True, name=f"{name}_matmul", what=what)[0]
        if use_bias:
            bias = layer_variable(
                "bias", (units,), inputs.dtype, bias_initializer, bias_regularizer, trainable,
                distribute=model_distribute,
            )  # fmt: skip
            y = bias_add(y, bias, name=f"{name}_bias_add")
    if activation is not None:
        y = activated(activation, y, f"{name}_activation", what)
    if len(outer) > 1:
        y = apply("flow.reshape", y, shape=[*outer, units], what=what)[0]
    return y


@layer
def layer_norm(
    inputs: Blob,
    center: bool = True,
    scale: bool = True,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    epsilon: float = 1e-5,
    name: str = "LayerNorm",
) -> Blob:
    """Layer normalization with a gain and a bias: see `flow.nn.layer_norm`.

    The variables are `<name>-gamma`, initially 1, if `scale`, and `<name>-beta`, initially 0, if
    `center`, both of the shape of `inputs` from `begin_params_axis` on. Layers of a job need
    distinct names.

    Raises a located TypeError or ValueError for invalid arguments.
    """
    what = "flow.layers.layer_norm"
    inputs = check_blob(inputs, what)
    for flag, word in ((center, "center"), (scale, "scale"), (trainable, "trainable")):
        check_flag(flag, f"{word} of {what}")
    check_layer_name(name, what)
    shape = inputs.shape[axis_of(begin_params_axis, len(inputs.shape), what) :]
    gamma = beta = None
    with namespace(name):
        if scale:
            gamma = layer_variable("gamma", shape, inputs.dtype, None, None, trainable, first=1.0)
        if center:
            beta = layer_variable("beta", shape, inputs.dtype, None, None, trainable)
    return nn_layer_norm(inputs, gamma, beta, begin_norm_axis, begin_params_axis, epsilon, name)


def _check_model_distribute(distribute: Distribution | None, inputs: Blob, what: str) -> None:
    if distribute is None:
        return
    chosen = check_distribute(distribute, f"model_distribute of {what}")
    axes = {one.axis for one in chosen.each or (chosen,)} - {None}
    if axes and (axes != {0} or len(inputs.shape) != 2):
        raise located(
            ValueError,
            f"model_distribute of {what} may be split(0) for inputs of two dimensions, "
            f"got {chosen} and shape {inputs.shape}; for other ways, pass a variable of your own, "
            "with flow.get_variable(distribute=...), to flow.matmul",
        )


if not TYPE_CHECKING:
    __getattr__ = from_homes("flow.layers", _HOMES, no_such("flow.layers"))
