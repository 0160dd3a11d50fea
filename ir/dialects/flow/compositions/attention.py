"""Attention as one op, and its gradients: what a GPU has one kernel for each.

A job has the products, the scale and the softmax as ops of their own, and so has a CPU: pass
`form-kernels` makes these ops of them for a device that has the kernels. Scores and chances, which
are as large as queries times keys, then never are in memory: a kernel holds a tile of them, and the
gradients' kernels compute the chances again from the logarithm of each row's sum.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import float_bits, float_from_bits
from penstock.ir.builder import Builder
from penstock.ir.codecs import BOOL, NUMBER
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import (
    HALVES,
    Array,
    Input,
    Sample,
    tensor,
)
from penstock.ir.dialects.flow.compositions.attention_form import form_attention
from penstock.ir.dialects.flow.compositions.softmax import Softmax
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type

DEEP = 16
"""How many features tensor cores multiply at a time."""
FORMED = {"grad": "it is formed of ops that are differentiated already"}


class AttentionKernel(Kernel):
    """Base of attention and its gradients: what their kernels ask for."""

    devices: ClassVar[Collection[str]] = ("gpu",)
    schedule_kind = "attention"
    elements: ClassVar[tuple[Type, ...]] = (ty.f32, *HALVES)
    ulps = 64  # two sums of products, and the exponential
    least = 1.0  # gradients are differences
    is_gradient: ClassVar[bool] = False
    owns_keys: ClassVar[bool] = False
    """Whether results have a row for each key rather than each query: blocks share out these."""
    summed: ClassVar[slice] = slice(1, 2)
    """Which of `others` have rows that a kernel adds up."""
    products: ClassVar[int] = 2
    """The products of matrices that it adds up."""

    q = operand(TENSOR)
    k = operand(TENSOR)
    v = operand(TENSOR)
    scale = attribute(NUMBER)
    causal = attribute(BOOL, default=False)
    zeros = attribute(BOOL, default=False)

    @property
    def own(self) -> Sequence[Value]:
        """The factors of which a block has rows: those that its results have."""
        return [self.q]

    @property
    def others(self) -> Sequence[Value]:
        """The factors whose rows all blocks read."""
        return [self.k, self.v]

    @property
    def rows(self) -> tuple[int, ...]:
        """The dimensions ahead of queries or keys, whose matrices have nothing in common."""
        return tensor(self.q).shape[:-2]

    @property
    def widths(self) -> tuple[int, int]:
        """The features of queries and keys, and those of values."""
        return tensor(self.q).shape[-1], tensor(self.v).shape[-1]

    @property
    def fits_tensor_cores(self) -> bool:
        """Whether tensor cores can multiply the factors."""
        return tensor(self.q).element in HALVES and all(width % DEEP == 0 for width in self.widths)

    def check_factors(self) -> tuple[TensorType, TensorType, TensorType]:
        """The types of q, k and v; fail where they don't fit together."""
        q, k, v = self.types()[:3]
        self.check_element(q)
        ranks = {len(q.shape), len(k.shape), len(v.shape)}
        batches = {q.shape[:-2], k.shape[:-2], v.shape[:-2]}
        fits = len(ranks) == len(batches) == 1 and q.rank >= 2
        if not fits or q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]:
            self.fail(
                "expected shapes [..., queries, features], [..., keys, features] and "
                f"[..., keys, results], got {q}, {k} and {v}"
            )
        if not {q.element, k.element, v.element} <= {q.element}:
            self.fail(f"expected operands of one element type, got {q}, {k} and {v}")
        if 0 in (*q.shape[-2:], *v.shape[-2:]):
            self.fail(f"expected queries, keys and features, got {q}, {k} and {v}")
        return q, k, v

    def count_flops(self) -> int:
        """Two for each product of the sums; half of them are hidden where it is causal."""
        q, k = tensor(self.q), tensor(self.k)
        total = 2 * self.products * q.count * k.shape[-2]
        return total // 2 if self.causal else total

    # -- what the lowerings share ------------------------------------------------------------------

    def scores(self, b: Builder) -> Value:
        """q k^T * scale, -inf where a query may not read a key."""
        found = make.matmul(b, self.q, self.k, False, True, self.scale)
        if self.causal:
            found = make.op(b, "tril", found, diagonal=0, fill=float("-inf"))
        return found

    def chances(self, b: Builder, total: Value) -> Value:
        """exp(scores - the logarithm of the sum of each row)."""
        if self.zeros:
            lowest = make.compare(b, "equal", total, float("-inf"))
            total = make.where(b, lowest, float("inf"), total)
        column = make.reshape(b, total, (*tensor(total).shape, 1))
        return make.unary(b, "exp", make.subtract(b, self.scores(b), column))

    def scores_of(self, q: Array, k: Array) -> Array:
        """As `scores`, in NumPy."""
        found: Array = np.matmul(q, np.swapaxes(k, -1, -2)) * np.asarray(self.scale, q.dtype)
        if self.causal:
            seen = np.tri(q.shape[-2], k.shape[-2], dtype=bool)
            found = np.where(seen, found, np.asarray(-np.inf, q.dtype))
        return found

    def chances_of(self, q: Array, k: Array, total: Array) -> Array:
        """As `chances`, in NumPy."""
        if self.zeros:
            total = np.where(total == -np.inf, np.asarray(np.inf, total.dtype), total)
        return np.asarray(np.exp(self.scores_of(q, k) - total[..., None]))

    def rounding_of_product(self, lefts: Array, rights: Array) -> Array | float:
        """How far `lefts rights` may be off, as each of `lefts` is rounded to the factors' type.

        Tensor cores multiply only what is of one type. |sum of (round(a) - a) b| is at most the
        sum of |round(a) - a| |b|, and |round(a) - a| at most u |a| + s / 2: u is 2^-8 for bf16 and
        2^-11 for f16, s their smallest number.
        """
        if not self.fits_tensor_cores:
            return 0.0
        element = tensor(self.q).element
        unit = (float_from_bits(float_bits(1, element) + 1, element) - 1) / 2
        least = float_from_bits(1, element) / 2
        most = np.where(lefts == 0, 0, np.abs(lefts) * unit + least)
        return np.asarray(np.matmul(most, np.abs(rights)))

    def marked_scores(self, *given: Array) -> tuple[Array, Array]:
        """The chances, and the gradient of the products of q and k, in NumPy."""
        q, k, v, l, delta, dy = given  # noqa: E741
        p = self.chances_of(q, k, l)
        dp = np.matmul(dy, np.swapaxes(v, -1, -2))
        ds = p * (dp - delta[..., None]) * np.asarray(self.scale, p.dtype)
        return p, np.tril(ds) if self.causal else ds


