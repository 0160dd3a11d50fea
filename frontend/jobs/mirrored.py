"""Results of jobs without a return annotation: futures and the tensors in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from penstock.basics.errors import ErrorT, kind_of, located
from penstock.basics.notices import tell_once
from penstock.jobs.results import TensorList
from penstock.process.background import run_in_background
from penstock.runtime.execution.points import returns_at_once
from penstock.runtime.parts import Parts

Array = np.ndarray[Any, np.dtype[Any]]


class LocalMirroredTensor(NDArrayOperatorsMixin):
    """One array per device (here one); it can be used in place of that array."""

    def __init__(self, arrays: list[Array], is_dynamic: bool = False) -> None:
        self._arrays = arrays
        self.is_dynamic = is_dynamic

    def numpy(self, parallel_id: int | None = None) -> Array:
        """The array of one device; here there is only one."""
        if parallel_id is not None and parallel_id not in range(len(self._arrays)):
            raise located(
                ValueError,
                f"parallel_id must lie in [0, {len(self._arrays)}), got {kind_of(parallel_id)}",
            )
        return self._arrays[parallel_id or 0]

    def numpy_list(self) -> list[Array]:
        return list(self._arrays)

    def parallel_num(self) -> int:
        return len(self._arrays)

    def ndarray(self, parallel_id: int | None = None) -> Array:
        """Deprecated: use `numpy()`."""
        tell_once("ndarray", "ndarray() of a result is deprecated; use numpy() instead")
        return self.numpy(parallel_id)

    def ndarray_list(self) -> list[Array]:
        """Deprecated: use `numpy_list()`."""
        tell_once("ndarray_list", "ndarray_list() of a result is deprecated; use numpy_list()")
        return self.numpy_list()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.numpy(), name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [x.numpy() if isinstance(x, LocalMirroredTensor) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **options)

    def __len__(self) -> int:
        return len(self.numpy())

    def __getitem__(self, key: Any) -> Any:
        return self.numpy()[key]

    def __bool__(self) -> bool:
        return bool(self.numpy())

    def __float__(self) -> float:
        return float(self.numpy())

    def __int__(self) -> int:
        return int(self.numpy())

    def __repr__(self) -> str:
        return f"LocalMirroredTensor({self.numpy()!r})"

    def __str__(self) -> str:
        return str(self.numpy())


class LocalMirroredTensorList:
    """The arrays of a tensor list, one list per device (here one)."""

    def __init__(self, arrays: list[Array]) -> None:
        self._arrays = arrays

    def numpy_lists(self) -> list[list[Array]]:
        return [list(self._arrays)]

    def numpy_list(self, parallel_id: int = 0) -> list[Array]:
        """The arrays of one device."""
        return self.numpy_lists()[parallel_id]


def local(result: Array | TensorList | Parts, is_dynamic: bool) -> object:
    """A result of a call without a return annotation."""
    if isinstance(result, Parts):
        return LocalMirroredTensor(list(result), is_dynamic)
    if isinstance(result, TensorList):
        return LocalMirroredTensorList(result.parts)
    return LocalMirroredTensor([result], is_dynamic)


class Future:
    """The result of a job without a return annotation; it can be fetched once.

    The step may still run: `get` waits for it, and raises what it raised. `result` gives what the
    body returned, its leaves tensors.
    """

    def __init__(self, job: str, result: Callable[[], Any]) -> None:
        self._job = job
        self._result = result
        self._taken = False

    def __repr__(self) -> str:
        return f"<future of job {self._job}: its get() gives the result>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"a future has no {name!r}")
        raise self._unfetched(AttributeError, f"has no {name!r}")

    def _unfetched(self, kind: type[ErrorT], deed: str) -> ErrorT:
        return located(
            kind,
            f"what job {self._job!r} returns is a future, since it has no return annotation, and "
            f"{deed}; call its get(), or annotate the job, as with -> tp.Numpy",
        )

    def _take(self) -> Callable[[], Any]:
        if self._taken:
            raise located(
                ValueError,
                f"the result of job {self._job!r} was already fetched; keep what get() returned, "
                "or call the job again",
            )
        self._taken = True
        return self._result

    def get(self) -> Any:
        """The result: a `LocalMirroredTensor`, or the nest of them that the body returned."""
        return self._take()()

    def async_get(self, callback: Callable[[Any], object]) -> None:
        """Pass the result to `callback`, on another thread."""
        check_callback(self._job, callback)
        _hand_over(callback, self._take())


def _no_array(self: Future, *args: object, **named: object) -> NoReturn:
    raise self._unfetched(TypeError, "is not an array")


for _method in (
    *("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__truediv__"),
    *("__rtruediv__", "__lt__", "__le__", "__gt__", "__ge__", "__neg__", "__abs__", "__bool__"),
    *("__float__", "__int__", "__index__", "__len__", "__iter__", "__getitem__", "__array__"),
    *("__array_ufunc__", "__round__"),
):
    setattr(Future, _method, _no_array)


def check_callback(job: str, callback: object) -> None:
    if not callable(callback):
        raise located(
            TypeError, f"job {job!r} passes its result to a function, got {kind_of(callback)}"
        )
    if returns_at_once(callback):
        raise located(
            TypeError,
            f"job {job!r} passes its result to a plain function, got a coroutine function or a "
            "generator, which does not run when it is called",
        )


def _hand_over(callback: Callable[[Any], object], result: Callable[[], Any]) -> None:
    """Call a callback with a result once that is there, on the callback thread."""
    run_in_background(lambda wait: callback(wait()), result)


def deliver_to_callback(
    job: str, result: Callable[[], Any]
) -> Callable[[Callable[[Any], object]], None]:
    """What a job annotated `-> tp.Callback[...]` gives: `job(x)(callback)`."""

    def hand_over(callback: Callable[[Any], object]) -> None:
        check_callback(job, callback)
        _hand_over(callback, result)

    return hand_over
