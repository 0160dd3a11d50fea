"""Runs our modules through MLIR's own lowering: text and arrays in, arrays out, bit for bit.

Inputs are dense constants of their bytes. Outputs are printed as integers of the same bits, which
is exact.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module

Array = np.ndarray[Any, Any]

TOOLS = ("mlir-opt-22", "mlir-runner-22")
LIBRARIES = ("libmlir_runner_utils.so", "libmlir_c_runner_utils.so")

BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map}"
)
LOWER = (
    "func.func(convert-linalg-to-loops,scf-forall-to-parallel,convert-vector-to-scf,"
    "lower-vector-multi-reduction)",
    "expand-strided-metadata", "lower-affine", "convert-scf-to-cf", "convert-vector-to-llvm",
    "convert-ub-to-llvm", "convert-math-to-llvm", "convert-math-to-libm", "convert-arith-to-llvm",
    "convert-index-to-llvm", "finalize-memref-to-llvm", "convert-func-to-llvm",
    "convert-cf-to-llvm", "convert-ub-to-llvm", "reconcile-unrealized-casts",
)  # fmt: skip

needs_mlir = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in TOOLS)
    and os.environ.get("PENSTOCK_REQUIRE_INTEROP") != "1",
    reason=f"{' and '.join(TOOLS)} are not installed (Debian package mlir-22-tools)",
)
"""Marks a test that needs MLIR's tools; without them it is skipped, or fails if they are
required."""


def check(module: Module | str) -> str:
    """The output of stock `mlir-opt` without flags; AssertionError if it rejects the module."""
    return _tool("mlir-opt-22", _text(module))


def run_tensors(module: Module, *inputs: Array) -> list[Array]:
    """Call the job of a module at stage `fused` on arrays and return its results."""
    job = module.job
    assert len(inputs) == len(job.arguments), "one array for each argument"
    call = [f"  %a{i} = {_constant(array, a.type)}" for i, (array, a) in _pairs(inputs, job)]
    results = job.type.results
    names = [f"%r#{i}" if len(results) > 1 else "%r" for i in range(len(results))]
    head = f"%r:{len(results)} = " if len(results) > 1 else "%r = " if results else ""
    arguments = ", ".join(f"%a{i}" for i in range(len(inputs)))
    call.append(f"  {head}func.call @{job.sym_name}({arguments}) : {job.type}")
    for i, (name, type) in enumerate(zip(names, results, strict=True)):
        buffer = _memref(type)
        call.append(f"  %b{i} = bufferization.to_buffer {name} : {type} to {buffer}")
        call.append(f"  func.call @show_{_tag(type)}(%b{i}) : ({buffer}) -> ()")
    output = _run(module, call, results, (BUFFERIZE, *LOWER))
    return _arrays(output, results)


def run_buffers(module: Module, *arguments: Array) -> list[Array]:
    """Call the job of a module at stage `loops` and return the contents of its arguments. An arena
    in the first argument is also an array of bytes.
    """
    job = module.job
    assert len(arguments) == len(job.arguments), "one array for each argument"
    types = [ty.TensorType(array.shape, a.type.element) for array, a in _typed(arguments, job)]
    call = [*_buffers(arguments, types, job), _call(job)]
    for i, type in enumerate(types):
        call.append(f"  func.call @show_{_tag(type)}(%s{i}) : ({_memref(type)}) -> ()")
    return _arrays(_run(module, call, types, LOWER), types)


def seconds(module: Module, *arguments: Array, repeats: int = 20) -> float:
    """The minimum time of one call of a job at stage `loops`, over several calls."""
    job = module.job
    types = [ty.TensorType(array.shape, a.type.element) for array, a in _typed(arguments, job)]
    call = _buffers(arguments, types, job)
    for _ in range(repeats):
        call += ["  func.call @timed_begin() : () -> ()", _call(job)]
        call += ["  func.call @timed_end() : () -> ()"]
    lower = [s.replace("to-llvm", "to-llvm{use-bare-ptr-memref-call-conv}", 1)
             if s == "convert-func-to-llvm" else s for s in LOWER]  # fmt: skip
    output = _run(module, call, (), lower)
    times = [float(word) for word in re.findall(r"seconds (\S+)", output)]
    return min(times)


def _pairs(arrays: Sequence[Array], job: Func) -> Any:
    return enumerate(zip(arrays, job.arguments, strict=True))


def _typed(arrays: Sequence[Array], job: Func) -> Any:
    return zip(arrays, job.arguments, strict=True)


def _buffers(arrays: Sequence[Array], types: Sequence[ty.TensorType], job: Func) -> list[str]:
    """Buffers `%s` with the arrays' contents, and these as `%c` in the types of the arguments."""
    lines = []
    for i, (array, type) in enumerate(zip(arrays, types, strict=True)):
        buffer = _memref(type)
        lines.append(f"  %g{i} = memref.get_global @input_{i} : {buffer}")
        lines.append(f"  %s{i} = memref.alloc() {{alignment = 64 : i64}} : {buffer}")
        lines.append(f"  memref.copy %g{i}, %s{i} : {buffer} to {buffer}")
        type_ = job.arguments[i].type
        lines.append(f"  %c{i} = memref.cast %s{i} : {buffer} to {type_}")
        lines.append(
            f'  //global memref.global "private" constant @input_{i} : {buffer} = '
            f"{_dense(array, type)}"
        )
    return lines


