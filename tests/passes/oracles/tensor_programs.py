"""Random jobs of tensor ops: feeds, variables, updates, fetches, watches."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import StringAttr, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.func import Func, Return
from penstock.ir.location import FileLocation
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.types import TensorType
from penstock.lowering.modules import PIPELINES
from penstock.passes.manager import run_pipeline
from penstock.passes.pipeline import Pipeline

Array = np.ndarray[Any, Any]
FUSED = str(PIPELINES["fused"])
LOOPS = "bufferize"

LARGEST = 400
"""The most elements of a value."""

BINARY = ("add", "subtract", "multiply", "maximum", "minimum", "divide")
UNARY = ("negative", "abs", "square", "relu", "identity", "sqrt")
SHAPES = ((), (1,), (3,), (5,), (3, 5), (5, 3), (1, 5), (3, 1), (2, 3, 5), (4, 9), (6, 1, 2))


class Program:
    """A random job under construction."""

    def __init__(self, seed: int, shapes: Sequence[tuple[int, ...]] = SHAPES) -> None:
        self.choose = random.Random(seed)
        self.module = Module.empty("random")
        self.module.attributes["job.type"] = StringAttr("train")
        types = [TensorType(self.choose.choice(shapes), ty.f32) for _ in range(5)]
        self.function = Func.make("random", types)
        self.module.body.append(self.function)
        self.b = Builder.at_end(self.function.body)
        self.values: list[Value] = list(self.function.arguments)
        self.watches = 0

    def written(self, ops: int) -> Module:
        """The job with this many ops, each at its own line."""
        steps: list[Callable[[], None]] = [
            self.unary, self.unary, self.binary, self.binary, self.binary, self.reduce,
            self.reduce, self.transpose, self.reshape, self.matmul, self.matmul, self.watch,
            self.full, self.argmax, self.slice, self.broadcast,
        ]  # fmt: skip
        for line in range(1, ops + 1):
            self.b.location = FileLocation("random.py", line)
            self.choose.choice(steps)()
        self.finish()
        return self.module

    def pick(self, fits: Callable[[TensorType], bool] = lambda type: True) -> Value | None:
        floats = [v for v in self.values if _type(v).element is ty.f32 and fits(_type(v))]
        if floats and self.choose.random() < 0.5:
            return floats[-1]
        return self.choose.choice(floats[-6:] + floats[:5]) if floats else None

    def add(self, value: Value) -> None:
        if _type(value).count <= LARGEST:
            self.values.append(value)

    def unary(self) -> None:
        x = self.pick()
        assert x is not None
        self.add(make.op(self.b, self.choose.choice(UNARY), x))

    def binary(self) -> None:
        x = self.pick()
        assert x is not None
        shape = _type(x).shape

        def fits(type: TensorType) -> bool:
            try:
                np.broadcast_shapes(type.shape, shape)
            except ValueError:
                return False
            return True

        y = self.pick(fits)
        assert y is not None
        self.add(make.op(self.b, self.choose.choice(BINARY), x, y))

    def reduce(self) -> None:
        x = self.pick(lambda type: type.rank > 0)
        if x is not None:
            rank = _type(x).rank
            axes = sorted(self.choose.sample(range(rank), self.choose.randint(1, rank)))
            name = self.choose.choice(("reduce_sum", "reduce_sum", "reduce_max"))
            if name == "reduce_max" and any(_type(x).shape[a] == 0 for a in axes):
                name = "reduce_sum"
            keep = self.choose.random() < 0.3
            self.add(make.op(self.b, name, x, axes=axes, keepdims=keep))

    def transpose(self) -> None:
        x = self.pick(lambda type: type.rank > 1)
        if x is not None:
            order = list(range(_type(x).rank))
            self.choose.shuffle(order)
            self.add(make.transpose(self.b, x, order))

    def reshape(self) -> None:
        x = self.pick()
        assert x is not None
        shape = list(_type(x).shape)
        self.choose.shuffle(shape)
        flat = self.choose.random() < 0.4
        self.add(make.reshape(self.b, x, [_type(x).count] if flat else shape))

    def matmul(self) -> None:
        x = self.pick(lambda type: type.rank == 2)
        if x is None:
            return
        turn_x, turn_y = self.choose.random() < 0.5, self.choose.random() < 0.5
        depth = _type(x).shape[0 if turn_x else 1]
        y = self.pick(lambda type: type.rank == 2 and type.shape[1 if turn_y else 0] == depth)
        if y is None:
            return
        rows, columns = _type(x).shape[1 if turn_x else 0], _type(y).shape[0 if turn_y else 1]
        if depth == 1 or rows * columns > 1:
            # Vectorised row by column products accumulate in f32, so the order of the sum shows in
            # its bits.
            self.add(make.op(self.b, "matmul", x, y, transpose_a=turn_x, transpose_b=turn_y))

    def broadcast(self) -> None:
        x = self.pick(lambda type: type.rank < 3)
        if x is not None:
            self.add(make.broadcast_to(self.b, x, [3, *_type(x).shape]))

    def full(self) -> None:
        value = self.choose.choice((0.0, 1.0, -2.5))
        self.add(make.full(self.b, value, self.choose.choice(SHAPES), ty.f32))

    def argmax(self) -> None:
        x = self.pick(lambda type: type.rank > 0 and 0 not in type.shape)
        if x is not None:
            axis = self.choose.randrange(_type(x).rank)
            self.values.append(make.op(self.b, "argmax", x, axis=axis))

    def slice(self) -> None:
        x = self.pick(lambda type: type.rank > 0 and 0 not in type.shape)
        if x is not None:
            starts = [self.choose.randrange(extent) for extent in _type(x).shape]
            sizes = [n - a for n, a in zip(_type(x).shape, starts, strict=True)]
            steps = [1] * len(starts)
            self.add(make.op(self.b, "slice", x, starts=starts, sizes=sizes, steps=steps))

    def watch(self) -> None:
        x = self.choose.choice(self.values)
        self.b.create(job.Watch, x, label=f"watch-{self.watches}")
        self.watches += 1

    def finish(self) -> None:
        """Declare feeds, fetches and updates of variables."""
        count = len(self.function.arguments)
        is_variable = [self.choose.random() < 0.7 for _ in range(count)]
        fetches = [self.choose.choice(self.values) for _ in range(self.choose.randint(1, 4))]
        updates: dict[int, Value] = {}
        for i in range(count):
            if is_variable[i] and self.choose.random() < 0.8:
                updates[i] = self.new_value(self.function.arguments[i])
        self.b.create(Return, [*fetches, *updates.values()])
        self.function.update_type()
        zero = {"kind": "constant", "value": 0.0}
        for i in range(count):
            attributes: dict[str, Any] = {"job.feed": f"a{i}"}
            if is_variable[i]:
                attributes = {"job.variable": f"a{i}", "job.initializer": zero}
                attributes["job.trainable"] = True
            self.function.set_argument_attributes(i, attributes)
        for i in range(len(fetches)):
            self.function.set_result_attributes(i, {"job.fetch": str(i)})
        for number, i in enumerate(updates):
            self.function.set_result_attributes(len(fetches) + number, {"job.update": f"a{i}"})

    def new_value(self, variable: Value) -> Value:
        """A value of the variable's type, usually computed from it."""
        type = _type(variable)
        same = [v for v in self.values if v.type is type]
        if self.choose.random() < 0.3:
            return self.choose.choice(same)
        other = self.choose.choice([v for v in same if v is not variable] or [variable])
        if self.choose.random() < 0.5:
            return make.op(self.b, "subtract", variable, other)
        return make.op(self.b, self.choose.choice(UNARY), other)


