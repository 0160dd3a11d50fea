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

from shared.networks import gpt, lenet, mlp, resnet50

from penstock.ir.attributes import attribute, python_value
from penstock.ir.dialects.builtin import Module
from penstock.passes.sharding.choose import Choose

RANKS: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "4": ((4,), ("5e-6:1e11",)),
    "64": ((64,), ("1e-5:2.5e10",)),
    "8 x 8": ((8, 8), ("1e-5:2.5e10", "3e-6:2e11")),
}
RANK = {"flops": 150e12, "bandwidth": 1.5e12, "seconds": 20.0}


def grad_of(job: Any) -> Module:
    """Its stage `grad`."""
    module: Module = job.lower().modules["grad"]
    return module


def networks(layers: Sequence[int]) -> Iterator[tuple[str, Module]]:
    yield "MLP 65536 x 784-512-512-64", grad_of(mlp(65536, 784, 512, 512, 64))
    yield "MLP 64 x 16384-65536-16384", grad_of(mlp(64, 16384, 65536, 16384))
    yield "LeNet, 512 x 28 x 28", grad_of(lenet(512))
    yield "ResNet-50, 256 x 224 x 224", grad_of(resnet50(256, 224))
    for count in layers:
        yield (
            f"GPT {count} layers, 64 x 1024 x 2048",
            grad_of(gpt(count, 64, 1024, 2048, 16, 51200)),
        )


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