def _call(job: Func) -> str:
    names = ", ".join(f"%c{i}" for i in range(len(job.arguments)))
    return f"  func.call @{job.sym_name}({names}) : {job.type}"


def _run(
    module: Module, call: Sequence[str], shown: Sequence[ty.Type], passes: Sequence[str]
) -> str:
    """The output of a program that runs the lines of `call` on the module."""
    text = _text(module).rstrip()
    assert text.endswith("}"), "one module"
    assert text.lstrip().startswith("module"), "one module"
    lines = [line for line in call if "//global" not in line]
    globals_ = [line.split("//global ")[1] for line in call if "//global" in line]
    shows = {_tag(type): _show(type) for type in shown}
    text = re.sub(r"func\.func private (@penstock_tap_(\w+))\(i32, (memref<\*x\w+>)\)", _tap, text)
    text = "\n".join([
        text[:-1], *globals_, *shows.values(), _EXTERNALS,
        "func.func @run_all() attributes {llvm.emit_c_interface} {", *lines, "  return", "}", "}",
    ])  # fmt: skip
    lowered = _tool("mlir-opt-22", text, f"--pass-pipeline=builtin.module({','.join(passes)})")
    libraries = ",".join(map(str, _libraries()))
    return _tool(
        "mlir-runner-22", lowered, "-e", "run_all", "--entry-point-result=void", "-O3",
        f"--shared-libs={libraries}",
    )  # fmt: skip


_EXTERNALS = """
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI64(memref<*xi64>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printI64(i64)
func.func private @printF64(f64)
func.func private @printNewline()
func.func private @rtclock() -> f64
memref.global "private" @clock : memref<f64> = uninitialized
func.func private @timed_begin() {
  %c = memref.get_global @clock : memref<f64>
  %t = func.call @rtclock() : () -> f64
  memref.store %t, %c[] : memref<f64>
  return
}
func.func private @timed_end() {
  %t = func.call @rtclock() : () -> f64
  %c = memref.get_global @clock : memref<f64>
  %u = memref.load %c[] : memref<f64>
  %d = arith.subf %t, %u : f64
  %z = arith.constant dense<0> : vector<1xi64>
  vector.print str "seconds "
  func.call @printF64(%d) : (f64) -> ()
  func.call @printNewline() : () -> ()
  return
}
"""


def _tap(match: re.Match[str]) -> str:
    """A tap that prints its number; its data is read by the tests of code generation."""
    return (
        f"func.func private {match[1]}(%id: i32, %data: {match[3]}) {{\n"
        '  vector.print str "tap "\n'
        "  %wide = arith.extsi %id : i32 to i64\n"
        "  func.call @printI64(%wide) : (i64) -> ()\n"
        "  func.call @printNewline() : () -> ()\n  return\n}"
    )


