"""Groups that need more of the stack than any thread has are called on memory of the job's own.

Panels and patches lie on the stack of the task that packs them. A thread of the program may have
less, and who writes beyond the end of a stack writes what others have there. So memory behind the
arena, which each run has for itself, is the stack for as long as such a group runs:

    call void @job.on_stack(ptr %stack, ptr @dense_0.call.7, ptr %closure)

where the closure has the group and its arguments. Nothing but loops runs there: taps, and the
question whether to stop, have their place between groups. The threads of the pool have stacks of a
known size (`codegen/pool.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock.codegen.buffers import ALIGNMENT, first_element
from penstock.codegen.function_text import FunctionText
from penstock.codegen.memref_text import PAGE, ROW
from penstock.codegen.task_text import Closure
from penstock.codegen.writer import Writer, symbol
from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Operation
from penstock.ir.dialects import func, memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.record import Record
from penstock.ir.types import MemRefType

LITTLE = 16 << 10
"""Bytes of scratch that any thread has room for; Python's have stacks of 32 KB at least."""

MOST = 1 << 20
"""Bytes of scratch that a function may have; the pool's threads have room for twice as much."""

_BESIDE = 64 << 10
"""Bytes for what is no scratch: registers that are spilled, the pool, handlers of signals."""


class Scratch:
    """How many bytes of scratch the functions of one module have on the stack."""

    def __init__(self, functions: Mapping[str, Func]) -> None:
        self._functions = functions
        self._found: dict[Operation, int] = {}

    def of(self, op: Operation) -> int:
        """What an op has at once: its own, and the most of any tasks and functions called."""
        found = self._found.get(op)
        if found is None:
            self._found[op] = 0  # no answer yet, as a recursive call finds
            found = self._found[op] = sum(self._inside(op))
        return found

    def _inside(self, op: Operation) -> tuple[int, int]:
        """The scratch of an op but for its tasks and calls, and the most of any of these."""
        own = most = 0
        for block in (block for region in op.regions for block in region.blocks):
            for inner in block:
                kind = type(inner)
                if kind is memref.Alloca:
                    own += _size(inner)
                elif kind is scf.Forall:
                    most = max(most, self.of(inner))
                elif inner.regions:
                    more, called = self._inside(inner)
                    own, most = own + more, max(most, called)
                elif isinstance(inner, func.Call) and inner.callee in self._functions:
                    most = max(most, self.of(self._functions[inner.callee]))
        return own, most

    def is_much(self, function: Func) -> bool:
        """Whether a function needs another stack; a located error where none is enough."""
        size = self.of(function)
        if size > MOST:
            function.fail(
                f"@{function.sym_name} takes {size} bytes of the stack: expected {MOST} at most"
            )
        return size > LITTLE

    def arena(self, job: Func, given: int) -> int:
        """The bytes of an arena of which a job says so many, with the stack behind it, if any."""
        called = [self._functions.get(op.callee) for op in job.walk() if isinstance(op, func.Call)]
        most = max((self.of(f) for f in called if f is not None and self.is_much(f)), default=0)
        return _rounded(given) + _rounded(most + _BESIDE) if most else given


class Stack(Record):
    """Where the stack of a job begins, an LLVM value, and what its groups need of it."""

    top: str
    scratch: Scratch


def arena_bytes(module: Module, given: int) -> int:
    """The bytes of an arena of which the job says so many, with the stack behind it, if any."""
    functions = {function.sym_name: function for function in module.functions()}
    return Scratch(functions).arena(module.job, given)


def _size(op: Operation) -> int:
    """Its bytes, and those by which it is moved to a place of a page."""
    type = op.results[0].type
    if not isinstance(type, MemRefType) or not type.is_static:
        return 0  # which `write_alloca` refuses
    size = type.count * ty.byte_width(type.element)
    return size + (PAGE if size >= ROW else ALIGNMENT)


def _rounded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def begin_stack(text: FunctionText, job: Func) -> None:
    """Find the stack of a job that is being written, where its groups need one."""
    scratch = Scratch(text.functions)
    if not scratch.arena(job, 0):
        return
    for i, argument in enumerate(job.arguments):
        given = job.argument_attributes(i).get("job.arena")
        if isinstance(given, IntegerAttr):
            arena = first_element(text.writer, text.buffer(job, argument))
            size = scratch.arena(job, given.value)
            step = f"getelementptr inbounds nuw i8, ptr {arena}, i64 {size}"
            text.stack = Stack(text.writer.assign("stack", step), scratch)
            text.tasks.append(lambda: _define_change(text.writer, text.name))
            return
    job.fail(
        f"@{job.sym_name} calls functions with much scratch: expected an argument with job.arena, "
        "behind which that has its place"
    )


def end_stack(job: Func) -> None:
    """Fail where a job that was written has much scratch of its own."""
    own = Scratch({}).of(job)
    if own > LITTLE:
        job.fail(
            f"@{job.sym_name} takes {own} bytes of its caller's stack: expected {LITTLE} at most; "
            "put loops with much scratch into a function that it calls"
        )


def write_on_stack(
    text: FunctionText, call: func.Call, group: str, arguments: Sequence[tuple[str, str]]
) -> None:
    """Call a group, with arguments of these types, where the job's own stack begins."""
    if call.results:
        call.fail("takes much of the stack and returns a value: expected one written to a buffer")
    assert text.stack is not None
    w, closure = text.writer, Closure()
    for kind, name in arguments:
        closure.add(name, kind)
    caller = symbol(f"{text.name}.call.{w.number()}")
    change = symbol(f"{text.name}.on_stack")
    pointer = closure.store(w)
    w.line(f"  call void {change}(ptr {text.stack.top}, ptr {caller}, ptr {pointer}, ptr {group})")

    def write_caller() -> None:
        w.begin_function()
        w.line("")
        w.line(f"define internal void {caller}(ptr %closure, ptr %group) #0 {{")
        w.begin_body()
        names = closure.load(w)
        given = [f"{kind} {names.get(name, name)}" for kind, name in arguments]
        w.line(f"  call void %group({', '.join(['ptr %context', *given])})")
        w.end_function()

    text.tasks.append(write_caller)


def _define_change(w: Writer, job: str) -> None:
    """The function that calls another one, with two pointers, where a given stack ends."""
    lines = (
        "pushq %rbp", "movq %rsp, %rbp", "movq %rdi, %rsp", "movq %rsi, %rax", "movq %rdx, %rdi",
        "movq %rcx, %rsi", "callq *%rax", "movq %rbp, %rsp", "popq %rbp", "retq",
    )  # fmt: skip
    w.line("")
    w.line(
        f"define internal void {symbol(f'{job}.on_stack')}"
        "(ptr %stack, ptr %function, ptr %closure, ptr %group) naked noinline nounwind {"
    )
    text = "\\0A".join(lines)
    w.line(f'  call void asm sideeffect "{text}", ""()')
    w.line("  unreachable")
    w.line("}")
