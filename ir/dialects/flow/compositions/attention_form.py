"""The form that attention has as single ops, behind autodiff, and the ops it becomes.

    s = q k^T [* scale] [+ mask];  p = softmax(s);  y = p v
    dp = dy v^T;  dv = p^T dy;  ds = p * (dp - sum(dp * p)) [* scale];  dq = ds k;  dk = ds^T q
->
    y, l = flow.attention(q, k, v)
    delta = sum(dy * y)
    dq = flow.attention_query_grad(...);  dk, dv = flow.attention_key_grad(...)

Casts between floats may stand between, and around p and ds the zeros that
`F.scaled_dot_product_attention` has for queries that read no key. The mask is one by which query i
reads keys 0 to i, and is then an attribute, or another one that is added to the scores or chooses
between them and a number, or both. It has no gradient, and p and ds have no other use. Keys and
values may be repeated for groups of heads. Gradients of 16 bits have a softmax of f32 of their own,
of the same scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, isclose
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import HALVES, tensor
from penstock.ir.dialects.flow.binary import Add, Divide, Multiply, Subtract
from penstock.ir.dialects.flow.compositions.softmax import Softmax
from penstock.ir.dialects.flow.pointwise.compare import Cast, Equal, Where
from penstock.ir.dialects.flow.reductions.contraction import Matmul
from penstock.ir.dialects.flow.reductions.reduction import ReduceMax, ReduceSum
from penstock.ir.dialects.flow.shapes.movement import BroadcastTo, Reshape, Transpose
from penstock.ir.dialects.flow.shapes.triangle import Tril
from penstock.ir.opdef import registry
from penstock.ir.types import Type
from penstock.ir.write.folding import constant_of

MOST_FEATURES = 128
"""Of a query, and of a result: their sums are in registers."""
ELEMENTS = (ty.f32, *HALVES)
"""The element types of factors."""


class _Form:
    """The ops of one attention, found from its softmax on."""

    def __init__(self, softmax: Softmax) -> None:
        self.softmax = softmax
        self.chances: dict[Value, None] = {softmax.y: None}
        """What the softmax gives, also in another type: gradients of 16 bits compute it in f32."""
        self.none: Value | None = None
        """True where a query may read no key, if that is asked."""
        self.causal = False
        self.mask: Value | None = None
        """Another mask: floats that are added, or the integers that choose between a score and
        `fill`."""
        self.fill = -inf
        self.shows = True
        """Whether such integers are 0 where `fill` is chosen, or elsewhere."""
        self.scale = 1.0
        self.score: Matmul
        """The product of queries and keys."""
        self.q: Value
        self.keys: Value
        """The keys, or their transpose, as that product has them."""
        self.mixed: Matmul
        """The product of chances and values."""
        self.v: Value
        self.dv: Matmul | None = None
        self.dp: Matmul | None = None
        """The gradient of the chances, by which those of queries and keys are computed."""
        self.dq: list[Matmul] = []
        self.dk: list[tuple[Matmul, bool]] = []
        """With whether it gives the transpose."""

    @property
    def element(self) -> Type:
        return tensor(self.q).element

    # -- ahead of the softmax ----------------------------------------------------------------------

    def find_scores(self) -> bool:
        """Whether the softmax is of scores: what these are computed of."""
        value = self.softmax.x
        if self.softmax.axis != tensor(value).rank - 1:
            return False
        self.chances.update(dict.fromkeys(self._again(_uncast(value))))
        value = self._masked(self._asked(value))
        factor, value = self._scaled(value)
        product = _uncast(value).defining_op
        if not isinstance(product, Matmul) or product.transpose_a:
            return False
        self.score, self.scale, self.q = product, factor * product.alpha, product.a
        self.keys = product.b
        q, k = tensor(self.q), tensor(self.keys)
        shared = is_shared(q.shape[:-2], k.shape[:-2]) and q.element is k.element
        return self.scale > 0 and shared and self.element in ELEMENTS and self._has_fit_mask()

    def _has_fit_mask(self) -> bool:
        """Whether the mask, if there is one, is of integers or of floats of 32 bits at most."""
        element = ty.i1 if self.mask is None else tensor(self.mask).element
        return element in ELEMENTS or ty.is_integer(element)

    def _again(self, scores: Value) -> Iterator[Value]:
        """The chances of these scores, or of casts of them."""
        for user in _users(scores):
            if isinstance(user, Cast) and ty.is_float(user.element):
                yield from self._again(user.results[0])
            elif isinstance(user, Softmax) and user.axis == self.softmax.axis:
                yield user.y

    def _asked(self, value: Value) -> Value:
        """The scores, where 0 is in their place for queries that read no key."""
        chosen = value.defining_op
        if not isinstance(chosen, Where) or structured.splat(chosen.x) != 0:
            return value
        asked = chosen.condition.defining_op
        if not isinstance(asked, Equal) or structured.splat(asked.operands[1]) != -inf:
            return value
        highest = asked.operands[0].defining_op
        if not isinstance(highest, ReduceMax) or highest.operands[0] is not chosen.y:
            return value
        if list(highest.axes) != [tensor(value).rank - 1] or not highest.keepdims:
            return value
        self.none = chosen.condition
        return chosen.y

    def _masked(self, value: Value) -> Value:
        """The scores without their masks."""
        while True:
            hidden = value.defining_op
            if isinstance(hidden, Tril) and hidden.diagonal == 0 and hidden.fill == -inf:
                self.causal, value = True, hidden.x
                continue
            found = self._unmasked(value, hidden)
            if found is None:
                return value
            value = found

    def _unmasked(self, value: Value, hidden: Operation | None) -> Value | None:
        """The scores that an op has masked; None if it masks none, or by a second mask."""
        if isinstance(hidden, Add):
            for one, other in (hidden.operands, reversed(hidden.operands)):
                if tensor(one).shape != tensor(value).shape:
                    continue
                if _hides_later(other):
                    self.causal = True
                    return one
                if self.mask is None and _comes_of_product(one):
                    self.mask = other
                    return one
        elif isinstance(hidden, Where):
            for one, other, shows in ((hidden.x, hidden.y, True), (hidden.y, hidden.x, False)):
                fill = structured.splat(other)
                if fill is None or tensor(one).shape != tensor(value).shape:
                    continue
                if self.mask is None and _comes_of_product(one):
                    self.mask, self.fill, self.shows = hidden.condition, float(fill), shows
                    return one
        return None

    def _scaled(self, value: Value) -> tuple[float, Value]:
        """A constant factor of a value, and the rest."""
        factor = 1.0
        while True:
            op = _uncast(value).defining_op
            if op is None or (number := _factor(op)) is None:
                return factor, value
            factor *= number
            value = op.operands[0]

    # -- behind it ---------------------------------------------------------------------------------

    def find_rest(self) -> bool:
        """Whether all uses of the chances are attention or its gradients."""
        readers = [found for each in self.chances for found in self._readers(each)]
        gradients: list[Operation] = []
        mixed: list[Matmul] = []
        for value, factor, user in readers:
            if factor != 1:
                return False
            if not isinstance(user, Matmul):
                gradients.append(user)
            elif not self._has_chances(user, value):
                return False
            elif not user.transpose_a:
                mixed.append(user)
            elif self.dv is not None:
                return False
            else:
                self.dv = user
        if len(mixed) != 1:
            return False
        (self.mixed,) = mixed
        self.v = self.mixed.b
        types = {tensor(one).element for one in (self.q, self.v, self.mixed.c)}
        q, v = tensor(self.q), tensor(self.v)
        if types != {self.element} or not is_shared(q.shape[:-2], v.shape[:-2]):
            return False
        if max(q.shape[-1], v.shape[-1]) > MOST_FEATURES or 0 in (*q.shape, *v.shape):
            return False
        return self._find_marked(gradients) and self._same_gradient()

    def _find_marked(self, gradients: Iterable[Operation]) -> bool:
        """Whether the chances are otherwise in their own gradient's two products alone."""
        found = list(dict.fromkeys(gradients))
        if not found:
            return True
        products = sorted((op for op in found if isinstance(op, Multiply)), key=_is_not_summed)
        if len(found) != 2 or list(map(_is_not_summed, products)) != [False, True]:
            return False
        total, ds = products
        less = next(
            (v.defining_op for v in ds.operands if isinstance(v.defining_op, Subtract)), None
        )
        summed = _only_sum(total)
        if less is None or summed is None or less.operands[1].defining_op is not summed:
            return False
        dp = less.operands[0]
        if not self._have_chances((total, dp), (ds, less.results[0])):
            return False
        rank = tensor(dp).rank
        if list(summed.axes) != [rank - 1] or not summed.keepdims:
            return False
        if any(user is not ds for user in _users(less.results[0])):
            return False
        if any(user is not less for user in _users(summed.results[0])):
            return False
        product = self._unasked(dp).defining_op
        if not isinstance(product, Matmul) or product.transpose_a or not product.transpose_b:
            return False
        known = self._readers(product.c)
        if product.alpha != 1 or {user for _, _, user in known} != {total, less}:
            return False
        self.dp = product
        return self._find_gradients(ds)

    def _have_chances(self, *products: tuple[Operation, Value]) -> bool:
        """Whether products are those of the same chances, and of a value each."""
        found = [set(product.operands) - {value} for product, value in products]
        values = [value in product.operands for product, value in products]
        return (
            all(values)
            and found[0] == found[1]
            and len(found[0] & self.chances.keys()) == len(found[0]) == 1
        )

    def _find_gradients(self, ds: Operation) -> bool:
        """Whether the gradient of the scores gives those of queries and keys alone."""
        for value, factor, user in self._readers(ds.results[0]):
            if not isinstance(user, Matmul) or not isclose(factor * user.alpha, self.scale):
                return False
            if user.a is value and user.transpose_a:
                if user.transpose_b or not self._is(user.b, self.q):
                    return False
                self.dk.append((user, False))
            elif user.a is value:
                if user.transpose_b is self.score.transpose_b or not self._is(user.b, self.keys):
                    return False
                self.dq.append(user)
            elif user.b is value and user.transpose_a and not user.transpose_b:
                if not self._is(user.a, self.q):
                    return False
                self.dk.append((user, True))
            else:
                return False
        return len(self.dq) <= 1 and len(self.dk) <= 1

    def _same_gradient(self) -> bool:
        """Whether the gradients are of one gradient of the result."""
        found = {self._narrow(op) for op in self._of_result()}
        if self.dp is not None and not self._is(self.dp.b, self.v):
            return False
        return len(found) <= 1 and None not in found

    def _of_result(self) -> list[Value]:
        """The gradient of the result, as its products have it."""
        found = [] if self.dv is None else [self.dv.b]
        return found if self.dp is None else [*found, self.dp.a]

    @property
    def dy(self) -> Value | None:
        """The gradient of the result."""
        values = self._of_result()
        return self._narrow(values[0]) if values else None

    def _readers(self, value: Value) -> list[tuple[Value, float, Operation]]:
        """What reads a value, seen through casts, constant factors and the zeros of queries that
        read nothing; with the value that each reads, and the factor in it."""
        found: list[tuple[Value, float, Operation]] = []
        waiting = [(value, 1.0)]
        while waiting:
            one, factor = waiting.pop(0)
            for user in dict.fromkeys(_users(one)):
                number = _factor(user)
                if isinstance(user, Cast) and user.element in (*ELEMENTS, ty.f64):
                    waiting.append((user.results[0], factor))
                elif number is not None and user.operands[0] is one:
                    waiting.append((user.results[0], factor * number))
                elif self._is_hidden(user) or (self._is_asked(user) and user.operands[2] is one):
                    waiting.append((user.results[0], factor))
                else:
                    found.append((one, factor, user))
        return found

    def _is_hidden(self, op: Operation | None) -> bool:
        """Whether an op gives gradients of 0 to scores that are hidden, as they are."""
        if isinstance(op, Where) and op.condition is self.mask:
            return bool(structured.splat(op.y if self.shows else op.x) == 0)
        return self.causal and isinstance(op, Tril) and op.diagonal == 0 and op.fill == 0

    def _is_asked(self, op: Operation | None) -> bool:
        return (
            isinstance(op, Where)
            and self.none is not None
            and op.condition is self.none
            and structured.splat(op.x) == 0
        )

    def _has_chances(self, product: Matmul, value: Value) -> bool:
        """Whether the chances are the left factor of a product, with zeros where they need any."""
        is_left = product.a is value and not product.transpose_b and product.alpha == 1
        return is_left and self._is_zeroed(value)

    def _is_zeroed(self, value: Value) -> bool:
        """Whether the chances are 0 for queries that read no key, if their scores are 0."""
        while self.none is not None and value not in self.chances:
            op = value.defining_op
            assert op is not None, "it is computed from the softmax"
            if self._is_asked(op):
                return True
            value = op.operands[0]
        return self.none is None

    def _unasked(self, value: Value) -> Value:
        """A value ahead of casts and the zeros of queries that read nothing."""
        while True:
            value = _uncast(value)
            op = value.defining_op
            if not self._is_asked(op):
                return value
            assert op is not None
            value = op.operands[2]

    def _narrow(self, value: Value) -> Value | None:
        """A value as the element type of the factors, of which a cast made it."""
        while tensor(value).element is not self.element:
            op = value.defining_op
            if not isinstance(op, Cast):
                return None
            value = op.operands[0]
        return value

    def _is(self, value: Value, wanted: Value) -> bool:
        return self._narrow(value) is wanted

    # -- what it becomes ---------------------------------------------------------------------------

    def replacements(self, b: Builder) -> list[tuple[Value, Value]]:
        """The values of this form, and the same made of attention's ops."""
        given = {"scale": self.scale, "causal": self.causal, "zeros": self.none is not None}
        b.before, b.location = self.mixed, self.mixed.location
        keys = self.keys if self.score.transpose_b else _turned(b, self.keys)
        factors = [self.q, *_shared(b, self.q, keys, self.v), *self._given_mask(b)]
        if self.mask is not None and ty.is_integer(tensor(self.mask).element):
            given["fill"] = self.fill
        y, total = _made(b, "flow.attention", factors, given)
        y.name = self.mixed.results[0].name
        found: list[tuple[Value, Value]] = [(self.mixed.c, y)]
        first, dy = self._first(), self.dy
        if first is None or dy is None:
            return found
        b.before, b.location = first, first.location
        wide = [self._as_f32(b, value) for value in (dy, y)]
        delta = make.reduce(b, "sum", make.multiply(b, *wide), [tensor(y).rank - 1])
        operands = [*factors, total, delta, dy]
        if self.dq:
            (dq,) = _made(b, "flow.attention_query_grad", operands, given)
            found.append(_like(b, self.dq[0], dq))
        if self.dk or self.dv is not None:
            dk, dv = _made(b, "flow.attention_key_grad", operands, given)
            found += [
                _like(b, product, _turned(b, dk) if is_turned else dk)
                for product, is_turned in self.dk
            ]
            if self.dv is not None:
                found.append(_like(b, self.dv, dv))
        return found

    def _given_mask(self, b: Builder) -> list[Value]:
        """The mask as attention takes it, if there is one."""
        if self.mask is None:
            return []
        return [self.mask if self.shows else make.compare(b, "equal", self.mask, 0)]

    def _as_f32(self, b: Builder, value: Value) -> Value:
        return value if self.element is ty.f32 else make.cast(b, value, ty.f32)

    def _first(self) -> Operation | None:
        """The first of the gradients' products: all that they need is ahead of it."""
        products = {op for op in (self.dv, self.dp) if op is not None}
        return next((op for op in self.softmax.block or () if op in products), None)


