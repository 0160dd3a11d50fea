"""Recurrent layers over sequences, and cells for a single step."""

from __future__ import annotations

from math import sqrt
from typing import Any, ClassVar

from penstock.basics.checks import check_flag, check_number
from penstock.basics.dtypes import DType
from penstock.basics.errors import kind_of, located
from penstock.nn.functional.constants import check_count
from penstock.nn.functional.convolution import linear
from penstock.nn.functional.masking import dropout
from penstock.nn.functional.sequences import PackedSequence
from penstock.nn.modules.initial import draw_uniform, new
from penstock.nn.modules.module import Module
from penstock.tensor_functions.calls import either, op, pair, part
from penstock.tensor_functions.pointwise import add, mul
from penstock.tensor_functions.selecting import index_select
from penstock.tensor_functions.shapes import cat, narrow, select, stack, transpose, unsqueeze
from penstock.tensors.creation import zeros
from penstock.tensors.tensor import Tensor

State = tuple[Tensor, ...]


def _parts(x: Tensor, count: int) -> list[Tensor]:
    """Equal parts along the last dimension."""
    size = x.shape[-1] // count
    return [part(x, len(x.shape) - 1, i * size, size) for i in range(count)]


def _sigmoid(x: Tensor) -> Tensor:
    return op("flow.sigmoid", x)


def _tanh(x: Tensor) -> Tensor:
    return op("flow.tanh", x)


def _simple(nonlinearity: str) -> Any:
    def step(x: Tensor, h: Tensor, state: State) -> State:
        return (op(f"flow.{nonlinearity}", add(x, h)),)

    return step


def _lstm(x: Tensor, h: Tensor, state: State) -> State:
    """Hochreiter and Schmidhuber, "Long short-term memory", 1997."""
    i, f, g, o = _parts(add(x, h), 4)
    cell = add(mul(_sigmoid(f), state[1]), mul(_sigmoid(i), _tanh(g)))
    return mul(_sigmoid(o), _tanh(cell)), cell


def _gru(x: Tensor, h: Tensor, state: State) -> State:
    """Cho et al., "Learning phrase representations using RNN encoder-decoder", 2014."""
    (xr, xz, xn), (hr, hz, hn) = _parts(x, 3), _parts(h, 3)
    r, z = _sigmoid(add(xr, hr)), _sigmoid(add(xz, hz))
    n = _tanh(add(xn, mul(r, hn)))
    return (add(mul(pair("flow.subtract", 1, z), n), mul(z, state[0])),)


