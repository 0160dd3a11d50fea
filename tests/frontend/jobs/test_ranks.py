"""Jobs that several ranks share, called from Python: what one rank gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.attributes import attribute
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job.sbp import HINT
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.loaded.loading import LoadedJob

Array = np.ndarray[Any, Any]


def numbers(*shape: int) -> Array:
    """Small integers, whose sums are exact in any order."""
    return np.random.default_rng(1).integers(-4, 5, shape).astype(np.float32)


def product(ranks: int) -> Module:
    """x @ w on ranks, at stage `grad`."""
    flow.clear_default_session()
    flow.config.cpu_device_num(ranks)

    @flow.global_function()
    def product(x: tp.Numpy.Placeholder((5, 4)), w: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        with flow.scope.placement("cpu", f"0:0-{ranks - 1}"):
            return flow.matmul(x, w)

    return parse_module(product.lower().as_text("grad"))


def compiled(module: Module) -> LoadedJob:
    return flow.compile(print_module(module))


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("state", ["B", "S(0)", "S(1)", "P"])
def test_a_product_equals_that_of_one_rank(ranks: int, state: str) -> None:
    module = product(ranks)
    (matmul,) = (op for op in module.job.body if op.name == "flow.matmul")
    matmul.attributes[HINT] = attribute([state])
    x, w = numbers(5, 4), numbers(4, 3)
    job = compiled(module)
    assert np.array_equal(job(x, w), x @ w)
    placed, loops = (job.stages.as_text(stage) for stage in ("placed", "loops"))
    assert ('"sbp.box"' in placed) == (ranks > 1 and state != "B")
    assert ("@penstock_collective_0" in loops) == (ranks > 1 and state != "B")


def test_stages_start_what_follows() -> None:
    module = product(2)
    (matmul,) = (op for op in module.job.body if op.name == "flow.matmul")
    matmul.attributes[HINT] = attribute(["S(0)"])
    job = compiled(module)
    x, w = numbers(5, 4), numbers(4, 3)
    assert np.array_equal(flow.compile(job.stages.as_text("placed"))(x, w), x @ w)
    with pytest.raises(ValueError, match="at stage loops, that of one rank of several"):
        flow.compile(job.stages.as_text("loops"))
