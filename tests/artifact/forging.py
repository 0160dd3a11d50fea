"""Forges artifacts: changes the stage text, manifest or variables of real ones and corrects all
checksums.

As a program, it reads seeds line by line, loads the forgery of each with `rebuild=True` and answers
with a line of JSON: refused, with the reason, or ran, with the results that depend on the arena's
old content. A guard page follows feeds, variables, results and the arena, and in a second run
precedes them, so that out-of-bounds accesses crash the process.
"""

import copy
import ctypes
import gc
import importlib.util
import json
import math
import mmap
import os
import random
import re
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import penstock as flow
import penstock.runtime
import penstock.typing as tp
from penstock.ir import types as ty
from penstock.ir.attributes import (
    Attribute,
    DenseArrayAttr,
    DictAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    TypeAttr,
)
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import STORED, TensorOp
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.opdef import registry
from penstock.ir.text.printer import print_module
from penstock.ir.types import TensorType
from penstock.jobs.job import JobFunction
from penstock.loaded.untrusted import STAGES
from penstock.lowering.modules import Modules, target_level
from penstock.runtime import ArtifactError, RebuildLimits, open_artifact
from penstock.runtime.artifacts.archive import deflated, pack, stored
from penstock.runtime.artifacts.manifest import (
    MANIFEST,
    NATIVES,
    SEAL,
    VARIABLES,
    canonical,
    code_member,
    report_member,
    seal_of,
    stage_member,
)
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.memory import ALIGNMENT
from penstock.runtime.store import safetensors
from penstock.stages.job_cache import compile_stages
from penstock.testing.cases import cases_of
from penstock.testing.native import call_of, job_of

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
LIMITS = RebuildLimits(seconds=300, ops=5000, compiler_bytes=4 << 30)
MISFIT = "is not the job that the manifest describes"


class Original(NamedTuple):
    """The original of a forgery: the text of a job at a stage, its description and its
    variables.
    """

    text: str
    stage: str
    description: Mapping[str, Any]
    values: Mapping[str, Any]


# -- the originals --------------------------------------------------------------------------------


@cache
def example_jobs() -> list[Any]:
    """The jobs of the examples, whose modules are imported as a user would."""
    found = []
    for name in ("watch_relu", "own_op", "train_mnist", "lenet"):
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        flow.clear_default_session()
        sys.modules[name] = module
        spec.loader.exec_module(module)
        found += [value for value in vars(module).values() if isinstance(value, JobFunction)]
    return found


@cache
def ops() -> list[str]:
    return sorted(
        name for name, cls in registry.items() if issubclass(cls, TensorOp) and any(cls.samples())
    )


def original(draw: random.Random) -> Original:
    """A job of an example at one of the accepted stages, or a job of a few ops."""
    if draw.random() < 0.15:
        job = draw.choice(example_jobs())
        return _described(job.trace().modules["job"], draw.choice(STAGES))
    cases = [draw.choice(list(cases_of(registry[draw.choice(ops())]))) for _ in range(2)]
    return _described(job_of([call_of(case) for case in cases]), "job")


def _described(module: Module, stage: str) -> Original:
    text = print_module(Modules("job", module, tapped=True)[stage])
    return described(text, stage)


def described(text: str, stage: str) -> Original:
    """The original with this text and the description that its compilation gives."""
    module = parse_module(text)
    lowered_module = compile_stages(module.job.sym_name, Modules(stage, module, tapped=True))
    description = lowered_module.program.description
    values = {
        argument["name"]: np.zeros(argument["shape"], numpy_dtype(argument["dtype"]))
        for argument in description["arguments"]
        if argument["role"] == "variable"
    }
    return Original(text, stage, description, values)


# -- changes
# ------------------------------------------------------------------------------------------


NUMBERS = (0, 1, -1, 2, 3, 7, 64, 1 << 15, 1 << 30, 1 << 31, (1 << 32) + 1, 1 << 40, 1 << 62)
EXTREMES = (*NUMBERS, (1 << 63) - 1, -(1 << 63), 1 << 63, 1 << 64, 10**30, -(10**30))
FLOATS = (0.0, -1.0, 1e300, -1e300, math.inf, -math.inf, math.nan, 0.5)
WORDS = ("", "B", "S(0)", "S(9)", "ij,jk->ik", "ii->", "a" * 300, "mean", "\x1b[31m", "reflect")
PLANTED = (
    "job.stack = array<i64: 0, 1000000>",
    "job.arena = 64 : i64",
    "job.updated",
    'flow.op = "relu"',
    "llvm.noalias",
    "flow.pairwise",
    "job.number = 7 : i64",
    'sbp.signature = {operands = ["S(0)"], results = ["P"]}',
    'job.placement = {device = "cpu", ranks = ["0:0-99999999"]}',
)


