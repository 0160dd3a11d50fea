"""Stacks of transformer layers: encoder, decoder, and both together."""

from __future__ import annotations

import copy
from math import inf
from typing import Any

import numpy as np

from penstock.basics.dtypes import DType
from penstock.basics.errors import kind_of, located
from penstock.nn.functional.constants import check_count
from penstock.nn.modules.containers import ModuleList
from penstock.nn.modules.module import Module
from penstock.nn.modules.norms import LayerNorm
from penstock.nn.transformers.attention import draw_glorot
from penstock.nn.transformers.layers import TransformerDecoderLayer, TransformerEncoderLayer
from penstock.tensors.tensor import Tensor, wrap


def _copies(layer: object, count: int, what: str) -> ModuleList:
    if not isinstance(layer, Module):
        raise located(TypeError, f"{what} takes a layer to copy, got {kind_of(layer)}")
    number = check_count(count, "num_layers", what)
    return ModuleList([copy.deepcopy(layer) for _ in range(number)])


class TransformerEncoder(Module):
    """`num_layers` copies of an encoder layer, one after the other, and an optional norm.

    >>> import penstock as flow
    >>> layer = flow.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    >>> flow.nn.TransformerEncoder(layer, 2)(flow.ones(3, 5, 8)).shape
    penstock.Size([3, 5, 8])
    """

    def __init__(
        self, encoder_layer: Module, num_layers: int, norm: Module | None = None,
        enable_nested_tensor: bool = True, mask_check: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.layers = _copies(encoder_layer, num_layers, "flow.nn.TransformerEncoder")
        self.num_layers = len(self.layers)
        self.norm = norm

    def forward(
        self, src: Tensor, mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None, is_causal: bool | None = None,
    ) -> Tensor:  # fmt: skip
        x = src
        for layer in self.layers:
            x = layer(x, mask, src_key_padding_mask, bool(is_causal))
        return x if self.norm is None else self.norm(x)


class TransformerDecoder(Module):
    """`num_layers` copies of a decoder layer, one after the other, and an optional norm.

    >>> import penstock as flow
    >>> layer = flow.nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
    >>> flow.nn.TransformerDecoder(layer, 2)(flow.ones(3, 5, 8), flow.ones(3, 7, 8)).shape
    penstock.Size([3, 5, 8])
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _copies(decoder_layer, num_layers, "flow.nn.TransformerDecoder")
        self.num_layers = len(self.layers)
        self.norm = norm

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None, tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None, tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        x = tgt
        for layer in self.layers:
            x = layer(
                x, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask,
                bool(tgt_is_causal), memory_is_causal,
            )  # fmt: skip
        return x if self.norm is None else self.norm(x)


class Transformer(Module):
    """An encoder, and a decoder that attends to its output: Vaswani et al., 2017.

    Input is [length, samples, d_model], or [samples, length, d_model] with `batch_first`.

    >>> import penstock as flow
    >>> model = flow.nn.Transformer(8, 2, 1, 1, 16, batch_first=True)
    >>> model(flow.ones(3, 5, 8), flow.ones(3, 7, 8)).shape
    penstock.Size([3, 7, 8])
    """

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6,
        num_decoder_layers: int = 6, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: Any = "relu", custom_encoder: Module | None = None,
        custom_decoder: Module | None = None, layer_norm_eps: float = 1e-5,
        batch_first: bool = False, norm_first: bool = False, bias: bool = True,
        device: Any = None, dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        of_layer = (
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first,
            norm_first, bias, device, dtype,
        )  # fmt: skip
        of_norm = {"bias": bias, "device": device, "dtype": dtype}
        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*of_layer), num_encoder_layers,
            LayerNorm(d_model, layer_norm_eps, **of_norm),
        )  # fmt: skip
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*of_layer), num_decoder_layers,
            LayerNorm(d_model, layer_norm_eps, **of_norm),
        )  # fmt: skip
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
        for parameter in self.parameters():
            if len(parameter.shape) > 1:
                draw_glorot(parameter)

    def forward(
        self, src: Tensor, tgt: Tensor, src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None, tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None, src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        return self.decoder(  # type: ignore[no-any-return]
            tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask,
            tgt_is_causal, memory_is_causal,
        )  # fmt: skip

    @staticmethod
    def generate_square_subsequent_mask(
        sz: int, device: Any = None, dtype: DType | None = None
    ) -> Tensor:
        """The mask that hides later positions: -inf above the diagonal, else 0.

        >>> import penstock as flow
        >>> flow.nn.Transformer.generate_square_subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]], dtype=penstock.float32)
        """
        size = check_count(sz, "sz", "generate_square_subsequent_mask", 0)
        kind = np.float32 if dtype is None else dtype.numpy
        return wrap(np.triu(np.full((size, size), -inf, kind), 1))