def form_attention(op: Softmax, b: Builder) -> list[tuple[Value, Value]]:
    """The values of the form around a softmax, and the same made of attention's ops."""
    form = _Form(op)
    return form.replacements(b) if form.find_scores() and form.find_rest() else []


def is_shared(ours: Sequence[int], theirs: Sequence[int]) -> bool:
    """Whether heads of queries of these shapes can share heads of keys of those."""
    if not ours or tuple(ours) == tuple(theirs):
        return tuple(ours) == tuple(theirs)
    same = tuple(ours[:-1]) == tuple(theirs[:-1])
    return same and 0 < theirs[-1] <= ours[-1] and ours[-1] % theirs[-1] == 0


def _made(
    b: Builder, name: str, operands: Sequence[Value], given: Mapping[str, Any]
) -> Sequence[Value]:
    """The results of a new op."""
    return b.create(registry[name], *operands, types=None, regions=(), **given).results


def _like(b: Builder, product: Matmul, value: Value) -> tuple[Value, Value]:
    """The result of a product, and a value as its element type."""
    element = tensor(product.c).element
    same = tensor(value).element is element
    return product.c, value if same else make.cast(b, value, element)


def _users(value: Value) -> list[Operation]:
    """The ops on which results depend that read a value."""
    return [user for user in value.users() if not user.takes_parts]


