"""The relative cost of matmuls with transposed factors: a^T b and a b^T against a b.

    python benchmarks/transposed.py 256 100x784x512 [--cpus 0,1,2,3] [--element bf16]

The three are called in turn in one process. A figure is the median of the ratios of adjacent
samples, with their quartiles.
"""

from __future__ import annotations

import argparse
import re
from statistics import median, quantiles

import child

SHAPE = re.compile(r"[1-9]\d*(x[1-9]\d*x[1-9]\d*)?")
ELEMENTS = "f32", "f64", "bf16"
SIZES = ("64", "128", "192", "256", "300", "384", "512", "768", "1024")


def quotients(of: tuple[float, ...], by: tuple[float, ...]) -> str:
    """The median of the ratios of samples, and their quartiles."""
    found = [x / y for x, y in zip(of, by, strict=False)]
    low, _, high = quantiles(found)
    return f"{median(found):6.3f} ({low:.3f}-{high:.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shapes", nargs="*", default=SIZES, help="m x k x n, or n of a cube")
    parser.add_argument("--cpus", default="0", help="the CPUs to run on, one thread each (0)")
    parser.add_argument("--element", default="f32", choices=ELEMENTS, help="of the arrays (f32)")
    parser.add_argument("--seconds", type=float, default=2, help="for each shape (2)")
    given = parser.parse_args()
    for shape in given.shapes:
        if not SHAPE.fullmatch(shape):
            parser.error(f"a shape is m x k x n, as 100x784x512, or n of a cube, got {shape!r}")
    if not 0 < given.seconds < 3600:
        parser.error(f"--seconds takes more than 0 and less than 3600, got {given.seconds}")
    threads = child.pin(given.cpus)
    from peers import ours
    from shared import measure, workloads

    def step(shape: str, words: str) -> ours.Step:
        extents = shape if "x" in shape else "x".join([shape] * 3)
        return ours.product(workloads.product(f"w1.gemm{words}_{given.element}.{extents}"))

    print(f"{given.element}, {threads} threads    a b          a^T b / a b           a b^T / a b")
    for shape in given.shapes:
        ours.fresh_session()
        steps = [step(shape, words) for words in ("", "_ta", "_tb")]
        plain, *turned = measure.time_steps(steps, given.seconds / len(steps))
        figures = "  ".join(quotients(each.samples, plain.samples) for each in turned)
        print(f"{shape:14} {plain.median * 1e6:9.1f} us  {figures}", flush=True)


if __name__ == "__main__":
    main()