def forged(draw: random.Random) -> tuple[Original, dict[str, Any]]:
    """A forgery, and the final changes to its manifest."""
    source = original(draw)
    text, manifest = source.text, {}
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        kind = draw.random()
        if kind < 0.6:
            text = changed_module(text, draw)
        elif kind < 0.92:
            text = changed_text(text, draw)
        elif kind < 0.96:
            source = source._replace(stage=draw.choice(("job", "grad", "placed", "fused", "loops")))
        else:
            key = draw.choice(("arguments", "taps", "type", "entry", "arena"))
            manifest[key] = draw.choice(EXTREMES[:14])
    return source._replace(text=text), manifest


def changed_text(text: str, draw: random.Random) -> str:
    """The text with one word or line changed, which is usually an invalid module."""
    lines = text.splitlines()
    inner = [i for i, line in enumerate(lines) if line.startswith("    ")]
    kind = draw.randrange(8)
    here = draw.choice(inner)
    if kind == 0:
        del lines[here]
    elif kind == 1:
        lines.insert(draw.choice(inner), lines[here])
    elif kind == 2:
        there = draw.choice(inner)
        lines[here], lines[there] = lines[there], lines[here]
    elif kind == 3:
        other = f'"{draw.choice(sorted(registry))}"'
        lines[here] = re.sub(r'"[a-z]+\.\w+"', other, lines[here], count=1)
    elif kind == 4:
        place = draw.choice(inner)
        planted = draw.choice(PLANTED)
        lines[place] = re.sub(r"\) (\{)?", lambda m: f") {{{planted}, " if m[1] else
                              f") {{{planted}}} ", lines[place], count=1)  # fmt: skip
    elif kind == 5:
        one, other = (draw.choice(re.findall(r"tensor<[^>]*>", text)) for _ in range(2))
        return text.replace(one, other, draw.choice((1, 2, -1)))
    elif kind == 6:
        one = draw.choice(re.findall(r"x?[a-z]+[0-9]+>", text))
        other = draw.choice(("f32", "f64", "i1", "i8", "ui8", "i64", "i4", "index", "i128", "f16"))
        return text.replace(one, f"{one[:1].strip('fiub')}{other}>", draw.choice((1, -1)))
    else:
        found = list(re.finditer(r"(?<![\w.%])-?\d+(?![\w.])", text))
        if found:
            match = draw.choice(found)
            return f"{text[: match.start()]}{draw.choice(EXTREMES)}{text[match.end() :]}"
    return "\n".join(lines)


def changed_module(text: str, draw: random.Random) -> str:
    """The text with one changed type or attribute, and all dependent types adapted to it."""
    try:
        module = parse_module(text)
        job = module.job
        tensor_ops = [op for op in job.body if isinstance(op, TensorOp)]
        if not tensor_ops:
            return text
        op = draw.choice(tensor_ops)
        kind = draw.randrange(6)
        if kind == 0:
            value = draw.choice(list(job.arguments))
            value.type = changed_type(value.type, draw)
        elif kind == 1 and op.operands:
            others = [*job.arguments, *(r for o in tensor_ops for r in o.results if o is not op)]
            op.set_operand(draw.randrange(len(op.operands)), draw.choice(others))
        elif op.attributes:
            name = draw.choice(list(op.attributes))
            op.attributes[name] = changed_attribute(op.attributes[name], draw)
        confirm(module)
        return print_module(module)
    except (IRError, ValueError, TypeError, OverflowError, ArithmeticError, AttributeError,
            IndexError, KeyError, AssertionError, MemoryError):  # fmt: skip
        # Text can express what no IR can.
        return changed_text(text, draw)


def confirm(module: Module) -> None:
    """Set all result types to those that the ops infer, and adapt the function's type."""
    for op in module.job.body:
        if isinstance(op, TensorOp):
            for result, type in zip(op.results, op.infer(), strict=True):
                result.type = type
    module.job.update_type()


