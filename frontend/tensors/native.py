"""Lets native code run ops on tensors: codegen/native/eager.c does the usual cases of `execute.py`.

Operators and functions of tensors ask native code first. It answers NotImplemented unless it was
told by `keep` which kernel to run for operands of these types and shapes. Without native code, as
in builds of Python that lack a global lock, the Python code does everything.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from penstock.basics.recent import Recent
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.opdef import registry
from penstock.process.forks import making
from penstock.runtime.memory import Allocation
from penstock.runtime.native.eager_call import EagerNatives, EagerOperator, EagerSetup
from penstock.runtime.native.helpers import copy_array
from penstock.runtime.native.native_call import installed
from penstock.tensors.graph import Line, Node, OpNode, is_ours, numbers
from penstock.tensors.kernels import OneOp, Recipe, frozen
from penstock.tensors.modes import share_flags
from penstock.tensors.tensor import Changes, Tensor, actions

Array = np.ndarray[Any, Any]
Attributes = dict[str, Any]

SLOTS: dict[type, tuple[str, ...]] = {
    Tensor: (
        "_grad", "_requires_grad", "array", "base", "changes", "hooks", "index", "node", "seen",
        "unseen_base",
    ),
    Changes: ("count", "line"),
    Line: ("_at", "_code"),
    OpNode: ("_at", "_code", "_hooks", "_kept", "edges", "number", "_saved", "recipe"),
}  # fmt: skip
"""The slots that native code reads, in the order of codegen/native/layouts.h."""
_NUMBERS = (np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32), np.dtype(np.int64))
"""The types to which native code converts Python's numbers."""


class Function:
    """A function of so many tensors that runs the ops kept for its number."""

    def __init__(self, number: int, count: int, is_truth: bool) -> None:
        self.number = number
        self.operator = EagerOperator(self.number, count, False, is_truth, None)
        self.call: Callable[..., Any] = _left
        """The result; NotImplemented if the caller must compute it."""
        if _Attached.natives is None:
            _functions.append(self)
        else:
            self.call = _Attached.natives.apply(self.operator)

    @classmethod
    def of_op(cls, name: str, count: int, attributes: Attributes | None = None) -> Function:
        """The function that runs the op of that name, with fixed attributes."""
        is_truth = cast(type[TensorOp], registry[name]).is_truth
        return cls(_fresh() if attributes else _number(name), count, is_truth)

    @classmethod
    def fresh(cls, count: int) -> Function:
        """A function with a number of its own."""
        return cls(_fresh(), count, False)


class Operator:
    """An operator of Python, implemented by a method of tensors that `slow` stands for.

    One that `changes` overwrites the first operand with the result.
    """

    def __init__(
        self, method: str, slow: Callable[..., Any], name: str, *, reversed: bool = False,
        changes: bool = False,
    ) -> None:  # fmt: skip
        is_truth = cast(type[TensorOp], registry[name]).is_truth
        self.method = method
        self.native = EagerOperator(_number(name), 2, reversed, is_truth, id(slow), changes)
        self._slow = slow  # kept


class _Attached:
    natives: EagerNatives | None = None
    failed = False


_fresh = itertools.count().__next__
_name_numbers: dict[str, int] = {}
_functions: list[Function] = []
_known: Recent[Function] = Recent()
"""Functions with attributes, by the op's name, how many operands it has, and its attributes."""
operators: list[Operator] = []
"""The operators whose methods native code replaces."""


def _number(name: str) -> int:
    """The number of an op's name, known to all its functions and operators."""
    found = _name_numbers.get(name)
    return _name_numbers.setdefault(name, _fresh()) if found is None else found


def _left(*operands: object) -> Any:
    return NotImplemented


def link(op: OneOp, record: Callable[..., None]) -> None:
    """Let native code run an op whose kernel was called, if there is native code.

    `record` is called for what native code does not record itself.
    """
    natives = _Attached.natives
    if natives is None:
        found = installed()
        if found is None or found.eager is None or _Attached.failed:
            return
        with making:
            if _Attached.natives is None:
                _attach(found.eager, record)
        return
    op.link(natives)


def link_view(op: OneOp, source: Array, result: Array) -> None:
    """Let native code run an op that viewed this array as that one."""
    natives = _Attached.natives
    if natives is not None:
        op.link_view(natives, source, result)


def backward(output: Tensor, seed: Any, keep: bool) -> Any:
    """Add the gradients of a tensor to its leaves; NotImplemented where Python must do it."""
    natives = _Attached.natives
    return NotImplemented if natives is None else natives.backward(output, seed, keep)


def assign(target: Tensor, value: Tensor) -> Any:
    """Overwrite the elements of a tensor, and give it; NotImplemented where Python must do it."""
    natives = _Attached.natives
    return NotImplemented if natives is None else natives.assign(target, value)


def function(name: str, count: int, attributes: Attributes) -> Function | None:
    """The function of that op and attributes, if native code knows how to run it."""
    return _known.get((name, count, frozen(attributes)))


def keep(op: OneOp, operands: Sequence[object], number: int | None = None) -> None:
    """Let the functions of that number, or operators and functions of this op, run it on such
    operands; one may be a number."""
    natives = _Attached.natives
    if natives is None or op.call is None:
        return
    for operand, type in zip(operands, op.arrays, strict=True):
        if type == np.bool_ or not (isinstance(operand, Tensor) or type in _NUMBERS):
            return
    if number is None:
        number = _number_of(op, len(operands))
    natives.keep(number, ctypes.addressof(op.native), *operands)


def _number_of(op: OneOp, count: int) -> int:
    if not op.attributes:
        return _number(op.name)
    key = op.name, count, frozen(op.attributes)
    found = _known.get(key)
    if found is None:
        found = _known.keep(key, Function.of_op(op.name, count, op.attributes))
    return found.number


def _attach(natives: EagerNatives, record: Callable[..., None]) -> None:
    last_instruction = getattr(ctypes.pythonapi, "PyFrame_GetLasti", None)  # since Python 3.11
    if last_instruction is None or not all(map(_fits, SLOTS)):
        _Attached.failed = True
        return
    functions = is_ours, record, actions.step, actions.sum, actions.finish, actions.assign
    boolean = np.dtype(np.bool_)
    setup = EagerSetup(
        *map(id, (Tensor, Node, OpNode, Recipe, Changes, Line, Allocation, 0, numbers, *functions)),
        _number("flow.add"), copy_array(), ctypes.cast(last_instruction, ctypes.c_void_p),
        *map(id, (*_NUMBERS, boolean)),
    )  # fmt: skip
    kept = functions, boolean, _NUMBERS
    for i, operator in enumerate(operators):
        setup.operators[i] = ctypes.addressof(operator.native)
    natives.set_up(setup, kept)
    share_flags(natives.flags)
    for i, operator in enumerate(operators):
        setattr(Tensor, operator.method, natives.method(i, operator.method, Tensor))
    _Attached.natives = natives
    for function in _functions:
        function.call = natives.apply(function.operator)


def _fits(kind: type) -> bool:
    """Whether objects of this Python have the slots of a class where native code expects them."""
    thing: object = object.__new__(kind)
    for i, name in enumerate(SLOTS[kind]):
        mark = object()
        setattr(thing, name, mark)
        place = id(thing) + object.__basicsize__ + i * ctypes.sizeof(ctypes.c_void_p)
        if ctypes.c_void_p.from_address(place).value != id(mark):
            return False
    return True
