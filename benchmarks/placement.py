"""Placement: how long the choice of SBP signatures takes, and what the plans cost.

    python benchmarks/placement.py
    python benchmarks/placement.py --layers 1 12 24 --markdown

Each row is a training step with Adam on a mesh of ranks. `seconds` is the time from stage `grad` to
signatures on every op: reading the module, deriving signatures and solving; `cpu` is the processor
time of it. `cost` is the predicted time of a step, under the model in docs/placement.md; the others
are relative to it: the greedy choice of OneFlow v0.3.4, elimination without SciPy, and the lower
bound, which equals the cost where the plan is proven to be optimal. The machine is modelled: ranks
of 150 TF/s and 1.5 TB/s, rings of 4 (5 us, 100 GB/s) and 64 (10 us, 25 GB/s), and a mesh of 8 x 8
(10 us, 25 GB/s, and 3 us, 200 GB/s).
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import Any

import penstock as flow
import penstock.typing as tp
from penstock.ir.attributes import attribute, python_value
from penstock.ir.dialects.builtin import Module
from penstock.passes.sharding.choose import Choose

RANKS: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "4": ((4,), ("5e-6:1e11",)),
    "64": ((64,), ("1e-5:2.5e10",)),
    "8 x 8": ((8, 8), ("1e-5:2.5e10", "3e-6:2e11")),
}
RANK = {"flops": 150e12, "bandwidth": 1.5e12, "seconds": 60.0}


def trained(loss: Any) -> Any:
    rates = flow.optimizer.PiecewiseConstantScheduler([], [0.001])
    flow.optimizer.Adam(rates).minimize(loss)
    return loss


def mlp(batch: int, *widths: int) -> Module:
    """Dense layers, with relu in between, and a softmax."""

    @flow.global_function(type="train")
    def step(
        x: tp.Numpy.Placeholder((batch, widths[0])),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        for number, width in enumerate(widths[1:], 1):
            last = number == len(widths) - 1
            x = dense(x, width, f"fc{number}", None if last else flow.nn.relu)
        return trained(flow.nn.sparse_softmax_cross_entropy_with_logits(labels, x))

    return step.lower().modules["grad"]


def dense(x: Any, width: int, name: str, activation: Any = None) -> Any:
    initial = flow.random_normal_initializer(stddev=0.02)
    return flow.layers.dense(x, width, activation, name=name, kernel_initializer=initial)


def gpt(layers: int, batch: int, tokens: int, width: int, heads: int, words: int) -> Module:
    """Decoder layers with attention over all tokens, embeddings and a softmax over the words."""

    @flow.global_function(type="train")
    def step(
        ids: tp.Numpy.Placeholder((batch, tokens), dtype=flow.int32),
        labels: tp.Numpy.Placeholder((batch * tokens,), dtype=flow.int32),
    ) -> tp.Numpy:
        table = flow.get_variable(
            "words", (words, width), initializer=flow.random_normal_initializer(stddev=0.02)
        )
        x = flow.reshape(flow.gather(table, ids), (batch * tokens, width))
        for layer in range(layers):
            y = norm(x, f"layer{layer}-norm1")
            x = x + attention(y, f"layer{layer}", batch, tokens, heads)
            y = norm(x, f"layer{layer}-norm2")
            y = dense(y, 4 * width, f"layer{layer}-fc1", flow.math.gelu)
            x = x + dense(y, width, f"layer{layer}-fc2")
        logits = dense(norm(x, "norm"), words, "logits")
        return trained(flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))

    return step.lower().modules["grad"]


def norm(x: Any, name: str) -> Any:
    return flow.layers.layer_norm(x, name=name)


def attention(x: Any, name: str, batch: int, tokens: int, heads: int) -> Any:
    width = x.shape[-1]

    def part(what: str) -> Any:
        y = dense(x, width, f"{name}-{what}")
        y = flow.reshape(y, (batch, tokens, heads, width // heads))
        return flow.transpose(y, (0, 2, 1, 3))

    queries, keys, values = map(part, ("queries", "keys", "values"))
    weights = flow.nn.softmax(flow.matmul(queries, keys, transpose_b=True), axis=-1)
    y = flow.transpose(flow.matmul(weights, values), (0, 2, 1, 3))
    return dense(flow.reshape(y, (batch * tokens, width)), width, f"{name}-out")


def lenet(batch: int) -> Module:
    """Two convolutions with pools, and two dense layers."""

    @flow.global_function(type="train")
    def step(
        images: tp.Numpy.Placeholder((batch, 1, 28, 28)),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        y = images
        for number, channels in enumerate((32, 64)):
            y = flow.nn.relu(conv(y, channels, 5, 1, f"conv{number}"))
            y = flow.nn.max_pool2d(y, 2, 2, "VALID")
        y = dense(flow.reshape(y, (batch, -1)), 512, "fc1", flow.nn.relu)
        return trained(
            flow.nn.sparse_softmax_cross_entropy_with_logits(labels, dense(y, 10, "fc2"))
        )

    return step.lower().modules["grad"]


def conv(x: Any, channels: int, window: int, stride: int, name: str) -> Any:
    initial = flow.random_normal_initializer(stddev=0.02)
    return flow.layers.conv2d(
        x, channels, window, stride, "SAME", use_bias=False, kernel_initializer=initial, name=name
    )


def resnet50(batch: int, extent: int, classes: int = 1000) -> Module:
    """ResNet-50: four stages of bottleneck blocks, with batch normalization over the batch."""

    def normal(x: Any, name: str) -> Any:
        return flow.layers.batch_normalization(x, axis=1, name=f"{name}-norm")

    def block(x: Any, width: int, stride: int, name: str) -> Any:
        y = flow.nn.relu(normal(conv(x, width, 1, 1, f"{name}-a"), f"{name}-a"))
        y = flow.nn.relu(normal(conv(y, width, 3, stride, f"{name}-b"), f"{name}-b"))
        y = normal(conv(y, 4 * width, 1, 1, f"{name}-c"), f"{name}-c")
        if x.shape[1] != 4 * width:
            x = normal(conv(x, 4 * width, 1, stride, f"{name}-d"), f"{name}-d")
        return flow.nn.relu(x + y)

    @flow.global_function(type="train")
    def step(
        images: tp.Numpy.Placeholder((batch, 3, extent, extent)),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        y = flow.nn.relu(normal(conv(images, 64, 7, 2, "stem"), "stem"))
        y = flow.nn.max_pool2d(y, 3, 2, "SAME")
        for stage, (width, count) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))):
            for number in range(count):
                stride = 2 if stage and not number else 1
                y = block(y, width, stride, f"stage{stage}-{number}")
        y = flow.math.reduce_mean(y, [2, 3])
        logits = dense(y, classes, "logits")
        return trained(flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))

    return step.lower().modules["grad"]


def networks(layers: Sequence[int]) -> Iterator[tuple[str, Module]]:
    yield "MLP 65536 x 784-512-512-64", mlp(65536, 784, 512, 512, 64)
    yield "MLP 64 x 16384-65536-16384", mlp(64, 16384, 65536, 16384)
    yield "LeNet, 512 x 28 x 28", lenet(512)
    yield "ResNet-50, 256 x 224 x 224", resnet50(256, 224)
    for count in layers:
        yield f"GPT {count} layers, 64 x 1024 x 2048", gpt(count, 64, 1024, 2048, 16, 51200)


def chosen(module: Module, ranks: str, mode: str) -> dict[str, Any]:
    """The facts of a plan, with the time that it took."""
    mesh, links = RANKS[ranks]
    module.attributes["sbp.mesh"] = attribute(list(mesh))
    wall, cpu = time.perf_counter(), time.process_time()
    Choose(mode=mode, links=links, **RANK).run(module)
    taken = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    return {**python_value(module.attributes["sbp.plan"]), **taken}


def rows(layers: Sequence[int]) -> Iterator[tuple[str, ...]]:
    for name, module in networks(layers):
        ops = sum(not op.terminator for op in module.job.body)
        for ranks in RANKS:
            best = chosen(module, ranks, "optimal")
            greedy = chosen(module, ranks, "greedy")["seconds"] / best["seconds"]
            other = chosen(module, ranks, "eliminate")["seconds"] / best["seconds"]
            bound = "proven" if best.get("proven") else "-"
            if not best.get("proven") and best.get("bound"):
                bound = f"{best['seconds'] / best['bound'] - 1:.1%} above"
            yield (
                name, str(ops), ranks, f"{best['wall']:.2f}", f"{best['cpu']:.2f}",
                f"{1e3 * best['seconds']:.3f}", f"{greedy:.2f}x", f"{other:.3f}x", bound,
            )  # fmt: skip


HEAD = ("model", "ops", "ranks", "seconds", "cpu", "cost ms", "greedy", "no SciPy", "bound")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--layers", type=int, nargs="*", default=[1, 12], help="of the GPT models")
    parser.add_argument("--markdown", action="store_true", help="print a table of a docs page")
    arguments = parser.parse_args()
    form = "| {} |" if arguments.markdown else "{}"
    between = " | " if arguments.markdown else "  "
    widths = (32, 5, 6, 8, 7, 9, 8, 9, 11)
    print(form.format(between.join(map(str.ljust, HEAD, widths))), flush=True)
    if arguments.markdown:
        print("|" + "---|" * len(HEAD))
    for row in rows(arguments.layers):
        print(form.format(between.join(map(str.ljust, row, widths))).rstrip(), flush=True)


if __name__ == "__main__":
    main()
