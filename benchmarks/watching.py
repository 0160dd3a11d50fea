"""The cost of watching a value of the training step with a handler that does nothing.

    python benchmarks/watching.py [--cpus 0,1,2,3] [--rounds 200]

The jobs of w7 take turns in one process, 16 calls at a time and in another order each round, so
that a disturbance slows all alike. The output is the time of a step that nobody watches, and how
much longer the others take within a round: the median, the quartiles, and the share.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping, Sequence
from statistics import median, quantiles
from time import perf_counter

from child import at_least, pin

CALLS = 16


def measured(steps: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """The time of a step in each round, in us, by name."""
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name in random.sample(list(steps), len(steps)):
            step = steps[name]
            step()
            begun = perf_counter()
            for _ in range(CALLS):
                step()
            times[name].append((perf_counter() - begun) / CALLS * 1e6)
    return times


def show(times: Mapping[str, Sequence[float]]) -> None:
    """Print the first one's time, and how much longer the others take."""
    (name, alone), *others = times.items()
    print(f"{name:16} {median(alone):9.1f} us")
    for name, watched in others:
        more = [with_it - without for with_it, without in zip(watched, alone, strict=True)]
        low, middle, high = quantiles(more, n=4)
        share = median(part / without for part, without in zip(more, alone, strict=True))
        print(f"{name:16} {middle:+9.1f} us ({low:+.1f} to {high:+.1f}), {100 * share:+.2f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cpus", default="0,1,2,3", help="the CPUs to run on (0,1,2,3)")
    parser.add_argument("--rounds", type=at_least(2), default=200, help="of each job (200)")
    chosen = parser.parse_args()
    pin(chosen.cpus)
    # Imported late: this reads the number of threads.
    from peers import ours

    watching = [w for w in ours.workloads.WORKLOADS if w.kind == "tap_mlp"]
    show(measured({w.id: ours.tap_mlp(w) for w in watching}, chosen.rounds))


if __name__ == "__main__":
    main()
