"""Attention as one op, and its gradients: what a GPU has one kernel for each.

A job has the products, the scale and the softmax as ops of their own, and so has a CPU: pass
`form-kernels` makes these ops of them for a device that has the kernels. Scores and chances, which
are as large as queries times keys, then never are in memory: a kernel holds a tile of them, and the
gradients' kernels compute the chances again from the logarithm of each row's sum.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf
from typing import ClassVar, NamedTuple

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import float_bits, float_from_bits
from penstock.ir.builder import Builder
from penstock.ir.codecs import BOOL, FLOAT, NUMBER
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
from penstock.ir.dialects.flow.compositions.attention_form import form_attention, is_shared
from penstock.ir.dialects.flow.compositions.softmax import Softmax
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.types import TensorType, Type

DEEP = 16
"""How many features tensor cores multiply at a time."""
FORMED = {"grad": "it is formed of ops that are differentiated already"}


class Given(NamedTuple):
    """Arrays of operands."""

    q: Array
    k: Array
    v: Array
    mask: Array | None
    rest: Sequence[Array]
    """l, delta and dy, of gradients."""


class AttentionKernel(Kernel):
    """Base of attention and its gradients: what their kernels ask for.

    Heads, the last dimension ahead of queries, may be grouped: so many neighbouring heads of q
    share one of k and v. A mask broadcasts to the scores. Floats are added to them; scores where an
    integer is 0 are replaced by `fill`.
    """

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
    masks = operands(TENSOR)
    """None or one."""
    scale = attribute(NUMBER)
    causal = attribute(BOOL, default=False)
    zeros = attribute(BOOL, default=False)
    fill = attribute(FLOAT, optional=True)

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

    @property
    def mask(self) -> Value | None:
        """The mask, if there is one."""
        masks = self.masks
        return masks[0] if masks else None

    @property
    def hidden_score(self) -> float:
        """What is in the place of scores where a mask of integers is 0."""
        return -inf if self.fill is None else self.fill

    @property
    def group(self) -> int:
        """How many heads of queries share one of keys and values."""
        theirs = tensor(self.k).shape[:-2]
        return 1 if theirs == self.rows else self.rows[-1] // theirs[-1]

    @property
    def row_shape(self) -> tuple[int, ...]:
        """The shape of l. With a mask, which may be so low that the logarithm of a sum is lost
        beside it, these are two numbers: see `Attention`."""
        rows = tensor(self.q).shape[:-1]
        return (*rows, 2) if self.masks else rows

    def check_factors(self) -> tuple[TensorType, TensorType, TensorType]:
        """The types of q, k and v; fail where they don't fit together, or with the mask."""
        q, k, v = self.types()[:3]
        self.check_element(q)
        if (
            not q.rank == k.rank == v.rank >= 2
            or k.shape[:-2] != v.shape[:-2]
            or not is_shared(q.shape[:-2], k.shape[:-2])
            or q.shape[-1] != k.shape[-1]
            or k.shape[-2] != v.shape[-2]
        ):
            self.fail(
                "expected shapes [..., queries, features], [..., keys, features] and "
                f"[..., keys, results], got {q}, {k} and {v}"
            )
        self._check_mask((*q.shape[:-1], k.shape[-2]))
        if not {q.element, k.element, v.element} <= {q.element}:
            self.fail(f"expected operands of one element type, got {q}, {k} and {v}")
        if 0 in (*q.shape[-2:], *v.shape[-2:]):
            self.fail(f"expected queries, keys and features, got {q}, {k} and {v}")
        return q, k, v

    def _check_mask(self, scores: Sequence[int]) -> None:
        if len(self.masks) > 1:
            self.fail(f"expected at most one mask, got {len(self.masks)}")
        if not self.masks:
            return
        mask = tensor(self.masks[0])
        if mask.element not in (ty.f32, *HALVES) and not ty.is_integer(mask.element):
            self.fail(f"expected a mask of integers, or of floats of 32 bits at most, got {mask}")
        if not does_broadcast(mask.shape, scores):
            self.fail(f"expected a mask that broadcasts to {list(scores)}, got {mask}")

    def count_flops(self) -> int:
        """Two for each product of the sums; half of them are hidden where it is causal."""
        q, k = tensor(self.q), tensor(self.k)
        total = 2 * self.products * q.count * k.shape[-2]
        return total // 2 if self.causal else total

    # -- what the lowerings share ------------------------------------------------------------------

    def scores(self, b: Builder) -> Value:
        """q k^T * scale with the mask, -inf where a query may not read a key."""
        found = make.matmul(b, self.q, self.by_head(b, self.k), False, True, self.scale)
        mask = self.mask
        if mask is not None and ty.is_integer(tensor(mask).element):
            found = make.where(b, mask, found, self.hidden_score)
        elif mask is not None:
            found = make.add(b, found, make.cast(b, mask, tensor(found).element))
        if self.causal:
            found = make.op(b, "tril", found, diagonal=0, fill=-inf)
        return found

    def by_head(self, b: Builder, value: Value) -> Value:
        """Keys or values for each head of the queries."""
        if self.group == 1:
            return value
        *rows, length, width = tensor(value).shape
        one = make.reshape(b, value, (*rows, 1, length, width))
        wide = make.broadcast_to(b, one, (*rows, self.group, length, width))
        return make.reshape(b, wide, (*self.rows, length, width))

    def chances(self, b: Builder, total: Value) -> Value:
        """exp(scores - the logarithm of the sum of each row)."""
        rows, less = tensor(self.q).shape[:-1], self.scores(b)
        shape, parts = (*rows, 1), [total]
        if self.masks:
            steps = [1] * len(shape)
            parts = [
                make.op(b, "slice", total, starts=(*[0] * len(rows), i), sizes=shape, steps=steps)
                for i in (0, 1)
            ]
        if self.zeros:
            lowest = make.compare(b, "equal", parts[-1], -inf)
            parts[-1] = make.where(b, lowest, inf, parts[-1])
        for part in parts:
            less = make.subtract(b, less, make.reshape(b, part, shape))
        return make.unary(b, "exp", less)

    def given(self, arrays: Sequence[Array]) -> Given:
        """Arrays by what they are, in the shapes that products have."""
        q, k, v, *rest = arrays
        if self.group > 1:
            k, v = (np.repeat(each, self.group, axis=-3) for each in (k, v))
        count = len(self.masks)
        return Given(q, k, v, rest[0] if count else None, rest[count:])

    def scores_of(self, given: Given) -> Array:
        """As `scores`, in NumPy."""
        q, k, mask = given.q, given.k, given.mask
        found: Array = np.matmul(q, np.swapaxes(k, -1, -2)) * np.asarray(self.scale, q.dtype)
        if mask is not None and mask.dtype.kind in "iub":
            found = np.where(mask != 0, found, np.asarray(self.hidden_score, q.dtype))
        elif mask is not None:
            found = found + mask.astype(found.dtype)
        if self.causal:
            seen = np.tri(q.shape[-2], k.shape[-2], dtype=bool)
            found = np.where(seen, found, np.asarray(-inf, q.dtype))
        return found

    def chances_of(self, given: Given) -> Array:
        """As `chances`, in NumPy."""
        total = given.rest[0]
        parts = [total[..., i : i + 1] for i in (0, 1)] if self.masks else [total[..., None]]
        last = parts[-1]
        if self.zeros:
            parts[-1] = np.where(last == -inf, np.asarray(inf, last.dtype), last)
        scores = self.scores_of(given)
        for part in parts:
            scores = scores - part
        return np.asarray(np.exp(scores))

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

    def marked_scores(self, given: Given) -> tuple[Array, Array]:
        """The chances, and the gradient of the products of q and k, in NumPy."""
        _, delta, dy = given.rest
        p = self.chances_of(given)
        dp = np.matmul(dy, np.swapaxes(given.v, -1, -2))
        ds = p * (dp - delta[..., None]) * np.asarray(self.scale, p.dtype)
        mask = given.mask
        if mask is not None and mask.dtype.kind in "iub":
            ds = np.where(mask != 0, ds, np.asarray(0, ds.dtype))
        return p, np.tril(ds) if self.causal else ds


