"""One layer of a transformer's encoder or decoder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from penstock.basics.checks import check_flag
from penstock.basics.dtypes import DType
from penstock.basics.errors import kind_of, located
from penstock.nn.functional.activations import gelu, relu
from penstock.nn.modules.linears import Linear
from penstock.nn.modules.module import Module
from penstock.nn.modules.norms import LayerNorm
from penstock.nn.modules.shaping import Dropout
from penstock.nn.transformers.attention import MultiheadAttention
from penstock.tensor_functions.pointwise import add
from penstock.tensors.tensor import Tensor

Activation = Callable[[Tensor], Tensor]
_ACTIVATIONS: dict[str, Activation] = {"relu": relu, "gelu": gelu}


def _activation(wanted: object, what: str) -> Activation:
    if callable(wanted):
        return wanted
    if wanted not in _ACTIVATIONS:
        raise located(
            ValueError,
            f'activation of {what} must be "relu", "gelu" or a function, got {kind_of(wanted)}',
        )
    return _ACTIVATIONS[str(wanted)]


class _Layer(Module):
    """Attentions, two linear maps, and a norm and a dropout for each of these parts."""

    self_attn: MultiheadAttention
    _ATTENTIONS: ClassVar[tuple[str, ...]] = ("self_attn",)

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: Any = "relu", layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None,
        dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        what = f"flow.nn.{type(self).__name__}"
        for name in self._ATTENTIONS:
            heads = MultiheadAttention(
                d_model, nhead, dropout, bias, batch_first=batch_first, device=device, dtype=dtype
            )
            self.add_module(name, heads)
        self.linear1 = Linear(d_model, dim_feedforward, bias, device, dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, device, dtype)
        parts = range(1, len(self._ATTENTIONS) + 2)
        for i in parts:
            norm = LayerNorm(d_model, layer_norm_eps, True, bias, device=device, dtype=dtype)
            self.add_module(f"norm{i}", norm)
        for i in parts:
            self.add_module(f"dropout{i}", Dropout(dropout))
        self.norm_first = check_flag(norm_first, f"norm_first of {what}")
        self.activation = _activation(activation, what)

    def _with(self, x: Tensor, norm: Module, part: Callable[[Tensor], Tensor]) -> Tensor:
        """x plus a part of it, normalised before or after."""
        return add(x, part(norm(x))) if self.norm_first else norm(add(x, part(x)))

    def _mapped(self, x: Tensor) -> Tensor:
        y: Tensor = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return y


class TransformerEncoderLayer(_Layer):
    """Self-attention, then two linear maps with an activation between: Vaswani et al., 2017.

    >>> import penstock as flow
    >>> layer = flow.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    >>> layer(flow.ones(3, 5, 8)).shape
    penstock.Size([3, 5, 8])
    """

    def forward(
        self, src: Tensor, src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None, is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        def attended(x: Tensor) -> Tensor:
            y = self.self_attn(x, x, x, src_key_padding_mask, False, src_mask, is_causal=is_causal)
            return self.dropout1(y[0])  # type: ignore[no-any-return]

        x = self._with(src, self.norm1, attended)
        return self._with(x, self.norm2, lambda x: self.dropout2(self._mapped(x)))


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the encoder's output `memory`, then two linear maps.

    >>> import penstock as flow
    >>> layer = flow.nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
    >>> layer(flow.ones(3, 5, 8), flow.ones(3, 7, 8)).shape
    penstock.Size([3, 5, 8])
    """

    multihead_attn: MultiheadAttention
    _ATTENTIONS = ("self_attn", "multihead_attn")

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None, tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None, tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        def attended(x: Tensor) -> Tensor:
            y = self.self_attn(
                x, x, x, tgt_key_padding_mask, False, tgt_mask, is_causal=tgt_is_causal
            )
            return self.dropout1(y[0])  # type: ignore[no-any-return]

        def remembered(x: Tensor) -> Tensor:
            y = self.multihead_attn(
                x, memory, memory, memory_key_padding_mask, False, memory_mask,
                is_causal=memory_is_causal,
            )  # fmt: skip
            return self.dropout2(y[0])  # type: ignore[no-any-return]

        x = self._with(tgt, self.norm1, attended)
        x = self._with(x, self.norm2, remembered)
        return self._with(x, self.norm3, lambda x: self.dropout3(self._mapped(x)))
