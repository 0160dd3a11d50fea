"""`flow.nn`: activations, softmax and losses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.basics.checks import check_within
from penstock.basics.errors import located
from penstock.basics.names import from_homes
from penstock.trace.blob import Blob, apply, binary, check_blob
from penstock.trace.thin import Thin, axis_of

if TYPE_CHECKING:
    from penstock.functions.elementwise import elu as elu
    from penstock.functions.elementwise import fused_scale_tril as fused_scale_tril
    from penstock.functions.elementwise import hardtanh as hardtanh
    from penstock.functions.elementwise import leaky_relu as leaky_relu
    from penstock.functions.elementwise import relu6 as relu6
    from penstock.functions.elementwise import swish as swish
    from penstock.functions.elementwise import tril as tril
    from penstock.functions.movement import PixelShuffle as PixelShuffle
    from penstock.functions.movement import PixelShufflev2 as PixelShufflev2
    from penstock.functions.movement import softmax_grad as softmax_grad
    from penstock.functions.reductions import moments as moments
    from penstock.networks.convolutions import compat_conv2d as compat_conv2d
    from penstock.networks.convolutions import conv1d as conv1d
    from penstock.networks.convolutions import conv2d as conv2d
    from penstock.networks.convolutions import conv2d_transpose as conv2d_transpose
    from penstock.networks.convolutions import conv3d as conv3d
    from penstock.networks.convolutions import torch_conv2d_transpose as torch_conv2d_transpose
    from penstock.networks.dropout import dropout as dropout
    from penstock.networks.dropout import random_mask_like as random_mask_like
    from penstock.networks.layer_parts import bias_add as bias_add
    from penstock.networks.loss_functions import BCELoss as BCELoss
    from penstock.networks.loss_functions import BCEWithLogitsLoss as BCEWithLogitsLoss
    from penstock.networks.loss_functions import KLDivLoss as KLDivLoss
    from penstock.networks.loss_functions import L1Loss as L1Loss
    from penstock.networks.loss_functions import MarginRankingLoss as MarginRankingLoss
    from penstock.networks.loss_functions import MSELoss as MSELoss
    from penstock.networks.loss_functions import TripletMarginLoss as TripletMarginLoss
    from penstock.networks.loss_functions import (
        sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
    )
    from penstock.networks.loss_functions import (
        softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
    )
    from penstock.networks.loss_functions import sparse_cross_entropy as sparse_cross_entropy
    from penstock.networks.loss_functions import (
        sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
    )
    from penstock.networks.norms import GroupNorm as GroupNorm
    from penstock.networks.norms import InstanceNorm1d as InstanceNorm1d
    from penstock.networks.norms import InstanceNorm2d as InstanceNorm2d
    from penstock.networks.norms import InstanceNorm3d as InstanceNorm3d
    from penstock.networks.norms import batch_normalization as batch_normalization
    from penstock.networks.pools import avg_pool1d as avg_pool1d
    from penstock.networks.pools import avg_pool2d as avg_pool2d
    from penstock.networks.pools import avg_pool3d as avg_pool3d
    from penstock.networks.pools import max_pool1d as max_pool1d
    from penstock.networks.pools import max_pool2d as max_pool2d
    from penstock.networks.pools import max_pool3d as max_pool3d

_HOMES = {
    "networks.convolutions": (
        "compat_conv2d", "conv1d", "conv2d", "conv2d_transpose", "conv3d", "torch_conv2d_transpose",
    ),
    "networks.dropout": ("dropout", "random_mask_like"),
    "functions.elementwise": (
        "elu", "fused_scale_tril", "hardtanh", "leaky_relu", "relu6", "swish", "tril",
    ),
    "networks.layer_parts": ("bias_add",),
    "networks.loss_functions": (
        "BCELoss", "BCEWithLogitsLoss", "KLDivLoss", "L1Loss", "MSELoss", "MarginRankingLoss",
        "TripletMarginLoss", "sigmoid_cross_entropy_with_logits",
        "softmax_cross_entropy_with_logits", "sparse_cross_entropy",
        "sparse_softmax_cross_entropy_with_logits",
    ),
    "functions.movement": ("PixelShuffle", "PixelShufflev2", "softmax_grad"),
    "networks.norms": (
        "GroupNorm", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "batch_normalization",
    ),
    "networks.pools": (
        "avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d",
    ),
    "functions.reductions": ("moments",),
}  # fmt: skip
"""What other modules define."""
_FUNCTIONS = ("layer_norm", "logsoftmax", "softmax")

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
    (*_FUNCTIONS, *(name for names in _HOMES.values() for name in names)),
)  # fmt: skip


def softmax(logits: Blob, axis: int | None = None, name: str | None = None) -> Blob:
    """exp(x) / sum of exp(x) along an axis, by default the last; computed without overflow."""
    return _along_axis("flow.softmax", "flow.nn.softmax", logits, axis, name)


def logsoftmax(logits: Blob, axis: int | None = None, name: str | None = None) -> Blob:
    """The logarithm of softmax along an axis, by default the last."""
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

    Mean and variance are over the dimensions from `begin_norm_axis` on. `gamma` and `beta` have
    the shape of `inputs` from `begin_params_axis` on; one that is None is left out.

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


def __dir__() -> list[str]:
    return _thin.names()


_find = from_homes("flow.nn", _HOMES, _thin.find)


def __getattr__(name: str) -> Any:
    return _find(name)
