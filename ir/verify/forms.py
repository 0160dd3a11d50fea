"""Transfer functions of integer arithmetic on linear forms; None if the result is unknown.

Operands are exact, but for `plus`, `minus`, `product` and `shifted_left`: theirs hold modulo 2^64.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.affine import Binary, Const, Dim, Expr
from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.verify.known import Known
from penstock.ir.verify.linear import LEAST, MOST, Form

SUMMARISED_ELEMENTS = 4096
"""Constants with this many elements or more are summarised as a whole."""


def plus(known: Known, x: Form, y: Form) -> Form:
    return x + y


def minus(known: Known, x: Form, y: Form) -> Form:
    return x - y


def larger(known: Known, x: Form, y: Form) -> Form:
    return known.maximum(x, y)


def smaller(known: Known, x: Form, y: Form) -> Form:
    return known.minimum(x, y)


def product(known: Known, x: Form, y: Form) -> Form | None:
    for form, factor in ((x, y.number), (y, x.number)):
        if factor is not None:
            return form * factor
    if not (known.solver.fits(x) and known.solver.fits(y)):
        return None
    ends = [a(x) * b(y) for a in (known.least, known.most) for b in (known.least, known.most)]
    low, high = min(ends), max(ends)
    if low < LEAST or high > MOST:
        return None
    return known.between(low, high, of=[x, y])


def quotient(known: Known, x: Form, y: Form) -> Form | None:
    if y.number is None or y.number < 1:
        return None
    if known.least(x) >= 0:
        return known.quotient(x, y.number)
    return None


def floored(known: Known, x: Form, y: Form) -> Form | None:
    return known.quotient(x, y.number) if y.number is not None and y.number > 0 else None


def remainder(known: Known, x: Form, y: Form) -> Form | None:
    if y.number is None or y.number < 1:
        return None
    if known.least(x) >= 0:
        return known.remainder(x, y.number)
    return None


def larger_unsigned(known: Known, x: Form, y: Form) -> Form | None:
    return known.maximum(x, y) if min(known.least(x), known.least(y)) >= 0 else None


def smaller_unsigned(known: Known, x: Form, y: Form) -> Form | None:
    if min(known.least(x), known.least(y)) >= 0:
        return known.minimum(x, y)
    for form in (x, y):
        if known.least(form) >= 0:
            return known.between(0, known.most(form), upper=[form], of=[x, y])
    return None


def masked(known: Known, x: Form, y: Form) -> Form | None:
    for form, mask in ((x, y.number), (y, x.number)):
        if mask is not None and mask >= 0:
            if mask & (mask + 1) == 0 and known.least(form) >= 0:
                return known.remainder(form, mask + 1)
            return known.between(0, mask, of=[form])
    bounds = [form for form in (x, y) if known.least(form) >= 0]
    if not bounds:
        return None
    return known.between(0, min(map(known.most, bounds)), upper=bounds, of=[x, y])


def shifted_left(known: Known, x: Form, y: Form) -> Form | None:
    return x * (1 << y.number) if y.number is not None and 0 <= y.number < 64 else None


def shifted_right(known: Known, x: Form, y: Form) -> Form | None:
    if y.number is None or not 0 <= y.number < 63 or known.least(x) < 0:
        return None
    return known.quotient(x, 1 << y.number)


def constant_vector(known: Known, value: DenseElementsAttr) -> Form:
    """The form of a constant vector's elements, as a function of the lane number if possible."""
    elements = value.numbers()
    if value.is_splat or len(elements) > SUMMARISED_ELEMENTS:
        return known.between(int(elements.min()), int(elements.max()))
    numbers = value.array().ravel().tolist()
    first = int(numbers[0])
    step = int(numbers[1]) - first if len(numbers) > 1 else 0
    if len(value.type.shape) == 1 and numbers == list(
        range(first, first + step * len(numbers), step or 1)
    ):
        return (known.lane(len(numbers)) * step).plus(first)
    if min(numbers) == max(numbers):
        return Form((), first)
    return known.between(min(numbers), max(numbers))


def affine(known: Known, expr: Expr, dims: Sequence[Form]) -> Form:
    """The form of an affine expression, given a form for each dimension."""
    match expr:
        case Dim(index=index):
            return dims[index]
        case Const(value=value):
            return Form((), value)
        case Binary(kind=kind, left=left, right=right):
            return _binary(known, kind, affine(known, left, dims), affine(known, right, dims))
        case _:
            return known.between(LEAST, MOST)


def _binary(known: Known, kind: str, left: Form, right: Form) -> Form:
    by = right.number
    match kind:
        case "+":
            return left + right
        case "*" if by is not None:
            return left * by
        case "floordiv" if by is not None and by > 0:
            return known.quotient(left, by)
        case "ceildiv" if by is not None and by > 0:
            return known.quotient(left.plus(by - 1), by)
        case "mod" if by is not None and by > 0:
            return known.remainder(left, by)
        case _:
            return known.between(LEAST, MOST)
