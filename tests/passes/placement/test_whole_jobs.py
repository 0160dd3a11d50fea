"""Train steps of whole models on virtual ranks, shared in random ways, against one rank's."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
import pytest
from ranked import Array
from sampling import IS_LONG

import penstock as flow
import penstock.typing as tp
from penstock.ir.attributes import IntegerAttr, StringAttr, attribute
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job.sbp import MESH, RANKS, SIGNATURE, STATE
from penstock.ir.dialects.job.sharding import (
    axis_states,
    is_partial,
    joined,
    local_shape,
    split,
    split_dim,
)
from penstock.ir.meaning.sbp_rules import SbpSignature, signatures
from penstock.jobs.job import JobFunction
from penstock.lowering.modules import Modules
from penstock.lowering.user_cache import user_store
from penstock.passes.placement.box import InsertBoxes
from penstock.passes.placement.bucket import Bucket
from penstock.passes.placement.overlap import Overlap
from penstock.runtime import Executable, VariableStore
from penstock.runtime.ranks.ranked_job import RankedJob
from penstock.stages.native import executable

WAYS = 50 if IS_LONG else 1
"""Random ways to share each job on each mesh."""
STEPS = 3
MESHES = ((2,), (3,), (4,), (2, 2))
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


def shared(
    module: Module, mesh: tuple[int, ...], choose: random.Random, keeps_order: bool = False
) -> Module:
    """The module at stage `placed`, with random states: half of the ops convert few operands.

    With `keeps_order`, ranks split no sum, so the order of additions is that of one rank.
    """
    found = cast(Module, module.clone())
    found.attributes |= {RANKS: IntegerAttr(prod(mesh)), MESH: attribute(list(mesh))}
    job = found.job
    states: dict[Value, str] = {}
    every: list[dict[str, Any]] = []
    for i, argument in enumerate(job.arguments):
        shape = tensor(argument).shape
        splits = [split(d) for d, extent in enumerate(shape) if extent >= prod(mesh)]
        states[argument] = joined(choose.choice(["B", *splits]) for _ in mesh)
        if any(0 in local_shape(shape, states[argument], mesh, rank) for rank in range(prod(mesh))):
            states[argument] = joined("B" for _ in mesh)
        every.append({**job.argument_attributes(i), STATE: StringAttr(states[argument])})
    job.set_all_argument_attributes(every)
    for op in job.body:
        if isinstance(op, TensorOp):
            _share(op, mesh, states, choose, keeps_order)
    InsertBoxes().run(found)
    Bucket(bytes=choose.choice([1.0, 600.0, 25e6])).run(found)
    Overlap().run(found)
    return found


def _share(
    op: TensorOp,
    mesh: tuple[int, ...],
    states: dict[Value, str],
    choose: random.Random,
    keeps_order: bool,
) -> None:
    """Give an op a random signature on each axis, one that leaves no rank without elements."""
    values = [*op.operands, *op.results]
    candidates = [one for one in signatures(op) if not (keeps_order and splits_sums(one))]
    axes: list[SbpSignature] = []
    for axis in range(len(mesh)):
        rest = [SbpSignature(("B",) * len(op.operands), ("B",) * len(op.results))] * (
            len(mesh) - axis - 1
        )
        fitting = [one for one in candidates if _fits([*axes, one, *rest], values, mesh)]
        if choose.random() < 0.5:
            cost = {
                one: sum(
                    axis_states(states[value])[axis] != state
                    for value, state in zip(op.operands, one.operands, strict=True)
                )
                for one in fitting
            }
            fitting = [one for one in fitting if cost[one] == min(cost.values())]
        axes.append(choose.choice(fitting))
    operands, results = (
        [joined(word) for word in zip(*words, strict=True)]
        for words in ([one.operands for one in axes], [one.results for one in axes])
    )
    op.attributes[SIGNATURE] = attribute({"operands": operands, "results": results})
    states.update(zip(op.results, results, strict=True))


def splits_sums(one: SbpSignature) -> bool:
    """Whether ranks add parts of a sum."""
    return bool(one.exchanges) or any(map(is_partial, (*one.operands, *one.results)))


def _fits(axes: Sequence[SbpSignature], values: Sequence[Value], mesh: tuple[int, ...]) -> bool:
    for axis, one in enumerate(axes):
        if one.blocks % prod(mesh[: axis + 1]):
            return False
    for i, value in enumerate(values):
        state = joined((*one.operands, *one.results)[i] for one in axes)
        shape = tensor(value).shape
        is_split = any(split_dim(word) is not None for word in axis_states(state))
        if is_split and 0 in local_shape(shape, state, mesh, prod(mesh) - 1):
            return False
    return True


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
        choose = random.Random(f"{self.name} {mesh} {seed}")
        return Modules("placed", shared(self.module, mesh, choose, keeps_order))


def in_lock_step(model: Model, modules: Modules) -> Trained:
    every = [modules.for_rank(rank).program(user_store()) for rank in range(modules.ranks)]
    return run(RankedJob([executable(each, {}) for each in every]), model.feeds)


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
    for seed in range(WAYS):
        in_lock_step(model, model.shared(mesh, seed)).check(one)


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