class _Recurrent(Module):
    """Base of recurrent modules; weights have `_gates * hidden_size` rows."""

    _gates: ClassVar[int] = 1
    _states: ClassVar[int] = 1
    proj_size = 0
    """The extent that the output is projected to; 0 for none."""

    def __init__(self, input_size: int, hidden_size: int, bias: bool) -> None:
        super().__init__()
        self._what = f"flow.nn.{type(self).__name__}"
        self.input_size = check_count(input_size, "input_size", self._what)
        self.hidden_size = check_count(hidden_size, "hidden_size", self._what)
        self.bias = check_flag(bias, f"bias of {self._what}")

    @property
    def _outputs(self) -> int:
        """The extent of an output."""
        return self.proj_size or self.hidden_size

    def _add(self, inputs: int, suffix: str, dtype: DType | None, device: Any) -> None:
        rows = self._gates * self.hidden_size
        self.register_parameter(f"weight_ih{suffix}", new((rows, inputs), dtype, device))
        self.register_parameter(f"weight_hh{suffix}", new((rows, self._outputs), dtype, device))
        if self.bias:
            self.register_parameter(f"bias_ih{suffix}", new((rows,), dtype, device))
            self.register_parameter(f"bias_hh{suffix}", new((rows,), dtype, device))
        if self.proj_size:
            shape = (self.proj_size, self.hidden_size)
            self.register_parameter(f"weight_hr{suffix}", new(shape, dtype, device))

    def reset_parameters(self) -> None:
        """Draw new initial values, uniform in +-1 / sqrt(hidden_size)."""
        bound = 1 / sqrt(self.hidden_size)
        for parameter in self.parameters():
            draw_uniform(parameter, -bound, bound)

    def _weights(self, word: str, suffix: str) -> tuple[Tensor, Tensor | None]:
        bias = getattr(self, f"bias_{word}{suffix}") if self.bias else None
        return getattr(self, f"weight_{word}{suffix}"), bias

    def _step(self) -> Any:
        """The function (input @ weight_ih, h @ weight_hh, state) -> next state."""
        raise NotImplementedError

    def _state_of(self, given: Any, shape: tuple[int, ...], like: Tensor) -> State:
        """The initial state: the given one, or zeros; its first part has the outputs' extent."""
        shapes = [(*shape[:-1], self._outputs), *[shape] * (self._states - 1)]
        if given is None:
            return tuple(zeros(one, dtype=like.dtype) for one in shapes)
        found = (given,) if self._states == 1 else tuple(given)
        for one, shape in zip(found, shapes, strict=True):
            if tuple(either(one, self._what).shape) != shape:
                raise located(
                    ValueError,
                    f"the state of {self._what} must have shape {shape}, got {tuple(one.shape)}",
                )
        return found

    def _check_input(self, input: Tensor, ranks: tuple[int, int]) -> Tensor:
        x = either(input, self._what)
        if len(x.shape) not in ranks or x.shape[-1] != self.input_size:
            raise located(
                ValueError,
                f"{self._what} takes an input of {ranks[0]} or {ranks[1]} dimensions, the last of "
                f"{self.input_size}, got shape {tuple(x.shape)}",
            )
        return x


