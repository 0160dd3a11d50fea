"""No stage recurses over the length of a program.

Each program has more ops than Python's recursion limit, so recursion over ops fails.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import penstock as flow
import penstock.typing as tp
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.location import FileLocation
from penstock.ir.text.printer import print_module
from penstock.lowering.modules import Modules
from penstock.stages.job_stages import Stages
from penstock.tools import cli
from penstock.tools.explore import explore

LENGTH = 300
FRAMES = 200
T = "tensor<4x5xf32>"
MAP = "affine_map<(d0, d1) -> (d0, d1)>"
HEAD = f"""\
module attributes {{job.type = "predict"}} {{
  func.func @job(%x: {T} {{job.feed = "x"}}) -> ({T} {{job.fetch = "0"}}) {{
"""


def job(ops: list[str], result: str) -> str:
    """A job of these flow ops; a result's name is % and its number."""
    lines = [f"    %y{i} = {op} : ({T}) -> {T}\n" for i, op in enumerate(ops)]
    return f"{HEAD}{''.join(lines)}    return {result} : {T}\n  }}\n}}\n"


def chain(length: int, result: str) -> str:
    names = ["%x", *(f"%y{i}" for i in range(length))]
    words = "tanh", "abs"
    return job([f'"flow.{words[i % 2]}"({names[i]})' for i in range(length)], result)


def group(generics: int, scalars: int, result: str, scalar: str) -> str:
    """A job of one group with this many generics, each with this many scalar ops."""
    text = f"{HEAD}    %r = call @g(%x) : ({T}) -> {T}\n    return %r : {T}\n  }}\n"
    text += f"  func.func private @g(%x: {T}) -> {T} {{\n"
    names = ["%x", *(f"%y{i}" for i in range(generics))]
    values = ["%a", *(f"%c{i}" for i in range(scalars))]
    words = "math.absf", "math.exp"
    body = "".join(
        f"      {values[i + 1]} = {words[i % 2]} {values[i]} : f32\n" for i in range(scalars)
    )
    for i in range(generics):
        text += f"""\
    %e{i} = tensor.empty() : {T}
    %y{i} = linalg.generic {{indexing_maps = [{MAP}, {MAP}],
        iterator_types = ["parallel", "parallel"]}} ins({names[i]} : {T}) outs(%e{i} : {T}) {{
    ^bb0(%a: f32, %b: f32):
{body}      linalg.yield {scalar} : f32
    }} -> {T}
"""
    return f"{text}    return {result} : {T}\n  }}\n}}\n"


PROGRAMS: dict[str, Callable[[int], tuple[str, str]]] = {
    "equal and unused": lambda n: ("job", job(['"flow.relu"(%x)'] * n, "%x")),
    "a chain": lambda n: ("job", chain(n, f"%y{n - 1}")),
    "an unused chain": lambda n: ("job", chain(n, "%x")),
    "generics": lambda n: ("fused", group(n, 1, f"%y{n - 1}", "%c0")),
    "unused generics": lambda n: ("fused", group(n, 1, "%x", "%c0")),
    "a body": lambda n: ("fused", group(1, n, "%y0", f"%c{n - 1}")),
    "an unused body": lambda n: ("fused", group(1, n, "%y0", "%a")),
}


@contextmanager
def few_frames() -> Iterator[None]:
    """Limit the depth of recursion."""
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + FRAMES)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def use(stage: str, text: str, folder: Path) -> None:
    """Compute everything about a program except machine code."""
    tapped = Modules(stage, parse_module(text), tapped=stage == "job")
    emit_llvm(tapped["loops"])
    stages = Stages("job", Modules(stage, parse_module(text)))
    stages.cost()
    stages.memory()
    if stage == "job":
        stages.fuse_report()
    explore(stages, "loops")
    path = folder / "long.mlir"
    path.write_text(text)
    assert cli.main(["opt", str(path), "-p", "canonicalize,cse,dce", "-o", os.devnull]) == 0


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_long_program(name: str, tmp_path: Path) -> None:
    use(*PROGRAMS[name](2), tmp_path)  # imports all that is needed
    with few_frames():
        use(*PROGRAMS[name](LENGTH), tmp_path)


def test_the_text_of_unused_blobs_grows_with_their_number() -> None:
    """Each can be watched, and all are computed together for whoever watches one."""
    lengths = []
    for length in (100, 200):
        module = parse_module(chain(length, "%x"))
        for line, op in enumerate(module.job.body):
            op.location = FileLocation("model.py", line + 1)
        modules = Modules("job", module, tapped=True)
        lengths.append(len(print_module(modules["loops"])))
    assert lengths[1] < 2.2 * lengths[0]


def train(length: int) -> None:
    """Lower a train job of this many ops, whose gradient is as long again."""
    flow.clear_default_session()

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4, 5))) -> tp.Numpy:
        y = flow.get_variable("w", (4, 5), initializer=flow.ones_initializer()) * x
        for _ in range(length):
            y = flow.math.tanh(y)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(schedule, momentum=0).minimize(y)
        return y

    emit_llvm(job.lower().modules["loops"])


def test_a_long_gradient() -> None:
    train(2)
    with few_frames():
        train(LENGTH)


def test_exceeding_the_frame_limit_is_detected() -> None:
    def nested(number: int) -> int:
        return number and nested(number - 1)

    with few_frames(), pytest.raises(RecursionError):
        nested(LENGTH)