def _is_not_summed(op: Operation) -> bool:
    return _only_sum(op) is None


def _only_sum(op: Operation) -> ReduceSum | None:
    """The sum that alone reads a result."""
    users = _users(op.results[0])
    return users[0] if len(users) == 1 and isinstance(users[0], ReduceSum) else None


def _uncast(value: Value) -> Value:
    """A value ahead of casts from floats to floats."""
    while isinstance(value.defining_op, Cast):
        source = value.defining_op.operands[0]
        if not ty.is_float(tensor(source).element):
            break
        value = source
    return value


def _factor(op: Operation) -> float | None:
    """The number that an op multiplies by; None if it does not."""
    if not isinstance(op, Multiply | Divide) or tensor(op.operands[1]).rank > 0:
        return None
    number = structured.splat(op.operands[1])
    if number is None or not number:
        return None
    return float(number) if isinstance(op, Multiply) else 1 / float(number)


def _turned(b: Builder, value: Value) -> Value:
    """The transpose of a value in its last two dimensions: what it is itself the transpose of."""
    rank = tensor(value).rank
    order = [*range(rank - 2), rank - 1, rank - 2]
    turned = value.defining_op
    if isinstance(turned, Cast):
        turned = turned.operands[0].defining_op
    if isinstance(turned, Transpose) and list(turned.permutation) == order:
        element = tensor(value).element
        return turned.x if tensor(turned.x).element is element else make.cast(b, turned.x, element)
    return make.transpose(b, value, order)


