"""Random tensors: each draw takes the next step of a counter-based generator, keyed by its seed.

The ops are the same as in jobs, so the numbers depend neither on the processor nor on threads.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from penstock.basics.checks import check_integer
from penstock.basics.dtypes import DType, check_dtype, int64
from penstock.basics.errors import located
from penstock.ir.attributes import element_type
from penstock.tensor_functions.calls import as_type, ints_of, op, pair
from penstock.tensor_functions.selecting import argsort
from penstock.tensors.creation import size_of
from penstock.tensors.device import device as checked_device
from penstock.tensors.device import layout_of
from penstock.tensors.promotion import default_float
from penstock.tensors.tensor import Tensor, check_tensor, wrap
from penstock.trace.tracing import active_trace

_FIRST = 5489
_WORD = 2**64


class Generator:
    """A source of random numbers: a seed and the number of draws so far.

    >>> import penstock as flow
    >>> generator = flow.Generator().manual_seed(1)
    >>> x = flow.rand(3, generator=generator)
    >>> flow.equal(x, flow.rand(3, generator=generator.manual_seed(1)))
    True
    """

    def __init__(self, device: Any = "cpu") -> None:
        self.device = checked_device("cpu" if device in (None, "auto") else device)
        self._lock = threading.Lock()
        self._seed = _FIRST
        self._step = 0

    def manual_seed(self, seed: int) -> Generator:
        """Start over with this seed, and return the generator."""
        with self._lock:
            self._seed = check_integer(seed, "seed of a generator")
            self._step = 0
        return self

    def initial_seed(self) -> int:
        """The seed that was set last."""
        return self._seed

    def seed(self) -> int:
        """Set a non-deterministic seed, and return it."""
        self.manual_seed(int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1))
        return self._seed

    def get_state(self) -> Tensor:
        """Its seed and step, for `set_state`."""
        return wrap(np.array([_signed(self._seed), self._step], np.int64))

    def set_state(self, new_state: Tensor) -> None:
        """Continue from a state of `get_state`."""
        seed, step = check_tensor(new_state, "set_state").tolist()
        with self._lock:
            self._seed, self._step = int(seed), int(step)

    def next(self) -> tuple[int, Tensor]:
        """The key and the step of the next draw."""
        trace = active_trace()
        if trace is not None and trace.tensors is not None:
            following: Any = trace.tensors.next_draw(self)
            return _signed(self._seed), following
        return _signed(self._seed), wrap(np.array(self.advance(1), np.int64))

    def advance(self, draws: int) -> int:
        """The step of the next draw; the generator moves on by a number of draws."""
        with self._lock:
            step = self._step
            self._step += draws
        return step


def _signed(seed: int) -> int:
    return (seed + _WORD // 2) % _WORD - _WORD // 2


default_generator = Generator()


def manual_seed(seed: int) -> Generator:
    """Start the default generator over with this seed."""
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Give the default generator a non-deterministic seed, and return it."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed of the default generator."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Let the default generator continue from a state."""
    default_generator.set_state(new_state)


def _drawn(name: str, shape: Any, dtype: DType, generator: Generator | None) -> Tensor:
    key, step = (generator or default_generator).next()
    element = element_type(dtype.numpy)
    return op(name, step, seed=key, shape=list(shape), element=element)


def _global(made: Tensor, placement: Any, sbp: Any, what: str) -> Tensor:
    if placement is not None or sbp is not None:
        made.layout = layout = layout_of(placement, sbp, made.array.ndim, what)
        if layout is not None and layout.placement.ranks.size > 1:
            # Ranks may have drawn other numbers.
            from penstock.tensors.shared import agreed

            made.array = agreed(made.array, layout)
    return made


def _floats(
    name: str, size: Any, what: str, dtype: DType | None, generator: Any, requires_grad: bool,
    placement: Any, sbp: Any,
) -> Tensor:  # fmt: skip
    element = default_float() if dtype is None else check_dtype(dtype, f"dtype of {what}")
    if not element.is_float:
        raise located(NotImplementedError, f"{what} draws floats, got dtype {element}")
    made = _global(_drawn(name, size, element, generator), placement, sbp, what)
    return made.requires_grad_(True) if requires_grad else made