def _type(value: Value) -> TensorType:
    return cast(TensorType, value.type)


def arguments(module: Module, seed: int) -> list[Array]:
    """Random arrays for the arguments of a job of tensor ops."""
    chooser = np.random.default_rng(seed)
    arrays = []
    for argument in module.job.arguments:
        type = _type(argument)
        values = chooser.standard_normal(type.shape) * 3
        arrays.append(values.astype(numpy_dtype(type.element)))
    return arrays


def expected(
    module: Module, arrays: Sequence[Array]
) -> tuple[dict[str, Array], list[tuple[str, Array]]]:
    """Fetches and new values of variables by name, and watched values, from the interpreter."""
    watched: list[tuple[str, Array]] = []
    results = interpret(module, arrays, watch=lambda name, a: watched.append((name, a.copy())))
    named: dict[str, Array] = {}
    function = module.job
    for i, array in enumerate(arrays):
        name = function.argument_attributes(i).get("job.variable")
        if isinstance(name, StringAttr):
            named[name.value] = array
    for i, array in enumerate(results):
        for name in function.result_attributes(i).values():
            assert isinstance(name, StringAttr)
            named[name.value] = array
    return named, watched


def in_order(
    module: Module, arrays: Sequence[Array]
) -> tuple[dict[str, Array], list[tuple[str, Array]]]:
    """Bit-exact `expected`: sums are taken in the order of the text.

    The order of sums in NumPy's own `@` depends on its BLAS library.
    """
    return expected(lowered(module, "lower"), arrays)


def named_inputs(module: Module, arrays: Sequence[Array]) -> dict[str, Array]:
    """The arrays by the names of feeds and variables."""
    named = {}
    for i, array in enumerate(arrays):
        attributes = module.job.argument_attributes(i)
        name = attributes.get("job.feed", attributes.get("job.variable"))
        assert isinstance(name, StringAttr)
        named[name.value] = array
    return named


def same_bits(one: Array, other: Array) -> bool:
    """Equal in shape, dtype and every bit; all NaNs are equal."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.dtype.kind != "f":
        return bool((one == other).all())
    bits = f"i{one.dtype.itemsize}"
    equal = np.ascontiguousarray(one).view(bits) == np.ascontiguousarray(other).view(bits)
    return bool((equal | (np.isnan(one) & np.isnan(other))).all())


def lowered(module: Module, pipeline: str | Pipeline) -> Module:
    """A copy of a module, lowered by a pipeline."""
    copy = cast(Module, module.clone())
    run_pipeline(copy, pipeline)
    return copy