def does_broadcast(shape: Sequence[int], whole: Sequence[int]) -> bool:
    """Whether a tensor of a shape can be read as one of another shape."""
    if len(shape) > len(whole):
        return False
    pairs = zip(reversed(shape), reversed(whole), strict=False)
    return all(extent in (1, wanted) for extent, wanted in pairs)


SHAPES: Sequence[tuple[tuple[int, ...], int, int, bool]] = (
    # queries' shape, keys, results, causal
    ((3, 4), 5, 2, False), ((2, 6, 8), 6, 8, True), ((1, 2, 5, 4), 3, 4, False),
    ((2, 1, 3, 2), 4, 6, True), ((1, 1), 1, 1, False), ((2, 37, 16), 21, 16, True),
    ((2, 19, 32), 40, 16, False), ((1, 5, 3), 2, 3, True),
)  # fmt: skip
"""Calls to try."""
GROUPED: Sequence[tuple[tuple[int, ...], int, int, bool]] = (
    ((2, 4, 3, 4), 5, 2, False), ((6, 5, 16), 5, 16, True), ((2, 4, 9, 16), 20, 16, False),
)  # fmt: skip
"""With half as many heads of keys."""
MASKED: Sequence[tuple[int, Input, float]] = (
    (0, Input((3, 5)), -inf), (1, Input((2, 1, 6), ty.i8, 0, 1), -3.0), (2, Input((1, 5, 3)), -inf),
    (3, Input((), ty.i1), -1e9), (5, Input((37, 1), ty.f16), -inf), (5, Input((21,)), -inf),
    (5, Input((2, 37, 21), ty.i1), -1.0), (7, Input((1, 5, 2), ty.bf16, -40, -30), -inf),
)  # fmt: skip
"""Calls of `SHAPES` with masks, and what is in the place of scores where these are 0."""


