"""Attention with several heads."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from penstock.basics.checks import check_flag, check_number
from penstock.basics.dtypes import DType
from penstock.basics.errors import located
from penstock.nn.functional.attention import added_mask, attention_weights
from penstock.nn.functional.constants import check_count
from penstock.nn.functional.convolution import linear
from penstock.nn.functional.masking import dropout
from penstock.nn.modules.initial import draw_normal, draw_uniform, fans, fill, new
from penstock.nn.modules.linears import Linear
from penstock.nn.modules.module import Module
from penstock.nn.modules.parameter import Parameter
from penstock.tensor_functions.calls import given
from penstock.tensor_functions.pointwise import add
from penstock.tensor_functions.products import matmul
from penstock.tensor_functions.reductions import mean
from penstock.tensor_functions.shapes import (
    cat,
    chunk,
    repeat,
    reshape,
    squeeze,
    transpose,
    unsqueeze,
)
from penstock.tensors.creation import zeros
from penstock.tensors.tensor import Tensor, wrap


def draw_glorot(weight: Tensor) -> None:
    """Initial values drawn uniformly from +-sqrt(6 / (inputs + results)): Glorot, Bengio, 2010."""
    bound = sqrt(6 / sum(fans(weight.shape, "a weight")))
    draw_uniform(weight, -bound, bound)


class MultiheadAttention(Module):
    """Attention of several heads to parts of the features: Vaswani et al., 2017.

    Input is [length, samples, features], [samples, length, features] with `batch_first`, or
    without samples. Returns the output and, unless `need_weights` is False, the weights, [samples,
    queries, keys], averaged over the heads. In masks of bools, True hides a key, unlike in
    `F.scaled_dot_product_attention`. A query that may read no key gives the bias of `out_proj`.

    >>> import penstock as flow
    >>> attention = flow.nn.MultiheadAttention(8, 2, batch_first=True)
    >>> x = flow.ones(3, 5, 8)
    >>> output, weights = attention(x, x, x)
    >>> output.shape, weights.shape
    (penstock.Size([3, 5, 8]), penstock.Size([3, 5, 5]))
    """

    in_proj_weight: Parameter | None
    q_proj_weight: Parameter | None
    k_proj_weight: Parameter | None
    v_proj_weight: Parameter | None
    in_proj_bias: Parameter | None
    bias_k: Parameter | None
    bias_v: Parameter | None

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True,
        add_bias_kv: bool = False, add_zero_attn: bool = False, kdim: int | None = None,
        vdim: int | None = None, batch_first: bool = False, device: Any = None,
        dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        what = "flow.nn.MultiheadAttention"
        self.embed_dim = size = check_count(embed_dim, "embed_dim", what)
        self.num_heads = check_count(num_heads, "num_heads", what)
        if size % self.num_heads:
            raise located(
                ValueError, f"embed_dim of {what} must be a multiple of num_heads, got {size} and "
                f"{self.num_heads}",
            )  # fmt: skip
        self.head_dim = size // self.num_heads
        self.kdim = size if kdim is None else check_count(kdim, "kdim", what)
        self.vdim = size if vdim is None else check_count(vdim, "vdim", what)
        self.dropout = check_number(dropout, f"dropout of {what}")
        self.batch_first = check_flag(batch_first, f"batch_first of {what}")
        self.add_zero_attn = check_flag(add_zero_attn, f"add_zero_attn of {what}")

        def made(wanted: bool, *shape: int) -> Parameter | None:
            return new(shape, dtype, device) if wanted else None

        packed = self.kdim == size and self.vdim == size
        self.register_parameter("in_proj_weight", made(packed, 3 * size, size))
        self.register_parameter("q_proj_weight", made(not packed, size, size))
        self.register_parameter("k_proj_weight", made(not packed, size, self.kdim))
        self.register_parameter("v_proj_weight", made(not packed, size, self.vdim))
        has_bias = check_flag(bias, f"bias of {what}")
        self.register_parameter("in_proj_bias", made(has_bias, 3 * size))
        self.out_proj = Linear(size, size, bias, device, dtype)
        adds = check_flag(add_bias_kv, f"add_bias_kv of {what}")
        self.register_parameter("bias_k", made(adds, 1, 1, size))
        self.register_parameter("bias_v", made(adds, 1, 1, size))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        for weight in (
            self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        ):  # fmt: skip
            if weight is not None:
                draw_glorot(weight)
        for bias in (self.in_proj_bias, self.out_proj.bias):
            if bias is not None:
                fill(bias, 0.0)
        for extra in (self.bias_k, self.bias_v):
            if extra is not None:
                draw_normal(extra, 0.0, sqrt(2 / sum(fans(extra.shape, "a bias"))))

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None,
        need_weights: bool = True, attn_mask: Tensor | None = None,
        average_attn_weights: bool = True, is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        what = "flow.nn.MultiheadAttention"
        inputs = [given(one, what) for one in (query, key, value)]
        self._check(inputs, what)
        alone = len(inputs[0].shape) == 2
        if alone:
            inputs = [unsqueeze(one, 0) for one in inputs]
        elif not self.batch_first:
            inputs = [transpose(one, 0, 1) for one in inputs]
        if attn_mask is None and check_flag(is_causal, f"is_causal of {what}"):
            later = ~np.tri(inputs[0].shape[1], inputs[1].shape[1], dtype=bool)
            attn_mask = wrap(later)
        q, k, v = self._projected(inputs)
        added = self._masks(q, k, attn_mask, key_padding_mask, alone)
        k, v, added = self._longer(k, v, added)
        heads = [self._by_head(one) for one in (q, k, v)]
        weights = attention_weights(heads[0], heads[1], added)
        kept = dropout(weights, self.dropout, self.training) if self.dropout else weights
        output = transpose(matmul(kept, heads[2]), 1, 2)
        output = self.out_proj(reshape(output, *q.shape))
        output = squeeze(output, 0) if alone else output
        output = output if alone or self.batch_first else transpose(output, 0, 1)
        if not need_weights:
            return output, None
        if average_attn_weights:
            weights = mean(weights, 1)
        return output, squeeze(weights, 0) if alone else weights

    def _check(self, inputs: list[Tensor], what: str) -> None:
        ranks = {len(one.shape) for one in inputs}
        sizes = (self.embed_dim, self.kdim, self.vdim)
        found = [tuple(one.shape) for one in inputs]
        if ranks not in ({2}, {3}) or any(s[-1] != n for s, n in zip(found, sizes, strict=True)):
            raise located(
                ValueError, f"{what} takes query, key and value of rank 3, or 2 without samples, "
                f"with {sizes[0]}, {sizes[1]} and {sizes[2]} features, got shapes "
                f"{', '.join(map(str, found))}",
            )  # fmt: skip

    def _projected(self, inputs: list[Tensor]) -> list[Tensor]:
        """Query, key and value after their linear maps, [samples, length, features]."""
        if self.in_proj_weight is not None:
            weights = list(chunk(self.in_proj_weight, 3, 0))
        else:
            weights = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]  # type: ignore[list-item]
        bias = self.in_proj_bias
        biases = [None] * 3 if bias is None else list(chunk(bias, 3, 0))
        return [linear(*each) for each in zip(inputs, weights, biases, strict=True)]

    def _masks(
        self, q: Tensor, k: Tensor, attends: Tensor | None, pads: Tensor | None, alone: bool
    ) -> Tensor | None:
        """Both masks as numbers that are added to scores [samples, heads, queries, keys]."""
        what = "flow.nn.MultiheadAttention"
        (samples, queries, _), keys = q.shape, k.shape[1]
        added = None
        if attends is not None:
            mask = added_mask(given(attends, what), q.dtype, False)
            one, each = (queries, keys), (samples * self.num_heads, queries, keys)
            if tuple(mask.shape) not in (one, each):
                raise located(
                    ValueError, f"attn_mask of {what} must have shape {one} or {each}, got "
                    f"{tuple(mask.shape)}",
                )  # fmt: skip
            has_all = len(mask.shape) == 3
            added = reshape(mask, samples, self.num_heads, queries, keys) if has_all else mask
        if pads is not None:
            mask = added_mask(given(pads, what), q.dtype, False)
            wanted = (keys,) if alone else (samples, keys)
            if tuple(mask.shape) != wanted:
                raise located(
                    ValueError, f"key_padding_mask of {what} must have shape {wanted}, got "
                    f"{tuple(mask.shape)}",
                )  # fmt: skip
            mask = reshape(mask, samples, 1, 1, keys)
            added = mask if added is None else add(added, mask)
        return added

    def _longer(
        self, k: Tensor, v: Tensor, added: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Key and value with the learned position and the one of zeros, if there are any."""
        samples = k.shape[0]
        for wanted, ends in (
            (self.bias_k is not None, (self.bias_k, self.bias_v)),
            (self.add_zero_attn, (None, None)),
        ):
            if not wanted:
                continue
            k, v = (
                cat([x, zeros(samples, 1, self.embed_dim, dtype=x.dtype)
                     if end is None else repeat(end, samples, 1, 1)], 1)
                for x, end in zip((k, v), ends, strict=True)
            )  # fmt: skip
            if added is not None:
                added = cat([added, zeros(*added.shape[:-1], 1, dtype=added.dtype)], -1)
        return k, v, added

    def _by_head(self, x: Tensor) -> Tensor:
        """[samples, length, features] as [samples, heads, length, features of a head]."""
        samples, length, _ = x.shape
        return transpose(reshape(x, samples, length, self.num_heads, self.head_dim), 1, 2)