SHAPES: Sequence[tuple[tuple[int, ...], int, int, bool]] = (
    # queries' shape, keys, results, causal
    ((3, 4), 5, 2, False), ((2, 6, 8), 6, 8, True), ((1, 2, 5, 4), 3, 4, False),
    ((2, 1, 3, 2), 4, 6, True), ((1, 1), 1, 1, False), ((2, 37, 16), 21, 16, True),
    ((2, 19, 32), 40, 16, False), ((1, 5, 3), 2, 3, True),
)  # fmt: skip
"""Calls to try."""


class Attention(AttentionKernel):
    """Attention: y = softmax(q k^T * scale) v over the keys, and l = log(sum of exp(scores)).

    Shapes: q is [..., queries, features], k [..., keys, features], v [..., keys, results]; y is
    [..., queries, results], and l lacks the results. Elements: floats of 32 bits at most, l f32.
    With `causal`, query i reads keys 0 to i alone. With `zeros`, a query whose scores all are -inf
    gives zeros, else NaN. Source: Vaswani et al., "Attention is all you need", 2017.

    >>> evaluate("flow.attention", [[1.0]], [[1.0], [2.0]], [[3.0], [3.0]], scale=1.0)
    [array([[3.]], dtype=float32), array([2.3132617], dtype=float32)]
    """

    name = "flow.attention"
    y = result(TENSOR)
    l = result(TENSOR)  # noqa: E741
    waived: ClassVar[Mapping[str, str]] = FORMED
    formed_from = Softmax

    @classmethod
    def form(cls, op: Softmax, b: Builder) -> Sequence[tuple[Value, Value]]:
        return form_attention(op, b)

    def infer(self) -> Sequence[Type]:
        q, _, v = self.check_factors()
        shape = q.shape[:-1]
        return [TensorType((*shape, v.shape[-1]), q.element), TensorType(shape, ty.f32)]

    def reference(self, q: Array, k: Array, v: Array) -> Sequence[Array]:
        p, total = self.softened(q, k)
        return [np.matmul(p, v), total]

    def rounding_on_devices(self, *arrays: Array) -> Sequence[Array | float]:
        """Of the chances: the kernel has them relative to the largest of a row, and rounds what
        it multiplies, but not what it adds up for l."""
        p, _ = self.softened(*arrays[:2])
        return [self.rounding_of_product(p, arrays[2]), 0.0]

    def softened(self, q: Array, k: Array) -> tuple[Array, Array]:
        """The chances, and the logarithm of the sum of each row, in NumPy."""
        scores = self.scores_of(q, k)
        m = scores.max(-1, keepdims=True)
        if self.zeros:
            m = np.where(m == -np.inf, np.asarray(0, m.dtype), m)
        e = np.exp(scores - m)
        z = e.sum(-1, keepdims=True)
        with np.errstate(divide="ignore"):
            total = np.log(z) + m
        if self.zeros:
            z = np.where(z == 0, np.asarray(1, z.dtype), z)
        return e / z, total[..., 0]

    def lower(self, b: Builder) -> Sequence[Value]:
        scores = self.scores(b)
        last = tensor(scores).rank - 1
        m = make.reduce(b, "max", scores, [last], keepdims=True)
        if self.zeros:
            m = make.where(b, make.compare(b, "equal", m, float("-inf")), 0, m)
        e = make.unary(b, "exp", make.subtract(b, scores, m))
        z = make.reduce(b, "sum", e, [last], keepdims=True)
        total = make.add(b, make.unary(b, "log", z), m)
        if self.zeros:
            z = make.where(b, make.compare(b, "equal", z, 0), 1, z)
        y = make.matmul(b, make.divide(b, e, z), self.v)
        return [y, make.reshape(b, total, tensor(self.l).shape)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        found = []
        for i, (q, keys, width, causal) in enumerate(SHAPES):
            inputs = Input(q), Input((*q[:-2], keys, q[-1])), Input((*q[:-2], keys, width))
            given = {"scale": 0.125 + i / 256, "causal": causal, "zeros": i % 3 == 0}
            found.append(Sample(inputs, given))
        return found


class AttentionGradient(AttentionKernel):
    """Base of the gradients of attention by those of its result y.

    l is the logarithm of the sum of each row, and delta the sum of dy * y over the results.
    """

    is_gradient = True
    summed = slice(0, 1)
    l = operand(TENSOR)  # noqa: E741
    delta = operand(TENSOR)
    dy = operand(TENSOR)
    waived: ClassVar[Mapping[str, str]] = FORMED

    @property
    def own(self) -> Sequence[Value]:
        return [self.q, self.dy]

    def check_rows(self) -> tuple[TensorType, TensorType, TensorType]:
        """As `check_factors`, of all operands."""
        q, k, v = self.check_factors()
        rows, dy = (
            TensorType(q.shape[:-1], ty.f32),
            TensorType((*q.shape[:-1], v.shape[-1]), q.element),
        )
        found = [value.type for value in (self.l, self.delta, self.dy)]
        if found != [rows, rows, dy]:
            self.fail(
                f"expected l and delta of {rows} and dy of {dy} for q of {q} and v of {v}, got "
                f"{', '.join(map(str, found))}"
            )
        return q, k, v

    def marked(self, b: Builder) -> tuple[Value, Value]:
        """As `marked_scores`."""
        p = self.chances(b, self.l)
        dp = make.matmul(b, self.dy, self.v, False, True)
        column = make.reshape(b, self.delta, (*tensor(self.delta).shape, 1))
        ds = make.multiply(b, make.multiply(b, p, make.subtract(b, dp, column)), self.scale)
        return p, make.op(b, "tril", ds, diagonal=0) if self.causal else ds

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        found = []
        for one in Attention.samples():
            q, _, v = one.inputs
            rows = Input(q.shape[:-1], ty.f32, 4, 6)
            dy = Input((*q.shape[:-1], v.shape[-1]))
            found.append(Sample((*one.inputs, rows, rows, dy), one.attributes))
        return found


class AttentionQueryGradient(AttentionGradient):
    """The gradient of attention by its queries: dq = ds k, ds = p * (dy v^T - delta) * scale.

    Shapes: as of `flow.attention`; l and delta are [..., queries], dy is as its result y, and
    dq as q. Elements: as there; delta f32. p = exp(q k^T * scale - l) are the chances, and delta is
    the sum of dy * y over the results. Source: Dao et al., "FlashAttention", 2022.

    >>> x, l, delta = [[1.0]], [2.0], [0.0]
    >>> evaluate("flow.attention_query_grad", x, x, x, l, delta, x, scale=2.0)
    array([[2.]], dtype=float32)
    """

    name = "flow.attention_query_grad"
    products = 3
    dq = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        return [self.check_rows()[0]]

    def reference(self, *given: Array) -> Sequence[Array]:
        _, ds = self.marked_scores(*given)
        return [np.matmul(ds, given[1])]

    def rounding_on_devices(self, *arrays: Array) -> Sequence[Array | float]:
        _, ds = self.marked_scores(*arrays)
        return [self.rounding_of_product(ds, arrays[1])]

    def lower(self, b: Builder) -> Sequence[Value]:
        _, ds = self.marked(b)
        return [make.matmul(b, ds, self.k)]


class AttentionKeyGradient(AttentionGradient):
    """The gradients of attention by its keys and values: dk = ds^T q and dv = p^T dy.

    Shapes: as of `flow.attention_query_grad`; dk is as k and dv as v. Elements: as there. Source:
    Dao et al., "FlashAttention", 2022.

    >>> x, l, delta = [[1.0]], [2.0], [0.0]
    >>> evaluate("flow.attention_key_grad", x, x, x, l, delta, x, scale=2.0)
    [array([[2.]], dtype=float32), array([[1.]], dtype=float32)]
    """

    name = "flow.attention_key_grad"
    products = 4
    owns_keys = True
    summed = slice(0, 2)
    dk = result(TENSOR)
    dv = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        return self.check_rows()[1:]

    @property
    def own(self) -> Sequence[Value]:
        return [self.k, self.v]

    @property
    def others(self) -> Sequence[Value]:
        return [self.q, self.dy]

    def reference(self, *given: Array) -> Sequence[Array]:
        p, ds = (np.swapaxes(each, -1, -2) for each in self.marked_scores(*given))
        return [np.matmul(ds, given[0]), np.matmul(p, given[-1])]

    def rounding_on_devices(self, *arrays: Array) -> Sequence[Array | float]:
        p, ds = (np.swapaxes(each, -1, -2) for each in self.marked_scores(*arrays))
        left, right = arrays[0], arrays[-1]
        return [self.rounding_of_product(ds, left), self.rounding_of_product(p, right)]

    def lower(self, b: Builder) -> Sequence[Value]:
        p, ds = self.marked(b)
        return [make.matmul(b, ds, self.q, True), make.matmul(b, p, self.dy, True)]
