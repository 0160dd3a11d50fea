"""`flow.layers`: batch normalization, and an activation with learned slopes."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.basics.checks import check_flag, check_within
from penstock.basics.errors import located
from penstock.distribute import Distribution, check_distribute
from penstock.networks.layer_parts import check_layer_name, layer
from penstock.networks.norms import (
    along,
    cast,
    check_floats,
    computed_in,
    normalized,
)
from penstock.networks.norms import batch_normalization as normalized_by
from penstock.regularizers import Regularizer
from penstock.scope import namespace
from penstock.trace.blob import Blob, apply, binary, check_blob, constant_blob
from penstock.trace.initializers import Initializer
from penstock.trace.thin import axis_of, integers_of
from penstock.trace.tracing import current_trace
from penstock.trace.variables import assign, layer_variable


@layer
def batch_normalization(
    inputs: Blob,
    axis: int = -1,
    momentum: float = 0.99,
    epsilon: float = 0.001,
    center: bool = True,
    scale: bool = True,
    beta_initializer: Initializer | None = None,
    gamma_initializer: Initializer | None = None,
    beta_regularizer: Regularizer | None = None,
    gamma_regularizer: Regularizer | None = None,
    moving_mean_initializer: Initializer | None = None,
    moving_variance_initializer: Initializer | None = None,
    trainable: bool = True,
    training: bool = True,
    name: str = "BatchNorm",
) -> Blob:
    """gamma * (x - mean) / sqrt(variance + epsilon) + beta, for each channel, along `axis`.

    In a train job, mean and variance are the batch's, and the moving ones follow: moving <-
    momentum * moving + (1 - momentum) * batch, after the step. A predict job, and a layer with
    `trainable` or `training` False, uses the moving ones. Both variances are biased: the mean of (x
    - mean) squared, divided by n, not n - 1. Ioffe and Szegedy, "Batch normalization", 2015.

    The variables have one number per channel: `<name>-gamma`, initially 1, if `scale`,
    `<name>-beta`, initially 0, if `center`, `<name>-moving_mean`, initially 0, and
    `<name>-moving_variance`, initially 1; they are f32 for 16-bit inputs. Layers of a job need
    distinct names.

    Raises a located TypeError or ValueError for invalid arguments.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function(type="train")
    ... def job(x: tp.Numpy.Placeholder((2, 1))) -> tp.Numpy:
    ...     y = flow.layers.batch_normalization(x, momentum=0.75, epsilon=0.0, name="norm")
    ...     rates = flow.optimizer.PiecewiseConstantScheduler([], [0.0])
    ...     flow.optimizer.SGD(rates, momentum=0).minimize(y)
    ...     return y
    >>> job(np.array([[4], [8]], np.float32))
    array([[-1.],
           [ 1.]], dtype=float32)
    >>> moving = flow.get_all_variables()
    >>> moving["norm-moving_mean"].numpy(), moving["norm-moving_variance"].numpy()
    (array([1.5], dtype=float32), array([1.75], dtype=float32))
    """
    what = "flow.layers.batch_normalization"
    x = check_blob(inputs, what)
    check_floats(x, what)
    check_layer_name(name, what)
    flags = {"center": center, "scale": scale, "trainable": trainable, "training": training}
    for word, flag in flags.items():
        check_flag(flag, f"{word} of {what}")
    place = axis_of(axis, len(x.shape), what)
    share = check_within(momentum, f"momentum of {what}", 0)
    if share > 1:
        raise located(ValueError, f"momentum of {what} must be at most 1, got {momentum}")
    number = check_within(epsilon, f"epsilon of {what}", 0)
    dtype, channels = computed_in(x.dtype), (x.shape[place],)
    gamma = beta = None
    with namespace(name):
        if center:
            beta = layer_variable(
                "beta", channels, dtype, beta_initializer, beta_regularizer, trainable
            )
        if scale:
            gamma = layer_variable(
                "gamma", channels, dtype, gamma_initializer, gamma_regularizer, trainable, first=1.0
            )
        moving = [
            layer_variable(word, channels, dtype, initializer, None, False, first=first)
            for word, initializer, first in (
                ("moving_mean", moving_mean_initializer, 0.0),
                ("moving_variance", moving_variance_initializer, 1.0),
            )
        ]
    wide = cast(x, dtype)
    if not (training and trainable and current_trace(what).job_type == "train"):
        label = name if wide is x else None
        normal = normalized_by(wide, moving[0], moving[1], beta, gamma, number, place, label)
        return cast(normal, x.dtype, name)
    axes = [other for other in range(len(x.shape)) if other != place]
    if not axes or 0 in (x.shape[other] for other in axes):
        raise located(
            ValueError, f"{what} takes several samples of each channel, got shape {x.shape}"
        )
    gamma, beta = (None if blob is None else along(blob, x, place) for blob in (gamma, beta))
    y, *batch = normalized(wide, gamma, beta, axes, number, what=what, name=name)
    for old, new in zip(moving, batch, strict=True):
        flat = apply("flow.reshape", new, shape=channels, what=what)[0]
        followed = old
        for value in flat.micro_batches or (flat,):
            kept = binary("flow.multiply", followed, share, what=what)
            added = binary("flow.multiply", value, 1 - share, what=what)
            followed = binary("flow.add", kept, added, what=what)
        assign(old, followed)
    return cast(y, x.dtype)


@layer
def batch_normalization_relu(
    inputs: Blob,
    axis: int = -1,
    momentum: float = 0.99,
    epsilon: float = 0.001,
    center: bool = True,
    scale: bool = True,
    beta_initializer: Initializer | None = None,
    gamma_initializer: Initializer | None = None,
    beta_regularizer: Regularizer | None = None,
    gamma_regularizer: Regularizer | None = None,
    moving_mean_initializer: Initializer | None = None,
    moving_variance_initializer: Initializer | None = None,
    trainable: bool = True,
    training: bool = True,
    name: str = "BatchNorm",
) -> Blob:
    """relu of `batch_normalization`."""
    y = batch_normalization(
        inputs, axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer,
        beta_regularizer, gamma_regularizer, moving_mean_initializer, moving_variance_initializer,
        trainable, training, name,
    )  # fmt: skip
    return apply("flow.relu", y, what="flow.layers.batch_normalization_relu")[0]


@layer
def batch_normalization_add_relu(
    inputs: Blob,
    addend: Blob | None = None,
    axis: int = -1,
    momentum: float = 0.99,
    epsilon: float = 0.001,
    center: bool = True,
    scale: bool = True,
    beta_initializer: Initializer | None = None,
    gamma_initializer: Initializer | None = None,
    beta_regularizer: Regularizer | None = None,
    gamma_regularizer: Regularizer | None = None,
    moving_mean_initializer: Initializer | None = None,
    moving_variance_initializer: Initializer | None = None,
    trainable: bool = True,
    training: bool = True,
    name: str = "BatchNorm",
) -> Blob:
    """relu of `batch_normalization` + `addend`; without an addend, of the former alone."""
    what = "flow.layers.batch_normalization_add_relu"
    y = batch_normalization(
        inputs, axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer,
        beta_regularizer, gamma_regularizer, moving_mean_initializer, moving_variance_initializer,
        trainable, training, name,
    )  # fmt: skip
    if addend is not None:
        y = binary("flow.add", y, addend, what=what)
    return apply("flow.relu", y, what=what)[0]


@layer
def prelu(
    inputs: Blob,
    alpha_initializer: Initializer | None = None,
    alpha_regularizer: Regularizer | None = None,
    shared_axes: Sequence[int] | None = None,
    trainable: bool = True,
    name: str = "PRelu",
    model_distribute: Distribution | None = None,
) -> Blob:
    """x if it is positive, otherwise alpha * x, where alpha is learned.

    The variable `<name>-alpha`, initially 0, has the shape of `inputs` without the first dimension,
    but extent 1 along `shared_axes`, which count from the first dimension of `inputs`. He, Zhang,
    Ren and Sun, "Delving deep into rectifiers", 2015.
    """
    what = "flow.layers.prelu"
    x = check_blob(inputs, what)
    check_floats(x, what)
    check_layer_name(name, what)
    check_flag(trainable, f"trainable of {what}")
    if model_distribute is not None:
        check_distribute(model_distribute, f"model_distribute of {what}")
    if not x.shape:
        raise located(ValueError, f"{what} takes at least one dimension, for samples, got shape ()")
    shape = list(x.shape)
    for axis in integers_of(shared_axes or [], f"shared_axes of {what}"):
        place = axis_of(axis, len(shape), what)
        if place == 0:
            raise located(
                ValueError,
                f"shared_axes of {what} count from 1, got {axis}: it is the "
                "axis of samples, which share alpha anyway",
            )
        shape[place] = 1
    with namespace(name):
        alpha = layer_variable(
            "alpha", shape[1:], x.dtype, alpha_initializer, alpha_regularizer, trainable,
            distribute=model_distribute,
        )  # fmt: skip
    above = binary("flow.greater", x, constant_blob(0, (), x.dtype, what), what=what)
    return apply(
        "flow.where", above, x, binary("flow.multiply", x, alpha, what=what), name=name, what=what
    )[0]


def layer_norm_grad(
    dy: Blob,
    x: Blob,
    mean: Blob,
    inv_variance: Blob,
    begin_norm_axis: int = 1,
    name: str = "LayerNormGrad",
) -> Blob:
    """The gradient of x, from that of n = (x - mean) * inv_variance.

    `inv_variance` is 1 / sqrt(variance + epsilon); it and `mean` have the shape of `x` before
    `begin_norm_axis`, since they are taken over the dimensions from there on.
    """
    what = "flow.layers.layer_norm_grad"
    x = check_blob(x, what)
    begin = axis_of(begin_norm_axis, len(x.shape), what)
    axes = list(range(begin, len(x.shape)))
    for word, blob, shape in (
        ("dy", dy, x.shape),
        ("mean", mean, x.shape[:begin]),
        ("inv_variance", inv_variance, x.shape[:begin]),
    ):
        _check_shape(blob, shape, word, what)
    spread = (*x.shape[:begin], *[1] * len(axes))
    mean, root = (
        apply("flow.reshape", blob, shape=spread, what=what)[0] for blob in (mean, inv_variance)
    )
    n = binary("flow.multiply", binary("flow.subtract", x, mean, what=what), root, what=what)
    along = binary("flow.multiply", dy, n, what=what)
    plain, bent = (
        apply("flow.reduce_mean", blob, axes=axes, keepdims=True, what=what)[0]
        for blob in (dy, along)
    )
    rest = binary("flow.subtract", dy, plain, what=what)
    rest = binary("flow.subtract", rest, binary("flow.multiply", n, bent, what=what), what=what)
    return binary("flow.multiply", rest, root, name, what)


def layer_norm_param_grad(
    dy: Blob,
    norm: Blob,
    gamma: Blob,
    begin_params_axis: int = -1,
    name: str = "LayerNormParamGrad",
) -> tuple[Blob, Blob, Blob]:
    """The gradients of `norm`, beta and gamma, from that of y = gamma * norm + beta.

    `gamma` has the shape of `norm` from `begin_params_axis` on.
    """
    what = "flow.layers.layer_norm_param_grad"
    norm = check_blob(norm, what)
    begin = axis_of(begin_params_axis, len(norm.shape), what)
    _check_shape(dy, norm.shape, "dy", what)
    _check_shape(gamma, norm.shape[begin:], "gamma", what)
    axes = list(range(begin))
    along = binary("flow.multiply", dy, norm, what=what)
    return (
        binary("flow.multiply", dy, gamma, name, what),
        apply("flow.reduce_sum", dy, axes=axes, what=what)[0],
        apply("flow.reduce_sum", along, axes=axes, what=what)[0],
    )


def _check_shape(blob: Blob, shape: Sequence[int], word: str, what: str) -> None:
    if check_blob(blob, what).shape != tuple(shape):
        raise located(
            ValueError, f"{word} of {what} must have shape {tuple(shape)}, got {blob.shape}"
        )