class Attention(AttentionKernel):
    """Attention: y = softmax(q k^T * scale) v over the keys, and l = log(sum of exp(scores)).

    Shapes: q is [..., queries, features], k [..., keys, features], v [..., keys, results]; y is
    [..., queries, results], and l lacks the results. Neighbours in the dimension ahead of queries
    may share a matrix of k and v. A mask broadcasts to the scores; then l is [..., queries, 2], m =
    the highest score and log(sum of exp(scores - m)). Elements: floats of 32 bits at most, l f32. A
    mask of floats is added to scores; where one of integers is 0, `fill`, or -inf, replaces them.
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
        y = TensorType((*q.shape[:-1], v.shape[-1]), q.element)
        return [y, TensorType(self.row_shape, ty.f32)]

    def reference(self, *arrays: Array) -> Sequence[Array]:
        given = self.given(arrays)
        p, total = self.softened(given)
        return [np.matmul(p, given.v), total]

    def rounding_on_devices(self, *arrays: Array) -> Sequence[Array | float]:
        """Of the chances: the kernel has them relative to the largest of a row, and rounds what
        it multiplies, but not what it adds up for l."""
        given = self.given(arrays)
        p, _ = self.softened(given)
        return [self.rounding_of_product(p, given.v), 0.0]

    def softened(self, given: Given) -> tuple[Array, Array]:
        """The chances, and what l says of each row, in NumPy."""
        scores = self.scores_of(given)
        m = scores.max(-1, keepdims=True)
        if self.zeros:
            m = np.where(m == -inf, np.asarray(0, m.dtype), m)
        e = np.exp(scores - m)
        z = e.sum(-1, keepdims=True)
        with np.errstate(divide="ignore"):
            total = np.log(z)
        found = np.concatenate([m, total], -1) if self.masks else (total + m)[..., 0]
        if self.zeros:
            z = np.where(z == 0, np.asarray(1, z.dtype), z)
        return e / z, found

    def lower(self, b: Builder) -> Sequence[Value]:
        scores = self.scores(b)
        last = tensor(scores).rank - 1
        m = make.reduce(b, "max", scores, [last], keepdims=True)
        if self.zeros:
            m = make.where(b, make.compare(b, "equal", m, float("-inf")), 0, m)
        e = make.unary(b, "exp", make.subtract(b, scores, m))
        z = make.reduce(b, "sum", e, [last], keepdims=True)
        total = make.unary(b, "log", z)
        total = make.op(b, "concat", m, total, axis=last) if self.masks else make.add(b, total, m)
        if self.zeros:
            z = make.where(b, make.compare(b, "equal", z, 0), 1, z)
        y = make.matmul(b, make.divide(b, e, z), self.by_head(b, self.v))
        return [y, make.reshape(b, total, tensor(self.l).shape)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        def sample(i: int, group: int, mask: Sequence[Input] = (), **more: float) -> Sample:
            q, keys, width, causal = (*SHAPES, *GROUPED)[i]
            rows = (*q[:-3], q[-3] // group) if len(q) > 2 else ()
            inputs = Input(q), Input((*rows, keys, q[-1])), Input((*rows, keys, width))
            given = {"scale": 0.125 + i / 256, "causal": causal, "zeros": i % 3 == 0, **more}
            return Sample((*inputs, *mask), given)

        many = len(SHAPES)
        found = [sample(i, 1) for i in range(many)]
        found += [sample(many + i, 2) for i in range(len(GROUPED))]
        return found + [sample(i, 1, [mask], fill=fill) for i, mask, fill in MASKED]


class AttentionGradient(AttentionKernel):
    """Base of the gradients of attention by those of its result y.

    l is as attention gives it, and delta the sum of dy * y over the results.
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
        l, delta = (TensorType(one, ty.f32) for one in (self.row_shape, q.shape[:-1]))  # noqa: E741
        dy = TensorType((*q.shape[:-1], v.shape[-1]), q.element)
        found = [value.type for value in (self.l, self.delta, self.dy)]
        if found != [l, delta, dy]:
            wanted, got = (", ".join(map(str, types)) for types in ((l, delta, dy), found))
            self.fail(f"expected l, delta and dy of {wanted} for q of {q} and v of {v}, got {got}")
        return q, k, v

    def marked(self, b: Builder) -> tuple[Value, Value]:
        """As `marked_scores`."""
        p = self.chances(b, self.l)
        dp = make.matmul(b, self.dy, self.by_head(b, self.v), False, True)
        column = make.reshape(b, self.delta, (*tensor(self.delta).shape, 1))
        ds = make.multiply(b, make.multiply(b, p, make.subtract(b, dp, column)), self.scale)
        mask = self.mask
        if mask is not None and ty.is_integer(tensor(mask).element):
            ds = make.where(b, mask, ds, 0)
        return p, make.op(b, "tril", ds, diagonal=0) if self.causal else ds

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        found = []
        for one in Attention.samples():
            q, _, v, *mask = one.inputs
            rows = Input(q.shape[:-1], ty.f32, 4, 6)
            l = Input((*q.shape[:-1], 2), ty.f32, 2, 3) if mask else rows  # noqa: E741
            dy = Input((*q.shape[:-1], v.shape[-1]))
            found.append(Sample((*one.inputs, l, rows, dy), one.attributes))
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

    def reference(self, *arrays: Array) -> Sequence[Array]:
        given = self.given(arrays)
        _, ds = self.marked_scores(given)
        return [np.matmul(ds, given.k)]

    def rounding_on_devices(self, *arrays: Array) -> Sequence[Array | float]:
        given = self.given(arrays)
        _, ds = self.marked_scores(given)
        return [self.rounding_of_product(ds, given.k)]

    def lower(self, b: Builder) -> Sequence[Value]:
        _, ds = self.marked(b)
        return [make.matmul(b, ds, self.by_head(b, self.k))]