def _shared(b: Builder, q: Value, k: Value, v: Value) -> list[Value]:
    """Keys and values that were repeated for groups of heads, as they were before."""
    element, heads = tensor(q).element, tensor(q).shape[:-2]
    found = [_unrepeated(b, one) for one in (k, v)]
    rows = {tensor(one).shape[:-2] for one in found}
    if len(rows) > 1 or not is_shared(heads, rows.pop()):
        # Not by the same heads: each has its own.
        found = [make.broadcast_to(b, x, (*heads, *tensor(x).shape[-2:])) for x in (k, v)]
    return [make.cast(b, one, element) for one in found]


def _unrepeated(b: Builder, value: Value) -> Value:
    """The heads that a value repeats for groups of g; the value itself if it repeats none.

    [b, h, n, d] -> [b, h, 1, n, d] -> [b, h, g, n, d] -> [b, h * g, n, d]
    """
    shape, whole = tensor(value).shape, _uncast(value).defining_op
    wide = whole.operands[0].defining_op if isinstance(whole, Reshape) else None
    if not isinstance(wide, BroadcastTo) or len(shape) < 3:
        return value
    *rows, heads, length, width = shape
    one, repeated = wide.operands[0], tensor(wide.results[0]).shape
    count = repeated[len(rows)] if len(repeated) == len(shape) + 1 else 0
    if count == 0 or repeated != (*rows, count, heads // count, length, width):
        return value
    if tensor(one).shape != (*rows, count, 1, length, width):
        return value
    return make.reshape(b, one, (*rows, count, length, width))


def _comes_of_product(value: Value) -> bool:
    """Whether a value is a product of matrices, with casts, factors and masks behind it."""
    waiting = [value]
    while waiting:
        op = _uncast(waiting.pop()).defining_op
        if isinstance(op, Matmul):
            return True
        if isinstance(op, Add | Where | Multiply | Divide | Tril):
            waiting += op.operands
    return False


def _hides_later(mask: Value) -> bool:
    """Whether an added mask is 0 for keys 0 to i of query i, and -inf for others."""
    known = _constant(mask)
    if known is None or known.ndim < 2 or any(extent != 1 for extent in known.shape[:-2]):
        return False
    matrix = known.reshape(known.shape[-2:]).astype(np.float32)
    return bool((matrix == np.where(np.tri(*matrix.shape) > 0, 0, -inf)).all())


def _constant(value: Value) -> np.ndarray[Any, Any] | None:
    """The elements of a constant, or of a choice or a cast of constants."""
    op = value.defining_op
    if isinstance(op, Where | Cast):
        parts = [part for one in op.operands if (part := _constant(one)) is not None]
        return op.reference(*parts)[0] if len(parts) == len(op.operands) else None
    known = constant_of(value)
    return known.array() if isinstance(known, DenseElementsAttr) else None
