"""Ranks whose parts have equal shapes run one code."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.attributes import attribute
from penstock.ir.dialects.builtin import Module
from penstock.lowering.modules import Modules
from penstock.passes.placement.local.programs import programs
from penstock.runtime import VariableStore
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.ranks.ranked_job import RankedJob
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import prepare
from penstock.stages.ranks import runnable

Array = np.ndarray[Any, Any]


SIZE = 256


@pytest.fixture(scope="module")
def traced() -> Module:
    flow.clear_default_session()

    @flow.global_function(type="train")
    def many_ranks(x: tp.Numpy.Placeholder((SIZE, 12))) -> tp.Numpy:
        start = flow.random_uniform_initializer(-0.5, 0.5)
        hidden = flow.layers.dense(x, SIZE, flow.nn.relu, kernel_initializer=start, name="first")
        hidden = flow.nn.dropout(hidden, rate=0.25, seed=7)
        hidden = flow.layers.dense(hidden, SIZE, kernel_initializer=start, name="second")
        loss = flow.math.reduce_mean(flow.math.square(hidden), axis=[1])
        flow.optimizer.SGD(lr=0.01, momentum=0.9).minimize(loss)
        return loss

    return many_ranks.trace().modules["job"]


def on_mesh(traced: Module, mesh: tuple[int, ...]) -> Modules:
    found = traced.clone()
    assert isinstance(found, Module)
    for op in found.job.body:
        op.attributes.pop("job.placement", None)
    last = prod(mesh) - 1
    found.attributes["job.placement"] = attribute(
        {"device": "cpu", "ranks": [f"0:0-{last}" if last else "0:0"], "mesh": list(mesh)}
    )
    return Modules("job", found)


def made(modules: Modules) -> Runnable:
    return runnable(compile_stages("many_ranks", modules, prepare), {})


def trained(job: Runnable, x: Array) -> tuple[list[Array], dict[str, Array]]:
    store = VariableStore()
    losses = [job.run([x], store)[0] for _ in range(2)]
    return losses, dict(store.items())


@pytest.mark.parametrize("mesh", [(4, 4), pytest.param((16, 16), marks=pytest.mark.long)], ids=str)
def test_many_ranks_run_one_code_and_give_what_one_rank_gives(
    traced: Module, mesh: tuple[int, ...]
) -> None:
    job = made(on_mesh(traced, mesh))
    assert isinstance(job, RankedJob)
    assert len({one.entry_address for one in job.ranks}) == 1
    x = np.random.default_rng(1).standard_normal((SIZE, 12)).astype(np.float32)
    losses, variables = trained(job, x)
    expected, own = trained(made(on_mesh(traced, (1,))), x)
    for one, other in zip(expected, losses, strict=True):
        assert np.allclose(one, other, rtol=1e-4, atol=1e-5)
    for name, value in own.items():
        assert np.allclose(value, variables[name], rtol=2e-3, atol=1e-5), name


def test_uneven_parts_make_a_few_codes(traced: Module) -> None:
    found = programs(on_mesh(traced, (5,))["placed"])
    assert [one.ranks for one in found] == [[0], [1, 2, 3, 4]]
