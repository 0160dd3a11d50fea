"""Random tensors and types as dual objects."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

import penstock as flow
from penstock.basics.errors import located
from penstock.tensors.creation import tensor as new_tensor
from penstock.tensors.tensor import Tensor
from penstock.testing.duals.dual import MISSING, DualObject, new_source
from penstock.testing.duals.generators import DEFAULT_RANGES, generator, pack, random
from penstock.testing.duals.references import Torch, reference
from penstock.testing.duals.run import choices, current, is_global

Array = np.ndarray[Any, Any]

_DTYPES: dict[str, Sequence[str | None]] = {
    "None": [None],
    "bool": ["bool"],
    "float": ["float32", "float64"],
    "half": ["float16"],
    "bfloat16": ["bfloat16"],
    "complex": ["complex64", "complex128"],
    "signed": ["int8", "int32", "int64"],
    "unsigned": ["uint8"],
    "int": ["int8", "int32", "int64"],
    "image": ["uint8", "float32"],
    "index": ["int32", "int64"],
    "arithmetic": ["float32", "float64", "int8", "int32", "int64"],
    "pod": ["float32", "float64", "int8", "int32", "int64", "uint8", "bool"],
    "all": ["float32", "float64", "int8", "int32", "int64", "float16", "bfloat16"],
}
"""The groups of types that `random_dtype` knows."""
_MOST_DIMENSIONS = 5


def random_tensor(
    ndim: Any = None, dim0: Any = 1, dim1: Any = None, dim2: Any = None, dim3: Any = None,
    dim4: Any = None, low: Any = None, high: Any = None, dtype: Any = float,
    requires_grad: Any = True, pin_memory: bool = False,
) -> DualObject:  # fmt: skip
    """A tensor of random numbers of [low, high), the same on both sides.

    `ndim` is 1 to 5 by default; `dim0` is 1 unless it is given, an extent that is None is 1 to 7.
    `dtype` is float (float32 of [-1, 1)), int (int64 of [-10, 11)) or complex (complex64). Floats
    require gradients. All arguments may be generators.

    >>> random_tensor(2, 3, 4).oneflow.shape
    penstock.Size([3, 4])
    """
    run = current()
    kind = pack(dtype).value()
    if kind is float and run is not None and run.settings.include_complex:
        kind = complex if choices().integer(0, 2) else float
    wants = bool(pack(requires_grad).value()) and kind is not int
    rank = pack(random(1, _MOST_DIMENSIONS + 1) if ndim is None else ndim).to(int).value()
    extents = [
        pack(random(1, 8) if extent is None else extent).to(int).value()
        for extent in (dim0, dim1, dim2, dim3, dim4)
    ]
    if not 0 <= rank <= _MOST_DIMENSIONS:
        raise located(
            ValueError, f"random_tensor makes tensors of 0 to {_MOST_DIMENSIONS} dims, got {rank}"
        )
    array = _numbers(kind, extents[:rank], _bound(low, kind, 0), _bound(high, kind, 1))
    return _dual(array, wants)


def _bound(bound: Any, kind: Any, side: int) -> Any:
    found = pack(bound).to(float).value()
    return DEFAULT_RANGES.get(kind, (0, 1))[side] if found is None else found


def _numbers(kind: Any, shape: Sequence[int], low: Any, high: Any) -> Array:
    source = choices().generator()
    if kind is float:
        return source.uniform(low, high, shape).astype(np.float32)
    if kind is int:
        return source.integers(int(low), int(high), shape).astype(np.int64)
    if kind is complex:
        parts = [source.uniform(low, high, shape) for _ in range(2)]
        return (parts[0] + 1j * parts[1]).astype(np.complex64)
    raise located(TypeError, f"dtype of random_tensor is float, int or complex, got {kind!r}")


def _dual(array: Array, requires_grad: bool) -> DualObject:
    """A dual object of a tensor with these elements."""
    side: Torch | None = reference()
    theirs = MISSING if side is None else side.tensor(array, requires_grad)
    named: dict[str, Any] = {}
    if is_global():
        named = {"placement": flow.placement.all("cpu"), "sbp": flow.sbp.broadcast}
    ours: Tensor = new_tensor(array, requires_grad=requires_grad, **named)
    run = current()
    if run is None:
        return DualObject("random_tensor(...)", theirs, ours)
    return new_source(run, "random_tensor(...)", theirs, ours)


def choice_tensor(
    a: Any, size: Any = None, replace: bool = True, p: Any = None, dtype: Any = int,
    requires_grad: Any = False,
) -> DualObject:  # fmt: skip
    """A tensor drawn from the numbers `a`, or from 0 to a - 1, as `numpy.random.choice` draws."""
    chosen = choices().generator().choice(a, size, replace, p)
    wants = bool(pack(requires_grad).value()) and dtype is not int
    return _dual(np.asarray(chosen).astype(dtype), wants)


def random_dtype(seq_names: Sequence[str]) -> DualObject:
    """A type of one of these groups: "float", "int", "index", "half", "pod", "all" and others."""
    for name in seq_names:
        if name not in _DTYPES:
            raise located(
                ValueError, f"random_dtype has no group {name!r}; there are {', '.join(_DTYPES)}"
            )
    word = choices().one_of([word for name in seq_names for word in _DTYPES[name]])
    side: Torch | None = reference()
    if word is None:
        return DualObject("dtype", MISSING if side is None else None, None)
    theirs = MISSING if side is None else getattr(side.module, word)
    return DualObject("dtype", theirs, getattr(flow, word))


class random_pytorch_tensor(generator):
    """A random tensor of PyTorch; for `random_tensor`, which is a dual object, see there."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__()
        self._args, self._named = args, named

    def _calc_value(self) -> Any:
        return random_tensor(*self._args, **{**self._named, "requires_grad": False}).pytorch


