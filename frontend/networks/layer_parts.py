"""What layers of any kind check and do: names and activations."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import nullcontext
from types import MappingProxyType
from typing import ParamSpec

from penstock.basics.errors import in_layer, kind_of, located
from penstock.trace.blob import Blob, check_blob

P = ParamSpec("P")


def layer(function: Callable[P, Blob]) -> Callable[P, Blob]:
    """A function that makes a layer: errors inside say the `name` that the layer is given."""
    signature = inspect.signature(function)
    place, default = list(signature.parameters).index("name"), signature.parameters["name"].default

    @functools.wraps(function)
    def named(*args: P.args, **kwargs: P.kwargs) -> Blob:
        name = args[place] if len(args) > place else kwargs.get("name", default)
        with in_layer(name) if isinstance(name, str) and name else nullcontext():
            return function(*args, **kwargs)

    return named


def check_layer_name(name: object, what: str) -> None:
    """A located TypeError unless a layer has a name."""
    if not isinstance(name, str) or not name:
        raise located(
            TypeError, f"name of {what} must be a string that is not empty, got {kind_of(name)}"
        )


def check_activation(activation: object, what: str) -> None:
    """A located TypeError unless it is a function, or None."""
    if activation is not None and not callable(activation):
        raise located(
            TypeError,
            f"activation of {what} must be a function such as flow.nn.relu, "
            f"got {kind_of(activation)}",
        )


def activated(activation: Callable[..., Blob], y: Blob, name: str, what: str) -> Blob:
    """The activation of y, named where the function takes a name: a lambda need not."""
    try:
        parameters = inspect.signature(activation).parameters
    except ValueError:  # a builtin that does not say what it takes
        parameters = MappingProxyType({})
    kinds = {parameter.kind for parameter in parameters.values()}
    takes_name = "name" in parameters or inspect.Parameter.VAR_KEYWORD in kinds
    made = activation(y, name=name) if takes_name else activation(y)
    return check_blob(made, f"{what}, as what its activation gives,")
