"""Train steps of whole models on virtual ranks, shared in random ways, against one rank's."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np
import pytest
from ranked import Array
from sampling import IS_LONG

import penstock as flow
import penstock.typing as tp
from penstock.codegen.jobs.program import Program
from penstock.jobs.job import JobFunction
from penstock.lowering.modules import Modules
from penstock.lowering.user_cache import user_store
from penstock.passes.placement.local.programs import programs
from penstock.runtime import Executable, VariableStore
from penstock.runtime.description import Description
from penstock.runtime.ranks.ranked_job import RankedJob
from penstock.stages.native import executable
from penstock.stages.ranks import described
from penstock.tools.fuzz.sharing import MESHES, with_random_states

WAYS = -(-50 // len(MESHES)) if IS_LONG else 1
"""Random ways to share each job on each mesh: in the long form, 50 of each job or more."""
WAYS_OF_LARGE = 4 if IS_LONG else 1
"""The same of the job that takes the longest to compile."""
STEPS = 3
SEQUENCES = (3, 4)
"""Sequences of a batch, and words of each."""


def mlp() -> JobFunction[Any]:
    @flow.global_function(type="train")
    def mlp_job(
        x: tp.Numpy.Placeholder((12, 16)), labels: tp.Numpy.Placeholder((12,), dtype=flow.int32)
    ) -> tp.Numpy:
        drawn = flow.random_uniform_initializer(-0.5, 0.5)
        hidden = flow.layers.dense(x, 24, flow.nn.relu, kernel_initializer=drawn, name="hidden")
        hidden = flow.nn.dropout(hidden, rate=0.25, seed=7)
        logits = flow.layers.dense(hidden, 6, kernel_initializer=drawn, name="output")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0.9).minimize(loss)
        return loss

    return mlp_job


def lenet() -> JobFunction[Any]:
    @flow.global_function(type="train")
    def lenet_job(
        images: tp.Numpy.Placeholder((6, 1, 12, 12)),
        labels: tp.Numpy.Placeholder((6,), dtype=flow.int32),
    ) -> tp.Numpy:
        drawn = flow.random_uniform_initializer(-0.3, 0.3)
        y = flow.layers.conv2d(images, 4, 3, padding="SAME", kernel_initializer=drawn, name="a")
        y = flow.nn.max_pool2d(flow.nn.relu(y), 2, 2, "VALID")
        y = flow.layers.conv2d(y, 8, 3, padding="SAME", kernel_initializer=drawn, name="b")
        y = flow.layers.batch_normalization(y, axis=1, name="norm")
        y = flow.nn.avg_pool2d(flow.nn.relu(y), 2, 2, "VALID")
        y = flow.reshape(y, [y.shape[0], -1])
        logits = flow.layers.dense(y, 5, kernel_initializer=drawn, name="output")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0.9).minimize(loss)
        return loss

    return lenet_job


def resnet() -> JobFunction[Any]:
    """A stem and two residual blocks, the second with a projection; batch norm after each conv."""

    def conv(x: Any, channels: int, size: int, stride: int, name: str) -> Any:
        drawn = flow.random_uniform_initializer(-0.3, 0.3)
        y = flow.layers.conv2d(
            x, channels, size, strides=stride, padding="SAME", use_bias=False,
            kernel_initializer=drawn, name=name,
        )  # fmt: skip
        return flow.layers.batch_normalization(y, axis=1, name=f"{name}-norm")

    def block(x: Any, channels: int, stride: int, name: str) -> Any:
        y = flow.nn.relu(conv(x, channels, 3, stride, f"{name}-first"))
        y = conv(y, channels, 3, 1, f"{name}-second")
        is_same = stride == 1 and x.shape[1] == channels
        return flow.nn.relu(y + (x if is_same else conv(x, channels, 1, stride, f"{name}-short")))

    @flow.global_function(type="train")
    def resnet_job(
        images: tp.Numpy.Placeholder((6, 3, 8, 8)),
        labels: tp.Numpy.Placeholder((6,), dtype=flow.int32),
    ) -> tp.Numpy:
        y = flow.nn.relu(conv(images, 4, 3, 1, "stem"))
        y = block(block(y, 4, 1, "a"), 8, 2, "b")
        y = flow.math.reduce_mean(y, axis=[2, 3])
        drawn = flow.random_uniform_initializer(-0.3, 0.3)
        logits = flow.layers.dense(y, 5, kernel_initializer=drawn, name="output")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0.9).minimize(loss)
        return loss

    return resnet_job


def gpt() -> JobFunction[Any]:
    """One layer of a transformer, with a tied embedding."""
    (batch, length), heads, width, words = SEQUENCES, 2, 8, 12

    def norm(x: Any, name: str) -> Any:
        return flow.layers.layer_norm(x, begin_norm_axis=2, begin_params_axis=2, name=name)

    def dense(x: Any, units: int, name: str) -> Any:
        drawn = flow.random_uniform_initializer(-0.4, 0.4)
        flat = flow.reshape(x, [batch * length, x.shape[-1]])
        # The gradient of the keys' bias is rounding alone, which Adam would enlarge.
        made = flow.layers.dense(
            flat, units, use_bias=name != "k", kernel_initializer=drawn, name=name
        )
        return flow.reshape(made, [batch, length, units])

    def split_heads(x: Any) -> Any:
        shape = [batch, length, heads, width // heads]
        return flow.transpose(flow.reshape(x, shape), perm=[0, 2, 1, 3])

    @flow.global_function(type="train")
    def gpt_job(
        tokens: tp.Numpy.Placeholder(SEQUENCES, dtype=flow.int32),
        labels: tp.Numpy.Placeholder((prod(SEQUENCES),), dtype=flow.int32),
    ) -> tp.Numpy:
        drawn = flow.random_uniform_initializer(-0.5, 0.5)
        table = flow.get_variable("table", shape=(words, width), initializer=drawn)
        x = flow.gather(table, tokens)
        h = norm(x, "first")
        q, k, v = (split_heads(dense(h, width, name)) for name in "qkv")
        scores = flow.matmul(q, k, transpose_b=True) * (width // heads) ** -0.5
        mixed = flow.matmul(flow.nn.softmax(scores), v)
        mixed = flow.reshape(flow.transpose(mixed, perm=[0, 2, 1, 3]), [batch, length, width])
        x = x + dense(mixed, width, "mixed")
        x = x + dense(flow.math.gelu(dense(norm(x, "second"), 4 * width, "up")), width, "down")
        flat = flow.reshape(norm(x, "last"), [batch * length, width])
        logits = flow.matmul(flat, table, transpose_b=True)
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
        flow.optimizer.Adam(rate).minimize(loss)
        return loss

    return gpt_job


JOBS: dict[str, Callable[[], JobFunction[Any]]] = {f.__name__: f for f in (mlp, lenet, resnet, gpt)}


class Trained(NamedTuple):
    """The losses of a few steps, and the variables after them."""

    losses: list[Array]
    variables: dict[str, Array]

    def check(self, one: Trained) -> None:
        """Compare with what one rank has got."""
        for loss, other in zip(one.losses, self.losses, strict=True):
            assert np.allclose(loss, other, rtol=1e-4, atol=1e-5)
        assert self.variables.keys() == one.variables.keys()
        for name, value in one.variables.items():
            assert np.allclose(value, self.variables[name], rtol=2e-3, atol=1e-5), name


def run(job: Executable, feeds: Sequence[Array]) -> Trained:
    store = VariableStore()
    losses = [job.run(feeds, store)[0] for _ in range(STEPS)]
    return Trained(losses, dict(store.items()))


class Model:
    """A job for one rank, with feeds."""

    def __init__(self, name: str) -> None:
        flow.clear_default_session()
        flow.config.cpu_device_num(1)
        self.name = name
        self.module = Modules("job", JOBS[name]().trace().modules["job"])["grad"]
        placed = Modules("placed", Modules("grad", self.module)["placed"])
        self.one = executable(placed.program(user_store()), {})
        numbers = np.random.default_rng(2)
        self.feeds: list[Array] = [
            numbers.integers(0, 5, feed.shape).astype(np.int32)
            if feed.dtype == "i32"
            else numbers.standard_normal(feed.shape).astype(np.float32)
            for feed in self.one.description.feeds
        ]

    def shared(self, mesh: tuple[int, ...], seed: int, keeps_order: bool = False) -> Modules:
        """The job shared in one of many random ways."""
        drawn = f"{self.name} {mesh} {seed}"
        return Modules("placed", with_random_states(self.module, mesh, drawn, keeps_order))


def in_lock_step(model: Model, modules: Modules) -> Trained:
    every = [modules.for_rank(rank).program(user_store()) for rank in range(modules.ranks)]
    _check_shared(modules, every)
    return run(RankedJob([executable(each, {}) for each in every]), model.feeds)


def _check_shared(modules: Modules, every: Sequence[Program]) -> None:
    """Ranks that share a program have the code that each has alone, and its description."""
    for shared in programs(modules["placed"]):
        first = every[shared.ranks[0]]
        for rank in shared.ranks:
            own = described(Description.from_dict(first.description), shared.numbers(rank))
            assert own == Description.from_dict(every[rank].description)
            assert every[rank].image == first.image


LARGE = "resnet"
"""The job that takes the longest to compile."""


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "mesh"),
    [
        pytest.param(name, mesh, marks=[pytest.mark.long] if name == LARGE and mesh != (2,) else [])
        for name, mesh in product(JOBS, MESHES)
    ],
    ids=str,
)
def test_jobs_equal_those_of_one_rank(name: str, mesh: tuple[int, ...]) -> None:
    model = Model(name)
    one = run(model.one, model.feeds)
    for seed in range(WAYS_OF_LARGE if name == LARGE else WAYS):
        in_lock_step(model, model.shared(mesh, seed)).check(one)
        gc.collect()  # what compiling leaves, which is not collected while it compiles


@pytest.mark.parametrize(
    ("name", "mesh"),
    [
        pytest.param(name, mesh, marks=[] if (name, mesh) == ("mlp", (2,)) else [pytest.mark.long])
        for name, mesh in product(("mlp", "gpt"), MESHES)
    ],
    ids=str,
)
def test_ranks_that_split_no_sum_give_the_same_bits(name: str, mesh: tuple[int, ...]) -> None:
    """Contractions add in one order for any part; sums over images, as in batch norm, don't."""
    model = Model(name)
    one = run(model.one, model.feeds)
    for seed in range(WAYS):
        got = in_lock_step(model, model.shared(mesh, seed, keeps_order=True))
        assert [loss.tobytes() for loss in got.losses] == [loss.tobytes() for loss in one.losses]
        for variable, value in one.variables.items():
            assert got.variables[variable].tobytes() == value.tobytes(), variable
        gc.collect()
