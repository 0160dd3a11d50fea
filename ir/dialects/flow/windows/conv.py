"""Convolutions for any number of spatial dimensions, and their gradients by data and weight.

The three multiply the same two of three tensors and add up what the third has no dimension for:

    y[n, f, p] = sum over c, r of  x[n, c, p * s + r * d] * w[f, c, r]

so that each is the gradient of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Expr
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGERS
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import NUMBERS, Array, Gradients, Input, Sample, tensor
from penstock.ir.dialects.flow.windows.window import Loops, Window, names
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.record import Record
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars

Shape = Sequence[int]


class Convolution(Window):
    """Base of a convolution and its gradients: of x, w and y two are given, one is made.

    Where x has `groups` times as many channels as w, each filter sees those of its own group.
    """

    dilations = attribute(INTEGERS)
    narrows = True
    ulps = 32  # sums, as of a matrix product
    roles: ClassVar[str] = ""
    """Which of x, w and y the operands are, then the result."""

    @property
    def apart(self) -> Sequence[int]:
        return self.dilations

    @property
    def shapes(self) -> dict[str, Shape]:
        """The shapes of x, w and y."""
        values = (*self.operands, *self.results)
        return {role: tensor(v).shape for role, v in zip(self.roles, values, strict=True)}

    def convolved(self, x: Shape, w: Shape) -> list[int]:
        """The shape of y; fails where x and w do not fit together."""
        self.check_numbers("strides", self.strides)
        self.check_numbers("dilations", self.dilations)
        _, channels, space = self.parts(x)
        filters, own, window = self.parts(w)
        if own < 1 or channels % own:
            self.fail(
                f"expected the {channels} channels of x to be those of w, {own}, or a multiple, "
                "one for each group"
            )
        if not channels or filters % (channels // own):
            self.fail(
                f"expected the {filters} filters of w to be a multiple of the number of groups, "
                f"{channels // own}: x has {channels} channels, and w {own}"
            )
        self.check_fits(space, window)
        return self.shape_of(x, w)

    def shape_of(self, x: Shape, w: Shape) -> list[int]:
        """The shape of y, for x and w that fit together."""
        (samples, _, space), (filters, _, window) = self.parts(x), self.parts(w)
        return self.arranged([samples], [filters], self.covered(space, window))

    def alike(self) -> dict[str, Any]:
        """The attributes that a gradient shares."""
        return {
            "strides": self.strides,
            "channels_last": self.channels_last,
            "dilations": self.dilations,
        }

    # -- in groups -------------------------------------------------------------------------------

    def _grouped(self, role: str, shape: Shape, groups: int) -> list[int]:
        """A shape with a dimension for groups, where there are several, but none for channels or
        filters of which each of these has one."""
        lead, channels, space = self.parts(shape)
        if groups == 1:
            return list(shape)
        if role == "w":
            return self.arranged(_apart(lead, groups), [channels] * (channels > 1), space)
        return self.arranged([lead], _apart(channels, groups), space)

    def _words(self, groups: int) -> tuple[list[str], list[str], list[str]]:
        """The dimensions for groups, for the filters and for the channels of each."""
        filters, channels = (self.parts(self.shapes[role])[1] for role in "yx")
        several = groups > 1
        return (
            ["g"] * several,
            ["f"] * (not several or filters != groups),
            ["c"] * (not several or channels != groups),
        )

    def _loops(self, groups: int) -> Loops:
        """The dimensions of the result in its order, then what is added up."""
        group, f, c = self._words(groups)
        filters, channels = [*group, *f], [*group, *c]
        positions, offsets = names("p", self.space), names("r", self.space)
        match self.roles[-1]:
            case "y":
                reduced = self.arranged([], c, offsets)
                return Loops(self.arranged(["n"], filters, positions), reduced)
            case "w":
                reduced = self.arranged(["n"], [], positions)
                return Loops(self.arranged(filters, c, offsets), reduced)
            case _:
                reduced = self.arranged([], f, offsets)
                return Loops(self.arranged(["n"], channels, positions), reduced)

    def _maps(self, loops: Loops, groups: int) -> dict[str, AffineMap]:
        """Where each tensor is read or written."""
        group, f, c = map(loops.__getitem__, self._words(groups))
        position, offset = loops[names("p", self.space)], loops[names("r", self.space)]
        x, y = self.met(position, offset)
        return {
            "x": loops.map(self.arranged(loops["n"], [*group, *c], x)),
            "w": loops.map(self.arranged([*group, *f], c, offset)),
            "y": loops.map(self.arranged(loops["n"], [*group, *f], y)),
        }

    def met(
        self, position: Sequence[Expr], offset: Sequence[Expr]
    ) -> tuple[Sequence[Expr], Sequence[Expr]]:
        """Where in x and in y the elements stand that meet at an offset of the window."""
        return self.seen(position, offset), position

    def widened(self, b: Builder, factor: Value) -> Value:
        """The first factor, in groups, as it is read."""
        return factor

    def thinned(self, b: Builder) -> tuple[Value, list[int]] | None:
        """x without what windows of one position step over, and the strides that are left; None
        where there is no such window."""
        _, _, window = self.parts(self.shapes["w"])
        if self.roles[0] != "x" or not any(
            k == 1 < step for k, step in zip(window, self.strides, strict=True)
        ):
            return None
        (lead, channels, space), (_, _, seen) = (self.parts(self.shapes[role]) for role in "xy")
        alone = [step if k == 1 else 1 for k, step in zip(window, self.strides, strict=True)]
        sizes = [
            n if step > 1 else whole for n, step, whole in zip(seen, alone, space, strict=True)
        ]
        shape = self.arranged([lead], [channels], sizes)
        steps = self.arranged([1], [1], alone)
        spans = {"starts": [0] * len(shape), "sizes": shape, "steps": steps}
        x = make.op(b, "slice", self.operands[0], **spans)
        return x, [s // step for s, step in zip(self.strides, alone, strict=True)]

    def lower(self, b: Builder) -> Sequence[Value]:
        """One loop over the dimensions of all three; the element of the result is added to. What of
        x no window sees is left out first: the rest lies side by side then."""
        thin = self.thinned(b)
        if thin is not None:
            x, strides = thin
            attributes = {
                d.name: getattr(self, d.name) for d in self.definition.attributes.values()
            }
            word = self.name.partition(".")[2]
            return [make.op(b, word, x, self.operands[1], **{**attributes, "strides": strides})]
        shapes = self.shapes
        groups = self.parts(shapes["x"])[1] // self.parts(shapes["w"])[1]
        first, second = (
            structured.reshaped(b, value, self._grouped(role, tensor(value).shape, groups))
            for role, value in zip(self.roles[:2], self.operands, strict=True)
        )
        factors = [self.widened(b, first), second]
        made_shape = self._grouped(self.roles[-1], shapes[self.roles[-1]], groups)
        start = structured.filled(b, 0, made_shape, self.out.element)
        loops = self._loops(groups)
        maps = self._maps(loops, groups)

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            return [scalars.fma(b, *arguments)]

        ordered = [maps[role] for role in self.roles]
        generic = linalg.generic(b, factors, [start], ordered, loops.iterators, body)
        return [structured.reshaped(b, generic.results[0], self.out.shape)]

    def compute(self, operands: Mapping[str, Array], shape: Shape) -> Array:
        """The result in NumPy: for each offset of the window, the elements at that offset times one
        number per pair of channels, summed. Floats are added in f64."""
        target, element = self.roles[-1], next(iter(operands.values())).dtype
        lead, channels, space = self.parts(shape)
        total = np.zeros((lead, channels, *space), np.float64 if element.kind == "f" else element)
        arrays = {role: self.channels_first(array) for role, array in operands.items()}
        arrays[target] = total
        groups = arrays["x"].shape[1] // arrays["w"].shape[1]
        x, w, y = (_in_groups(role, arrays[role], groups) for role in "xwy")
        letters = ascii_uppercase[: self.space]
        words = {"x": f"ngc{letters}", "w": "gfc", "y": f"ngf{letters}"}
        formula = "{},{}->{}".format(*(words[role] for role in self.roles))
        weights = np.moveaxis(w, (0, 1, 2), (-3, -2, -1))
        for offset, seen in self.views(x, w.shape[3:], y.shape[3:]):
            at = {"x": seen, "w": weights[offset], "y": y}
            at[target] += np.einsum(formula, *(at[role] for role in self.roles[:2]))
        return np.ascontiguousarray(self.as_laid_out(total)).astype(element)


def _apart(channels: int, groups: int) -> list[int]:
    """Groups and the channels of each, where these are several."""
    return [groups, channels // groups] if channels != groups else [groups]


def _in_groups(role: str, array: Array, groups: int) -> Array:
    """A view with groups as the second dimension, or of weights as the first.

    ValueError where the groups do not divide what is there.
    """
    lead, channels, *space = array.shape
    if role == "w":
        return array.reshape(groups, lead // max(groups, 1), channels, *space)
    return array.reshape(lead, groups, channels // max(groups, 1), *space)


class Conv(Convolution):
    """Convolution: y[n, f, p] = sum over c, r of x[n, c, p * strides + r * dilations] * w[f, c, r].

    Shapes: x is [n, channels, ...], w [filters, channels, ...] and y [n, filters, ...], with as
    many spatial dimensions behind as there are strides; with channels_last, channels and filters
    of x and y, and channels of w, come last. Where x has a multiple of the channels of w, that many
    groups of channels have filters of their own, in order. An extent of y is (x - reach) // stride
    + 1, where reach = (w - 1) * dilation + 1. Nothing is padded: `flow.pad` does that. Elements:
    floats and integers, which wrap around. Source: a cross-correlation, as convolutions are in
    OneFlow and PyTorch; products are added in the order in which a filter lies, each by one fused
    multiply-add.

    >>> evaluate("flow.conv", [[[1.0, 2.0, 4.0]]], [[[1.0, 10.0]]], strides=[1], dilations=[1])
    array([[[21., 42.]]], dtype=float32)
    """

    name = "flow.conv"
    roles = "xwy"
    x = operand(TENSOR)
    w = operand(TENSOR)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        x, w = self.types()
        self.check_ranks(x=x, w=w)
        return [TensorType(tuple(self.convolved(x.shape, w.shape)), x.element)]

    def reference(self, x: Array, w: Array) -> Sequence[Array]:
        return [self.compute({"x": x, "w": w}, self.shape_of(x.shape, w.shape))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        return [dy and data_grad(b, self, dy, self.w), dy and weight_grad(b, self, self.x, dy)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return [_sample(case, case.x, case.w) for case in CASES]


class ConvDataGrad(Convolution):
    """The gradient of a convolution by its data: dx[n, c, q] += dy[n, f, p] * w[f, c, r].

    Here q = p * strides + r * dilations.

    Shapes: those of `flow.conv`, dy being that of its result; dx has `shape`. What no window saw is
    0. Elements: floats and integers, which wrap around. Source: the gradient of `flow.conv` by x;
    also the transposed convolution of dy.

    >>> window = {"strides": [1], "dilations": [1], "shape": [1, 1, 3]}
    >>> evaluate("flow.conv_data_grad", [[[1.0, 2.0]]], [[[1.0, 10.0]]], **window)
    array([[[ 1., 12., 20.]]], dtype=float32)
    """

    name = "flow.conv_data_grad"
    waived: ClassVar[Mapping[str, str]] = {
        "special": "some zeros that are read as padding are multiplied by what is infinite",
        "sbp complete": "windows that do not overlap are read padded all the same",
    }
    roles = "ywx"
    result_shape = "shape"
    dy = operand(TENSOR)
    w = operand(TENSOR)
    shape = attribute(INTEGERS)
    dx = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        dy, w = self.types()
        result = self.shaped(self.shape, dy.element)
        self.check_ranks(dy=dy, w=w, dx=result)
        self.check_result("dy", self.convolved(result.shape, w.shape), dy)
        return [result]

    def reference(self, dy: Array, w: Array) -> Sequence[Array]:
        return [self.compute({"y": dy, "w": w}, self.shape)]

    def widened(self, b: Builder, factor: Value) -> Value:
        """dy with zeros between its elements and around, so that each q has a whole window."""
        (_, _, space), (_, _, window) = self.parts(self.shapes["x"]), self.parts(self.shapes["w"])
        _, _, results = self.parts(self.shapes["y"])
        before = [reach - 1 for reach in self.reach(window)]
        steps = zip(results, self.strides, strict=True)
        spread = [max(0, (n - 1) * stride + 1) for n, stride in steps]
        after = [extent - n for extent, n in zip(space, spread, strict=True)]
        between = [stride - 1 for stride in self.strides]
        channels = [0] * (tensor(factor).rank - 1 - self.space)
        ends = (self.arranged([0], channels, numbers) for numbers in (before, after, between))
        return make.op(
            b, "pad", factor, **dict(zip(("before", "after", "inside"), ends, strict=True))
        )

    def met(
        self, position: Sequence[Expr], offset: Sequence[Expr]
    ) -> tuple[Sequence[Expr], Sequence[Expr]]:
        """A position of x, and the window of the padded dy, last offset first."""
        _, _, window = self.parts(self.shapes["w"])
        steps = zip(position, offset, self.dilations, self.reach(window), strict=True)
        return position, [q - r * apart + (reach - 1) for q, r, apart, reach in steps]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dx,) = gradients
        return [dx and conv(b, self, dx, self.w), dx and weight_grad(b, self, dx, self.dy)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return [_sample(case, case.y, case.w, shape=case.x) for case in CASES]


class ConvWeightGrad(Convolution):
    """The gradient of a convolution by its weights: dw[f, c, r] += x[n, c, q] * dy[n, f, p].

    Here q = p * strides + r * dilations.

    Shapes: those of `flow.conv`, dy being that of its result; dw has `shape`. Elements: floats and
    integers, which wrap around. Source: the gradient of `flow.conv` by w.

    >>> window = {"strides": [1], "dilations": [1], "shape": [1, 1, 2]}
    >>> evaluate("flow.conv_weight_grad", [[[1.0, 2.0, 4.0]]], [[[1.0, 10.0]]], **window)
    array([[[21., 42.]]], dtype=float32)
    """

    name = "flow.conv_weight_grad"
    roles = "xyw"
    result_shape = "shape"
    x = operand(TENSOR)
    dy = operand(TENSOR)
    shape = attribute(INTEGERS)
    dw = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        x, dy = self.types()
        result = self.shaped(self.shape, x.element)
        self.check_ranks(x=x, dy=dy, dw=result)
        self.check_result("dy", self.convolved(x.shape, result.shape), dy)
        return [result]

    def reference(self, x: Array, dy: Array) -> Sequence[Array]:
        return [self.compute({"x": x, "y": dy}, self.shape)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dw,) = gradients
        return [dw and data_grad(b, self, self.dy, dw), dw and conv(b, self, self.x, dw)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return [_sample(case, case.x, case.y, shape=case.w) for case in CASES]


def conv(b: Builder, like: Convolution, x: Value, w: Value) -> Value:
    """The convolution of the geometry of `like`."""
    return make.op(b, "conv", x, w, **like.alike())


def data_grad(b: Builder, like: Convolution, dy: Value, w: Value) -> Value:
    """The gradient by data of a convolution of this geometry."""
    return make.op(b, "conv_data_grad", dy, w, shape=like.shapes["x"], **like.alike())


def weight_grad(b: Builder, like: Convolution, x: Value, dy: Value) -> Value:
    """The gradient by weights of a convolution of this geometry."""
    return make.op(b, "conv_weight_grad", x, dy, shape=like.shapes["w"], **like.alike())


# -- samples --------------------------------------------------------------------------------------


class Case(Record):
    """Shapes that fit together, and the geometry."""

    x: Shape
    w: Shape
    y: Shape
    strides: Shape
    dilations: Shape
    channels_last: bool = False
    element: Type = ty.f32


CASES = [
    Case((2, 3, 7), (4, 3, 3), (2, 4, 5), (1,), (1,)),
    Case((2, 7, 2), (3, 3, 2), (2, 3, 3), (2,), (1,), channels_last=True),
    Case((2, 2, 5, 4), (3, 2, 3, 2), (2, 3, 3, 3), (1, 1), (1, 1)),
    Case((1, 2, 7, 7), (2, 2, 2, 3), (1, 2, 3, 3), (2, 1), (2, 2)),
    Case((2, 4, 4, 5), (6, 2, 2, 3), (2, 6, 3, 2), (1, 2), (1, 1)),
    Case((2, 3, 4, 4), (3, 1, 3, 3), (2, 3, 2, 2), (1, 1), (1, 1)),
    Case((2, 5, 4, 3), (2, 2, 3, 3), (2, 4, 2, 2), (1, 1), (1, 1), channels_last=True),
    Case((1, 4, 4, 4), (4, 2, 2, 2), (1, 3, 3, 4), (1, 1), (1, 1), channels_last=True),
    Case((1, 2, 3, 4, 3), (2, 2, 2, 2, 2), (1, 2, 2, 3, 2), (1, 1, 1), (1, 1, 1)),
    Case((2, 3, 3, 3), (4, 3, 1, 1), (2, 4, 3, 3), (1, 1), (1, 1)),
    Case((1, 2, 5, 4), (2, 2, 1, 2), (1, 2, 3, 3), (2, 1), (1, 1)),
    Case((1, 1, 8, 9), (1, 1, 3, 2), (1, 1, 2, 3), (3, 3), (1, 1)),
    Case((0, 2, 4, 4), (3, 2, 3, 3), (0, 3, 2, 2), (1, 1), (1, 1)),
    Case((1, 1, 4, 37), (5, 1, 2, 3), (1, 5, 3, 35), (1, 1), (1, 1)),
    Case((1, 2, 21, 3), (17, 2, 2, 3), (1, 1, 20, 17), (1, 1), (1, 1), channels_last=True),
    Case((2, 4, 4, 5), (0, 2, 2, 3), (2, 0, 3, 2), (1, 2), (1, 1)),
    Case((2, 4, 3, 3), (3, 3, 3, 1), (2, 2, 1, 3), (1, 1), (1, 1), channels_last=True),
    Case((1, 5, 4, 5), (5, 2, 2, 1), (1, 2, 3, 5), (2, 1), (1, 1), channels_last=True),
    *(
        Case((2, 2, 5), (3, 2, 2), (2, 3, 4), (1,), (1,), element=element)
        for element in NUMBERS
        if element is not ty.f32
    ),
]


def _sample(case: Case, *shapes: Shape, **attributes: Shape) -> Sample:
    low = -1 if ty.is_float(case.element) else -9
    inputs = tuple(Input(tuple(shape), case.element, low, -low) for shape in shapes)
    geometry = {
        "strides": case.strides,
        "dilations": case.dilations,
        "channels_last": case.channels_last,
    }
    return Sample(inputs, {**geometry, **attributes})
