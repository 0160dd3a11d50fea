"""Linear layers, embeddings, and layers that only change the shape."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import check_flag, is_integer
from penstock.basics.dtypes import DType
from penstock.basics.errors import kind_of, located
from penstock.nn.functional.constants import check_count
from penstock.nn.functional.convolution import linear
from penstock.nn.functional.lookups import embedding
from penstock.nn.modules.initial import draw_bias, draw_normal, draw_weight, fill, new
from penstock.nn.modules.module import Module
from penstock.nn.modules.parameter import Parameter
from penstock.tensor_functions.shapes import flatten, unflatten
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor


class Identity(Module):
    """Returns its input; ignores the arguments of its constructor."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Linear(Module):
    """y = x @ weight.T + bias, with `weight` of shape (out_features, in_features).

    Both are initialised uniformly in +-1 / sqrt(in_features).

    >>> import penstock as flow
    >>> layer = flow.nn.Linear(3, 2)
    >>> layer(flow.ones(4, 3)).shape
    penstock.Size([4, 2])
    >>> layer
    Linear(in_features=3, out_features=2, bias=True)
    """

    weight: Parameter
    bias: Parameter | None

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None,
        dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.in_features = check_count(in_features, "in_features", "flow.nn.Linear", 0)
        self.out_features = check_count(out_features, "out_features", "flow.nn.Linear", 0)
        self.weight = new((self.out_features, self.in_features), dtype, device)
        has_bias = check_flag(bias, "bias of flow.nn.Linear")
        self.register_parameter("bias", new((self.out_features,), dtype) if has_bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        draw_weight(self.weight)
        draw_bias(self.bias, self.weight)

    def forward(self, input: Tensor) -> Tensor:
        return linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Flatten(Module):
    """Merge several dimensions into one: by default all but the first.

    >>> import penstock as flow
    >>> flow.nn.Flatten()(flow.ones(2, 3, 4)).shape
    penstock.Size([2, 12])
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Split one dimension into several."""

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__()
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        return unflatten(input, self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


class Embedding(Module):
    """A table with a row for each index: see `flow.nn.functional.embedding`.

    Its initial values are normally distributed; row `padding_idx` is 0.

    >>> import penstock as flow
    >>> table = flow.nn.Embedding(10, 3, padding_idx=0)
    >>> table(flow.tensor([[1, 2], [0, 9]])).shape
    penstock.Size([2, 2, 3])
    """

    weight: Parameter

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None,
        max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False,
        sparse: bool = False, _weight: Tensor | None = None, device: Any = None,
        dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        what = "flow.nn.Embedding"
        self.num_embeddings = check_count(num_embeddings, "num_embeddings", what)
        self.embedding_dim = check_count(embedding_dim, "embedding_dim", what)
        if padding_idx is not None:
            rows = self.num_embeddings
            if not is_integer(padding_idx) or not -rows <= padding_idx < rows:
                raise located(
                    ValueError,
                    f"padding_idx of {what} must be None or lie in [{-rows}, {rows}), got "
                    f"{kind_of(padding_idx)}",
                )
            padding_idx = int(padding_idx) % rows
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        shape = (self.num_embeddings, self.embedding_dim)
        if _weight is None:
            self.weight = new(shape, dtype, device)
            self.reset_parameters()
            return
        if tuple(_weight.shape) != shape:
            raise located(
                ValueError, f"_weight of {what} must have shape {shape}, got {tuple(_weight.shape)}"
            )
        self.weight = Parameter(_weight)

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None, **named: Any
    ) -> Embedding:
        """A table with these rows, which require gradients only if `freeze` is False."""
        rows, columns = embeddings.shape
        made = cls(rows, columns, padding_idx, _weight=embeddings, **named)
        made.weight.requires_grad_(not freeze)
        return made

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        draw_normal(self.weight, 0.0, 1.0)
        if self.padding_idx is not None:
            with no_grad():
                fill(self.weight[self.padding_idx], 0.0)

    def forward(self, input: Tensor) -> Tensor:
        return embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
            self.scale_grad_by_freq, self.sparse,
        )  # fmt: skip

    def extra_repr(self) -> str:
        words = f"{self.num_embeddings}, {self.embedding_dim}"
        for word, default in (("padding_idx", None), ("max_norm", None), ("norm_type", 2.0)):
            if getattr(self, word) != default:
                words += f", {word}={getattr(self, word)}"
        return words