class RNNBase(_Recurrent):
    """Base of layers that take sequences."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
        device: Any = None, dtype: DType | None = None, *, proj_size: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias)
        self.proj_size = self._check_projection(proj_size)
        self.num_layers = check_count(num_layers, "num_layers", self._what)
        self.batch_first = check_flag(batch_first, f"batch_first of {self._what}")
        self.dropout = check_number(dropout, f"dropout of {self._what}")
        if not 0 <= self.dropout <= 1:
            raise located(ValueError, f"dropout of {self._what} must lie in [0, 1], got {dropout}")
        self.bidirectional = check_flag(bidirectional, f"bidirectional of {self._what}")
        for layer in range(self.num_layers):
            inputs = self.input_size if layer == 0 else self._outputs * len(self._directions)
            for direction in self._directions:
                self._add(inputs, f"_l{layer}{direction}", dtype, device)
        self.reset_parameters()

    def _check_projection(self, proj_size: int) -> int:
        found = check_count(proj_size, "proj_size", self._what, 0)
        if found and (self._states == 1 or found >= self.hidden_size):
            raise located(
                ValueError,
                f"proj_size of {self._what} must be 0, or for LSTM less than hidden_size, "
                f"{self.hidden_size}, got {found}",
            )
        return found

    @property
    def _directions(self) -> tuple[str, ...]:
        return ("", "_reverse") if self.bidirectional else ("",)

    def forward(self, input: Tensor | PackedSequence, hx: Any = None) -> Any:
        """The outputs of all steps, and the last states of all layers and directions.

        Packed sequences give packed outputs, and the last states of each sequence.
        """
        if isinstance(input, PackedSequence):
            return self._of_packed(input, hx)
        x = self._check_input(input, (2, 3))
        is_one = len(x.shape) == 2
        if is_one:
            x = unsqueeze(x, 1)
        elif self.batch_first:
            x = transpose(x, 0, 1)
        count = self.num_layers * len(self._directions)
        shape = (count, self.hidden_size) if is_one else (count, x.shape[1], self.hidden_size)
        state = self._state_of(hx, shape, x)
        if is_one:
            state = tuple(unsqueeze(one, 1) for one in state)
        x, ends = self._layers(x, state, self._run)
        if is_one:
            x, ends = select(x, 1, 0), [select(one, 1, 0) for one in ends]
        elif self.batch_first:
            x = transpose(x, 0, 1)
        return x, ends[0] if len(ends) == 1 else tuple(ends)

    def _layers(self, x: Tensor, state: State, run: Any) -> tuple[Tensor, list[Tensor]]:
        """The outputs of the last layer, and the last states."""
        last: list[State] = []
        for layer in range(self.num_layers):
            if layer and self.dropout and self.training:
                x = dropout(x, self.dropout)
            sides = []
            for direction in self._directions:
                first = tuple(select(one, 0, len(last)) for one in state)
                side, end = run(x, first, f"_l{layer}{direction}", bool(direction))
                sides.append(side)
                last.append(end)
            x = sides[0] if len(sides) == 1 else cat(sides, -1)
        return x, [stack([end[i] for end in last]) for i in range(self._states)]

    def _of_packed(self, input: PackedSequence, hx: Any) -> Any:
        x = self._check_input(input.data, (2, 2))
        sizes = input.sizes
        count = self.num_layers * len(self._directions)
        state = self._state_of(hx, (count, sizes[0], self.hidden_size), x)
        if hx is not None and input.sorted_indices is not None:
            state = tuple(index_select(one, 1, input.sorted_indices) for one in state)

        def run(x: Tensor, state: State, suffix: str, backward: bool) -> tuple[Tensor, State]:
            return self._run_packed(x, state, suffix, backward, sizes)

        made, ends = self._layers(x, state, run)
        if input.unsorted_indices is not None:
            ends = [index_select(one, 1, input.unsorted_indices) for one in ends]
        return input._replace(data=made), ends[0] if len(ends) == 1 else tuple(ends)

    def _run_packed(
        self, x: Tensor, first: State, suffix: str, backward: bool, sizes: list[int]
    ) -> tuple[Tensor, State]:
        """As `_run`, for sequences that end (or backward, begin) at different steps."""
        step = self._step()
        from_input = linear(x, *self._weights("ih", suffix))
        weight, bias = self._weights("hh", suffix)
        outputs: list[Tensor] = []
        ended: list[State] = []
        state = tuple(narrow(one, 0, 0, sizes[-1]) for one in first) if backward else first
        starts = [sum(sizes[:t]) for t in range(len(sizes))]
        for t in reversed(range(len(sizes))) if backward else range(len(sizes)):
            size, before = sizes[t], state[0].shape[0]
            if size < before:  # The shortest sequences have ended.
                ended.append(tuple(narrow(one, 0, size, before - size) for one in state))
                state = tuple(narrow(one, 0, 0, size) for one in state)
            elif size > before:  # Longer ones begin.
                begun = [narrow(one, 0, before, size - before) for one in first]
                state = tuple(cat([a, b]) for a, b in zip(state, begun, strict=True))
            given = narrow(from_input, 0, starts[t], size)
            state = step(given, linear(state[0], weight, bias), state)
            outputs.append(state[0])
        parts = [state, *reversed(ended)]
        end = tuple(cat([part[i] for part in parts]) for i in range(self._states))
        return cat(outputs[::-1] if backward else outputs), end

    def _run(self, x: Tensor, state: State, suffix: str, backward: bool) -> tuple[Tensor, State]:
        step = self._step()
        from_input = linear(x, *self._weights("ih", suffix))
        weight, bias = self._weights("hh", suffix)
        projection = getattr(self, f"weight_hr{suffix}") if self.proj_size else None
        outputs: list[Tensor] = []
        order = range(x.shape[0])
        for t in reversed(order) if backward else order:
            state = step(select(from_input, 0, t), linear(state[0], weight, bias), state)
            if projection is not None:
                state = (linear(state[0], projection), *state[1:])
            outputs.append(state[0])
        return stack(outputs[::-1] if backward else outputs), state

    def extra_repr(self) -> str:
        words = f"{self.input_size}, {self.hidden_size}"
        for word, default in (
            ("proj_size", 0), ("num_layers", 1), ("bias", True), ("batch_first", False),
            ("dropout", 0), ("bidirectional", False),
        ):  # fmt: skip
            if getattr(self, word) != default:
                words += f", {word}={getattr(self, word)}"
        return words


def _nonlinearity(given: str, what: str) -> str:
    if given not in ("tanh", "relu"):
        raise located(
            ValueError, f'nonlinearity of {what} must be "tanh" or "relu", got {kind_of(given)}'
        )
    return given


class RNN(RNNBase):
    """h' = tanh(x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh), step by step.

    The input is [steps, n, input_size], or [n, steps, input_size] with `batch_first`; n may be
    absent. It may also be packed, by `nn.utils.rnn`. The state is [layers * directions, n,
    hidden_size]. Returns the outputs of all steps and the last states.

    >>> import penstock as flow
    >>> y, h = flow.nn.RNN(3, 4, num_layers=2)(flow.ones(5, 2, 3))
    >>> y.shape, h.shape
    (penstock.Size([5, 2, 4]), penstock.Size([2, 2, 4]))
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, nonlinearity: str = "tanh",
        bias: bool = True, batch_first: bool = False, dropout: float = 0.0,
        bidirectional: bool = False, device: Any = None, dtype: DType | None = None,
    ) -> None:  # fmt: skip
        checked = _nonlinearity(nonlinearity, "flow.nn.RNN")
        super().__init__(
            input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, device,
            dtype,
        )  # fmt: skip
        self.nonlinearity = checked

    def _step(self) -> Any:
        return _simple(self.nonlinearity)


