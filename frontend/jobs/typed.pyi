"""What type checkers and editors see of jobs: arrays in, and out what the result's annotation says.

    @flow.global_function()
    def job(
        x: Annotated[flow.Blob, tp.Numpy.Placeholder((4, 8))],
    ) -> Annotated[flow.Blob, tp.Numpy]: ...

To its body, x is a blob; `job(array)` is an array. A call with too many arguments, or with one that
is no array, is an error; one with too few gives `MissingArguments`, of which there is no use. The
names of keywords are not checked.
"""

from collections.abc import Callable
from typing import Any, Concatenate, Generic, NoReturn, ParamSpec, Protocol, TypeVar, overload

import numpy as np
from typing_extensions import Self

from penstock.jobs.job import JobFunction as Job
from penstock.tensors.tensor import Tensor

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
T = TypeVar("T")
X = TypeVar("X")
P2 = ParamSpec("P2")
B = TypeVar("B", bound=Tensor)
Array = np.ndarray[Any, np.dtype[Any]]

class HasArray(Protocol):
    def __array__(self) -> Any: ...

class HasDlpack(Protocol):
    def __dlpack__(self) -> Any: ...

Fed = Array | HasArray | HasDlpack | complex | list[Any] | tuple[Any, ...] | dict[Any, Any]

class MissingArguments:
    """The result of a call with too few arguments."""

class Called(Generic[P, R_co]):
    """The calls of jobs by number of parameters; names of keywords are not checked."""

    @overload
    def __call__(self: Called[[], T]) -> T: ...
    @overload
    def __call__(self: Called[[Any], T], a: Fed, /) -> T: ...
    @overload
    def __call__(self: Called[[Any], T], /) -> MissingArguments: ...
    @overload
    def __call__(self: Called[[Any], T], /, **named: Fed) -> T: ...
    @overload
    def __call__(self: Called[[Any, Any], T], a: Fed, b: Fed, /) -> T: ...
    @overload
    def __call__(self: Called[[Any, Any], T], a: Fed = ..., /) -> MissingArguments: ...
    @overload
    def __call__(self: Called[[Any, Any], T], a: Fed = ..., /, **named: Fed) -> T: ...
    @overload
    def __call__(self: Called[[Any, Any, Any], T], a: Fed, b: Fed, c: Fed, /) -> T: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any], T], a: Fed = ..., b: Fed = ..., /
    ) -> MissingArguments: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any], T], a: Fed = ..., b: Fed = ..., /, **named: Fed
    ) -> T: ...
    @overload
    def __call__(self: Called[[Any, Any, Any, Any], T], a: Fed, b: Fed, c: Fed, d: Fed, /) -> T: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any], T], a: Fed = ..., b: Fed = ..., c: Fed = ..., /
    ) -> MissingArguments: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any], T],
        a: Fed = ...,
        b: Fed = ...,
        c: Fed = ...,
        /,
        **named: Fed,
    ) -> T: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any], T], a: Fed, b: Fed, c: Fed, d: Fed, e: Fed, /
    ) -> T: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any], T],
        a: Fed = ...,
        b: Fed = ...,
        c: Fed = ...,
        d: Fed = ...,
        /,
    ) -> MissingArguments: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any], T],
        a: Fed = ...,
        b: Fed = ...,
        c: Fed = ...,
        d: Fed = ...,
        /,
        **named: Fed,
    ) -> T: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any, Any], T],
        a: Fed,
        b: Fed,
        c: Fed,
        d: Fed,
        e: Fed,
        f: Fed,
        /,
    ) -> T: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any, Any], T],
        a: Fed = ...,
        b: Fed = ...,
        c: Fed = ...,
        d: Fed = ...,
        e: Fed = ...,
        /,
    ) -> MissingArguments: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any, Any], T],
        a: Fed = ...,
        b: Fed = ...,
        c: Fed = ...,
        d: Fed = ...,
        e: Fed = ...,
        /,
        **named: Fed,
    ) -> T: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any, Any, Any], T],
        a: Fed,
        b: Fed,
        c: Fed,
        d: Fed,
        e: Fed,
        f: Fed,
        g: Fed,
        /,
    ) -> T: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any, Any, Any], T],
        a: Fed = ...,
        b: Fed = ...,
        c: Fed = ...,
        d: Fed = ...,
        e: Fed = ...,
        f: Fed = ...,
        /,
    ) -> MissingArguments: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any, Any, Any], T],
        a: Fed = ...,
        b: Fed = ...,
        c: Fed = ...,
        d: Fed = ...,
        e: Fed = ...,
        f: Fed = ...,
        /,
        **named: Fed,
    ) -> T: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any, Any, Any, Any], T],
        a: Fed,
        b: Fed,
        c: Fed,
        d: Fed,
        e: Fed,
        f: Fed,
        g: Fed,
        h: Fed,
        /,
    ) -> T: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any, Any, Any, Any], T],
        a: Fed = ...,
        b: Fed = ...,
        c: Fed = ...,
        d: Fed = ...,
        e: Fed = ...,
        f: Fed = ...,
        g: Fed = ...,
        /,
    ) -> MissingArguments: ...
    @overload
    def __call__(
        self: Called[[Any, Any, Any, Any, Any, Any, Any, Any], T],
        a: Fed = ...,
        b: Fed = ...,
        c: Fed = ...,
        d: Fed = ...,
        e: Fed = ...,
        f: Fed = ...,
        g: Fed = ...,
        /,
        **named: Fed,
    ) -> T: ...
    @overload
    def __call__(
        self: Called[Concatenate[Any, Any, Any, Any, Any, Any, Any, Any, Any, ...], T],
        /,
        *given: Fed,
        **named: Fed,
    ) -> T: ...
    @overload
    def __call__(self, /, **named: Fed) -> R_co: ...
    @overload
    def __get__(self, instance: None, owner: Any, /) -> Self: ...
    @overload
    def __get__(
        self: Called[Concatenate[Any, P2], T], instance: Any, owner: Any, /
    ) -> Job[P2, T]: ...

