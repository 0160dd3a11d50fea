"""Dual objects: an object of PyTorch and ours under one name, on which calls run alike.

Attributes and calls of a dual object are those of both. Generators among arguments are drawn once.
Without PyTorch there is our object alone, and its ops are compared with their references.
"""

from __future__ import annotations

import copy
import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import penstock
from penstock.basics.errors import located, user_location
from penstock.nn.modules.module import Module
from penstock.tensor_functions.random_numbers import default_generator
from penstock.tensors.modes import is_grad_enabled
from penstock.tensors.tensor import Tensor
from penstock.testing.duals.comparing import Closeness, difference
from penstock.testing.duals.generators import Nothing, generator
from penstock.testing.duals.program import (
    Assignment,
    Attribute,
    Call,
    Expression,
    Given,
    Root,
    Source,
    Variable,
    evaluated,
    used,
)
from penstock.testing.duals.references import Torch, TorchRefuses, reference
from penstock.testing.duals.run import Run, current, tell_timed

_LIMIT_MB = 32
"""The largest tensor that a test may make."""


class Missing:
    """Stands for PyTorch's object if PyTorch is not installed."""


MISSING = Missing()


class Mismatch(typing.NamedTuple):
    """A call whose result differs from the reference's."""

    call: int
    """The number of its statement."""
    sentence: str


class DualObject:
    """An object of PyTorch, `pytorch`, and ours, `oneflow`."""

    def __init__(
        self, name: str, pytorch: Any, oneflow: Any, expression: Expression | None = None
    ) -> None:
        own = self.__dict__
        own["name"], own["_pytorch"], own["oneflow"] = name, pytorch, oneflow
        own["_expression"] = Given(oneflow) if expression is None else expression

    @property
    def pytorch(self) -> Any:
        """PyTorch's object; a located RuntimeError if PyTorch is not installed."""
        found = self._pytorch
        if found is MISSING:
            raise located(
                RuntimeError,
                f"{self.name or 'torch'}.pytorch needs PyTorch, which is not installed; the test "
                "is compared with NumPy references",
            )
        return found

    def __repr__(self) -> str:
        if self._pytorch is MISSING:
            return f"penstock: {self.oneflow!r}"
        return f"PyTorch: {self._pytorch!r}\npenstock: {self.oneflow!r}"

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__") and key.endswith("__"):
            raise AttributeError(key)
        theirs = self._pytorch
        if theirs is not MISSING:
            theirs = _theirs(theirs, self.oneflow, key)
        ours = getattr(self.oneflow, key)
        if theirs is None:
            if ours is not None:
                raise located(
                    AssertionError, f"{key} of {self.name} is None in PyTorch, and ours is {ours!r}"
                )
            return None
        if ours is None and theirs is MISSING:
            return None
        name = f"{self.name}.{key}" if self.name else key
        return DualObject(name, theirs, ours, Attribute(self._expression, key))

    def __setattr__(self, key: str, value: Any) -> None:
        if not isinstance(value, DualObject):
            self.__dict__[key] = value
            return
        if self._pytorch is not MISSING:
            setattr(self._pytorch, key, value._pytorch)
        setattr(self.oneflow, key, value.oneflow)
        run = current()
        if run is not None:
            target = Attribute(self._expression, key)
            run.statements.append(Assignment(target, value._expression))

    def __call__(self, *args: Any, **named: Any) -> Any:
        tell_timed(self.name, self, args, named)
        return _call(self, args, named)

    # -- what must be one value for both ----------------------------------------------------------

    def __bool__(self) -> bool:
        return bool(self._common(bool))

    def __len__(self) -> int:
        return int(self._common(len))

    def __int__(self) -> int:
        return int(self.oneflow)

    def __float__(self) -> float:
        return float(self.oneflow)

    def __index__(self) -> int:
        return int(self.oneflow.__index__())

    def __iter__(self) -> Iterator[Any]:
        for i in range(len(self)):
            yield self.__getitem__(i)

    def __contains__(self, one: Any) -> bool:
        return bool((one.oneflow if isinstance(one, DualObject) else one) in self.oneflow)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """PyTorch's elements where it is installed, else ours."""
        value = self.oneflow if self._pytorch is MISSING else self._pytorch
        return np.asarray(value.numpy() if isinstance(value, Tensor) else value, dtype)

    def __hash__(self) -> int:
        return id(self)

    def _common(self, function: Callable[[Any], Any]) -> Any:
        ours = function(self.oneflow)
        if self._pytorch is not MISSING:
            theirs = function(self._pytorch)
            if theirs != ours:
                raise located(
                    AssertionError,
                    f"{function.__name__}({self.name}) is {theirs} in PyTorch, and ours is {ours}",
                )
        return ours


