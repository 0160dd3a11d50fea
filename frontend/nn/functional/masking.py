"""Dropout: in training, elements or whole channels become 0 at random."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.basics.checks import check_flag, check_number
from penstock.basics.errors import kind_of, located
from penstock.tensor_functions.calls import given, op
from penstock.tensor_functions.pointwise import add, mul, where
from penstock.tensor_functions.random_numbers import Generator, default_generator
from penstock.tensors.inplace import assign
from penstock.tensors.tensor import Tensor
from penstock.trace.tracing import active_trace

_ALPHA = -1.7580993408473766
"""The value of dropped units in `alpha_dropout`: minus the product of `selu`'s two constants."""


def dropout(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
    addend: Tensor | None = None,
) -> Tensor:
    """In training, 0 with probability `p`, else x / (1 - p); otherwise x. Plus `addend`, if given.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.dropout(flow.ones(2), 0.5, training=False)
    tensor([1., 1.], dtype=penstock.float32)
    """
    y = _dropped("F.dropout", input, p, training, inplace, None, generator)
    return y if addend is None else add(y, addend)


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels of [n, channels, width], or without n."""
    return _dropped("F.dropout1d", input, p, training, inplace, 1)


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels of [n, channels, height, width], or without n."""
    return _dropped("F.dropout2d", input, p, training, inplace, 2)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels of [n, channels, depth, height, width], or without n."""
    return _dropped("F.dropout3d", input, p, training, inplace, 3)


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Dropout that preserves mean 0 and variance 1, for use with `selu`: Klambauer et al., 2017."""
    what = "F.alpha_dropout"
    x, share = _checked(input, p, training, inplace, what)
    if not training or share == 0:
        return x
    if share == 1:
        y = mul(x, 0)
    else:
        keep = 1 - share
        scale = (keep + _ALPHA**2 * keep * share) ** -0.5
        kept = where(_mask(x.shape, share), x, _ALPHA)
        y = add(mul(kept, scale), -scale * share * _ALPHA)
    return assign(x, y, what) if inplace else y


def _mask(shape: Sequence[int], share: float, generator: Generator | None = None) -> Tensor:
    """0 with probability `share`, else 1."""
    key, step = (generator or default_generator).next()
    return op("flow.random_mask", step, seed=key, shape=list(shape), rate=share)


def _checked(
    input: Tensor, p: float, training: bool, inplace: bool, what: str
) -> tuple[Tensor, float]:
    x = given(input, what)
    share = check_number(p, f"p of {what}")
    check_flag(training, f"training of {what}")
    check_flag(inplace, f"inplace of {what}")
    if not 0 <= share <= 1:
        raise located(ValueError, f"p of {what} must lie in [0, 1], got {p}")
    trace = active_trace()
    if training and trace is not None and trace.tensors is None:
        raise located(
            TypeError,
            f"{what} in training takes tensors, got {kind_of(x)}; in a job use flow.nn.dropout",
        )
    return x, share


def _dropped(
    what: str,
    input: Tensor,
    p: float,
    training: bool,
    inplace: bool,
    space: int | None,
    generator: Generator | None = None,
) -> Tensor:
    x, share = _checked(input, p, training, inplace, what)
    if not training or share == 0:
        return x
    shape: Sequence[int] = x.shape
    if space is not None:
        if len(shape) not in (space + 1, space + 2):
            raise located(
                ValueError,
                f"{what} takes an input of {space + 2} dimensions, or {space + 1} for one sample, "
                f"got shape {tuple(x.shape)}",
            )
        shape = [*shape[: len(shape) - space], *[1] * space]
    if share == 1:
        y = mul(x, 0)
    else:
        y = where(_mask(shape, share, generator), mul(x, 1 / (1 - share)), 0)
    return assign(x, y, what) if inplace else y
