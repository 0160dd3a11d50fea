"""A limit of memory holds for what a step takes, and optimizers' states are split for it.

PENSTOCK_LIMITED_JOBS=24 draws so many jobs, each with three limits.
"""

import os
import random
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.attributes import python_value
from penstock.reports.memory_map import MemoryMap, memory_of

JOBS = int(os.environ.get("PENSTOCK_LIMITED_JOBS", "1"))
START = flow.random_normal_initializer(stddev=0.1, seed=3)
RATE = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
OPTIMIZERS = {
    "sgd": lambda: flow.optimizer.SGD(RATE, momentum=0),
    "momentum": lambda: flow.optimizer.SGD(RATE, momentum=0.9),
    "adam": lambda: flow.optimizer.Adam(RATE),
}


def drawn(seed: int, limit: int | None) -> tuple[Any, int]:
    """A training job that a seed says all of, and its ranks."""
    draw = random.Random(seed)
    ranks, batch, width = draw.choice([1, 1, 2]), draw.choice([8, 24, 64]), draw.choice([16, 48])
    layers, kind = draw.randint(1, 3), draw.choice(["plain", "residual", "norm", "rows", "windows"])
    activation = draw.choice([flow.math.tanh, flow.nn.relu, flow.math.gelu])
    optimizer = draw.choice(sorted(OPTIMIZERS))
    shape = {"rows": (batch, 4), "windows": (batch, 3, 8, 8)}.get(kind, (batch, width))
    element = flow.int32 if kind == "rows" else flow.float
    flow.clear_default_session()
    flow.config.cpu_device_num(ranks)
    config = flow.function_config()
    if limit is not None:
        config.memory_limit(limit)

    @flow.global_function(type="train", function_config=config)
    def train(
        x: tp.Numpy.Placeholder(shape, dtype=element),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        if kind == "rows":
            table = flow.get_variable("table", (64, width), initializer=START)
            x = flow.reshape(flow.gather(table, x), (batch, 4 * width))
        if kind == "windows":
            x = flow.layers.conv2d(
                x, 8, 3, padding="SAME", activation=activation, kernel_initializer=START
            )
            x = flow.reshape(flow.nn.max_pool2d(x, 2, 2, "VALID"), (batch, -1))
        for number in range(layers):
            y = flow.layers.dense(
                x, width, activation, kernel_initializer=START, name=f"dense{number}"
            )
            y = flow.layers.layer_norm(y, name=f"norm{number}") if kind == "norm" else y
            x = x + y if kind == "residual" else y
        logits = flow.layers.dense(x, 10, kernel_initializer=START, name="logits")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        OPTIMIZERS[optimizer]().minimize(loss)
        return loss

    return train, ranks


def memory_of_ranks(job: Any, ranks: int) -> list[MemoryMap]:
    """What a step of each rank takes."""
    first = job._stages()
    return [memory_of((first.for_rank(r) if r else first)["loops"]) for r in range(ranks)]


@pytest.mark.parametrize("seed", range(JOBS))
def test_a_step_takes_no_more_than_its_limit(seed: int) -> None:
    job, ranks = drawn(seed, None)
    total = max(found.total for found in memory_of_ranks(job, ranks))
    for percent in (100, 85, 60) if JOBS > 1 else (85,):
        limit = total * percent // 100
        job, _ = drawn(seed, limit)
        taken = refused = None
        try:
            taken = max(found.total for found in memory_of_ranks(job, ranks))
        except ValueError as error:
            refused = str(error)
        if refused is None:
            assert taken is not None
            assert taken <= limit
        else:
            assert percent < 100
            assert f"its memory limit is {limit:,}: raise the limit" in refused


def block(ranks: int, gpt: bool, limit: int | None = None) -> Any:
    """A training job with Adam."""
    flow.clear_default_session()
    flow.config.cpu_device_num(ranks)
    config = flow.function_config()
    if limit is not None:
        config.memory_limit(limit)
    batch, tokens, width = 4, 4, 16

    def dense(x: Any, units: int, name: str, activation: Any = None) -> Any:
        return flow.layers.dense(
            x, units, activation=activation, kernel_initializer=START, use_bias=False, name=name
        )

    def attention(x: Any) -> Any:
        q, k, v = (flow.reshape(dense(x, width, name), (batch, tokens, width)) for name in "qkv")
        weights = flow.nn.softmax(flow.matmul(q, k, transpose_b=True) * 0.25)
        return dense(flow.reshape(flow.matmul(weights, v), (batch * tokens, width)), width, "out")

    @flow.global_function(type="train", function_config=config)
    def train(x: tp.Numpy.Placeholder((batch * tokens, width))) -> tp.Numpy:
        y = x + attention(x) if gpt else x
        y = y + dense(dense(y, 4 * width, "up", flow.math.tanh), width, "down")
        loss = flow.math.reduce_mean(flow.math.square(y), axis=[1])
        flow.optimizer.Adam(RATE).minimize(loss)
        return loss

    return train


def states(job: Any) -> dict[str, str]:
    """The state of each variable."""
    placed = job._stages()["placed"].job
    entries = [placed.argument_attributes(i) for i in range(len(placed.arguments))]
    return {
        str(python_value(one["job.variable"])): str(python_value(one["sbp.state"]))
        for one in entries
        if "job.variable" in one
    }


@pytest.mark.parametrize(
    ("gpt", "ranks"), [(False, 2), (False, 4), (True, 2)] if JOBS > 1 else [(False, 2)]
)
def test_states_of_optimizers_are_split_for_a_limit(gpt: bool, ranks: int) -> None:
    """What a rank keeps is as the states say, and the job computes what one rank does."""
    x = np.random.default_rng(0).normal(size=(16, 16)).astype(np.float32)
    sizes = {"up": 16 * 64, "down": 16 * 64, **dict.fromkeys(("q", "k", "v", "out"), 16 * 16)}
    alone = block(1, gpt)
    expected = [alone(x) for _ in range(2)]
    job = block(ranks, gpt)
    free = max(found.total for found in memory_of_ranks(job, ranks))
    split: list[set[str]] = []
    for limit in (None, 9 * free // 10):
        job = block(ranks, gpt, limit)
        np.testing.assert_allclose([job(x) for _ in range(2)], expected, rtol=1e-4, atol=1e-6)
        known = states(job)
        split.append({name for name, state in known.items() if state[0] == "S"})
        predicted = 8  # the number of the step
        for name in known.keys() - {"System-Train-TrainStep-train"}:
            parts = ranks if name in split[-1] else 1
            predicted += 4 * sizes[name.partition("-")[0]] // parts
        for memory in memory_of_ranks(job, ranks):
            assert sum(memory.outside["variable"].values()) == predicted
            assert limit is None or memory.total <= limit
    moments = {name for name in known if name.endswith(("-m", "-v"))}
    assert not moments <= split[0]
    assert moments <= split[1]