def _method(name: str) -> Callable[..., Any]:
    def method(self: DualObject, *args: Any) -> Any:
        theirs = MISSING if self._pytorch is MISSING else getattr(self._pytorch, name)
        inner = Attribute(self._expression, name)
        return _call(DualObject(name, theirs, getattr(self.oneflow, name), inner), args, {})

    method.__name__ = name
    return method


_BINARY = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
    "lshift", "rshift",
)  # fmt: skip
METHODS = (
    *(f"__{prefix}{name}__" for name in _BINARY for prefix in ("", "r", "i")),
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__neg__", "__pos__", "__abs__",
    "__invert__", "__getitem__", "__setitem__",
)  # fmt: skip
"""The operators that run on both."""

for _name in METHODS:
    setattr(DualObject, _name, _method(_name))


def _theirs(theirs: Any, ours: Any, key: str) -> Any:
    """An attribute of PyTorch's object; what only OneFlow has is imitated."""
    if key in ("to_global", "to_local"):
        is_copied = hasattr(theirs, "clone")
        return lambda *args, **named: theirs.clone() if is_copied else theirs
    if key in ("placement", "sbp"):
        return "unused"
    if key == "broadcast_like":
        if hasattr(theirs, "broadcast_to"):
            return lambda like, *args, **named: theirs.broadcast_to(like.size())
        return lambda x, like, *args, **named: theirs.broadcast_to(x, like.size())
    return getattr(theirs, key)


def GetDualObject(name: str, pytorch: Any, oneflow: Any) -> DualObject:
    """A dual object of these two: functions, modules, tensors or other values.

    The state of PyTorch's module is copied to ours.
    """
    side, run = reference(), current()
    if side is not None and side.is_module(pytorch) and isinstance(oneflow, Module):
        side.load(pytorch, oneflow)
    if run is not None and isinstance(oneflow, Tensor):
        return new_source(run, name, pytorch, oneflow)
    return DualObject(name, pytorch, oneflow)


def new_variable(run: Run, name: str, pytorch: Any, oneflow: Any) -> DualObject:
    """A dual object that is a variable of the program."""
    made = DualObject(name, pytorch, oneflow)
    made.__dict__["_expression"] = run.variable(made)
    return made


def new_source(run: Run, name: str, pytorch: Any, oneflow: Tensor) -> DualObject:
    """A dual object of tensors that the program starts from."""
    made = new_variable(run, name, pytorch, oneflow)
    array = oneflow.array.copy()
    run.statements.append(Source(made._expression, array, oneflow.requires_grad))
    return made


# -- calls --------------------------------------------------------------------------------------


def get_args(
    callable: Any, *args: Any, **kwargs: Any
) -> tuple[list[Any], dict[str, Any], list[Any], dict[str, Any]]:
    """The arguments for PyTorch and for us: positional ones and named ones of each.

    Generators are drawn, typed by the annotations of `callable`. Named arguments whose value is
    nothing are left out.
    """
    values, named = _drawn(callable, args, kwargs)
    theirs = [_side(value, _of_pytorch) for value in values]
    ours = [_side(value, _of_ours) for value in values]
    return (
        theirs,
        {key: _side(value, _of_pytorch) for key, value in named.items()},
        ours,
        {key: _side(value, _of_ours) for key, value in named.items()},
    )


