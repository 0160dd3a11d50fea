"""Shared parts of layers: names, activations and biases."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import nullcontext
from types import MappingProxyType
from typing import ParamSpec

from penstock.basics.errors import in_layer, kind_of, located
from penstock.trace.blob import Blob, apply, check_blob

P = ParamSpec("P")


def layer(function: Callable[P, Blob]) -> Callable[P, Blob]:
    """Decorates layer functions: errors inside mention the layer's `name`."""
    signature = inspect.signature(function)
    place, default = list(signature.parameters).index("name"), signature.parameters["name"].default

    @functools.wraps(function)
    def named(*args: P.args, **kwargs: P.kwargs) -> Blob:
        name = args[place] if len(args) > place else kwargs.get("name", default)
        with in_layer(name) if isinstance(name, str) and name else nullcontext():
            return function(*args, **kwargs)

    return named


def check_layer_name(name: object, what: str) -> None:
    """Raise a located TypeError unless the layer has a name."""
    if not isinstance(name, str) or not name:
        raise located(
            TypeError, f"name of {what} must be a string that is not empty, got {kind_of(name)}"
        )


def check_activation(activation: object, what: str) -> None:
    """Raise a located TypeError unless it is a function or None."""
    if activation is not None and not callable(activation):
        raise located(
            TypeError,
            f"activation of {what} must be a function such as flow.nn.relu, "
            f"got {kind_of(activation)}",
        )


def activated(activation: Callable[..., Blob], y: Blob, name: str, what: str) -> Blob:
    """The activation of y, with the name if the function takes one; a lambda need not."""
    try:
        parameters = inspect.signature(activation).parameters
    except ValueError:  # a builtin without a signature
        parameters = MappingProxyType({})
    kinds = {parameter.kind for parameter in parameters.values()}
    takes_name = "name" in parameters or inspect.Parameter.VAR_KEYWORD in kinds
    result = activation(y, name=name) if takes_name else activation(y)
    return check_blob(result, f"{what}, as what its activation gives,")


def bias_add(
    value: Blob, bias: Blob, data_format: str | None = None, name: str | None = None
) -> Blob:
    """`value` plus one number per channel.

    Channels are dimension 1, or the last one if `data_format` ends in "C" ("NHWC"). `bias` has one
    dimension, with that extent.
    """
    what = "flow.nn.bias_add"
    value, bias = check_blob(value, what), check_blob(bias, what)
    rank = len(value.shape)
    if data_format is None or str(data_format).startswith("NC"):
        axis = 1
    elif str(data_format).startswith("N") and str(data_format).endswith("C"):
        axis = rank - 1
    else:
        raise located(
            ValueError,
            f'data_format of {what} must be like "NCHW" or "NHWC", got {kind_of(data_format)}',
        )
    if rank < 2 or bias.shape != (value.shape[axis],):
        raise located(
            ValueError,
            f"{what} takes a bias of one number per channel (dimension {axis}), got a value of "
            f"shape {value.shape} and a bias of shape {bias.shape}",
        )
    if axis != rank - 1:
        shape = [1] * (axis) + [bias.shape[0]] + [1] * (rank - 1 - axis)
        bias = apply("flow.reshape", bias, shape=shape, what=what)[0]
    return apply("flow.add", value, bias, name=name or "bias_add", what=what)[0]
