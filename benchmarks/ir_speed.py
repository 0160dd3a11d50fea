"""The time of common IR operations, in microseconds per op, on a module of 10,000 ops.

    python benchmarks/ir_speed.py [--ops 10000] [--repeat 5]

The module is one function of scalar arithmetic. Two in five ops are constants or equal an earlier
op, so that canonicalize and cse have work to do. Each figure is the fastest of several runs.
"""

from __future__ import annotations

import argparse
import gc
import platform
from collections.abc import Callable
from time import perf_counter

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Operation
from penstock.ir.dialects import arith, math
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.location import FileLocation
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.passes.base import Pass
from penstock.passes.simplify.canonicalize import Canonicalize
from penstock.passes.simplify.cse import CSE
from penstock.passes.simplify.dce import DCE


def build(count: int) -> Module:
    """A module whose one function has `count` ops, not counting the return."""
    module = Module.empty("speed")
    func = Func.make("main", [ty.f32], [ty.f32], names=["x"])
    module.body.append(func)
    b = Builder.at_end(func.body)
    value = func.arguments[0]
    for i in range(count // 5):
        b.location = FileLocation("train.py", i + 1, 8)
        constant = b.create(arith.Constant, value=arith.constant_attribute(i % 97 + 2, ty.f32))
        scaled = b.create(arith.MulF, constant.result, value).result
        again = b.create(arith.MulF, value, constant.result).result
        total = b.create(arith.AddF, scaled, again).result
        value = b.create(math.Exp, total).result
    b.create(Return, [value])
    return module


def fastest(repeat: int, prepare: Callable[[], Operation], run: Callable[..., object]) -> float:
    """Seconds of the fastest of several runs, each on what `prepare` gives."""
    best = float("inf")
    for _ in range(repeat):
        subject = prepare()
        gc.collect()
        gc.disable()
        started = perf_counter()
        run(subject)
        best = min(best, perf_counter() - started)
        gc.enable()
    return best


def measure(count: int, repeat: int) -> list[tuple[str, float]]:
    """Microseconds per op for each kind of work."""
    module = build(count)
    text, generic = print_module(module), print_module(module, generic=True)

    def scale(seconds: float) -> float:
        return seconds / count * 1e6

    def on_module(run: Callable[..., object]) -> float:
        return scale(fastest(repeat, lambda: module, run))

    def on_copies(step: Pass) -> float:
        return scale(fastest(repeat, module.clone, step.run))

    return [
        ("build", on_module(lambda _: build(count))),
        ("verify", on_module(verify)),
        ("print", on_module(print_module)),
        ("print, generic form", on_module(lambda m: print_module(m, generic=True))),
        ("parse", on_module(lambda _: parse_module(text))),
        ("parse, generic form", on_module(lambda _: parse_module(generic))),
        ("clone", on_module(lambda m: m.clone())),
        ("canonicalize", on_copies(Canonicalize())),
        ("cse", on_copies(CSE())),
        ("dce", on_copies(DCE())),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ops", type=int, default=10_000, help="ops in the module (10000)")
    parser.add_argument("--repeat", type=int, default=5, help="runs, the fastest counts (5)")
    given = parser.parse_args()
    print(f"{given.ops} ops, Python {platform.python_version()}, {platform.machine()}")
    for name, microseconds in measure(given.ops, given.repeat):
        print(f"  {name:22}{microseconds:8.1f} us/op")


if __name__ == "__main__":
    main()