def changed_type(type: ty.Type, draw: random.Random) -> ty.Type:
    assert isinstance(type, TensorType)
    shape = list(type.shape)
    if draw.random() < 0.3 or not shape:
        return TensorType(type.shape, draw.choice(STORED))
    place = draw.randrange(len(shape))
    shape[place] = draw.choice((0, 1, 2, 3, shape[place] + 1, 17, 1 << 40, 1 << 62))
    if draw.random() < 0.2:
        shape.insert(place, draw.choice((0, 1, 2)))
    return TensorType(tuple(shape), type.element)


def changed_attribute(given: Attribute, draw: random.Random) -> Attribute:
    if isinstance(given, IntegerAttr):
        if given.type is ty.i1:
            return IntegerAttr(1 - given.value, given.type)
        return IntegerAttr(draw.choice((given.value + 1, given.value - 1, *NUMBERS)), given.type)
    if isinstance(given, FloatAttr):
        return FloatAttr(draw.choice(FLOATS), given.type)
    if isinstance(given, StringAttr):
        return StringAttr(draw.choice(WORDS))
    if isinstance(given, TypeAttr):
        return TypeAttr(draw.choice(STORED))
    if isinstance(given, DenseArrayAttr):
        values = list(given.values)
        place = draw.randrange(len(values) + 1)
        if place == len(values):
            values.append(draw.choice(NUMBERS))
        else:
            near = (values[place] + 1, values[place] - 1, -values[place])
            values[place] = draw.choice((*near, *NUMBERS))
        if draw.random() < 0.1:
            values.pop()
        return DenseArrayAttr(given.element, tuple(values))
    if isinstance(given, DictAttr) and given.items:
        items = list(given.items)
        place = draw.randrange(len(items))
        items[place] = items[place][0], changed_attribute(items[place][1], draw)
        return DictAttr(tuple(items))
    return given


# -- the file -------------------------------------------------------------------------------------


@cache
def shell() -> Mapping[str, bytes]:
    """The members of a real artifact, whose code never runs."""
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        return flow.math.relu(x)

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "shell.pstk")
        flow.save_artifact(path, job, targets=[target_level()])
        file = open_artifact(path)
        return {name: file.content(name) for name in file.members}


def sealed(
    given: Original, manifest: Mapping[str, Any], report: bytes = b"{}", penstock: str = ""
) -> bytes:
    """A file of one job with correct checksums and digests."""
    true, (level,) = shell(), [target_level()]
    entries = json.loads(true[MANIFEST])
    described = copy.deepcopy(dict(given.description))
    arena = described.pop("arena")
    described |= {key: value for key, value in manifest.items() if key != "arena"}
    arena |= {"bytes": manifest["arena"]} if "arena" in manifest else {}
    name = described["job"]
    entries |= {
        "arenas": {level: {name: arena}},
        "jobs": [described],
        "stages": {name: [given.stage]},
        "penstock": penstock or entries["penstock"],
    }
    found = {
        code_member(level): true[code_member(level)],
        NATIVES: true[NATIVES],
        stage_member(name, given.stage, level): given.text.encode(),
        report_member(name, level): report,
    }

    def sums() -> dict[str, Any]:
        return {n: {"bytes": len(c), "sha256": deflated(c).sha256} for n, c in found.items()}

    entries["members"] = sums()
    seal, code = seal_of(entries), found[code_member(level)]
    at = code.index(SEAL)
    found[code_member(level)] = code[:at] + seal + code[at + len(seal) :]
    entries["members"] = sums()
    members = {MANIFEST: deflated(canonical(entries))}
    members |= {n: deflated(c) for n, c in found.items()}
    members[VARIABLES] = stored(safetensors.packed(dict(given.values)))
    return pack(members)


# -- the run --------------------------------------------------------------------------------------


_libc = ctypes.CDLL(None, use_errno=True)


