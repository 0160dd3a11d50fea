"""What a module computes, at any stage: results by name, for inputs that are drawn for it.

Stages on tensors are interpreted, with floats in float64. Stage `loops` is compiled and run in a
separate process, since wrong code may crash it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, StringAttr, numpy_dtype
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job import Watch
from penstock.ir.meaning.interpreter import Watcher, interpret
from penstock.ir.text.printer import print_module
from penstock.meaning import native_results
from penstock.meaning.errors import InputError
from penstock.runtime import checkpoint

Array = np.ndarray[Any, Any]
Named = Mapping[str, Array]

SEEDS = 16
"""How many draws to try for finite results."""
TOLERANCE = 1e-4
"""Tolerance for floats, relative to the largest of the result. Rounding accumulates in float32; a
wrong rewrite is seldom that close."""
_TOLERANCES = {"f16": 5e-3, "bf16": 4e-2}
"""The same for 16-bit floats: about ten roundings, which the reference does not make."""
NATIVE_SECONDS = 600


@dataclass(frozen=True)
class Difference:
    """A result that differs from the expected one."""

    name: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.name} differs: {self.sentence}"


def meaning(module: Module, inputs: Named, promote: bool = True) -> dict[str, Array]:
    """The results of a job: fetches, new values of variables, and what is watched, by name.

    `inputs` are those of `draw_inputs`. Without `promote`, floats are computed in their own types,
    not in float64, so that casts round. Raises `IRError` if the module cannot be interpreted, and
    InputError if machine code crashes its process.
    """
    if _is_bufferized(module):
        return _compiled(module, inputs)
    found, watched = outcome(
        module, inputs, lambda given, watch: interpret(module, given, promote=promote, watch=watch)
    )
    return {**found, **watched}


def outcome(
    module: Module, inputs: Named, run: Callable[[list[Array], Watcher], Sequence[Array]]
) -> tuple[dict[str, Array], dict[str, Array]]:
    """The results of a job, and what is watched, by name, when `run` executes it on arrays."""
    job = module.job
    watched: dict[str, Array] = {}

    def watch(name: str, array: Array) -> None:
        watched[f"watch {name}"] = array

    operands = [inputs[name_of(job.argument_attributes(i), f"argument {i}")]
             for i in range(len(job.arguments))]  # fmt: skip
    with np.errstate(all="ignore"):
        results = run(operands, watch)
    names = [name_of(job.result_attributes(i), f"result {i}") for i in range(len(results))]
    return cut(job, dict(zip(names, results, strict=True))), watched


def extents(job: Func) -> dict[str, tuple[str, int]]:
    """The results with a run-time extent: which result holds it, and along which dimension."""
    found = {}
    for i in range(len(job.returned.operands)):
        facts = job.result_attributes(i)
        extent, dimension = facts.get("job.extent"), facts.get("job.dimension")
        if isinstance(extent, StringAttr) and isinstance(dimension, IntegerAttr):
            found[name_of(facts, f"result {i}")] = f"fetch {extent.value}", dimension.value
    return found


def cut(job: Func, results: Mapping[str, Array]) -> dict[str, Array]:
    """The results, trimmed to their run-time extents."""
    found = dict(results)
    for name, (extent, dimension) in extents(job).items():
        reaches = slice(max(0, int(results[extent][0])))
        found[name] = results[name][(slice(None),) * dimension + (reaches,)]
    return found


def result_names(module: Module) -> set[str]:
    """The names of what a job returns and shows, as `meaning` reports them."""
    job = module.job
    if _is_bufferized(module):
        return set()
    returned = range(len(job.returned.operands))
    watched = {f"watch {op.label}" for op in job.body if isinstance(op, Watch)}
    return {name_of(job.result_attributes(i), f"result {i}") for i in returned} | watched


def name_of(attributes: Mapping[str, Any], otherwise: str) -> str:
    """The name of an argument or result of the job, which is the same at every stage."""
    for key, kind in (
        ("job.feed", "feed"), ("job.variable", "variable"),
        ("job.fetch", "fetch"), ("job.update", "variable"),
    ):  # fmt: skip
        name = attributes.get(key)
        if isinstance(name, StringAttr):
            return f"{kind} {name.value}"
    return otherwise


def tolerance_of(module: Module) -> float:
    """The tolerance for results, by the narrowest float type that the job uses."""
    values = [*module.job.arguments, *(value for op in module.job.walk() for value in op.results)]
    elements = {str(v.type.element) for v in values if isinstance(v.type, ty.ShapedType)}
    return max([TOLERANCE, *(_TOLERANCES.get(element, 0.0) for element in elements)])


def difference(expected: Named, found: Named, tolerance: float = TOLERANCE) -> Difference | None:
    """The first common result that differs by more than the tolerance.

    >>> one = {"fetch 0": np.array([1.0, 2.0])}
    >>> difference(one, {"fetch 0": np.array([1.0, 2.0 + 1e-9])})
    >>> print(difference(one, {"fetch 0": np.array([1.0, 3.0])}))
    fetch 0 differs: at [1] expected 2.0, got 3.0; 1 of 2 elements differ
    """
    for name, wanted in expected.items():
        if name not in found:
            continue
        got = found[name]
        if got.shape != wanted.shape:
            return Difference(name, f"expected the shape {wanted.shape}, got {got.shape}")
        wrong = ~_agree(wanted, got, tolerance)
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            return Difference(
                name,
                f"at {list(place)} expected {wanted[place]}, got {got[place]}; "
                f"{np.count_nonzero(wrong)} of {wrong.size} elements differ",
            )
    return None


def _agree(wanted: Array, got: Array, tolerance: float) -> Array:
    if wanted.dtype.kind in "iub":
        return np.asarray(wanted == got)
    with np.errstate(all="ignore"):
        x, y = wanted.astype(np.float64), got.astype(np.float64)
        finite = np.abs(x[np.isfinite(x)])
        room = tolerance * (finite.max() if finite.size else 1.0)
        close = (x == y) | (np.isnan(x) & np.isnan(y)) | (np.abs(x - y) <= room)
    return np.asarray(close)


def draw_inputs(module: Module, fixed: Named, seed: int = 0) -> dict[str, Array]:
    """Values of all arguments of a job: those given by name, the others drawn at random.

    Floats are redrawn until the results are finite, if possible, since NaN and Inf would hide a
    difference; integers are 0 and 1. Raises InputError for a given array that is no argument or
    does not match.
    """
    arguments = {
        name_of(module.job.argument_attributes(i), f"argument {i}"): value
        for i, value in enumerate(module.job.arguments)
    }
    for name, array in fixed.items():
        _check(name, array, arguments)
    best: tuple[float, dict[str, Array]] | None = None
    for drawn in _draws(arguments, seed):
        inputs = {**drawn, **fixed}
        results = meaning(module, inputs).values()
        floats = [array for array in results if array.dtype.kind == "f"]
        share = float(np.mean([np.isfinite(array).mean() for array in floats])) if floats else 1.0
        if best is None or share > best[0]:
            best = share, inputs
        if share == 1.0:
            break
    assert best is not None
    return best[1]


def _check(name: str, array: Array, arguments: Mapping[str, Value]) -> None:
    if name not in arguments:
        raise InputError(f"the job has no {name}: it takes {', '.join(arguments)}")
    type = arguments[name].type
    assert isinstance(type, ty.ShapedType)
    expected = numpy_dtype(type.element), type.shape
    if (array.dtype, array.shape) != expected:
        raise InputError(
            f"{name} is {expected[0]} of shape {expected[1]}, got {array.dtype} of shape "
            f"{array.shape}; give an array that matches"
        )


def _draws(arguments: Mapping[str, Value], seed: int) -> Iterator[dict[str, Array]]:
    """Normal numbers, and after some tries positive ones, which have roots and logarithms."""
    for number in range(SEEDS):
        chooser = np.random.default_rng([seed, number])
        drawn = {}
        for name, value in arguments.items():
            type = value.type
            if not isinstance(type, ty.ShapedType) or not type.is_static:
                raise InputError(f"{name} is {type}: expected a tensor of static shape")
            dtype = numpy_dtype(type.element)
            array: Array
            if not ty.is_float(type.element):
                array = chooser.integers(0, 2, type.shape)
            elif number < SEEDS // 2:
                array = chooser.standard_normal(type.shape)
            else:
                array = chooser.uniform(0.5, 1.5, type.shape)
            drawn[name] = array.astype(dtype)
        yield drawn


def _is_bufferized(module: Module) -> bool:
    job = module.job
    return any("job.arena" in job.argument_attributes(i) for i in range(len(job.arguments)))


def _compiled(module: Module, inputs: Named) -> dict[str, Array]:
    with tempfile.TemporaryDirectory(prefix="penstock-") as folder:
        text, inputs_path, found = (
            Path(folder) / name for name in ("job.mlir", "inputs", "results")
        )
        text.write_text(print_module(module), encoding="utf-8")
        checkpoint.save(inputs_path, inputs)
        words = [
            sys.executable,
            "-m",
            native_results.__name__,
            *map(str, (text, inputs_path, found)),
        ]
        done = subprocess.run(words, capture_output=True, text=True, timeout=NATIVE_SECONDS)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
            raise InputError(f"the job's machine code ended with {done.returncode}: {last}")
        return native_results.arrays(found)
