"""`flow.einsum` against numpy.einsum, and the order of its contractions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

X: Any = tp.Numpy.Placeholder((3, 4))
Y: Any = tp.Numpy.Placeholder((4, 5))
Z: Any = tp.Numpy.Placeholder((2, 1, 4, 4))

pytestmark = pytest.mark.numbers

EQUATIONS = (
    "xy: ij,jk->ik", "xy: ba , ac", "xx: ij,ij->", "xx: ij,ij->ij", "x: ij->", "x: ji", "x: ij",
    "z: abii->bai", "z: ...ii", "zz: ...ij,...kj->...ik", "zx: bcij,ki->ckb", "xyy: ij,jk,lk->il",
    "zx: b...j,ij->i...b", "xz: cj,bcjj->b", "xz: i...,ab...j->ai...j", "xyxy: ij,jk,ab,bc->ikac",
)  # fmt: skip


def test_equations() -> None:
    """Diagonals, sums of one blob, several blobs, broadcast extents of 1, implicit results."""
    cases = [case.split(":") for case in EQUATIONS]

    @flow.global_function()
    def job(x: X, y: Y, z: Z) -> list[tp.Numpy]:
        blobs = {"x": x, "y": y, "z": z}
        return [flow.einsum(text, *(blobs[c] for c in words)) for words, text in cases]

    random = np.random.default_rng(6)
    shapes = {"x": (3, 4), "y": (4, 5), "z": (2, 1, 4, 4)}
    arrays = {k: random.normal(size=shape).astype(np.float32) for k, shape in shapes.items()}
    for (words, text), got in zip(cases, job(*arrays.values()), strict=True):
        wanted = np.einsum(text, *(arrays[c].astype(np.float64) for c in words))
        assert got.shape == wanted.shape, text
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5, err_msg=text)


def test_the_cheapest_contraction_comes_first() -> None:
    @flow.global_function()
    def job(x: X, y: Y) -> tp.Numpy:
        column = flow.reshape(flow.slice(y, [0, 0], [-1, 1]), [4])
        return flow.einsum("ij,jk,j->ik", x, y, column)

    products = [line for line in job.lower().as_text("job").splitlines() if "flow.einsum" in line]
    assert [line.split('equation = "')[1].split('"')[0] for line in products] == [
        "ij,j->ij", "jk,ij->ik",
    ]  # fmt: skip