def rand(
    *shape: Any, size: Any = None, generator: Generator | None = None,
    dtype: DType | None = None, device: Any = None, requires_grad: bool = False,
    placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """Floats drawn uniformly from [0, 1)."""
    extents = size_of(shape, "flow.rand", size)
    return _floats("flow.random_uniform", extents, "flow.rand", dtype, generator, requires_grad,
                   placement, sbp)  # fmt: skip


def randn(
    *shape: Any, size: Any = None, generator: Generator | None = None,
    dtype: DType | None = None, device: Any = None, requires_grad: bool = False,
    placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """Floats drawn from the standard normal distribution."""
    extents = size_of(shape, "flow.randn", size)
    return _floats("flow.random_normal", extents, "flow.randn", dtype, generator, requires_grad,
                   placement, sbp)  # fmt: skip


def rand_like(input: Tensor, dtype: DType | None = None, **named: Any) -> Tensor:
    """As `rand`, with the shape and type of a tensor."""
    x = check_tensor(input, "flow.rand_like")
    return rand(*x.shape, dtype=dtype or x.dtype, **named)


def randn_like(input: Tensor, dtype: DType | None = None, **named: Any) -> Tensor:
    """As `randn`, with the shape and type of a tensor."""
    x = check_tensor(input, "flow.randn_like")
    return randn(*x.shape, dtype=dtype or x.dtype, **named)


def normal(
    mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Generator | None = None,
    dtype: DType | None = None, device: Any = None, requires_grad: bool = False,
    placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """Floats drawn from a normal distribution; mean and deviation are numbers or tensors."""
    shapes = [x.array.shape for x in (mean, std) if isinstance(x, Tensor)]
    shape = size if size is not None else np.broadcast_shapes(*shapes)
    made = randn(*size_of([shape], "flow.normal"), generator=generator, dtype=dtype)
    made = pair("flow.add", pair("flow.multiply", made, std), mean)
    made = _global(made, placement, sbp, "flow.normal")
    return made.requires_grad_(True) if requires_grad else made


def randint(
    low: int, high: Any = None, size: Any = None, *, generator: Generator | None = None,
    dtype: DType | None = None, device: Any = None, requires_grad: bool = False,
    placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """Integers drawn uniformly from [low, high); `low` is 0 and the type int64 by default."""
    if size is None:
        low, high, size = 0, low, high
    first, last = ints_of([low, high], "flow.randint")
    if first >= last:
        raise located(ValueError, f"flow.randint needs low < high, got {first} and {last}")
    if last - first > 2**53:
        raise located(ValueError, "flow.randint draws from at most 2**53 numbers")
    from penstock.basics.dtypes import float64

    shape = size_of([size] if not isinstance(size, int) else (size,), "flow.randint")
    unit = _drawn("flow.random_uniform", shape, float64, generator)
    places = as_type(op("flow.floor", pair("flow.multiply", unit, float(last - first))), int64)
    made = pair("flow.add", places, first)
    made = as_type(made, int64 if dtype is None else check_dtype(dtype, "dtype"))
    return _global(made, placement, sbp, "flow.randint")


def randint_like(input: Tensor, low: int, high: Any = None, **named: Any) -> Tensor:
    """As `randint`, with the shape of a tensor."""
    shape = list(check_tensor(input, "flow.randint_like").shape)
    return randint(0, low, shape, **named) if high is None else randint(low, high, shape, **named)


def randperm(
    n: int, *, generator: Generator | None = None, dtype: DType | None = None, device: Any = None,
    requires_grad: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """A random permutation of the numbers from 0 to n - 1."""
    from penstock.basics.dtypes import float64

    unit = _drawn("flow.random_uniform", size_of((n,), "flow.randperm"), float64, generator)
    made = as_type(argsort(unit), int64 if dtype is None else check_dtype(dtype, "dtype"))
    return _global(made, placement, sbp, "flow.randperm")


def bernoulli(
    input: Tensor, p: float | None = None, *, generator: Any = None, dtype: DType | None = None
) -> Tensor:
    """1 with the probability given by each element, or with probability p; else 0.

    The result has the type `dtype`, by default that of `input`.
    """
    x = check_tensor(input, "flow.bernoulli")
    unit = rand(*x.shape, generator=generator, dtype=x.dtype)
    return as_type(pair("flow.less", unit, x if p is None else p), dtype or x.dtype)


FUNCTIONS: dict[str, Any] = {
    "Generator": Generator,
    "default_generator": default_generator,
    **{
        function.__name__: function
        for function in (
            manual_seed, seed, initial_seed, get_rng_state, set_rng_state, rand, randn, rand_like,
            randn_like, normal, randint, randint_like, randperm, bernoulli,
        )
    },
}  # fmt: skip
"""Every function of this module by its public name."""