class AttentionKeyGradient(AttentionGradient):
    """The gradients of attention by its keys and values: dk = ds^T q and dv = p^T dy.

    Shapes: as of `flow.attention_query_grad`; dk and dv are as k and v, one for each matrix of q.
    Elements: as there. Source: Dao et al., "FlashAttention", 2022.

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
        q, k, v = self.check_rows()
        return [TensorType((*q.shape[:-2], *each.shape[-2:]), q.element) for each in (k, v)]

    @property
    def own(self) -> Sequence[Value]:
        return [self.k, self.v]

    @property
    def others(self) -> Sequence[Value]:
        return [self.q, self.dy]

    def reference(self, *arrays: Array) -> Sequence[Array]:
        given = self.given(arrays)
        p, ds = (np.swapaxes(each, -1, -2) for each in self.marked_scores(given))
        return [np.matmul(ds, given.q), np.matmul(p, given.rest[-1])]

    def rounding_on_devices(self, *arrays: Array) -> Sequence[Array | float]:
        given = self.given(arrays)
        p, ds = (np.swapaxes(each, -1, -2) for each in self.marked_scores(given))
        right = given.rest[-1]
        return [self.rounding_of_product(ds, given.q), self.rounding_of_product(p, right)]

    def lower(self, b: Builder) -> Sequence[Value]:
        p, ds = self.marked(b)
        return [make.matmul(b, ds, self.q, True), make.matmul(b, p, self.dy, True)]
