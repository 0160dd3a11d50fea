"""Random generics lowered to loops: any rank, iterator types, maps and bodies."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from loops_interpreter import run_job
from random_parts import parts_of
from tensor_programs import arguments, lowered, same_bits

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Const, Dim, Expr
from penstock.ir.builder import Builder
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import arith, linalg, math, scf, vector
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.structured import filled
from penstock.ir.dialects.func import Func, Return
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.text.printer import print_module
from penstock.ir.types import TensorType
from penstock.ir.verify.verifier import verify
from penstock.passes.loops import schedule


class RandomGeneric:
    """A job of one generic over up to three inputs, with one or two results."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        rank = self.choose.randint(0, 4)
        self.kinds = [
            "parallel" if self.choose.random() < 0.6 else "reduction" for _ in range(rank)
        ]
        self.extents = [self.choose.choice((1, 2, 3, 4, 5, 6, 7)) for _ in range(rank)]
        while np.prod(self.extents, dtype=int) > 300:
            self.extents[self.choose.randrange(rank)] = 1
        if self.extents and self.choose.random() < 0.1:
            self.extents[self.choose.randrange(rank)] = 0

    def input(self) -> tuple[AffineMap, tuple[int, ...]]:
        """A map over some of the dimensions in any order, and the shape that it needs."""
        rank = len(self.extents)
        exprs: list[Expr] = []
        shape = []
        for d in self.choose.sample(range(rank), self.choose.randint(0, rank)):
            offset, step = self.choose.choice((0, 0, 0, 1)), self.choose.choice((1, 1, 1, 2))
            if not self.extents[d]:
                offset, step = 0, 1
            exprs.append(Dim(d) * step + Const(offset))
            shape.append((self.extents[d] - 1) * step + offset + 1)
        return AffineMap(rank, tuple(exprs)), tuple(shape)

    def output(self) -> tuple[AffineMap, tuple[int, ...]]:
        """A map over the parallel dimensions in any order, and its shape."""
        dims = [d for d, kind in enumerate(self.kinds) if kind == "parallel"]
        self.choose.shuffle(dims)
        return AffineMap.select(len(self.kinds), dims), tuple(self.extents[d] for d in dims)

    def module(self) -> Module:
        """The job; outputs start from a fill or from an argument."""
        identity = AffineMap.identity(len(self.extents)), tuple(self.extents)
        inputs = [identity, *(self.input() for _ in range(self.choose.randint(0, 2)))]
        outputs = [self.output() for _ in range(self.choose.choice((1, 1, 2)))]
        is_filled = [self.choose.random() < 0.6 for _ in outputs]
        types = [TensorType(shape, ty.f32) for _, shape in inputs]
        result = [TensorType(shape, ty.f32) for _, shape in outputs]
        initial = [type for type, fill in zip(result, is_filled, strict=True) if not fill]
        function = Func.make("job", [*types, *initial], result)
        module = Module.empty()
        module.body.append(function)
        b = Builder.at_end(function.body)
        rest = iter(function.arguments[len(types) :])
        initial = [
            filled(b, 0.5, type.shape, ty.f32) if fill else next(rest)
            for type, fill in zip(result, is_filled, strict=True)
        ]

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            return self.body(b, arguments[: len(types)], arguments[len(types) :])

        maps = [map for map, _ in (*inputs, *outputs)]
        sources = function.arguments[: len(types)]
        loop = linalg.generic(b, sources, initial, maps, self.kinds, body)
        b.create(Return, loop.results)
        for i in range(len(function.arguments)):
            function.set_argument_attributes(i, {"job.feed": f"a{i}"})
        for i in range(len(result)):
            function.set_result_attributes(i, {"job.fetch": str(i)})
        return module

    def body(
        self, b: Builder, inputs: Sequence[BlockArgument], outputs: Sequence[BlockArgument]
    ) -> list[Value]:
        """A few ops on the elements read, then one for each result."""
        values: list[Value] = list(inputs)
        if self.extents and self.choose.random() < 0.3:
            here = b.create(linalg.Index, dim=self.choose.randrange(len(self.extents))).result
            number = b.create(arith.IndexCast, here, types=[ty.i32]).result
            values.append(b.create(arith.SIToFP, number, types=[ty.f32]).result)
        for _ in range(self.choose.randint(0, 3)):
            cls = self.choose.choice((arith.AddF, arith.MulF, arith.MaximumF))
            values.append(b.create(cls, *self.choose.choices(values, k=2)).result)
        return [self.combined(b, values, old) for old in outputs]

    def combined(self, b: Builder, values: Sequence[Value], old: Value) -> Value:
        x, y = self.choose.choices(values, k=2)
        if "reduction" not in self.kinds and self.choose.random() < 0.5:
            return x
        if self.choose.random() < 0.5:
            return b.create(math.Fma, x, y, old).result
        return b.create(arith.AddF, old, x).result


def reorders(made: Module) -> bool:
    """Whether a sum is vectorised, which changes its order.

    A sum of at most 300 f32 terms then differs by less than 300 * 2**-24 of its largest term.
    Tensor ops accumulate in f64, where the difference is invisible.
    """
    return any(isinstance(op, vector.ExtractStridedSlice) for op in made.walk())


@pytest.mark.parametrize("start", parts_of(600, 100))
@pytest.mark.parametrize("small", [False, True])
def test_random_generics_are_bit_exact(
    start: int, small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if small:
        constants = {"ROWS": 2, "DEPTH": 3, "LONG": 10, "SQUARE": 2}
        for name, value in constants.items():
            monkeypatch.setattr(schedule, name, value)
    loops = 0
    for seed in range(start, start + 100):
        module = RandomGeneric(seed).module()
        verify(module)
        arrays = arguments(module, seed)
        wanted = interpret(module, arrays)
        lowered_module = lowered(module, "outline-groups,bufferize")
        verify(lowered_module)
        got = run_job(lowered_module, {f"a{i}": array for i, array in enumerate(arrays)})
        for i, array in enumerate(wanted):
            if reorders(lowered_module):
                scale = 1 + np.abs(array).max(initial=0)
                near = np.abs(got[str(i)] - array) <= 1e-5 * scale
                assert near.all(), (seed, print_module(lowered_module))
            else:
                assert same_bits(got[str(i)], array), (seed, print_module(lowered_module))
        loops += sum(isinstance(op, scf.For) for op in lowered_module.walk())
    assert loops > 100
