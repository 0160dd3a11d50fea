"""Running a module of stage `loops` in Python, one op after the other, with every access checked.

The arena begins as bytes 255, so that what is read before it is written shows: NaN, or -1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, numpy_dtype, python_value
from penstock.ir.core import Block, Operation, Value
from penstock.ir.dialects import arith, func, memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.evaluate_generic import scalar

Array = np.ndarray[Any, Any]
Watcher = Callable[[str, Array], None]
KEYS = ("job.feed", "job.variable", "job.fetch")


def run_job(
    module: Module, given: Mapping[str, Array], watch: Watcher | None = None
) -> dict[str, Array]:
    """Run one step: `given` has feeds and variables by name; the result variables and fetches.

    Fetches stand under their path. `watch(name, array)` is called at each tap; without it, none
    listens.
    """
    job = module.job
    runner = _Runner(module, watch)
    arrays: list[Array] = []
    named: dict[str, Array] = {}
    for i, argument in enumerate(job.arguments):
        attributes = {k: python_value(v) for k, v in job.argument_attributes(i).items()}
        type = argument.type
        assert isinstance(type, ty.MemRefType)
        if "job.arena" in attributes:
            arrays.append(np.full(attributes["job.arena"], 255, np.uint8).view(np.int8))
            continue
        if "job.taps" in attributes:
            runner.taps = attributes["job.taps"]
            assert type.shape == (len(runner.taps),)
            arrays.append(np.full(type.shape, int(watch is not None), np.int8))
            continue
        (name,) = (attributes[key] for key in KEYS if key in attributes)
        array = np.empty(type.shape, numpy_dtype(type.element))
        array.reshape(-1).view(np.uint8)[...] = 255
        if "job.fetch" not in attributes:
            array[...] = given[name]
            assert array.shape == given[name].shape
        if "job.feed" in attributes:
            array.flags.writeable = False
        else:
            named[name] = array
        arrays.append(array)
    runner.call(job, arrays)
    return named


class _Runner:
    def __init__(self, module: Module, watch: Watcher | None) -> None:
        self.functions = {f.sym_name: f for f in module.functions()}
        self.globals = {op.sym_name: op for op in module.body if isinstance(op, memref.Global)}
        self.watch = watch
        self.taps: Sequence[dict[str, Any]] = []

    def call(self, function: func.Func, arguments: Sequence[Any]) -> None:
        values: dict[Value, Any] = dict(zip(function.arguments, arguments, strict=True))
        self.no_written_alias(function, arguments)
        self.block(function.body, values)

    def no_written_alias(self, function: func.Func, arguments: Sequence[Any]) -> None:
        """Arguments said not to alias must not, if one of them is written."""
        written = {op.memref for op in function.walk() if isinstance(op, memref.Store)}
        for i, value in enumerate(function.arguments):
            if value in written and "llvm.noalias" in function.argument_attributes(i):
                others = [a for j, a in enumerate(arguments) if j != i]
                assert not any(np.shares_memory(arguments[i], a) for a in others), function

    def block(self, block: Block, values: dict[Value, Any]) -> list[Any]:
        """Run a block; what it yields."""
        for op in block:
            if op.terminator:
                return [values[v] for v in op.operands]
            results = self.op(op, [values[v] for v in op.operands], values)
            values.update(zip(op.results, results, strict=True))
        return []

    def op(self, op: Operation, given: list[Any], values: dict[Value, Any]) -> Sequence[Any]:
        match op:
            case arith.Constant(value=DenseElementsAttr()):
                op.fail("is a tensor")
            case memref.Load():
                return [given[0][_place(op, given[0], given[1:])]]
            case memref.Store():
                given[1][_place(op, given[1], given[2:])] = given[0]
                return []
            case scf.For():
                return self.loop(op, given, values)
            case scf.If():
                taken = op.then_block if given[0] else op.else_block
                return self.block(taken, values) if taken is not None else []
            case func.Call():
                self.called(op, given)
                return []
            case _ if op.name.startswith("memref."):
                return self.memory(op, given)
            case _:
                assert op.pure, f"{op.name} at stage loops"
                with np.errstate(all="ignore"):
                    made = np.asarray(scalar(op, [np.asarray(g) for g in given]))
                return [made.astype(numpy_dtype(op.results[0].type))[()]]

    def loop(self, op: scf.For, given: list[Any], values: dict[Value, Any]) -> list[Any]:
        lower, upper, step, *carried = given
        for i in range(int(lower), int(upper), int(step)):
            values.update(zip(op.body.arguments, [np.int64(i), *carried], strict=True))
            carried = self.block(op.body, values)
        return carried

    def called(self, op: func.Call, given: list[Any]) -> None:
        function = self.functions[op.callee]
        if not function.is_external:
            self.call(function, given)
            return
        assert self.watch is not None, "a tap is called and nobody listens"
        tap = self.taps[int(given[0])]
        assert tap["shape"] == list(given[1].shape), tap
        assert op.callee == f"penstock_tap_{tap['dtype']}"
        self.watch(tap["name"], given[1].copy())

    def memory(self, op: Operation, given: list[Any]) -> list[Any]:
        match op:
            case memref.View():
                type = op.results[0].type
                assert isinstance(type, ty.MemRefType)
                dtype = numpy_dtype(type.element)
                start, size = int(given[1]), type.count * dtype.itemsize
                assert start % 64 == 0, f"offset {start}"
                assert start + size <= given[0].size, f"{start} + {size} of {given[0].size}"
                return [given[0][start : start + size].view(dtype).reshape(type.shape)]
            case memref.Copy():
                assert not np.shares_memory(*given), "a copy within one buffer"
                given[1][...] = given[0]
                return []
            case memref.Cast():
                return [given[0]]
            case memref.CollapseShape() | memref.ExpandShape():
                type = op.results[0].type
                assert isinstance(type, ty.MemRefType)
                return [given[0].reshape(type.shape)]
            case memref.GetGlobal():
                value = self.globals[op.symbol].initial_value
                assert isinstance(value, DenseElementsAttr)
                return [value.array()]
            case _:
                op.fail("stands at stage loops")


def _place(op: Operation, array: Array, indices: Sequence[Any]) -> tuple[int, ...]:
    place = tuple(int(i) for i in indices)
    inside = all(0 <= i < n for i, n in zip(place, array.shape, strict=True))
    assert inside, f"{op} reaches {place} of {array.shape}"
    return place