class all_placement(generator):
    """A list of the placements of this process: the CPU, as one rank, and as a row of one."""

    def _calc_value(self) -> Any:
        ranks = list(range(flow.env.get_world_size()))
        shapes = [(len(ranks),), (1, len(ranks))]
        return [flow.placement("cpu", np.array(ranks).reshape(shape)) for shape in shapes]

    def __len__(self) -> int:
        return len(self.value())

    def __getitem__(self, key: Any) -> Any:
        return self.value()[key]


class all_cpu_placement(all_placement):
    """The same: there are CPUs alone."""


class random_placement(all_placement):
    """One of the placements."""

    def _calc_value(self) -> Any:
        return choices().one_of(super()._calc_value())


class random_cpu_placement(random_placement):
    """The same: there are CPUs alone."""


class all_sbp(generator):
    """The signatures of a tensor of `max_dim` dimensions on a placement, or a grid of `dim`."""

    def __init__(
        self, placement: Any = None, dim: int = 1, max_dim: int = 0, except_split: bool = False,
        except_broadcast: bool = False, except_partial_sum: bool = False,
        valid_split_axis: int | Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        place = placement.value() if isinstance(placement, generator) else placement
        self.dim = dim if place is None else np.asarray(place.ranks).ndim
        self.max_dim = max_dim
        axes: Any = range(max_dim) if valid_split_axis is None else valid_split_axis
        self._axes = [axes] if isinstance(axes, int) else list(axes)
        self._without = except_split, except_broadcast, except_partial_sum

    def _calc_value(self) -> Any:
        if not self.max_dim:
            return [[flow.sbp.broadcast] * self.dim]
        no_split, no_broadcast, no_sum = self._without
        found: list[Any] = []
        if not no_split:
            found += [flow.sbp.split(i) for i in range(self.max_dim) if i in self._axes]
        found += [] if no_broadcast else [flow.sbp.broadcast]
        found += [] if no_sum else [flow.sbp.partial_sum]
        return list(product(found, repeat=self.dim))

    def __len__(self) -> int:
        return len(self.value())

    def __getitem__(self, key: Any) -> Any:
        return self.value()[key]


class random_sbp(all_sbp):
    """One of the signatures."""

    def _calc_value(self) -> Any:
        return choices().one_of(super()._calc_value())
