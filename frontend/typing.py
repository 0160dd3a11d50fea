"""Annotations of job functions and watch handlers; usually imported as `tp`.

    import penstock.typing as tp

    def train_job(
        images: tp.Numpy.Placeholder((100, 784), dtype=flow.float),
        labels: tp.Numpy.Placeholder((100,), dtype=flow.int32),
    ) -> tp.Numpy: ...

As a parameter's annotation, `Numpy.Placeholder(...)` describes an argument of a call; as a return
annotation or in a watch handler, `Numpy` describes a result. With one device, `ListNumpy` is a list
of exactly one array, and `ListListNumpy` a list of one list: of one array, or of a tensor list's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    NoReturn,
    TypeVar,
    get_args,
    get_origin,
)

from penstock.basics.checks import is_integer
from penstock.basics.dtypes import DType, check_dtype, float32
from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.ir.record import Record

__all__ = ["Bundle", "Callback", "ListListNumpy", "ListNumpy", "Numpy"]

T = TypeVar("T")

if TYPE_CHECKING:
    import numpy as np

    # A type checker may treat the result of a call as the array that it is.
    _Array = np.ndarray[Any, np.dtype[Any]]
    _ListOfArrays = list[_Array]
    _ListOfLists = list[list[_Array]]
else:
    _Array = _ListOfArrays = _ListOfLists = object


class Placeholder(Record):
    """The argument of a job function: `kind` is Numpy, ListNumpy or ListListNumpy."""

    kind: str
    shape: tuple[int, ...]
    dtype: DType
    batch_axis: int | None
    is_tensor_list: bool = False
    """Whether calls pass it as the arrays of a tensor list."""

    def __repr__(self) -> str:
        return f"{self.kind}.Placeholder({self.shape}, dtype={self.dtype})"

    def __call__(self, *args: object) -> NoReturn:
        # Python 3.10 allows only callables inside Tuple[...].
        raise located(TypeError, f"{self} describes a parameter; it cannot be called")


def make_placeholder(kind: str, shape: object, dtype: object, batch_axis: object) -> Placeholder:
    """A checked placeholder; errors have the user's line."""
    name = f"{kind}.Placeholder"
    dimensions = check_shape(shape, name)
    return Placeholder(
        kind,
        dimensions,
        check_dtype(dtype, f"the dtype of {name}"),
        _check_batch_axis(batch_axis, len(dimensions), name),
    )


def check_shape(shape: object, name: str) -> tuple[int, ...]:
    """`shape` as a tuple of positive ints."""
    if not isinstance(shape, tuple | list):
        advice = f"; write ({shape},)" if isinstance(shape, int) else ""
        raise located(
            TypeError, f"the shape of {name} must be a tuple or list, got {kind_of(shape)}{advice}"
        )
    dimensions = []
    for extent in shape:
        try:
            if isinstance(extent, bool):
                raise TypeError
            dimension = operator.index(extent)
        except TypeError:
            raise located(
                TypeError,
                f"every dimension of {name} must be an int, got {kind_of(extent)} in {shape}",
            ) from None
        if dimension <= 0:
            raise located(
                ValueError, f"every dimension of {name} must be at least 1, got {dimension}"
            )
        dimensions.append(dimension)
    return tuple(dimensions)


def _check_batch_axis(axis: object, rank: int, name: str) -> int | None:
    if axis is None or (rank == 0 and axis == 0):
        return None
    if not is_integer(axis):
        raise located(
            TypeError, f"the batch_axis of {name} must be an int or None, got {kind_of(axis)}"
        )
    if not -rank <= axis < rank:
        raise located(
            ValueError, f"the batch_axis of {name} must lie in [{-rank}, {rank}), got {axis}"
        )
    return int(axis) % rank


class Numpy(_Array):
    """One ndarray with exactly the placeholder's shape."""

    @staticmethod
    def Placeholder(shape: Sequence[int], dtype: Any = float32, batch_axis: int | None = 0) -> Any:
        """A parameter that takes one ndarray of exactly this shape.

        >>> import penstock as flow, penstock.typing as tp
        >>> tp.Numpy.Placeholder((100,), dtype=flow.int32)
        Numpy.Placeholder((100,), dtype=flow.int32)
        """
        return make_placeholder("Numpy", shape, dtype, batch_axis)


class ListNumpy(_ListOfArrays):
    """One ndarray per device, in a list; on one device, a list of one ndarray."""

    @staticmethod
    def Placeholder(shape: Sequence[int], dtype: Any = float32, batch_axis: int | None = 0) -> Any:
        """A parameter that takes a list with one ndarray per device."""
        return make_placeholder("ListNumpy", shape, dtype, batch_axis)


class ListListNumpy(_ListOfLists):
    """A list of ndarrays per device, in a list; here one list.

    It has one ndarray of the whole shape (n, ...), or n ndarrays of shape (1, ...): see
    `flow.tensor_buffer_to_tensor_list`.
    """

    @staticmethod
    def Placeholder(shape: Sequence[int], dtype: Any = float32, batch_axis: int | None = 0) -> Any:
        """A parameter that takes a list with one list of ndarrays per device."""
        return make_placeholder("ListListNumpy", shape, dtype, batch_axis)


class Callback(Generic[T]):
    """`-> Callback[T]`: a call returns a function that takes a callback: `job(x)(callback)`.

    The callback runs on another thread, with a value of form T. `threading.excepthook` reports an
    exception of the callback at once; `flow.sync_default_session()` raises it again.
    """

    if TYPE_CHECKING:

        def __call__(self, callback: Callable[[T], object]) -> None: ...


class Bundle(Generic[T]):
    """`-> Bundle[T]`: any nest of tuples, lists and dicts with leaves of the one kind T."""

    if TYPE_CHECKING:

        def __getitem__(self, key: Any) -> Any: ...


def marks_of(annotation: object) -> tuple[Any, Sequence[object]]:
    """The type of `Annotated[type, mark, ...]` and its marks; without marks, the annotation.

    >>> from typing import Annotated
    >>> marks_of(Annotated[int, "a", "b"])
    (<class 'int'>, ('a', 'b'))
    """
    if get_origin(annotation) is not Annotated:
        return annotation, ()
    kind, *marks = get_args(annotation)
    return kind, tuple(marks)


KINDS: dict[type[Any], str] = {
    Numpy: "Numpy",
    ListNumpy: "ListNumpy",
    ListListNumpy: "ListListNumpy",
}


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.typing")
