"""Products of two tensors by an equation: the sum over the indices that the result lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.builder import Builder
from penstock.ir.codecs import STRING
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    Array,
    Gradients,
    Input,
    Sample,
    TensorOp,
)
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars

FORM = re.compile("([a-zA-Z]*),([a-zA-Z]*)->([a-zA-Z]*)")


class Einsum(TensorOp):
    """Sum of products by Einstein's convention: c = sum of a * b over indices that c lacks.

    Shapes: `equation` names the dimensions of a, b and c by letters, as "ij,jk->ik" does. A letter
    stands once in a tensor and in two tensors at least; its extent is the same wherever it stands.
    Elements: floats and integers, which wrap around. Source: numpy.einsum; products are added in
    the order of a, each by one fused multiply-add.

    >>> evaluate("flow.einsum", [[1.0, 2.0]], [[3.0, 4.0]], equation="ij,kj->ik")
    array([[11.]], dtype=float32)
    """

    name = "flow.einsum"
    narrows = True
    ulps = 32  # sums, as of a matrix product
    a = operand(TENSOR)
    b = operand(TENSOR)
    equation = attribute(STRING)
    c = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        a, b = self.types()
        self.check_element(a)
        if a.element is not b.element:
            self.fail(f"expected operands of one element type, got {a.element} and {b.element}")
        of_a, of_b, of_c = self._checked()
        extents: dict[str, int] = {}
        for letters, type in ((of_a, a), (of_b, b)):
            if len(letters) != type.rank:
                self.fail(
                    f"expected an index for each of the {type.rank} dimensions of {type}, got "
                    f'"{letters}" of the equation "{self.equation}"'
                )
            for letter, extent in zip(letters, type.shape, strict=True):
                if extents.setdefault(letter, extent) != extent:
                    self.fail(
                        f'expected one extent for index {letter} of "{self.equation}", got '
                        f"{extents[letter]} and {extent}: {a} and {b}"
                    )
        return [TensorType(tuple(extents[letter] for letter in of_c), a.element)]

    def _checked(self) -> tuple[str, str, str]:
        """The indices of a, b and c; fails where they are no product with its gradients."""
        found = FORM.fullmatch(self.equation)
        if found is None:
            self.fail(f'expected an equation such as "ij,jk->ik", got "{self.equation}"')
        terms = found.groups()
        for letter in dict.fromkeys("".join(terms)):
            counts = [term.count(letter) for term in terms]
            if max(counts) > 1 or sum(counts) < 2:
                self.fail(
                    "expected each index once in a tensor and in two of the three at least, got "
                    f'{letter} of "{self.equation}"'
                )
        return terms[0], terms[1], terms[2]

    def reference(self, a: Array, b: Array) -> Sequence[Array]:
        return [np.asarray(np.einsum(self.equation, a, b))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """Products by the same indices: each tensor is made of the other two."""
        (dc,) = gradients
        if dc is None:
            return [None, None]
        of_a, of_b, of_c = self._checked()
        return [
            make.op(b, "einsum", dc, self.b, equation=f"{of_c},{of_b}->{of_a}"),
            make.op(b, "einsum", self.a, dc, equation=f"{of_a},{of_c}->{of_b}"),
        ]

    def lower(self, b: Builder) -> Sequence[Value]:
        """Iterates over the indices of c, then over those that are added up, as a has them.

        Where the last index of c is in both factors, vectors would hold products that have no
        factor in common: then such indices come first, and c is turned.
        """
        of_a, of_b, of_c = self._checked()
        sums = "".join(letter for letter in of_a if letter not in of_c)
        both = {*of_a} & {*of_b}
        if not sums or not both.intersection(of_c[-1:]):
            return [self._product(b, of_c, sums)]
        first = "".join(sorted(of_c, key=lambda letter: letter not in both))
        product = self._product(b, first, sums)
        return [make.transpose(b, product, [first.index(letter) for letter in of_c])]

    def _product(self, b: Builder, subscripts: str, sums: str) -> Value:
        """The result with its indices in this order."""
        of_a, of_b, of_c = self._checked()
        place = {letter: dim for dim, letter in enumerate(subscripts + sums)}
        maps = [
            AffineMap.select(len(place), [place[c] for c in t]) for t in (of_a, of_b, subscripts)
        ]
        iterators = ["parallel"] * len(subscripts) + ["reduction"] * len(sums)

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            x, y, total = arguments
            return [scalars.fma(b, x, y, total) if sums else scalars.mul(b, x, y)]

        extents = dict(zip(of_c, self.out.shape, strict=True))
        shape, element = [extents[letter] for letter in subscripts], self.out.element
        start = structured.filled(b, 0, shape, element) if sums else linalg.empty(b, shape, element)
        return linalg.generic(b, [self.a, self.b], [start], maps, iterators, body).results[0]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        cases = (
            ("ij,jk->ik", (3, 4), (4, 2)), ("bij,bjk->kib", (2, 3, 4), (2, 4, 5)),
            ("bshd,bthd->bhst", (2, 3, 2, 4), (2, 5, 2, 4)), ("ijk,jkl->il", (3, 2, 4), (2, 4, 5)),
            ("ijb,kjb->ikb", (3, 4, 2), (5, 4, 2)), ("ij,ji->", (3, 4), (4, 3)),
            ("ij,ij->i", (3, 4), (3, 4)), ("i,j->ij", (3,), (5,)), ("ij,j->ji", (3, 4), (4,)),
            (",ij->ji", (), (2, 3)), (",->", (), ()), ("ij,jk->ik", (3, 0), (0, 2)),
        )  # fmt: skip
        samples = [Sample((Input(a), Input(b)), {"equation": text}) for text, a, b in cases]
        inputs = Input((3, 5), ty.i32, -9, 9), Input((5, 2), ty.i32, -9, 9)
        return [*samples, Sample(inputs, {"equation": "ij,jk->ki"})]
