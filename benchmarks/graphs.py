"""Training steps of three models: eager and as `nn.Graph`, beside PyTorch eager and compiled.

    python benchmarks/graphs.py [--cpus 0] [--seconds 5] [--only "GPT"]

All four run in turn in one process, with a thread for each of the CPUs. A ratio is the median of
the ratios of adjacent samples, with their quartiles. `torch.compile` compiles the loss with its
backward, and the step of the optimizer; it needs a C++ compiler. The losses of the first steps are
compared.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator, Sequence
from statistics import median, quantiles
from time import perf_counter
from typing import Any

import child
from shared import eager_programs, measure

WAYS = ("graph", "eager", "torch", "torch.compile")
STEPS = 5
"""How many losses are compared."""


def graph_step(library: Any, model: Any, batches: Iterator[tuple[Any, Any]]) -> Any:
    """A step of training as a graph."""
    eager_programs.draw_parameters(library, model)
    network = model

    class Train(library.nn.Graph):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.network = network
            self.add_optimizer(library.optim.Adam(network.parameters(), lr=1e-4))

        def build(self, inputs: Any, labels: Any) -> Any:
            loss = eager_programs.loss_of(library, self.network, inputs, labels)
            loss.backward()
            return loss

    graph = Train()
    return lambda: float(graph(*next(batches)).item())


def compiled_step(torch: Any, model: Any, batches: Iterator[tuple[Any, Any]]) -> Any:
    """A step of training with `torch.compile`."""
    eager_programs.draw_parameters(torch, model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    loss_of = torch.compile(
        lambda inputs, labels: eager_programs.loss_of(torch, model, inputs, labels)
    )
    update = torch.compile(optimizer.step)

    def step() -> float:
        loss = loss_of(*next(batches))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        update()
        return float(loss.item())

    return step


def first_steps(name: str, step: Any) -> tuple[list[float], float]:
    """The losses of the first steps, and the seconds of the very first, which compiles."""
    started = perf_counter()
    losses = [step()]
    seconds = perf_counter() - started
    losses += [step() for _ in range(STEPS - 1)]
    print(f"  {name:14} first step {seconds:7.3f} s, losses {losses[0]:.6f} ... {losses[-1]:.6f}")
    return losses, seconds


def compare(name: str, ours: Any, torch: Any, seconds: float) -> None:
    """Print the times of a model's steps, and their ratios."""
    print(name)
    steps = {
        "graph": graph_step(ours, *eager_programs.models(ours)[name]),
        "eager": eager_programs.training(ours, *eager_programs.models(ours)[name]),
        "torch": eager_programs.training(torch, *eager_programs.models(torch)[name]),
        "torch.compile": compiled_step(torch, *eager_programs.models(torch)[name]),
    }
    losses = [first_steps(way, steps[way])[0] for way in WAYS]
    for found in losses[1:]:
        if any(abs(x - y) > 1e-4 * abs(x) for x, y in zip(losses[0], found, strict=True)):
            sys.exit(f"{name}: the losses differ: {losses}")
    timings = dict(
        zip(WAYS, measure.time_steps([steps[way] for way in WAYS], seconds), strict=True)
    )
    for way in WAYS:
        found = [
            x / y
            for x, y in zip(timings["graph"].samples, timings[way].samples, strict=False)
        ]  # fmt: skip
        low, _, high = quantiles(found)
        print(
            f"  {way:14} {timings[way].median * 1e6:10.1f} us; graph / {way:13} "
            f"{median(found):6.3f} ({low:.3f}-{high:.3f})",
            flush=True,
        )
    print(f"  others kept {timings['graph'].others:.1f} cores busy")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--cpus", default="0", help="the CPUs to run on, one thread each (0)")
    add("--seconds", type=float, default=5, help="for each model and way (5)")
    add("--only", default="", help="only the models whose name has this")
    given = parser.parse_args(arguments)
    if not 0 < given.seconds < 3600:
        parser.error(f"--seconds takes more than 0 and less than 3600, got {given.seconds}")
    return given


def main() -> None:
    given = parse()
    threads = child.pin(given.cpus)
    try:
        torch = importlib.import_module("torch")
    except ModuleNotFoundError:
        sys.exit("benchmarks/graphs.py compares with torch, which is not installed")
    torch.set_num_threads(threads)
    ours = importlib.import_module("penstock")
    for name in eager_programs.models(ours):
        if given.only in name:
            compare(name, ours, torch, given.seconds)


if __name__ == "__main__":
    main()
