"""From a module at stage `loops` to LLVM's text: the last form that people read.

    define i32 @train_job(ptr %context, ptr %arguments)       loads the pointers of the table
    define internal void @train_job.body(ptr %context, ...)   the job, on typed arguments
    define internal void @dense_0(ptr %context, ...)          a group of fused loops

The text names no target: the same text is compiled for every processor.
"""

from __future__ import annotations

from penstock.codegen import call_text, control_text, memref_text
from penstock.codegen.buffers import byte_size
from penstock.codegen.call_text import result_type, write_return
from penstock.codegen.function_text import FunctionText, Rule
from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.scalar_table import LIBM
from penstock.codegen.writer import LLVMText, Writer, symbol
from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, IntegerAttr
from penstock.ir.core import Operation
from penstock.ir.dialects import memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.types import MemRefType
from penstock.ir.verifier import verify

ALIGNMENT = 64
"""Bytes; the runtime aligns the arena, variables and flags so."""

_ARRAY_ALIGNMENT = 16
"""Bytes, of feeds and fetches: what NumPy gives its arrays."""

# A function of ours under such a name would be called in place of the library's.
_TAKEN = {f"{name}{ending}" for name in LIBM for ending in ("", "f")} | {
    "bcmp", "memcmp", "memcpy", "memmove", "memset", "sincos", "sincosf",
}  # fmt: skip

# On processors with vectors of 512 bits, LLVM would use those of 256 where it fears for the clock.
_ATTRIBUTES = 'mustprogress nounwind "prefer-vector-width"="512"'

_RULES: dict[type[Operation], Rule] = {
    **control_text.RULES,
    **call_text.RULES,
    **memref_text.RULES,
}


def emit_llvm(module: Module) -> LLVMText:
    """The LLVM text of a module at stage `loops`.

    The module is verified first. Raises a located `IRError` for what is wrong with it, or for the
    first operation that has no code.
    """
    verify(module)
    writer = Writer()
    job = module.job
    if job.is_external:
        job.fail(f"the job @{job.sym_name} has no body")
    functions: dict[str, Func] = {}
    symbols: dict[str, str] = {}
    for op in module.body:
        name = _name(op)
        symbols[name] = symbol(f"{name}.job" if name in _TAKEN else name)
        if isinstance(op, Func):
            functions[name] = op
        else:
            _write_global(writer, op, symbols[name])
    entry = symbols[job.sym_name]
    symbols[job.sym_name] = symbol(f"{job.sym_name}.body")
    _write_entry(writer, job, entry, symbols[job.sym_name])
    for name, function in functions.items():
        if not function.is_external:
            text = FunctionText(writer, _RULES, functions, symbols)
            _write_function(writer, text, function, symbols[name], is_job=function is job)
    writer.op = None
    writer.line("")
    writer.line(f"attributes #0 = {{ {_ATTRIBUTES} }}")
    writer.line(f"attributes #1 = {{ noinline {_ATTRIBUTES} }}")
    return writer.text()


def entry_name(job: Func) -> str:
    """The symbol under which the compiled job is found."""
    return f"{job.sym_name}.job" if job.sym_name in _TAKEN else job.sym_name


def _name(op: Operation) -> str:
    if not isinstance(op, (Func, memref.Global)):
        op.fail("expected functions and constant globals in a module at stage loops")
    if not op.sym_name or "\0" in op.sym_name:
        op.fail(f"a symbol needs a name without a zero character, got {op.sym_name!r}")
    return op.sym_name


def _write_entry(writer: Writer, job: Func, entry: str, body: str) -> None:
    """The function with the fixed signature, which loads the pointers and calls the body."""
    if job.is_external:
        job.fail(f"the job @{job.sym_name} has no body")
    if job.type.results or not all(isinstance(t, MemRefType) for t in job.type.inputs):
        job.fail(f"the job @{job.sym_name} is {job.type}: expected memrefs to nothing")
    writer.op = job
    writer.line(f"define i32 {entry}(ptr %context, ptr %arguments) #0 {{")
    taken = ["ptr %context"]
    for i in range(len(job.type.inputs)):
        writer.line(f"  %slot.{i} = getelementptr inbounds nuw ptr, ptr %arguments, i64 {i}")
        writer.line(f"  %argument.{i} = load ptr, ptr %slot.{i}, align 8")
        taken.append(f"ptr %argument.{i}")
    writer.line(f"  call void {body}({', '.join(taken)})")
    writer.line("  ret i32 0")
    writer.line("}")


def _write_function(
    writer: Writer, text: FunctionText, function: Func, name: str, is_job: bool
) -> None:
    writer.begin_function()
    writer.op = function
    names = text.bind_arguments(function)
    taken = ["ptr %context"]
    for i, (type, argument) in enumerate(zip(function.type.inputs, names, strict=True)):
        taken.append(f"{_parameter(function, i, type, is_job)} {argument}")
    # A function with loops stays one, to be found in profiles and in the assembly text.
    has_loops = any(isinstance(op, scf.For) for op in function.walk())
    attributes = "#1" if has_loops and not is_job else "#0"
    writer.line("")
    place = function.location.describe()
    if function.location.files():
        writer.line(f"; {place}")
    kind = result_type(function)
    writer.line(f"define internal {kind} {name}({', '.join(taken)}) {attributes} {{")
    writer.label("entry")
    text.region(function, function.region)
    write_return(text, function)
    writer.line("}")


def _parameter(function: Func, position: int, type: ty.Type, is_job: bool) -> str:
    """The type of a parameter, and what is known about the pointer."""
    if not isinstance(type, MemRefType):
        return llvm_type(type)
    given = function.argument_attributes(position)
    words = ["ptr"]
    if "llvm.noalias" in given:
        words.append("noalias")
    align = given.get("llvm.align")
    if is_job:
        array = "job.feed" in given or "job.fetch" in given
        words.append(f"align {_ARRAY_ALIGNMENT if array else ALIGNMENT}")
    elif isinstance(align, IntegerAttr):
        words.append(f"align {align.value}")
    if size := byte_size(type):
        words.append(f"dereferenceable({size})")
    return " ".join(words)


def _write_global(writer: Writer, op: Operation, name: str) -> None:
    """A constant buffer, as its bytes."""
    assert isinstance(op, memref.Global)
    value, type = op.initial_value, op.type
    if not (op.constant and isinstance(value, DenseElementsAttr) and isinstance(type, MemRefType)):
        op.fail("expected a constant with a dense value: what changes goes into the arena")
    if type.layout is not None or value.type.shape != type.shape:
        op.fail(f"expected a row-major buffer with the value's shape, got {type}")
    count = type.count if value.is_splat else 1
    data = value.data * count
    body = "".join(f"\\{byte:02X}" for byte in data)
    writer.op = op
    writer.line(
        f'{name} = internal unnamed_addr constant [{len(data)} x i8] c"{body}", align {ALIGNMENT}'
    )
