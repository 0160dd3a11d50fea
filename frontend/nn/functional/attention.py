"""Scaled dot-product attention, and the masks that hide keys from queries."""

from __future__ import annotations

from math import inf, sqrt

from penstock.basics.checks import check_flag, check_number
from penstock.basics.dtypes import DType, bool_
from penstock.basics.errors import located
from penstock.nn.functional.masking import dropout
from penstock.tensor_functions.calls import as_type, given, op, pair
from penstock.tensor_functions.pointwise import add, mul, softmax, where
from penstock.tensor_functions.products import matmul
from penstock.tensor_functions.reductions import amax
from penstock.tensor_functions.shapes import expand, reshape, transpose, unsqueeze
from penstock.tensors.tensor import Tensor


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(query @ key^T * scale + mask) @ value, by default with scale = 1 / sqrt(features).

    query is [..., queries, features], key [..., keys, features], value [..., keys, results]; the
    leading dimensions broadcast. A mask of bools is True where a query may read a key, a mask of
    floats is added. `is_causal` lets query i read keys 0 to i. A query that may read no key gives
    zeros. With `enable_gqa`, several heads of the query share one of key and value.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> x = flow.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> F.scaled_dot_product_attention(x, x, x, is_causal=True)
    tensor([[1.0000, 0.0000],
            [0.3302, 0.6698]], dtype=penstock.float32)
    """
    what = "F.scaled_dot_product_attention"
    query, key, value = (given(one, what) for one in (query, key, value))
    _check_shapes(query, key, value, what)
    if check_flag(enable_gqa, f"enable_gqa of {what}"):
        key, value = _per_head(query, key, what), _per_head(query, value, what)
    if check_flag(is_causal, f"is_causal of {what}") and attn_mask is not None:
        raise located(RuntimeError, f"{what} takes attn_mask or is_causal, got both")
    added = None if attn_mask is None else added_mask(given(attn_mask, what), query.dtype, True)
    weights = attention_weights(query, key, added, scale, is_causal)
    if dropout_p:
        weights = dropout(weights, dropout_p)
    return matmul(weights, value)


def attention_weights(
    query: Tensor, key: Tensor, added: Tensor | None, scale: float | None = None,
    is_causal: bool = False,
) -> Tensor:  # fmt: skip
    """softmax(query @ key^T * scale + added) over the keys; zeros where all are -inf."""
    features = query.shape[-1]
    factor = 1 / sqrt(max(features, 1)) if scale is None else check_number(scale, "scale")
    scores = matmul(mul(query, factor), transpose(key, -2, -1))
    if not key.shape[-2]:
        return softmax(scores, -1)
    if is_causal:
        # A mask that ends each row behind its query: a GPU needs no tensor for it.
        scores = op("flow.tril", scores, diagonal=0, fill=-inf)
    if added is None:
        # Each query reads a key, if only the first.
        return softmax(scores, -1)
    scores = add(scores, added)
    reads_none = pair("flow.equal", amax(scores, -1, True), -inf)
    # Softmax of such a row, and its gradient, would be NaN.
    weights = softmax(where(reads_none, 0.0, scores), -1)
    return where(reads_none, 0.0, weights)  # type: ignore[no-any-return]


def _check_shapes(query: Tensor, key: Tensor, value: Tensor, what: str) -> None:
    shapes = [tuple(one.shape) for one in (query, key, value)]
    if any(len(shape) < 2 for shape in shapes):
        raise located(ValueError, f"{what} takes tensors of rank 2 or more, got shapes {shapes}")
    if shapes[0][-1] != shapes[1][-1] or shapes[1][-2] != shapes[2][-2]:
        raise located(
            ValueError,
            f"{what} takes shapes [..., queries, features], [..., keys, features] and "
            f"[..., keys, results], got {', '.join(map(str, shapes))}",
        )


def _per_head(query: Tensor, x: Tensor, what: str) -> Tensor:
    """One head of x for each head of the query, at dimension -3."""
    heads, ours = query.shape[-3], x.shape[-3]
    if ours == 0 or heads % ours:
        raise located(
            ValueError, f"{what}: {heads} heads of the query cannot share {ours} of key and value"
        )
    rank = len(x.shape)
    wide = expand(unsqueeze(x, rank - 2), *x.shape[:-2], heads // ours, *x.shape[-2:])
    return reshape(wide, *x.shape[:-3], heads, *x.shape[-2:])


def added_mask(mask: Tensor, dtype: DType, reads: bool) -> Tensor:
    """A mask as numbers that are added to scores; `reads` is the bool of keys that are read."""
    if mask.dtype is bool_:
        mask = where(mask, 0.0, -inf) if reads else where(mask, -inf, 0.0)
    return as_type(mask, dtype)