def _show(type: ty.TensorType) -> str:
    """A function that prints the bits of a buffer."""
    element, rank = type.element, type.rank
    width = 64 if ty.byte_width(element) == 8 else 32
    bits = f"i{8 * ty.byte_width(element)}"
    body, last = [], "%x"
    if ty.is_float(element):
        body.append(f"    %y = arith.bitcast %x : {element} to {bits}")
        last = "%y"
    if bits != f"i{width}":
        body.append(f"    %z = arith.extui {last} : {bits} to i{width}")
        last = "%z"
    names = ", ".join(f"d{i}" for i in range(rank))
    map, kinds = f"affine_map<({names}) -> ({names})>", ", ".join(['"parallel"'] * rank)
    source, target = _memref(type), f"memref<{_dims(type)}i{width}>"
    return "\n".join([
        f"func.func private @show_{_tag(type)}(%m: {source}) {{",
        f"  %o = memref.alloc() : {target}",
        f"  linalg.generic {{indexing_maps = [{map}, {map}], iterator_types = [{kinds}]}}",
        f"      ins(%m : {source}) outs(%o : {target}) {{",
        f"  ^bb0(%x: {element}, %old: i{width}):", *body, f"    linalg.yield {last} : i{width}",
        "  }", f"  %u = memref.cast %o : {target} to memref<*xi{width}>",
        f"  func.call @printMemrefI{width}(%u) : (memref<*xi{width}>) -> ()", "  return", "}",
    ])  # fmt: skip


def _arrays(output: str, types: Sequence[ty.TensorType]) -> list[Array]:
    parts = re.split(r"Unranked Memref[^\n]*data =", output)[1:]
    assert len(parts) == len(types), f"{len(parts)} results of {len(types)}:\n{output[:2000]}"
    arrays = []
    for part, type in zip(parts, types, strict=True):
        # The runner prints one arbitrary element of an empty vector.
        numbers = [int(word) for word in re.findall(r"-?\d+", part)] if type.count else []
        width = ty.byte_width(type.element)
        unsigned = np.array(numbers, dtype=np.int64).astype(f"u{width}")
        arrays.append(unsigned.view(numpy_dtype(type.element)).reshape(type.shape))
    return arrays


def _tag(type: ty.Type) -> str:
    return re.sub(r"\W", "_", str(type)).strip("_")


def _dims(type: ty.TensorType) -> str:
    return "".join(f"{extent}x" for extent in type.shape)


def _memref(type: ty.TensorType) -> str:
    return f"memref<{_dims(type)}{type.element}>"


def _dense(array: Array, type: ty.TensorType) -> str:
    data = np.ascontiguousarray(array, dtype=numpy_dtype(type.element)).tobytes()
    if not data:
        return "dense<>"
    if type.element is ty.i1:
        return f"dense<{str(np.asarray(array, dtype=bool).tolist()).lower()}>"
    return f'dense<"0x{data.hex().upper()}">'


def _constant(array: Array, type: ty.TensorType) -> str:
    assert array.shape == type.shape, f"{array.shape} given for {type}"
    return f"arith.constant {_dense(array, type)} : {type}"


def _text(module: Module | str) -> str:
    text = module if isinstance(module, str) else print_module(module)
    return text if text.lstrip().startswith("module") else f"module {{\n{text}\n}}\n"


@cache
def _libraries() -> list[Path]:
    """MLIR's runner libraries, next to the tool on the path."""
    tool = shutil.which("mlir-runner-22")
    assert tool is not None
    folder = Path(tool).resolve().parent.parent / "lib"
    found = [next(iter(sorted(folder.glob(f"{name}*"))), None) for name in LIBRARIES]
    assert all(found), f"{LIBRARIES} are not in {folder}"
    return [path for path in found if path is not None]


def _tool(name: str, text: str, *flags: str) -> str:
    # By default the runner dumps its code for profilers into the user's home.
    with tempfile.TemporaryDirectory() as dumps:
        done = subprocess.run(
            [name, *flags], input=text, capture_output=True, text=True, check=False, timeout=300,
            env=os.environ | {"JITDUMPDIR": dumps},
        )  # fmt: skip
    assert done.returncode == 0, f"{name} {' '.join(flags)}:\n{done.stderr[:4000]}"
    return done.stdout


def parsed(text: str) -> Module:
    """A module from text, for short tests."""
    return parse_module(text)
