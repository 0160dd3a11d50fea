"""Calls groups with large stack frames on a stack in the arena.

Panels and patches are on the stack of the task that packs them. A user's thread may have a smaller
stack, and an overflow would corrupt memory. So a part of the arena, which is private to each run,
serves as the stack while such a group runs. The call's attribute gives its offset and size.

    func.call @dense_0(%x, %y) {job.stack = array<i64: 4096, 120064>}
->
    %stack = getelementptr inbounds nuw i8, ptr %arena, i64 124160
    call void @job.on_stack(ptr %stack, ptr @job.call.7, ptr %closure, ptr @dense_0)

where the closure has the arguments. Only loops run there: taps and polls come between groups. The
threads of the pool have stacks of a known size
(`codegen/native/pool.c`).
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.codegen.memref_values import ALIGNMENT, first_element
from penstock.codegen.text.parts.function_text import FunctionText
from penstock.codegen.text.task_text import Closure
from penstock.codegen.writer import Writer, symbol
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Operation
from penstock.ir.dialects import func, scf
from penstock.ir.meaning.stack import BESIDE, STACK, scratch


def write_on_stack(
    text: FunctionText,
    call: func.Call,
    group: str,
    arguments: Sequence[tuple[str, str]],
    extent: tuple[int, int],
) -> None:
    """Call a group, with arguments of these types, on a stack that ends there."""
    if call.results:
        call.fail("has a stack of its own and returns a value: write the value to a buffer")
    w, closure = text.writer, Closure()
    for kind, name in arguments:
        closure.add(name, kind)
    arena, end = _place(text, call, *extent)
    caller = symbol(f"{text.name}.call.{w.number()}")
    change = symbol(f"{text.name}.on_stack")
    stack = w.assign("stack", f"getelementptr inbounds nuw i8, ptr {arena}, i64 {end}")
    pointer = closure.store(w)
    w.line(f"  call void {change}(ptr {stack}, ptr {caller}, ptr {pointer}, ptr {group})")

    def write_caller() -> None:
        w.op = call
        w.begin_function()
        w.line("")
        w.line(f"define internal void {caller}(ptr %closure, ptr %group) #0 {{")
        w.begin_body()
        names = closure.load(w)
        handed = [f"{kind} {names.get(name, name)}" for kind, name in arguments]
        w.line(f"  call void %group({', '.join(['ptr %context', *handed])})")
        w.end_function()

    text.tasks.append(write_caller)
    if not text.changes_stack:
        text.changes_stack = True
        text.tasks.append(lambda: _define_change(w, change))


def _place(text: FunctionText, call: func.Call, start: int, size: int) -> tuple[str, int]:
    """The LLVM value of the calling job's arena, and the offset of the stack's end in it."""
    needed = scratch(text.functions[call.callee]) + BESIDE
    if size < needed:
        call.fail(f"has a stack of {size} bytes: expected {needed} at least, for @{call.callee}")
    job: Operation | None = call
    while job is not None and not isinstance(job, func.Func):
        if isinstance(job, scf.Forall):
            call.fail("has a stack of its own in a parallel task: all tasks would share that stack")
        job = job.parent
    assert isinstance(job, func.Func)
    for i, argument in enumerate(job.arguments):
        arena = job.argument_attributes(i).get("job.arena")
        if isinstance(arena, IntegerAttr):
            if start < 0 or start + size > arena.value:
                call.fail(
                    f"has {STACK} = {start}, {size}: expected a part of the {arena.value} bytes of "
                    "the arena"
                )
            end = (start + size) // ALIGNMENT * ALIGNMENT
            return first_element(text.writer, text.buffer(call, argument)), end
    call.fail(f"has {STACK}, but @{job.sym_name} has no argument with job.arena to hold it")


def _define_change(w: Writer, change: str) -> None:
    """Define the function that switches stacks and calls another one with two pointers."""
    lines = (
        "pushq %rbp", "movq %rsp, %rbp", "movq %rdi, %rsp", "movq %rsi, %rax", "movq %rdx, %rdi",
        "movq %rcx, %rsi", "callq *%rax", "movq %rbp, %rsp", "popq %rbp", "retq",
    )  # fmt: skip
    w.line("")
    w.line(
        f"define internal void {change}"
        "(ptr %stack, ptr %function, ptr %closure, ptr %group) naked noinline nounwind {"
    )
    text = "\\0A".join(lines)
    w.line(f'  call void asm sideeffect "{text}", ""()')
    w.line("  unreachable")
    w.line("}")
