"""`flow.quantization`: scale and zero point for quantizing floats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.basics.checks import check_flag, check_integer
from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.trace.blob import Blob, apply, binary, check_blob, constant_blob


def min_max_observer(
    input: Blob,
    quantization_bit: int = 8,
    quantization_scheme: str = "symmetric",
    per_layer_quantization: bool = True,
    name: str | None = None,
) -> tuple[Blob, Blob]:
    """The scale and the zero point with which integers of some bits cover all elements.

    Both have shape (1,), or with `per_layer_quantization=False` one element per position of
    dimension 0. With "symmetric", the scale is max |x| / (2 ** (bits - 1) - 1) and the zero point
    0; with "affine", it is (max x - min x) / (2 ** bits - 1), and the zero point -min x / scale,
    rounded. Floats only.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> tuple[tp.Numpy, tp.Numpy]:
    ...     return flow.quantization.min_max_observer(x)
    >>> job(np.array([-127, 3, 5], np.float32))
    (array([1.], dtype=float32), array([0.], dtype=float32))
    """
    what = "flow.quantization.min_max_observer"
    blob = check_blob(input, what)
    bits = check_integer(quantization_bit, f"quantization_bit of {what}")
    if not 2 <= bits <= 16:
        raise located(ValueError, f"quantization_bit of {what} must lie in [2, 16], got {bits}")
    if quantization_scheme not in ("symmetric", "affine"):
        raise located(
            ValueError,
            f'quantization_scheme of {what} must be "symmetric" or "affine", got '
            f"{kind_of(quantization_scheme)}",
        )
    whole = check_flag(per_layer_quantization, f"per_layer_quantization of {what}")
    if not blob.shape and not whole:
        raise located(ValueError, f"{what} takes channels in dimension 0, got shape ()")
    kept = [1] if whole else [blob.shape[0]]
    axes = list(range(0 if whole else 1, len(blob.shape)))

    def extreme(op: str, x: Blob) -> Blob:
        found = apply(op, x, axes=axes, keepdims=False, what=what)[0]
        return apply("flow.reshape", found, shape=kept, what=what)[0]

    if quantization_scheme == "symmetric":
        top = extreme("flow.reduce_max", apply("flow.abs", blob, what=what)[0])
        scale = binary("flow.divide", top, 2 ** (bits - 1) - 1, name, what)
        return scale, constant_blob(0, kept, blob.dtype, what)
    low = extreme("flow.reduce_min", blob)
    span = binary("flow.subtract", extreme("flow.reduce_max", blob), low, what=what)
    scale = binary("flow.divide", span, 2**bits - 1, name, what)
    place = apply("flow.rint", binary("flow.divide", low, scale, what=what), what=what)[0]
    return scale, apply("flow.negative", place, what=what)[0]


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.quantization")
