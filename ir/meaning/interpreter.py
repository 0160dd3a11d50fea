"""Interprets a module in NumPy, one op at a time.

Our own ops run their `reference`. A `linalg.generic` is evaluated over its iteration space, with
reductions in order. The tests compare all other ways of running a module with this one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, numpy_dtype
from penstock.ir.core import Block, Operation, Value
from penstock.ir.dialects import arith, func, job, linalg, scf
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import Array, TensorOp, tensor
from penstock.ir.dialects.flow.widening import computed
from penstock.ir.meaning.evaluate_generic import evaluate_generic

Watcher = Callable[[str, Array], None]


def interpret(
    program: Module | func.Func,
    arguments: Sequence[Any],
    promote: bool = False,
    watch: Watcher | None = None,
) -> list[Array]:
    """The results of the job (or of one function) for these arguments.

    Works on the stages from job to fused. With `promote`, all floats are computed in float64,
    whatever their type says. `watch(name, array)` is called at each `job.watch` and
    `job.watchable`.

    >>> from penstock.ir.dialects.parsing import parse_module
    >>> module = parse_module('''
    ... func.func @double(%x: tensor<2xf32>) -> tensor<2xf32> {
    ...   %y = "flow.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    ...   func.return %y : tensor<2xf32>
    ... }''')
    >>> interpret(module, [[1.0, 2.0]])
    [array([2., 4.], dtype=float32)]
    """
    function = program.job if isinstance(program, Module) else program
    return Interpreter(promote, watch).call(function, [np.asarray(a) for a in arguments])


class Interpreter:
    """Runs modules for `interpret`. A subclass may override `run` to evaluate ops differently."""

    def __init__(self, promote: bool, watch: Watcher | None) -> None:
        self.promote = promote
        self.watch = watch

    def call(self, function: func.Func, arguments: Sequence[Array]) -> list[Array]:
        """Run a function's body."""
        if len(arguments) != len(function.arguments):
            function.fail(f"takes {len(function.arguments)} arguments, got {len(arguments)}")
        values: dict[Value, Array] = {}
        for parameter, argument in zip(function.arguments, arguments, strict=True):
            if argument.shape != tensor(parameter).shape:
                function.fail(f"takes {parameter.type} and got an array of {argument.shape}")
            values[parameter] = self.store(argument, parameter)
        return self.block(function.body, values)

    def block(self, block: Block, values: dict[Value, Array]) -> list[Array]:
        """Run the ops of a block, and return the terminator's operands."""
        for op in block:
            operands = [values[v] for v in op.operands]
            if op.terminator:
                return operands
            for result, array in zip(op.results, self.run(op, operands, values), strict=True):
                values[result] = self.store(array, result)
        return []

    def store(self, array: Array, value: Value) -> Array:
        """The array in the dtype of the value's type, or in float64."""
        element = ty.i1 if value.type is ty.i1 else tensor(value).element
        floats = self.promote and ty.is_float(element)
        dtype = np.dtype(np.float64) if floats else numpy_dtype(element)
        return np.asarray(array, dtype)

    def run(
        self, op: Operation, arrays: Sequence[Array], values: dict[Value, Array]
    ) -> Sequence[Array]:
        """The results of one op."""
        match op:
            case TensorOp():
                return computed(op, arrays)
            case linalg.Generic():
                return evaluate_generic(op, values)
            case tensors.Empty() | tensors.CollapseShape() | tensors.ExpandShape():
                return [_moved(op, arrays)]
            case arith.Constant(value=DenseElementsAttr() as dense):
                return [dense.array()]
            case func.Call():
                module = function_of(op).parent
                assert isinstance(module, Module)
                return self.call(module.function(op.callee), arrays)
            case job.Watch() | job.Watchable():
                if self.watch is not None:
                    self.watch(op.label, arrays[0])
                return []
            case job.Listening() | scf.If(results=[]):
                return self.on_demand(op, arrays, values)
            case job.WatchDiff() | job.Minimize():
                return []  # autodiff replaces these
            case _:
                called = isinstance(op, job.Callout) and op.label
                op.fail(
                    f"calls out to {called!r}, a function of the program, which is not here"
                    if called
                    else "cannot be interpreted: expected a stage from job to fused"
                )

    def on_demand(
        self, op: job.Listening | scf.If, arrays: Sequence[Array], values: dict[Value, Array]
    ) -> Sequence[Array]:
        """Evaluate ops that run only while watched."""
        if isinstance(op, job.Listening):
            return [np.asarray(self.watch is not None)]
        if arrays[0]:
            self.block(op.then_block, values)
        return []


def function_of(op: Operation) -> func.Func:
    """The function an op stands in."""
    parent = op.parent
    while parent is not None and not isinstance(parent, func.Func):
        parent = parent.parent
    assert parent is not None, "the op stands in a function"
    return parent


def _moved(op: Operation, arrays: Sequence[Array]) -> Array:
    """The array of a view. Undefined elements are NaN, the lowest integer, or true."""
    type = tensor(op.results[0])
    if arrays:
        return arrays[0].reshape(type.shape)
    dtype = numpy_dtype(type.element)
    missing = np.iinfo(dtype).min if dtype.kind in "iu" else np.nan
    return np.full(type.shape, missing, dtype)