def _drawn(
    callable: Any, args: tuple[Any, ...], named: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Arguments with the values of generators."""
    if any(isinstance(value, generator) for value in (*args, *named.values())):
        _give_types(callable, args, named)
    values = [_value(one) for one in args]
    kept = {key: _value(one) for key, one in named.items()}
    return values, {key: v for key, v in kept.items() if not isinstance(v, Nothing)}


def _value(one: Any) -> Any:
    if isinstance(one, generator):
        return one.value()
    if isinstance(one, tuple | list):
        return type(one)([_value(member) for member in one])
    return one


def _give_types(callable: Any, args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    """Let generators be of the types that the parameters' annotations say, as far as known."""
    try:
        parameters = list(inspect.signature(callable).parameters.values())
        source = callable.__init__ if inspect.isclass(callable) else callable
        hints = typing.get_type_hints(source)
    except (TypeError, ValueError, NameError, AttributeError):
        return
    by_name = dict(zip([p.name for p in parameters], args, strict=False)) | dict(named)
    for name, value in by_name.items():
        if isinstance(value, generator) and name in hints:
            value.to(hints[name])


def _of_pytorch(dual: DualObject) -> Any:
    return dual._pytorch


def _of_ours(dual: DualObject) -> Any:
    return dual.oneflow


def _side(value: Any, side: Callable[[DualObject], Any]) -> Any:
    """The part of an argument that belongs to one side."""
    if isinstance(value, DualObject):
        return side(value)
    if isinstance(value, tuple | list):
        return type(value)([_side(member, side) for member in value])
    if isinstance(value, slice):
        return slice(*[_side(v, side) for v in (value.start, value.stop, value.step)])
    if isinstance(value, dict):
        return {key: _side(member, side) for key, member in value.items()}
    return value


def _call(dual: DualObject, args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """Call both, record the call, and compare what they return."""
    typed = dual.oneflow if dual._pytorch is MISSING else dual._pytorch
    values, kept = _drawn(typed, args, named)
    theirs: Any = MISSING
    if dual._pytorch is not MISSING:
        their_args = [_side(value, _of_pytorch) for value in values]
        their_named = {key: _side(value, _of_pytorch) for key, value in kept.items()}
        try:
            theirs = dual._pytorch(*their_args, **their_named)
        except Exception as error:
            raise TorchRefuses(f"{type(error).__name__}: {error}") from error
    run = current()
    call = None if run is None else _recorded(run, dual, values, kept)
    if run is not None:
        run.tape.call = len(run.statements) - 1
    state = default_generator._seed, default_generator._step
    ours = dual.oneflow(
        *[_side(value, _of_ours) for value in values],
        **{key: _side(value, _of_ours) for key, value in kept.items()},
    )
    made = _result(run, dual, call, theirs, ours)
    if run is not None and run.draws is None and call is not None and not call.is_source:
        has_drawn = state != (default_generator._seed, default_generator._step)
        run.draws = state if has_drawn else None
    return made


def _recorded(run: Run, dual: DualObject, values: list[Any], named: dict[str, Any]) -> Call:
    """The statement of a call, noted before it runs."""
    args = tuple(_expressed(value) for value in values)
    by_name = {key: _expressed(value) for key, value in named.items()}
    before = {}
    for number in used(dual._expression, args, by_name):
        one = run.values[number].oneflow
        if isinstance(one, Tensor):
            before[number] = one.array.copy()
    call = Call(Variable(-1), dual._expression, args, by_name, user_location(), before)
    call.records = is_grad_enabled()
    run.statements.append(call)
    return call


def _expressed(value: Any) -> Any:
    """An argument with expressions in place of dual objects."""
    return _side(value, lambda dual: dual._expression)


def _result(run: Run | None, dual: DualObject, call: Call | None, theirs: Any, ours: Any) -> Any:
    """The dual object of two results."""
    side = None if run is None else run.reference
    if side is not None and theirs is not MISSING:
        ours = side.copied(dual.name.rpartition(".")[2], theirs, ours)
        if side.is_module(theirs) and isinstance(ours, Module) and inspect.isclass(dual.oneflow):
            side.load(theirs, ours)
    if run is None or call is None:
        return DualObject(f"{dual.name}(...)", theirs, ours)
    made = new_variable(run, f"{dual.name}(...)", theirs, ours)
    call.result = made._expression
    _note_result(run, dual, made, call)
    if run.retains:
        _retain(theirs, ours)
    if side is not None and theirs is not MISSING:
        settings = run.settings
        close = Closeness(settings.rtol, settings.atol, settings.check_dtype)
        found = difference(theirs, ours, side, close)
        if found is not None:
            run.differences.append(Mismatch(run.statements.index(call), found))
    return made


def _note_result(run: Run, dual: DualObject, made: DualObject, call: Call) -> None:
    """Complete the statement of a call that has returned."""
    ours = made.oneflow
    if isinstance(ours, Module):
        if inspect.isclass(dual.oneflow):
            run.modules.append(made)
            call.made = copy.deepcopy(ours)
    elif isinstance(ours, Tensor):
        _check_size(ours)
        call.is_source = not used(call.target, call.args, dict(call.named))
        if call.is_source:
            call.made = ours.array.copy()
    results = list(ours) if isinstance(ours, tuple | list) else [ours]
    if results and all(isinstance(one, Tensor) for one in results):
        call.after = [one.array.copy() for one in results]


def _retain(theirs: Any, ours: Any) -> None:
    """Let tensors keep their gradients."""
    for one in (theirs, ours):
        if getattr(one, "requires_grad", False) is True and not one.is_leaf:
            one.retain_grad()


def _check_size(tensor: Tensor) -> None:
    size = tensor.array.nbytes / 2**20
    if size >= _LIMIT_MB:
        raise located(
            AssertionError,
            f"a tensor of an AutoTest takes less than {_LIMIT_MB} MB, got {size:.0f} MB; draw "
            "smaller extents",
        )


class _Torch(DualObject):
    """The dual object of PyTorch and penstock; PyTorch is imported when it is first used."""

    def __init__(self) -> None:
        super().__init__("", MISSING, penstock, Root())

    @property
    def _pytorch(self) -> Any:
        side: Torch | None = reference()
        return MISSING if side is None else side.module


torch = _Torch()
"""`torch.relu(x)` runs on both; see `DualObject`."""


def value_of(expression: Expression, values: Mapping[int, Any]) -> Any:
    """What an expression of a program gives, if variables have these values."""
    return evaluated(expression, penstock, values)