class LSTM(RNNBase):
    """Long short-term memory; its state is a pair (h, c): see `RNN`.

    With `proj_size`, each h is projected to that extent by `weight_hr`. Source: Sak et al., "Long
    short-term memory based recurrent neural network architectures", 2014.
    """

    _gates, _states = 4, 2

    def _step(self) -> Any:
        return _lstm


class GRU(RNNBase):
    """Gated recurrent units: see `RNN`."""

    _gates = 3

    def _step(self) -> Any:
        return _gru


class RNNCellBase(_Recurrent):
    """Base of cells, which take one step."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None,
        dtype: DType | None = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias)
        self._add(self.input_size, "", dtype, device)
        self.reset_parameters()

    def forward(self, input: Tensor, hx: Any = None) -> Any:
        """The next state."""
        x = self._check_input(input, (1, 2))
        state = self._state_of(hx, (*x.shape[:-1], self.hidden_size), x)
        from_state = linear(state[0], *self._weights("hh", ""))
        made = self._step()(linear(x, *self._weights("ih", "")), from_state, state)
        return made[0] if self._states == 1 else made

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}{'' if self.bias else ', bias=False'}"


class RNNCell(RNNCellBase):
    """One step of `RNN`."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh",
        device: Any = None, dtype: DType | None = None,
    ) -> None:  # fmt: skip
        checked = _nonlinearity(nonlinearity, "flow.nn.RNNCell")
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = checked

    def _step(self) -> Any:
        return _simple(self.nonlinearity)


class LSTMCell(RNNCellBase):
    """One step of `LSTM`: returns (h, c)."""

    _gates, _states = 4, 2

    def _step(self) -> Any:
        return _lstm


class GRUCell(RNNCellBase):
    """One step of `GRU`.

    >>> import penstock as flow
    >>> flow.nn.GRUCell(3, 4)(flow.ones(2, 3)).shape
    penstock.Size([2, 4])
    """

    _gates = 3

    def _step(self) -> Any:
        return _gru
