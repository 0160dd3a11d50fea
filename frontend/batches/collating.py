"""`default_collate`: joins elements to a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import is_bool, is_integer, is_number
from penstock.basics.errors import kind_of, located
from penstock.tensor_functions import methods  # noqa: F401 - gives tensors their methods
from penstock.tensors.creation import tensor
from penstock.tensors.tensor import Tensor


def default_collate(batch: Sequence[Any]) -> Any:
    """Join elements of the same structure: stack tensors, arrays and numbers to tensors.

    Floats become float64, ints int64. Strings stay a list. Dicts and tuples are joined member by
    member.

    >>> import penstock as flow
    >>> flow.utils.data.default_collate([(1.0, "a"), (2.0, "b")])
    [tensor([1., 2.], dtype=penstock.float64), ['a', 'b']]
    """
    if not batch:
        raise located(ValueError, "default_collate takes at least one element, got none")
    first = batch[0]
    if isinstance(first, Tensor | np.ndarray | np.generic):
        return _stacked([np.asarray(one) for one in batch])
    if is_bool(first) or is_integer(first):
        return tensor(np.array(batch))
    if is_number(first):
        return tensor(np.array(batch, np.float64))
    if isinstance(first, str | bytes):
        return list(batch)
    if isinstance(first, Mapping):
        return {key: default_collate([one[key] for one in batch]) for key in first}
    if isinstance(first, list | tuple):
        return _joined(first, batch)
    raise located(
        TypeError,
        "default_collate joins tensors, arrays, numbers, strings, and dicts, lists and tuples of "
        f"these, got {kind_of(first)}; give DataLoader a collate_fn",
    )


def _joined(first: Any, batch: Sequence[Any]) -> Any:
    lengths = sorted({len(one) for one in batch})
    if len(lengths) > 1:
        raise located(
            RuntimeError,
            f"elements of a batch must have one length, got lengths {lengths}; give DataLoader a "
            "collate_fn",
        )
    members = [default_collate(list(one)) for one in zip(*batch, strict=True)]
    return type(first)(*members) if hasattr(first, "_fields") else members


def _stacked(arrays: Sequence[np.ndarray[Any, Any]]) -> Tensor:
    shapes = sorted({one.shape for one in arrays})
    if len(shapes) > 1:
        raise located(
            RuntimeError,
            f"tensors of a batch must have one shape, got {shapes[0]} and {shapes[1]}; give "
            "DataLoader a collate_fn",
        )
    return tensor(np.stack(arrays))