class Guarded:
    """Memory between two guard pages, adjacent to one of them."""

    fill = 0
    at_the_end = True
    kept: list[Any] = []  # noqa: RUF012

    @classmethod
    def allocate(
        cls, shape: tuple[int, ...], dtype: np.dtype[Any], alignment: int = ALIGNMENT
    ) -> tuple[np.ndarray[Any, Any], int]:
        """Replaces `penstock.runtime.memory.allocate`; fills the remaining bytes, too."""
        size = math.prod(shape) * dtype.itemsize
        room = size + -size % min(alignment, 16 if alignment == ALIGNMENT else alignment)
        pages = max(1, -(-room // mmap.PAGESIZE))
        memory = mmap.mmap(-1, (pages + 2) * mmap.PAGESIZE)
        cls.kept.append(memory)
        start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        first, last = start, start + (pages + 1) * mmap.PAGESIZE
        ctypes.memset(start + mmap.PAGESIZE, cls.fill, pages * mmap.PAGESIZE)
        for page in (first, last):
            assert _libc.mprotect(ctypes.c_void_p(page), mmap.PAGESIZE, 0) == 0
        offset = mmap.PAGESIZE
        if cls.at_the_end:
            offset = (pages + 1) * mmap.PAGESIZE - room
        return np.ndarray(shape, dtype, memory, offset), start + offset


def guard() -> None:
    """Put everything that native code gets between guard pages."""
    from penstock.runtime.execution import executable, frame
    from penstock.runtime.store import variables

    for module in (executable, frame, variables):
        module.allocate = Guarded.allocate  # type: ignore[attr-defined]
    executable.LARGE = 1 << 62


def fed(argument: Any, draw: np.random.Generator) -> np.ndarray[Any, Any]:
    """An array for a feed or a variable; integers are small or arbitrary."""
    dtype = numpy_dtype(argument.dtype)
    array, _ = Guarded.allocate(argument.shape, dtype, 16)
    if dtype.kind in "iu" and argument.dtype != "i1":
        info = np.iinfo(dtype)
        low, high = draw.choice(((0, 4), (info.min, info.max), (-3, 9)))
        low, high = max(low, info.min), min(high, info.max)
        array[...] = draw.integers(low, high, argument.shape, dtype, endpoint=True)
    elif dtype == np.bool_ or argument.dtype == "i1":
        array[...] = draw.integers(0, 2, argument.shape)
    else:
        array[...] = draw.normal(size=argument.shape)
    return array


def outcome(artifact: penstock.runtime.Artifact, seed: int) -> dict[str, Any]:
    """Run each job in four ways and return the results that depend on the arena's old content."""
    differing = []
    for name, job in artifact.jobs.items():
        seen = []
        for at_the_end in (True, False):
            for fill in (0, 255):
                Guarded.at_the_end, Guarded.fill = at_the_end, fill
                seen.append(_run(job, seed))
                Guarded.kept.clear()
        differing += [name for got in seen if got != seen[0]]
    return {"ran": len(artifact.jobs), "differing": differing}


def _run(job: Any, seed: int) -> list[bytes]:
    from penstock.runtime.store.variables import VariableStore

    draw = np.random.default_rng(seed)
    description = job.description
    executable = penstock.runtime.Executable(
        job._executable.entry_address, description, job._executable
    )
    store = VariableStore()
    for variable in description.variables:
        store.ensure(variable, job.name, fed(variable, draw))
    feeds = [fed(feed, draw) for feed in description.feeds]
    handlers = {tap.id: [lambda blob: None] for tap in description.taps} if seed % 2 else None
    results = [
        array.tobytes() for _ in range(2) for array in executable.run(feeds, store, handlers)
    ]
    return [*results, *(array.tobytes() for _, array in store.items())]


def tried(seed: int, folder: Path) -> dict[str, Any]:
    """The outcome of the forgery of a seed."""
    draw = random.Random(seed)
    forgery, manifest = forged(draw)
    path = folder / "forged.pstk"
    size = sum(_WIDTH * math.prod(a.get("shape", ())) for a in forgery.description["arguments"])
    limits = LIMITS._replace(
        job_bytes=max(1 << 18, 4 * (size + forgery.description["arena"]["bytes"]))
    )
    path.write_bytes(sealed(forgery, manifest))
    try:
        return outcome(penstock.runtime.load(path, rebuild=True, limits=limits), seed)
    except ArtifactError as error:
        if MISFIT not in str(error) or manifest:
            return {"refused": str(error)}
    # The text compiles, so a good forger describes it correctly.
    path.write_bytes(sealed(described(forgery.text, forgery.stage), {}))
    try:
        return outcome(penstock.runtime.load(path, rebuild=True, limits=limits), seed)
    except ArtifactError as error:
        return {"refused": str(error)}


_WIDTH = 8


def main() -> None:
    """Serve seeds from the standard input."""
    with tempfile.TemporaryDirectory() as folder:
        example_jobs()
        shell()
        guard()
        print("ready", flush=True)
        for line in sys.stdin:
            print(json.dumps(tried(int(line), Path(folder))), flush=True)
            gc.collect()  # arrays keep their pages alive, and jobs their arrays


if __name__ == "__main__":
    main()
