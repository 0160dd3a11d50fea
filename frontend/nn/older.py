"""Legacy functions of jobs in `flow.nn`: activations of a single op, softmax and layer norm."""

from __future__ import annotations

from penstock.basics.checks import check_within
from penstock.basics.errors import located
from penstock.trace.blob import Blob, apply, binary, check_blob
from penstock.trace.thin import Thin, axis_of

_thin = Thin(
    "flow.nn",
    {
        "gelu": "flow.gelu",
        "hardsigmoid": "flow.hardsigmoid",
        "hardswish": "flow.hardswish",
        "mish": "flow.mish",
        "relu": "flow.relu",
        "sigmoid": "flow.sigmoid",
        "tanh": "flow.tanh",
    },
    {},
)
find, names = _thin.find, _thin.names


def softmax(logits: Blob, axis: int | None = None, name: str | None = None) -> Blob:
    """exp(x) / sum of exp(x) along an axis, by default the last; computed without overflow."""
    return _along_axis("flow.softmax", "flow.nn.softmax", logits, axis, name)


def logsoftmax(logits: Blob, axis: int | None = None, name: str | None = None) -> Blob:
    """The log of softmax along an axis, by default the last."""
    return _along_axis("flow.log_softmax", "flow.nn.logsoftmax", logits, axis, name)


def _along_axis(op: str, what: str, x: Blob, axis: int | None, name: str | None) -> Blob:
    blob = check_blob(x, what)
    place = axis_of(-1 if axis is None else axis, len(blob.shape), what)
    return apply(op, blob, axis=place, name=name, what=what)[0]


def layer_norm(
    inputs: Blob,
    gamma: Blob | None = None,
    beta: Blob | None = None,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    epsilon: float = 1e-5,
    name: str | None = None,
) -> Blob:
    """gamma * (x - mean) / sqrt(variance + epsilon) + beta; floats only.

    Mean and variance are over the dimensions from `begin_norm_axis` on. `gamma` and `beta`, each of
    which may be None, have the shape of `inputs` from `begin_params_axis` on.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((1, 2))) -> tp.Numpy:
    ...     return flow.nn.layer_norm(x, epsilon=0.0)
    >>> job(np.array([[1, 3]], np.float32))
    array([[-1.,  1.]], dtype=float32)
    """
    what = "flow.nn.layer_norm"
    x = check_blob(inputs, what)
    begin = axis_of(begin_norm_axis, len(x.shape), what)
    shape = x.shape[axis_of(begin_params_axis, len(x.shape), what) :]
    number = check_within(epsilon, f"epsilon of {what}", 0)
    y = apply("flow.layer_norm", x, begin_axis=begin, epsilon=number, name=name, what=what)[0]
    for word, op, given in (("gamma", "flow.multiply", gamma), ("beta", "flow.add", beta)):
        if given is None:
            continue
        if check_blob(given, what).shape != shape:
            raise located(
                ValueError, f"{word} of {what} must have shape {shape}, got {given.shape}"
            )
        y = binary(op, y, given, what=what)
    return y
