"""Nests: nested dicts, lists and tuples of tensors, arrays, numbers, strings, bools and None.

A nest is split into named arrays and a tree that JSON can hold:

| in the nest | in the tree |
|---|---|
| str, int, finite float, bool, None | itself |
| list | a list |
| tuple | {"tuple": [...]} |
| dict | {"dict": [[key, value], ...]} |
| tensor | {"tensor": name}, with "requires_grad" if it requires gradients |
| NumPy array or number | {"array": name} |
| other floats | {"float": "nan"} |
| dtype | {"dtype": "float32"} |

A tensor that occurs twice in a nest is stored as one array, and loaded as one tensor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from penstock.basics.dtypes import ALL, DType
from penstock.basics.errors import kind_of, located
from penstock.tensor_functions import methods  # noqa: F401 - gives tensors their methods
from penstock.tensors.tensor import DTYPES, Tensor, wrap

Array = np.ndarray[Any, Any]
_DEEPEST = 200
_LONGEST_NAME = 500


class Parts:
    """A nest split into `tree` and `arrays` by name."""

    def __init__(self, nest: Any, what: str) -> None:
        self.arrays: dict[str, Array] = {}
        self._what = what
        self._known: dict[int, dict[str, Any]] = {}
        # `_known` is keyed by id, so these objects must live as long as it does.
        self._kept: list[Any] = []
        self.tree = self._taken(nest, ())

    def _taken(self, value: Any, path: tuple[str, ...]) -> Any:
        if len(path) > _DEEPEST:
            raise located(ValueError, f"{self._what} takes nests of at most {_DEEPEST} levels")
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, Tensor | np.ndarray | np.generic):
            return self._array(value, path)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else {"float": str(float(value))}
        if isinstance(value, Mapping):
            return {
                "dict": [
                    [self._key(key, path), self._taken(one, (*path, str(key)))]
                    for key, one in value.items()
                ]
            }
        if isinstance(value, list | tuple):
            members = [self._taken(one, (*path, str(i))) for i, one in enumerate(value)]
            return {"tuple": members} if isinstance(value, tuple) else members
        if isinstance(value, DType):
            return {"dtype": value.name}
        raise located(
            TypeError,
            f"{self._what} takes dicts, lists and tuples of tensors, arrays, numbers, strings and "
            f"None, got {kind_of(value)}{_place(path)}",
        )

    def _key(self, key: Any, path: tuple[str, ...]) -> Any:
        if key is None or isinstance(key, bool | str | int):
            return key
        if isinstance(key, float) and math.isfinite(key):
            return key
        raise located(
            TypeError,
            f"{self._what} takes dicts whose keys are strings and numbers, got {kind_of(key)}"
            f"{_place(path)}",
        )

    def _array(self, value: Any, path: tuple[str, ...]) -> dict[str, Any]:
        found = self._known.get(id(value))
        if found is not None:
            return found
        array = value.array if isinstance(value, Tensor) else np.asarray(value)
        if array.dtype.newbyteorder("=") not in DTYPES:
            raise located(
                TypeError,
                f"{self._what} takes arrays of {', '.join(d.name for d in DTYPES.values())}, got "
                f"{array.dtype}{_place(path)}",
            )
        name = self._name(".".join(path) or "tensor")
        self.arrays[name] = array
        found = {"tensor" if isinstance(value, Tensor) else "array": name}
        if isinstance(value, Tensor) and value._requires_grad and value.is_leaf:
            found["requires_grad"] = True
        self._known[id(value)] = found
        self._kept.append(value)
        return found

    def _name(self, wanted: str) -> str:
        wanted = wanted[:_LONGEST_NAME]
        name, number = wanted, 1
        while name in self.arrays or name == "__metadata__":
            name, number = f"{wanted}~{number}", number + 1
        return name


def _place(path: tuple[str, ...]) -> str:
    return f", at {'.'.join(path)[:_LONGEST_NAME]}" if path else ""


def put_together(
    tree: Any, arrays: Mapping[str, Array], damaged: Callable[[str], Exception]
) -> Any:
    """Rebuild a nest from its tree and arrays; raises `damaged(reason)` if they do not fit."""
    return _Whole(arrays, damaged).made(tree, 0)


class _Whole:
    """Rebuilds a nest."""

    def __init__(self, arrays: Mapping[str, Array], damaged: Callable[[str], Exception]) -> None:
        self._arrays = arrays
        self._damaged = damaged
        self._tensors: dict[str, Tensor] = {}

    def made(self, tree: Any, depth: int) -> Any:
        """The nest that a tree describes."""
        if depth > _DEEPEST:
            raise self._damaged(f"its nest has more than {_DEEPEST} levels")
        if isinstance(tree, list):
            return [self.made(one, depth + 1) for one in tree]
        if not isinstance(tree, dict):
            return tree
        kind, value = next(iter(tree.items()), ("", None))
        build = _KINDS.get(kind)
        if build is None:
            raise self._damaged(f"its nest has the unknown tag {kind[:40]!r}")
        return build(self, tree, value, depth)

    def of_tensor(self, tree: dict[str, Any], value: Any, depth: int) -> Tensor:
        array = self.of_array(tree, value, depth)
        if value not in self._tensors:
            tensor = self._tensors[value] = wrap(array)
            tensor._requires_grad = tree.get("requires_grad") is True and tensor.dtype.is_float
        return self._tensors[value]

    def of_array(self, tree: dict[str, Any], value: Any, depth: int) -> Array:
        if not isinstance(value, str) or value not in self._arrays:
            raise self._damaged(f"its nest refers to a missing array {str(value)[:40]!r}")
        return self._arrays[value]

    def of_tuple(self, tree: dict[str, Any], value: Any, depth: int) -> Any:
        if not isinstance(value, list):
            raise self._damaged("its nest has a malformed tuple")
        return tuple(self.made(value, depth))

    def of_dict(self, tree: dict[str, Any], value: Any, depth: int) -> Any:
        if not isinstance(value, list):
            raise self._damaged("its nest has a malformed dict")
        found = {}
        for pair in value:
            if not isinstance(pair, list) or len(pair) != 2 or isinstance(pair[0], list | dict):
                raise self._damaged("its nest has a malformed dict")
            found[pair[0]] = self.made(pair[1], depth + 1)
        return found

    def of_float(self, tree: dict[str, Any], value: Any, depth: int) -> Any:
        if value not in ("nan", "inf", "-inf"):
            raise self._damaged("its nest has a malformed float")
        return float(value)

    def of_dtype(self, tree: dict[str, Any], value: Any, depth: int) -> DType:
        for one in ALL:
            if one.name == value:
                return one
        raise self._damaged(f"its nest has the unknown dtype {str(value)[:40]!r}")


_KINDS: dict[str, Callable[[_Whole, Any, Any, int], Any]] = {
    "tensor": _Whole.of_tensor,
    "array": _Whole.of_array,
    "tuple": _Whole.of_tuple,
    "dict": _Whole.of_dict,
    "float": _Whole.of_float,
    "dtype": _Whole.of_dtype,
}
