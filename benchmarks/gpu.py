"""Times of steps on a GPU, beside PyTorch's where that is installed: `make gpu`.

A step includes the copies of feeds and fetches, as a program has them. The figure is the fastest of
many steps; `peer` is PyTorch in the same process, with its tensors on the GPU already.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

import penstock as flow
import penstock.typing as tp
from penstock.runtime.gpu import devices

Array = np.ndarray[Any, Any]
Step = Callable[[], object]


class Case(NamedTuple):
    """A workload: its name, our step, and PyTorch's on given tensors."""

    name: str
    ours: Callable[..., Any]
    arrays: list[Array]
    peer: Callable[..., Any]


def cases(kind: str, scale: int) -> Iterator[Case]:
    """The workloads, with extents that are multiples of a scale."""
    n = 128 * scale
    rng = np.random.default_rng(0)

    def array(*shape: int) -> Array:
        return rng.standard_normal(shape).astype(np.float32)

    def predict(*shapes: tuple[int, ...]) -> Callable[[Callable[..., Any]], Any]:
        def made(body: Callable[..., Any]) -> Any:
            def job(*blobs: Any) -> Any:
                with flow.scope.placement(kind, "0:0"):
                    return flow.math.reduce_max(body(*blobs))

            # A job's parameters are those of its function.
            names = [f"x{i}" for i in range(len(shapes))]
            job.__annotations__ = {
                name: tp.Numpy.Placeholder(shape) for name, shape in zip(names, shapes, strict=True)
            }
            wrapped: dict[int, Callable[..., Any]] = {
                1: lambda x0: job(x0),
                2: lambda x0, x1: job(x0, x1),
            }
            function = wrapped[len(shapes)]
            function.__annotations__ = {**job.__annotations__, "return": tp.Numpy}
            function.__name__ = f"job_{len(_made)}"
            _made.append(function)
            return flow.global_function()(function)

        return made

    square = (n, n)
    yield Case(
        f"add and relu, {n}x{n}", predict(square, square)(lambda x, y: flow.math.relu(x + y)),
        [array(*square), array(*square)], lambda torch, x, y: torch.relu(x + y).max(),
    )  # fmt: skip
    yield Case(
        f"softmax, {n}x{n}", predict(square)(flow.nn.softmax), [array(*square)],
        lambda torch, x: torch.softmax(x, -1).max(),
    )  # fmt: skip
    yield Case(
        f"matmul, {n}x{n}x{n}", predict(square, square)(flow.matmul),
        [array(*square), array(*square)], lambda torch, x, y: (x @ y).max(),
    )  # fmt: skip


_made: list[Callable[..., Any]] = []


def fastest(step: Step, seconds: float) -> float:
    """The time of the fastest step, in microseconds."""
    step()
    best, end = float("inf"), perf_counter() + seconds
    while perf_counter() < end:
        start = perf_counter()
        step()
        best = min(best, perf_counter() - start)
    return best * 1e6


def peer_step(case: Case) -> Step | None:
    """PyTorch's step on the GPU; None without PyTorch or without its GPU."""
    try:
        import torch
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    tensors = [torch.from_numpy(array).cuda() for array in case.arrays]
    return lambda: case.peer(torch, *tensors).item()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="gpu", choices=devices.KINDS)
    parser.add_argument("--scale", type=int, default=8, help="extents, in multiples of 128 (8)")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure (1)")
    arguments = parser.parse_args()
    reason = devices.why_not(arguments.device)
    if reason:
        sys.exit(f"there is nothing to measure: {reason}")
    print(f"{'microseconds a step':28} {'penstock':>10} {'peer':>10}")
    for case in cases(arguments.device, arguments.scale):
        ours = fastest(lambda case=case: case.ours(*case.arrays), arguments.seconds)  # type: ignore[misc]
        peer = peer_step(case)
        other = "" if peer is None else f"{fastest(peer, arguments.seconds):10.1f}"
        print(f"{case.name:28} {ours:10.1f} {other:>10}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
