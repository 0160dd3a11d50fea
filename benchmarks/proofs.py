"""How many accesses the verifier proves in bounds, and its share of compile time.

    python benchmarks/proofs.py

Prints one line for each example job, and one for each stage over the samples of every op. Times are
CPU times, of this process and the compiler process together, without a cache.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from time import process_time

from shared.measure import children_time

from penstock.ir.dialects.builtin import Module
from penstock.ir.verify.walk import Proof
from penstock.lowering.modules import Modules
from penstock.testing import cases
from penstock.testing.native import call_of, derived_cases, job_of

EXAMPLES = Path(__file__).resolve().parent.parent / "tests" / "interop"
JOBS = ("mlp", "watched_mlp", "convolutions", "norm", "order")
STAGES = ("fused", "loops")
TIMES = 5


def proofs(module: Module) -> list[Proof]:
    return [Proof(function) for function in module.functions() if not function.is_external]


def line(name: str, found: Iterable[Proof], more: str = "") -> None:
    proved: Counter[str] = Counter()
    unproved: Counter[str] = Counter()
    refused = 0
    for proof in found:
        proved.update(proof.proved)
        unproved.update(proof.unproved)
        refused += len(proof.problems)
    print(
        f"{name:24} {sum(proved.values()):7} proved {sum(unproved.values()):6} decided by data "
        f"{refused:3} refused  {more}"
    )


def job(name: str) -> None:
    """An example job: its accesses, and the time of their proofs next to that of a compilation."""
    import example_jobs

    made = getattr(example_jobs, name)()
    started = process_time()
    before = children_time()
    modules = made.compile().modules
    whole = process_time() - started + children_time() - before
    shares = []
    for _ in range(TIMES):
        started = process_time()
        found = proofs(modules["loops"])
        shares.append(process_time() - started)
    least = min(shares)
    line(name, found, f"{least * 1e3:.1f} of {whole * 1e3:.0f} ms, {100 * least / whole:.1f} %")


def samples(stage: str) -> None:
    """The samples of all ops, with the variants in other shapes and dtypes."""
    found: list[Proof] = []
    for cls in cases.tensor_ops().values():
        calls = [call_of(case) for case in cases.cases_of(cls) + derived_cases(cls)]
        if calls:
            found += proofs(Modules("job", job_of(calls))[stage])
    line(f"samples at {stage}", found)


if __name__ == "__main__":
    sys.path.insert(0, str(EXAMPLES))
    os.environ["PENSTOCK_CACHE"] = "off"
    for name in JOBS:
        job(name)
    for stage in STAGES:
        samples(stage)
