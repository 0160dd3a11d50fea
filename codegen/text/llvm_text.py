"""Emits LLVM text from a module at stage `loops`.

    define i32 @train_job(ptr %context, ptr %arguments)       loads the pointers of the table
    define internal i32 @train_job.body(ptr %context, ...)    the job, on typed arguments
    define internal void @dense_0(ptr %context, ...)          a group of fused loops
    define internal void @dense_0.task.3(ptr %closure, i64)   its parallelised part

Vectors are split for the module's processor level; scalars are the same for all levels. Between
groups a job polls whether to stop, until it has written a variable. A job that is partly on another
device then first waits for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from penstock.codegen.math.scalar_table import LIBM
from penstock.codegen.memref_values import ALIGNMENT, ARRAY_ALIGNMENT, byte_size
from penstock.codegen.text import call_text, control_text, memref_text, task_text
from penstock.codegen.text.call_text import (
    BEGIN,
    COLLECTIVE,
    END,
    define_poll,
    result_type,
    settling,
    write_mark,
    write_poll,
    write_return,
    write_settling,
)
from penstock.codegen.text.effects import Effects
from penstock.codegen.text.parts.function_text import FunctionText, Rule, attributes_for
from penstock.codegen.text.parts.text_target import TextTarget, target_of
from penstock.codegen.text.vectors import vector_memory_text, vector_shape_text, vector_text
from penstock.codegen.writer import SCALAR_LOOPS, LLVMText, Writer, symbol
from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, IntegerAttr
from penstock.ir.core import Operation
from penstock.ir.diagnostics import pass_interrupt
from penstock.ir.dialects import func, memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.meaning.timing import STEP, TIMED
from penstock.ir.types import MemRefType
from penstock.ir.verify.verifier import verify

# A function of ours with such a name would be called instead of the library's.
_TAKEN = {f"{name}{ending}" for name in LIBM for ending in ("", "f")} | {
    "bcmp", "memcmp", "memcpy", "memmove", "memset", "sincos", "sincosf",
}  # fmt: skip

# Prefer 512-bit vectors even on processors where LLVM would choose 256 bits for the clock rate.
# Align spill slots to cache lines: a vector that crosses a page takes a hundred times as long, and
# whether one does would depend on the start address of the stack.
_ATTRIBUTES = 'alignstack=64 mustprogress nounwind "prefer-vector-width"="512"'

_RULES: dict[type[Operation], Rule] = {
    **control_text.RULES,
    **call_text.RULES,
    **memref_text.RULES,
    **task_text.RULES,
    **vector_text.RULES,
    **vector_memory_text.RULES,
    **vector_shape_text.RULES,
}


def emit_llvm(module: Module, level: str | None = None, verified: bool = False) -> LLVMText:
    """The LLVM text of a module at stage `loops`, for the level it names or for another one.

    The module is verified first, unless the caller has just done so. Raises a located `IRError` if
    it is invalid, or for the first operation that cannot be emitted, and ValueError for an unknown
    level.
    """
    if not verified:
        verify(module)
    return ModuleText(target_of(module, level)).of(module)


class ModuleText:
    """Emits the LLVM text of a module: each group as soon as it is lowered, then the job.

    The callback `written` gets each function: its symbol (empty for the job's own) and the new
    lines with all that they refer to. The job's lines come last.
    """

    def __init__(
        self,
        target: TextTarget,
        written: Callable[[str, Sequence[str]], object] = lambda name, lines: None,
    ) -> None:
        self._target = target
        self._written = written
        self._writer = Writer()
        self._functions: dict[str, Func] = {}
        self._symbols: dict[str, str] = {}
        self._done: set[Func] = set()
        self._is_whole = False
        self._error: Exception | None = None
        self._writer.line(f"attributes #0 = {{ {_ATTRIBUTES} }}")
        self._writer.line(f"attributes #1 = {{ noinline {_ATTRIBUTES} }}")
        self._writer.line(f"attributes {SCALAR_LOOPS} = {{ noinline {_ATTRIBUTES} }}")

    def ahead(self, function: Func) -> None:
        """Emit a group, which is self-contained, or the job once everything is lowered.

        Errors are raised later, by `finish`: the module is not verified yet, and the pass that
        provides the function continues.
        """
        if self._error is None:
            try:
                if function.sym_visibility == "private":
                    self._name(function)
                    self._write(function)
                else:
                    assert isinstance(function.parent, Module)
                    self._write_rest(function.parent)
            except Exception as error:
                pass_interrupt(error)
                self._error = error

    def finish(self, module: Module) -> None:
        """Emit the remaining functions of a verified module.

        Raises a located `IRError` for an op that cannot be emitted, and errors of `ahead`.
        """
        if self._error is not None:
            raise self._error
        if not self._is_whole:
            self._write_rest(module)

    def of(self, module: Module) -> LLVMText:
        """The text of a verified module, errors as of `finish`."""
        self.finish(module)
        return self._writer.text()

    def _write_rest(self, module: Module) -> None:
        job = module.job
        if job.is_external:
            job.fail(f"the job @{job.sym_name} has no body")
        for op in module.body:
            self._name(op)
        for function in module.functions():
            if function is not job and function not in self._done and not function.is_external:
                self._write(function)
        for op in module.body:
            if isinstance(op, memref.Global):
                _write_global(self._writer, op, self._symbols[op.sym_name])
        entry = self._symbols[job.sym_name]
        self._symbols[job.sym_name] = symbol(f"{job.sym_name}.body")
        _write_entry(self._writer, job, entry, self._symbols[job.sym_name])
        self._is_whole = True
        self._write(job, is_job=True)

    def _name(self, op: Operation) -> None:
        name = _name(op)
        self._symbols[name] = symbol(f"{name}.job" if name in _TAKEN else name)
        if isinstance(op, Func):
            self._functions[name] = op

    def _write(self, function: Func, is_job: bool = False) -> None:
        name, symbols = function.sym_name, self._symbols
        text = FunctionText(self._writer, _RULES, self._functions, symbols, self._target, name)
        write = _write_job if is_job else _write_group
        write(text, function, symbols[name])
        for write_task in text.tasks:
            write_task()
        self._done.add(function)
        self._written("" if is_job else symbols[name], self._writer.seal())


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
    is_timed = any(TIMED in op.attributes for op in job.walk())
    if is_timed:
        write_mark(writer, BEGIN, STEP)
    writer.line(f"  %status = call i32 {body}({', '.join(taken)})")
    if is_timed:
        write_mark(writer, END, STEP)
    writer.line("  ret i32 %status")
    writer.line("}")


def _write_group(text: FunctionText, function: Func, name: str) -> None:
    """A group of loops, or any other function that the job calls."""
    alignments = [_alignment(function, i) for i in range(len(function.type.inputs))]
    kind = result_type(text, function)
    _begin_function(text, function, f"{kind} {name}", alignments, attributes_for(function))
    text.region(function, function.region)
    write_return(text, function)


def _write_job(text: FunctionText, job: Func, name: str) -> None:
    """The job: calls of its groups in order, with polls whether to stop in between."""
    dicts = [job.argument_attributes(i) for i in range(len(job.type.inputs))]
    array = ("job.feed", "job.fetch", "job.array", "job.passed")
    alignments = [
        ARRAY_ALIGNMENT if any(key in entries for key in array) else ALIGNMENT for entries in dicts
    ]
    arguments = zip(job.arguments, dicts, strict=True)
    variables = {argument for argument, entries in arguments if "job.variable" in entries}
    effects = Effects(text.functions)
    _begin_function(text, job, f"i32 {name}", alignments, attributes_for(job))
    block = job.body
    poll = symbol(f"{job.sym_name}.poll")
    # A rank that stopped would leave others waiting, so a job of several ranks is not polled.
    changed = any(name.startswith(COLLECTIVE) for name in text.functions)
    settles = settling(text.functions)
    began = asks = False
    for op in block:
        if op is block.last:
            break
        chosen = isinstance(op, scf.If) and op.else_block is not None
        is_group = isinstance(op, func.Call) or chosen
        text.writer.op = op
        if is_group and began and not changed:
            write_poll(text, poll)
            asks = True
        began = began or is_group
        if not variables.isdisjoint(effects.written_by(op)):
            changed = True
            if settles is not None:
                # The other device is then done, or lost, while no variable has changed.
                write_settling(text, settles)
                settles = None
        text.write(op)
    text.writer.op = block.last
    text.writer.end_function("i32 0")
    if asks:
        define_poll(text.writer, poll)


def _begin_function(
    text: FunctionText, function: Func, name: str, alignments: Sequence[int], attributes: str
) -> None:
    w = text.writer
    w.begin_function()
    w.op = function
    leaves = text.bind_arguments(function, alignments)
    taken = ["ptr %context"]
    for i, parts in enumerate(leaves):
        words = _pointer_words(function, i, function.type.inputs[i], alignments)
        taken += [" ".join([kind, *words, part]) for kind, part in parts]
    w.line("")
    if function.location.files():
        w.line(f"; {function.location.describe()}")
    w.line(f"define internal {name}({', '.join(taken)}) {attributes} {{")
    w.begin_body()


def _pointer_words(
    function: Func, position: int, type: ty.Type, alignments: Sequence[int]
) -> list[str]:
    """The parameter attributes of a pointer."""
    if not isinstance(type, MemRefType):
        return []
    words = []
    if "llvm.noalias" in function.argument_attributes(position):
        words.append("noalias")
    if alignments[position] > 1:
        words.append(f"align {alignments[position]}")
    # The handler's memory is null if nobody listens.
    is_there = "job.shown" not in function.argument_attributes(position)
    if is_there and (size := byte_size(type)):
        words.append(f"dereferenceable({size})")
    return words


def _alignment(function: Func, position: int) -> int:
    """The guaranteed alignment of an argument, in bytes."""
    alignment = function.argument_attributes(position).get("llvm.align")
    return alignment.value if isinstance(alignment, IntegerAttr) else 1


def _write_global(writer: Writer, op: Operation, name: str) -> None:
    """A constant buffer, as its bytes."""
    assert isinstance(op, memref.Global)
    value, type = op.initial_value, op.type
    if not (op.constant and isinstance(value, DenseElementsAttr) and isinstance(type, MemRefType)):
        op.fail("expected a constant with a dense value: mutable data goes into the arena")
    if type.layout is not None or value.type.shape != type.shape:
        op.fail(f"expected a row-major buffer with the value's shape, got {type}")
    count = type.count if value.is_splat else 1
    data = value.data * count
    body = "".join(f"\\{byte:02X}" for byte in data)
    writer.op = op
    writer.line(
        f'{name} = internal unnamed_addr constant [{len(data)} x i8] c"{body}", align {ALIGNMENT}'
    )
