"""Where a step of one of our jobs spends its time and its instructions, kernel by kernel.

    python benchmarks/kernels.py w4.train.mlp              # shares of the time, by perf
    python benchmarks/kernels.py w4.train.mlp --count      # instructions of a step
    python benchmarks/kernels.py w4.train.mlp --loops      # of the inner loops, nothing is run

The job's objects are linked with a small C program under their own symbol names, so that tools can
name the kernels; it runs on one thread. `--keep FOLDER` keeps the program, e.g. for `perf
annotate`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from shared import loops

WIDTHS = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i8": 1, "i32": 4, "i64": 8, "ui8": 1}

DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PERIOD = 7 << 10 }; /* copied, for a simulator takes long over each element */

int ENTRY(void **context, void **arguments);

/* A function of its own, so that the simulator can tell a step from what goes before. */
__attribute__((noinline)) int step(void **context, void **arguments) {
  return ENTRY(context, arguments);
}

int main(int count, char **words) {
  static const size_t sizes[] = {SIZES};
  static const int zero[] = {ZEROS};
  void *arguments[sizeof sizes / sizeof *sizes], *context[8] = {0};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t bytes = (sizes[i] + 4095) / 4096 * 4096;
    float *values = arguments[i] = aligned_alloc(4096, bytes);
    memset(values, 0, bytes);
    size_t count = zero[i] ? 0 : sizes[i] / 4, begun = count < PERIOD ? count : PERIOD;
    for (size_t j = 0; j < begun; j++) values[j] = ((float)(j % 7) - 3) / 16;
    for (size_t j = begun; j < count; j += begun)
      memcpy(values + j, values, 4 * (count - j < begun ? count - j : begun));
  }
  long steps = count > 1 ? atol(words[1]) : 1;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (long i = 0; i < steps; i++)
    if (step(context, arguments)) return 1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  double seconds = end.tv_sec - begin.tv_sec + 1e-9 * (end.tv_nsec - begin.tv_nsec);
  printf("%g\\n", seconds / steps);
  return 0;
}
"""


def link(description: dict[str, Any], parts: list[Path], binary: Path) -> Path:
    """An executable of a job's parts; its argument is the number of steps (default 1).

    It prints the seconds per step. Feeds and variables of f32 hold small numbers, all else is 0.
    Needs a C compiler.
    """
    sizes, zeros = [], []
    for argument in description["arguments"]:
        size = description["arena"]["bytes"]
        if argument["role"] == "taps":
            size = len(description["taps"])
        elif argument["role"] != "arena":
            size = WIDTHS[argument["dtype"]]
            for extent in argument["shape"]:
                size *= extent
        sizes.append(str(max(size, 1)))
        zeros.append(str(int(argument["role"] == "taps" or argument.get("dtype", "f32") != "f32")))
    source = binary.with_suffix(".c")
    text = DRIVER.replace("ENTRY", description["entry"])
    source.write_text(text.replace("SIZES", ", ".join(sizes)).replace("ZEROS", ", ".join(zeros)))
    subprocess.run(["cc", "-O1", "-o", binary, source, *parts, "-lm"], check=True)
    return binary


def build(program: Any, folder: Path) -> Path:
    """An executable of a compiled job; see `link`."""
    objects = [folder / f"job{number}.o" for number in range(len(program.objects))]
    for path, code in zip(objects, program.objects, strict=True):
        path.write_bytes(code)
    return link(program.description, objects, folder / "driver")


def share_time(binary: Path, seconds: float) -> tuple[float, dict[str, float]]:
    """Seconds per step, and each function's share of the samples, 0 to 1. Needs perf."""

    def run(*command: object) -> str:
        words = [str(word) for word in command]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    steps = max(1, int(seconds / float(run(binary, 3))))
    data = binary.with_name("perf.data")
    taken = run("perf", "record", "-e", "cpu-clock", "-F", 4000, "-o", data, binary, steps)
    report = run("perf", "report", "-i", data, "--stdio", "--sort", "symbol", "-q")
    lines = re.findall(r"^\s*([\d.]+)%\s+\[.\]\s+(\S+)", report, re.MULTILINE)
    shares: dict[str, float] = {}
    for share, name in lines:  # several objects may have the same name
        shares[name] = shares.get(name, 0) + float(share) / 100
    return float(taken.splitlines()[0]), shares


def program_of(workload: str) -> Any:
    """The compiled job of a workload."""
    from peers import ours
    from shared import workloads

    cases = ours.cases("penstock", 1)
    chosen = workloads.chosen(workload, cases)
    cases[chosen.kind](chosen)
    job = ours.defined_last()
    # A job from text is already compiled.
    return (job.stages if hasattr(job, "stages") else job.compile()).program


def show_loops(assembly: str) -> None:
    """Print the innermost loops with multiply-adds, those with the most first."""
    found = [(loop.multiply_adds(), loop) for loop in loops.innermost_loops(assembly)]
    print("multiply-adds  instructions  for each  spilled vectors  function")
    for adds, loop in sorted(found, key=lambda pair: -pair[0]):
        if adds:
            count, spilled = len(loop.lines), len(loop.spilled())
            print(f"{adds:13} {count:13} {count / adds:9.2f} {spilled:16}  {loop.function}")


def show_counts(program: Any, folder: Path) -> None:
    """Print how many instructions a step takes, by function."""
    import counting

    from penstock.codegen.host import host_levels

    if shutil.which("cc") is None or program.cpu not in host_levels():
        sys.exit(
            f"a step is run to count, which takes a C compiler and a machine for {program.cpu}"
        )
    instructions = counting.count(program, folder)
    counts = counting.by_function(instructions)
    print(f"{counts.total()} instructions a step, for {program.cpu}")
    for name, count in counts.most_common(20):
        print(f"  {count:12} {100 * count / counts.total():5.1f} %  {name}")
    for name, calls in counting.library_calls(instructions).most_common():
        print(f"not counted: {name} of the C library, called {calls} times")


def names_of(program: Any) -> dict[str, str]:
    """The name in the job's text of each symbol of the objects."""
    from penstock.codegen.objects.units import split

    units = split(program.llvm)
    return {unit.symbol: unit.name.removeprefix("@") for unit in units if unit.symbol}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("workload")
    parser.add_argument("--count", action="store_true", help="count instructions, exactly")
    parser.add_argument("--loops", action="store_true", help="show what inner loops consist of")
    parser.add_argument("--seconds", type=float, default=2, help="of sampling with perf (2)")
    parser.add_argument("--keep", type=Path, help="a folder to leave the program in")
    given = parser.parse_args()
    if given.loops:
        show_loops(program_of(given.workload).asm)
        return
    with tempfile.TemporaryDirectory() as folder:
        place = given.keep or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        program = program_of(given.workload)
        if given.count:
            show_counts(program, place)
            return
        binary, names = build(program, place), names_of(program)
        seconds, shares = share_time(binary, given.seconds)
        print(f"{seconds * 1e6:.1f} us a step")
        for name, share in sorted(shares.items(), key=lambda item: -item[1])[:20]:
            print(
                f"  {share * seconds * 1e6:10.1f} us {100 * share:5.1f} %  {names.get(name, name)}"
            )


if __name__ == "__main__":
    main()
