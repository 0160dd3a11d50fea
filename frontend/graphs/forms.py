"""The form of a graph's inputs: their nesting, the types and shapes of tensors, other values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.basics.nest import is_nest
from penstock.ir.record import Record
from penstock.tensors.device import Layout
from penstock.tensors.tensor import DTYPES, Tensor, wrap


class TensorForm(Record):
    """The type and shape of a tensor among inputs."""

    dtype: Any
    shape: tuple[int, ...]
    layout: Layout | None = None

    def __str__(self) -> str:
        where = "" if self.layout is None else f" on {self.layout.placement}, {self.layout.sbp}"
        return f"{DTYPES[self.dtype]} of shape {self.shape}{where}"


class Form(Record):
    """The inputs of a call: the key of their form, and the tensors in order."""

    key: Any
    tensors: list[Tensor]


def form_of(args: Sequence[Any], named: Mapping[str, Any]) -> Form:
    """The form of these arguments."""
    tensors: list[Tensor] = []
    key: list[Any] = [_key(value, tensors) for value in args]
    if named:
        key.append(("named", tuple((name, _key(value, tensors)) for name, value in named.items())))
    return Form(tuple(key), tensors)


def _key(value: Any, tensors: list[Tensor]) -> Any:
    if isinstance(value, np.ndarray):
        value = wrap(value)
    if isinstance(value, Tensor):
        tensors.append(value)
        return TensorForm(value.array.dtype, value.array.shape, value.layout)
    if isinstance(value, dict):
        return dict, tuple((name, _key(member, tensors)) for name, member in value.items())
    if is_nest(value):
        return type(value), tuple(_key(member, tensors) for member in value)
    return type(value), repr(value) if isinstance(value, float) else value


def difference(known: Any, given: Any, names: Sequence[str]) -> str:
    """How the types and shapes of tensors differ between two keys; empty if they agree."""
    ours, theirs = list(_tensor_forms(known)), list(_tensor_forms(given))
    if len(ours) != len(theirs):
        return f"expected {len(ours)} tensors, got {len(theirs)}"
    for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        if one != other:
            return f"expected {one} for input {names[number]}, got {other}"
    return ""


def _tensor_forms(key: Any) -> Iterator[TensorForm]:
    if isinstance(key, TensorForm):
        yield key
    elif isinstance(key, tuple):
        for member in key:
            yield from _tensor_forms(member)
