"""Recurrent cells, over sequences and for one step: those of penstock, with parameters of cells."""

from __future__ import annotations

from typing import Any, ClassVar

from penstock.basics.errors import located
from penstock.mindspore.nn.cell import Cell
from penstock.mindspore.parameter import Parameter
from penstock.mindspore.tensor import Tensor, faced, plain, wrapped
from penstock.nn.modules import recurrent
from penstock.nn.modules.module import Module


class _Recurrent(Cell):
    """Base of cells that compute as a module of penstock does."""

    kind: ClassVar[type[Any]]

    def __init__(self, **options: Any) -> None:
        super().__init__()
        module: Module = self.kind(**options)
        self.__dict__["_module"] = module
        for name, tensor in list(module._parameters.items()):
            if tensor is not None:
                parameter = Parameter(wrapped(tensor), name)
                self.insert_param_to_cell(name, parameter, False)
                module._parameters[name] = parameter.inner

    def _run(self, *given: Any) -> Any:
        module: Module = self.__dict__["_module"]
        return faced(module.train(self.training)(*plain(given)))


class _Sequence(_Recurrent):
    """Base of cells over sequences."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, has_bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            input_size=input_size, hidden_size=hidden_size, num_layers=num_layers, bias=has_bias,
            batch_first=batch_first, dropout=dropout, bidirectional=bidirectional, **options,
        )  # fmt: skip

    def construct(self, x: Tensor, hx: Any = None, seq_length: Any = None) -> Any:
        if seq_length is not None:
            raise located(
                ValueError,
                f"seq_length of {self.cls_name} must be None: all sequences of a batch have the "
                "length of x",
            )
        return self._run(x, hx)


class RNN(_Sequence):
    """A recurrent network over sequences: h = tanh(W x + b + V h + c), or with relu.

    x has shape (length, batch, input_size), the state `hx` (layers * directions, batch,
    hidden_size). Returns the outputs of the last layer, and the last state.

    >>> import numpy as np
    >>> import penstock.mindspore as ms
    >>> rnn = ms.nn.RNN(3, 4)
    >>> output, state = rnn(ms.Tensor(np.ones((5, 2, 3), np.float32)))
    >>> output.shape, state.shape
    ((5, 2, 4), (1, 2, 4))
    """

    kind = recurrent.RNN

    def __init__(self, *args: Any, nonlinearity: str = "tanh", **named: Any) -> None:
        super().__init__(*args, nonlinearity=nonlinearity, **named)


class LSTM(_Sequence):
    """A long short-term memory over sequences; the state is a pair. Otherwise as `RNN`."""

    kind = recurrent.LSTM


class GRU(_Sequence):
    """A network of gated recurrent units over sequences, as `RNN`."""

    kind = recurrent.GRU


class _Step(_Recurrent):
    """Base of cells for one step."""

    def __init__(
        self, input_size: int, hidden_size: int, has_bias: bool = True, **options: Any
    ) -> None:
        super().__init__(input_size=input_size, hidden_size=hidden_size, bias=has_bias, **options)

    def construct(self, x: Tensor, hx: Any) -> Any:
        return self._run(x, hx)


class RNNCell(_Step):
    """One step of `RNN`: the next state, of shape (batch, hidden_size)."""

    kind = recurrent.RNNCell

    def __init__(
        self, input_size: int, hidden_size: int, has_bias: bool = True, nonlinearity: str = "tanh"
    ) -> None:
        super().__init__(input_size, hidden_size, has_bias, nonlinearity=nonlinearity)


class LSTMCell(_Step):
    """One step of `LSTM`: the next state, a pair."""

    kind = recurrent.LSTMCell


class GRUCell(_Step):
    """One step of `GRU`: the next state."""

    kind = recurrent.GRUCell
