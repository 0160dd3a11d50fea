"""Random jobs of one op each, with sliced, reversed and narrowed operands and results.

Operands are slices of larger tensors with steps of -2 to 2; results are sliced, too, or their
gradients are taken.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import StringAttr, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.func import Func, Return
from penstock.ir.opdef import registry
from penstock.ir.types import TensorType
from penstock.passes.flow.autodiff import backward

Array = np.ndarray[Any, Any]


class Form(NamedTuple):
    """An op call: operands are f32, except for i32 indices."""

    op: str
    shapes: Sequence[tuple[int, ...]]
    attributes: Mapping[str, Any]
    below: int = 0
    """The last operand has integers below this bound; 0 if it has floats."""


def _conv(x: tuple[int, ...], w: tuple[int, ...], stride: int = 1, dilation: int = 1,
          last: bool = False) -> Form:  # fmt: skip
    attributes = {"strides": [stride] * (len(x) - 2), "dilations": [dilation] * (len(x) - 2)}
    return Form("conv", [x, w], {**attributes, "channels_last": last})


def _einsum(equation: str, *shapes: tuple[int, ...]) -> Form:
    return Form("einsum", shapes, {"equation": equation})


def _matmul(a: tuple[int, ...], b: tuple[int, ...], turn_a: bool = False,
            turn_b: bool = False) -> Form:  # fmt: skip
    return Form("matmul", [a, b], {"transpose_a": turn_a, "transpose_b": turn_b})


KINDS: dict[str, Sequence[Form]] = {
    "matmul": [_matmul((16, 10), (10, 18)), _matmul((7, 5), (5, 40))],
    "matmul of transposed": [
        _matmul((9, 16), (9, 18), True),
        _matmul((16, 9), (35, 9), False, True),
        _matmul((9, 16), (17, 9), True, True),
    ],
    "batch of matmuls": [
        _matmul((3, 9, 6), (3, 6, 17)),
        _matmul((2, 2, 7, 5), (2, 2, 18, 5), False, True),
    ],
    "matrix times vector": [
        _matmul((20, 13), (13, 1)),
        _matmul((1, 13), (13, 20)),
        _einsum("ij,j->i", (5, 70), (70,)),
        _einsum("i,ij->j", (13,), (13, 20)),
    ],
    "outer product": [_einsum("i,j->ij", (9,), (35,)), _matmul((18, 1), (1, 20))],
    "dot product": [_einsum("i,i->", (70,), (70,))],
    "einsum": [
        _einsum("abc,dc->adb", (3, 5, 7), (18, 7)),
        _einsum("bkn,kn->bn", (5, 4, 18), (4, 18)),
        _einsum("ijk,jil->kl", (3, 2, 7), (2, 3, 18)),
        _einsum("ab,ab->a", (9, 20), (9, 20)),
        _einsum("abk,bkc->bac", (5, 3, 9), (3, 9, 17)),
    ],
    "conv1d": [
        _conv((2, 3, 20), (5, 3, 3)),
        _conv((2, 20, 3), (17, 3, 3), last=True),
        _conv((1, 4, 20), (6, 4, 3), 2, 2),
        _conv((2, 2, 7), (17, 2, 4), 4),
    ],
    "conv2d": [
        _conv((1, 2, 6, 9), (5, 2, 3, 3)),
        _conv((1, 3, 4, 9), (18, 3, 1, 1)),
        _conv((1, 2, 7, 9), (4, 2, 3, 2), 2),
        _conv((2, 3, 1, 20), (4, 3, 1, 5)),
        _conv((1, 3, 6, 7), (5, 3, 3, 4), 4),
    ],
    "conv2d, channels last": [
        _conv((1, 6, 9, 2), (5, 3, 3, 2), last=True),
        _conv((1, 7, 7, 2), (17, 3, 2, 2), 2, last=True),
    ],
    "conv3d": [
        _conv((1, 2, 3, 4, 5), (3, 2, 2, 2, 2)),
        _conv((1, 3, 4, 5, 2), (3, 2, 2, 2, 2), last=True),
    ],
    "depthwise": [_conv((1, 5, 5, 9), (5, 1, 3, 3)), _conv((1, 3, 6, 11), (3, 1, 3, 2), 2)],
    "depthwise, channels last": [
        _conv((2, 5, 3, 9), (9, 3, 3, 1), last=True),
        _conv((2, 3, 3, 17), (17, 3, 3, 1), last=True),
        _conv((2, 7, 6, 5), (5, 3, 2, 1), last=True),
    ],
    "deconvolution": [
        Form(
            "conv_data_grad",
            [(1, 4, 6), (4, 3, 3)],
            {"strides": [2], "dilations": [1], "channels_last": False, "shape": [1, 3, 13]},
        ),
        Form(
            "conv_data_grad",
            [(1, 3, 4, 4), (4, 3, 2, 3)],
            {"strides": [1, 2], "dilations": [1, 1], "channels_last": True, "shape": [1, 5, 8, 3]},
        ),
    ],
    "weight gradient": [
        Form(
            "conv_weight_grad",
            [(1, 2, 6, 8), (1, 4, 4, 7)],
            {"strides": [1, 1], "dilations": [1, 1], "channels_last": False, "shape": [4, 2, 3, 2]},
        )
    ],
    "reduction": [
        Form("reduce_sum", [(9, 20)], {"axes": [0], "keepdims": False}),
        Form("reduce_sum", [(9, 20)], {"axes": [1], "keepdims": True}),
        Form("reduce_max", [(3, 5, 17)], {"axes": [0, 2], "keepdims": False}),
    ],
    "winner": [Form("argmax", [(9, 20)], {"axis": 1}), Form("argmax", [(9, 20)], {"axis": 0})],
    "softmax": [Form("softmax", [(5, 20)], {"axis": 1}), Form("softmax", [(7, 18)], {"axis": 0})],
    "norm": [Form("layer_norm", [(6, 20)], {"begin_axis": 1, "epsilon": 0.1})],
    "pooling": [
        Form(
            "max_pool",
            [(2, 3, 8, 9)],
            {"window": [2, 3], "strides": [2, 1], "channels_last": False},
        ),
        Form(
            "sum_pool", [(2, 8, 9, 5)], {"window": [3, 2], "strides": [1, 2], "channels_last": True}
        ),
        Form(
            "avg_pool",
            [(2, 3, 12)],
            {"window": [3], "strides": [1], "channels_last": False, "before": [1], "after": [1]},
        ),
    ],
    "running sum": [
        Form("cumsum", [(5, 17)], {"axis": 1, "exclusive": False, "reverse": True}),
        Form("cumsum", [(9, 17)], {"axis": 0, "exclusive": True, "reverse": False}),
    ],
    "lookup": [
        Form("gather", [(9, 17), (6,)], {"axis": 0, "batch_dims": 0}, 9),
        Form("gather", [(5, 9), (4, 3)], {"axis": 1, "batch_dims": 0}, 9),
    ],
    "transposition": [
        Form("transpose", [(9, 20)], {"permutation": [1, 0]}),
        Form("transpose", [(3, 9, 17)], {"permutation": [2, 0, 1]}),
    ],
    "shapes": [
        Form("reshape", [(6, 20)], {"shape": [8, 15]}),
        Form("broadcast_to", [(3, 1, 5)], {"shape": [3, 4, 5]}),
    ],
    "joining": [
        Form("concat", [(3, 9), (1, 9)], {"axis": 0}),
        Form("concat", [(5, 2), (5, 17)], {"axis": 1}),
    ],
    "padding": [
        Form("pad", [(5, 9)], {"before": [1, 2], "after": [0, 3], "inside": [1, 0], "value": 0.5})
    ],
    "rolling": [Form("roll", [(5, 18)], {"shifts": [2, -7]})],
    "triangle": [Form("tril", [(9, 12)], {"diagonal": -1, "fill": 0.25})],
    "element by element": [
        Form("multiply", [(5, 1, 18), (7, 18)], {}),
        Form("tanh", [(3, 40)], {}),
    ],
}


class Case(NamedTuple):
    kind: str
    module: Module
    """At stage `job`."""
    arguments: list[Array]


def case(seed: int) -> Case:
    """The job with this number; the forms alternate."""
    kind = list(KINDS)[seed % len(KINDS)]
    return _Writer(seed).written(kind)


class _Writer:
    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.draw = np.random.default_rng(seed)
        self.module = Module.empty("accesses")
        self.module.attributes["job.type"] = StringAttr("predict")
        self.function = Func.make("accesses", [])
        self.module.body.append(self.function)
        self.b = Builder.at_end(self.function.body)
        self.arguments: list[Array] = []

    def written(self, kind: str) -> Case:
        form = self.choose.choice(KINDS[kind])
        operands = [self.part(shape) for shape in form.shapes]
        if "dilations" in form.attributes and self.choose.random() < 0.4:
            operands[0] = self.padded(form)
        if form.below:
            shape = form.shapes[-1]
            operands[-1] = self.argument(self.draw.integers(0, form.below, shape), ty.i32)
        arrays = [operands] if form.op == "concat" else operands
        result = self.b.create(registry[f"flow.{form.op}"], *arrays, **form.attributes).results[0]
        results = [self.cut(result) if self.choose.random() < 0.7 else result]
        roots = [value for value in self.function.arguments if tensor(value).element is ty.f32]
        if tensor(result).element is ty.f32 and self.choose.random() < 0.5:
            weight = self.argument(self.draw.standard_normal(tensor(results[0]).shape), ty.f32)
            found = backward(self.b, {results[0]: weight}, roots)
            results += [found[root] for root in roots if root in found]
        self.b.create(Return, results)
        self.function.update_type()
        for i in range(len(self.arguments)):
            self.function.set_argument_attributes(i, {"job.feed": f"a{i}"})
        for i in range(len(results)):
            self.function.set_result_attributes(i, {"job.fetch": str(i)})
        return Case(f"{kind} {form}", self.module, self.arguments)

    def argument(self, array: Array, element: ty.Type) -> Value:
        array = array.astype(numpy_dtype(element))
        self.arguments.append(array)
        return self.function.body.add_argument(TensorType(array.shape, element))

    def part(self, shape: tuple[int, ...]) -> Value:
        """A slice of this shape of an argument, which is often larger."""
        if self.choose.random() < 0.5:
            return self.argument(self.draw.standard_normal(shape), ty.f32)
        steps = [self.choose.choice((1, 1, -1, -1, 2, -2)) for _ in shape]
        ahead, behind = ([self.choose.choice((0, 0, 1, 3)) for _ in shape] for _ in range(2))
        reach = [(n - 1) * abs(step) for n, step in zip(shape, steps, strict=True)]
        extents = [a + r + 1 + z for a, r, z in zip(ahead, reach, behind, strict=True)]
        whole = self.argument(self.draw.standard_normal(extents), ty.f32)
        each = zip(ahead, reach, steps, strict=True)
        starts = [a if step > 0 else a + r for a, r, step in each]
        return make.op(self.b, "slice", whole, starts=starts, sizes=list(shape), steps=steps)

    def padded(self, form: Form) -> Value:
        """The first operand as a smaller one padded with zeros."""
        shape = form.shapes[0]
        space = (
            range(1, len(shape) - 1) if form.attributes["channels_last"] else range(2, len(shape))
        )
        around = [int(d in space and n > 2) for d, n in enumerate(shape)]
        inner = tuple(n - 2 * more for n, more in zip(shape, around, strict=True))
        ends = {"before": around, "after": around, "inside": [0] * len(shape), "value": 0.0}
        return make.op(self.b, "pad", self.part(inner), **ends)

    def cut(self, value: Value) -> Value:
        """A slice of a value, possibly reversed."""
        starts, sizes, steps = [], [], []
        for extent in tensor(value).shape:
            step = self.choose.choice((1, 1, -1, -1, 2, -3))
            start = self.choose.choice((0, 0, extent // 4)) if extent > 3 else 0
            most = (extent - start - 1) // abs(step) + 1
            size = max(1, most - self.choose.choice((0, 0, 1, most // 2)))
            starts.append(start if step > 0 else start + (size - 1) * -step)
            sizes.append(size)
            steps.append(step)
        return make.op(self.b, "slice", value, starts=starts, sizes=sizes, steps=steps)
