"""`ms_function`, alias `jit`: functions compiled for each form of their arguments.

A cell that a body calls is part of what was compiled: a change of its mode or hooks compiles the
function again, a change of other attributes does not.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Protocol

from penstock.basics.errors import kind_of, located
from penstock.jobs.functions import check_function
from penstock.jobs.jit import JitFunction
from penstock.mindspore.tensor import faced, plain
from penstock.trace.tracing import active_trace

_FORMS = 64
"""The number of forms of arguments whose code is kept, and of modes of the cells."""


class Cell(Protocol):
    """What this module needs of a cell."""

    def compile_state(self) -> Hashable:
        """The mode on which compiled code depends."""


class _Active(threading.local):
    def __init__(self) -> None:
        self.functions: list[Compiled] = []


_active = _Active()


class Compiled:
    """A function of tensors that runs as compiled code; `run` gets and returns plain values."""

    def __init__(self, run: Callable[..., Any], source: Callable[..., Any]) -> None:
        self._run = run
        self._source = source
        self._cells: list[Cell] = []
        """Those that the body called, in the order of their first calls."""
        self._functions: OrderedDict[Hashable, JitFunction] = OrderedDict()

    def __deepcopy__(self, memo: dict[int, Any]) -> Compiled:
        return Compiled(self._run, self._source)

    def called(self, cell: Cell) -> None:
        """Note that the body calls a cell."""
        if not any(cell is one for one in self._cells):
            self._cells.append(cell)

    def _state(self) -> Hashable:
        return tuple(cell.compile_state() for cell in self._cells)

    def __call__(self, *args: Any, **named: Any) -> Any:
        if active_trace() is not None:  # Called in another traced body: inline it.
            return self._run(*args, **named)
        state = self._state()
        function = self._functions.get(state)
        if function is None:
            function = JitFunction(self._traced, _FORMS, self._source)
        known = len(self._cells)
        try:
            return function(*args, **named)
        finally:
            if len(self._cells) != known:
                state = self._state()
            if function.cache_size:
                self._functions[state] = function
                while len(self._functions) > _FORMS:
                    self._functions.popitem(last=False)

    def _traced(self, *args: Any, **named: Any) -> Any:
        _active.functions.append(self)
        try:
            return self._run(*args, **named)
        finally:
            _active.functions.pop()


def note_call(cell: Cell) -> None:
    """Note a call of a cell for the functions that are being compiled."""
    for function in _active.functions:
        function.called(cell)


class MsFunction:
    """A function or method that runs as compiled code."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = function

        def run(*args: Any, **named: Any) -> Any:
            return plain(function(*faced(args), **faced(named)))

        self._compiled = Compiled(run, function)

    def __repr__(self) -> str:
        return f"<compiled function {getattr(self._function, '__name__', 'of a cell')}>"

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **named: Any) -> Any:
        if active_trace() is not None:
            return self._function(*args, **named)
        return faced(self._compiled(*plain(args), **plain(named)))


def ms_function(
    fn: Callable[..., Any] | None = None, input_signature: Any = None, hash_args: Any = None,
    jit_config: Any = None,
) -> Any:  # fmt: skip
    """Compile a function, or a cell's method, for each shape and type of its arguments.

    The body is traced once for each form: changing an attribute or a global afterwards has no
    effect, nor has an assignment to a global inside. Gradients flow through the compiled function
    as one step. The other parameters have no effect.

    >>> import penstock.mindspore as ms
    >>> @ms.ms_function
    ... def double(x):
    ...     return x + x
    >>> print(double(ms.Tensor([1.0, 2.0])))
    [2. 4.]
    """
    if fn is None:
        return functools.partial(ms_function, input_signature=input_signature)
    if isinstance(fn, type):
        raise located(TypeError, f"ms_function takes a function or a method, got {kind_of(fn)}")
    check_function(fn, "ms_function")
    return MsFunction(fn)


jit = ms_function