class Decorator(Protocol):
    """Makes a job of a function whose body returns blobs."""

    @overload
    def __call__(self, function: Callable[P, NoReturn], /) -> Job[P, Any]: ...
    @overload
    def __call__(self, function: Callable[P, Tensor], /) -> Job[P, Array]: ...
    @overload
    def __call__(self, function: Callable[P, tuple[Tensor]], /) -> Job[P, tuple[Array]]: ...
    @overload
    def __call__(
        self, function: Callable[P, tuple[Tensor, Tensor]], /
    ) -> Job[P, tuple[Array, Array]]: ...
    @overload
    def __call__(
        self, function: Callable[P, tuple[Tensor, Tensor, Tensor]], /
    ) -> Job[P, tuple[Array, Array, Array]]: ...
    @overload
    def __call__(
        self, function: Callable[P, tuple[Tensor, Tensor, Tensor, Tensor]], /
    ) -> Job[P, tuple[Array, Array, Array, Array]]: ...
    @overload
    def __call__(
        self, function: Callable[P, tuple[Tensor, Tensor, Tensor, Tensor, Tensor]], /
    ) -> Job[P, tuple[Array, Array, Array, Array, Array]]: ...
    @overload
    def __call__(
        self, function: Callable[P, tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]], /
    ) -> Job[P, tuple[Array, Array, Array, Array, Array, Array]]: ...
    @overload
    def __call__(
        self, function: Callable[P, tuple[Tensor, ...]], /
    ) -> Job[P, tuple[Array, ...]]: ...
    @overload
    def __call__(self, function: Callable[P, list[B]], /) -> Job[P, list[Array]]: ...
    @overload
    def __call__(self, function: Callable[P, dict[X, B]], /) -> Job[P, dict[X, Array]]: ...
    @overload
    def __call__(self, function: Callable[P, R], /) -> Job[P, R]: ...
