"""Emits calls: of functions of the module; of taps, call-outs, collectives through the context.

Every function takes `ptr %context` first:

    struct Context { void (*tap)(void *user, int32_t id, void *data); void *user;
                     void (*parallel_for)(void *pool, void (*task)(void *closure, int64_t i),
                                          void *closure, int64_t n);
                     void *pool;
                     int32_t (*poll)(void *user);
                     int32_t (*callout)(void *user, int32_t id, void **buffers);
                     int32_t (*collective)(void *state, int32_t id, void *source, void *target);
                     void *state; };
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock.codegen.memref_values import first_element
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.stack_text import write_on_stack
from penstock.codegen.writer import Writer
from penstock.ir import types as ty
from penstock.ir.attributes import DictAttr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import func, scf
from penstock.ir.meaning.stack import stack_of
from penstock.ir.meaning.timing import timing_of

TAP = "penstock_tap_"
"""External functions with this prefix and a dtype pass a buffer to the context's callback."""

CALLOUT = "penstock_callout_"
"""External functions with this prefix and the number of a call-out pass buffers to its function."""
USER_SLOT, CALLOUT_SLOT = 1, 5
"""The indices of `user` and `callout` in the context."""

COLLECTIVE = "penstock_collective_"
"""External functions with this prefix and the number of a collective pass its two buffers on."""
AWAIT = "penstock_await_"
"""External functions with this prefix and the number of a deferred collective wait for it."""
AWAITED = 1 << 30
"""Added to the number of a collective to wait for it: runtime/collective.py."""
COLLECTIVE_SLOT, STATE_SLOT = 6, 7
"""The indices of `collective` and `state` in the context."""

BEGIN, END = "penstock_begin", "penstock_end"
"""Functions of `codegen/native/profile.c`."""

POLL_SLOT = 4
"""The index of `poll` in the context."""


def write_call(text: FunctionText, op: func.Call) -> None:
    """A call of a function of the module, or of the context's tap; it is timed if it says so."""
    timing = timing_of(op)
    if timing is None:
        _write_call(text, op)
        return
    write_mark(text.writer, BEGIN, timing["id"])
    _write_call(text, op)
    write_mark(text.writer, END, timing["id"])


def write_mark(w: Writer, function: str, number: int) -> None:
    """Record that a kernel, or the step, begins or ends, if a profile is attached."""
    w.declare(function, f"declare hidden void @{function}(ptr, i32)")
    w.line(f"  call void @{function}(ptr %context, i32 {number})")


def _write_call(text: FunctionText, op: func.Call) -> None:
    callee = text.functions.get(op.callee)
    if callee is None:
        op.fail(f"@{op.callee} is not a function")
    if callee.is_external:
        writers = (write for name, write in _OUTSIDE if op.callee.startswith(name))
        next(writers, _write_tap)(text, op)
        return
    arguments = [pair for value in op.operands for pair in _arguments(text, op, value)]
    target = text.symbols[op.callee]
    stack = stack_of(op)
    if stack is not None:
        write_on_stack(text, op, target, arguments, stack)
        return
    operands = ", ".join(["ptr %context", *(" ".join(pair) for pair in arguments)])
    call = f"call {result_type(text, callee)} {target}({operands})"
    if op.results:
        text.bind_leaves(op.results[0], [text.writer.assign(op.results[0].name, call)])
    else:
        text.writer.line(f"  {call}")


def _arguments(text: FunctionText, op: Operation, value: Value) -> list[tuple[str, str]]:
    """The LLVM arguments for one IR value, each with its type."""
    if isinstance(value.type, ty.MemRefType):
        return [("ptr", first_element(text.writer, text.buffer(op, value)))]
    return text.leaves(op, value)


def write_poll(text: FunctionText, poll: str) -> None:
    """Poll whether to stop the step here, and stop if so."""
    w = text.writer
    number = w.number()
    stopped = w.assign("stopped", f"call i1 {poll}(ptr %context)")
    w.line(f"  br i1 {stopped}, label %stop.{number}, label %continue.{number}")
    w.label(f"stop.{number}")
    w.line("  ret i32 1")
    w.label(f"continue.{number}")


def define_poll(w: Writer, poll: str) -> None:
    """Define the function that polls the context. Without a `poll` callback it continues."""
    lines = f"""\
define internal i1 {poll}(ptr %context) #1 {{
entry:
  %slot = getelementptr inbounds nuw ptr, ptr %context, i64 {POLL_SLOT}
  %poll = load ptr, ptr %slot, align 8
  %silent = icmp eq ptr %poll, null
  br i1 %silent, label %end, label %ask
ask:
  %user.slot = getelementptr inbounds nuw ptr, ptr %context, i64 1
  %user = load ptr, ptr %user.slot, align 8
  %answer = call i32 %poll(ptr %user)
  %told = icmp ne i32 %answer, 0
  ret i1 %told
end:
  ret i1 false
}}"""
    w.line("")
    for line in lines.splitlines():
        w.line(line)


def _write_tap(text: FunctionText, op: func.Call) -> None:
    inputs = [value.type for value in op.operands]
    is_tap = len(inputs) == 2 and inputs[0] is ty.i32 and not op.results
    if not (is_tap and op.callee.startswith(TAP)):
        op.fail(
            f"@{op.callee} has no body, and only taps and call-outs come from outside: expected "
            f"@{TAP}<dtype> of (i32, memref<*x...>), or a body"
        )
    buffer = text.buffer(op, op.operands[1])
    if not buffer.is_contiguous:
        op.fail(f"a tap takes a row-major buffer, got {buffer.type}: copy it first")
    w = text.writer
    data = first_element(w, buffer)
    function = w.assign("tap", "load ptr, ptr %context, align 8")
    slot = w.assign("slot", "getelementptr inbounds nuw ptr, ptr %context, i64 1")
    user = w.assign("user", f"load ptr, ptr {slot}, align 8")
    identifier = text.value(op, op.operands[0])
    w.line(f"  call void {function}(ptr {user}, i32 {identifier}, ptr {data})")


def _write_callout(text: FunctionText, op: func.Call) -> None:
    """Call the context's `callout` with the addresses of the buffers; if it fails, end the step."""
    number = _number(op, CALLOUT, "a call-out is @{}<number> of buffers")
    w = text.writer
    count = len(op.operands)
    buffers = w.assign("buffers", f"alloca [{max(count, 1)} x ptr], align 8")
    for place, value in enumerate(op.operands):
        data = _row_major(text, op, value, "a call-out")
        slot = w.assign("slot", f"getelementptr inbounds nuw ptr, ptr {buffers}, i64 {place}")
        w.line(f"  store ptr {data}, ptr {slot}, align 8")
    function = _slot(w, "callout", CALLOUT_SLOT)
    user = _slot(w, "user", USER_SLOT)
    _end_if_failed(w, f"call i32 {function}(ptr {user}, i32 {number}, ptr {buffers})")


def settling(functions: Mapping[str, func.Func]) -> int | None:
    """The number under which a job that copies values between devices says that it is about to
    change a variable: that behind its call-outs. None for other jobs."""
    facts = [f.attributes.get("job.callout") for f in functions.values()]
    declared = [one for one in facts if isinstance(one, DictAttr)]
    copies = any(one.get("copy") is not None for one in declared)
    return len(declared) if copies else None


def write_settling(text: FunctionText, number: int) -> None:
    """Call the context's `callout` without buffers; if it fails, end the step."""
    w = text.writer
    function = _slot(w, "callout", CALLOUT_SLOT)
    user = _slot(w, "user", USER_SLOT)
    _end_if_failed(w, f"call i32 {function}(ptr {user}, i32 {number}, ptr null)")


def _write_collective(text: FunctionText, op: func.Call) -> None:
    """Call the context's `collective` with the source and the target; if it fails, end the step."""
    number = _number(op, COLLECTIVE, "a collective is @{}<number> of two buffers")
    _call_collective(text, op, number, op.operands)


def _write_await(text: FunctionText, op: func.Call) -> None:
    """As a collective, whose number says that it is awaited; the target comes first."""
    number = _number(op, AWAIT, "a wait for a collective is @{}<number> of its two buffers")
    _call_collective(text, op, int(number) + AWAITED, op.operands[::-1])


def _call_collective(
    text: FunctionText, op: func.Call, number: int | str, buffers: Sequence[Value]
) -> None:
    if len(buffers) != 2:
        op.fail(f"has {len(buffers)} operands: a collective has a source and a target")
    w = text.writer
    source, target = (_row_major(text, op, value, "a collective") for value in buffers)
    function = _slot(w, "collective", COLLECTIVE_SLOT)
    state = _slot(w, "state", STATE_SLOT)
    given = f"ptr {state}, i32 {number}, ptr {source}, ptr {target}"
    _end_if_failed(w, f"call i32 {function}({given})")


_OUTSIDE = ((CALLOUT, _write_callout), (COLLECTIVE, _write_collective), (AWAIT, _write_await))


def _number(op: func.Call, prefix: str, form: str) -> str:
    """The number of the function that is called outside."""
    number = op.callee.removeprefix(prefix)
    job = op.parent
    while isinstance(job, scf.If):
        job = job.parent
    is_in_job = isinstance(job, func.Func) and job.sym_visibility != "private"
    if not number.isdecimal() or op.results or not is_in_job:
        op.fail(f"@{op.callee} has no body, and {form.format(prefix)}, called by the job itself")
    return number


def _row_major(text: FunctionText, op: func.Call, value: Value, what: str) -> str:
    """The address of the first element of a buffer that goes outside."""
    buffer = text.buffer(op, value)
    if not buffer.is_contiguous:
        op.fail(f"{what} takes row-major buffers, got {buffer.type}: copy it first")
    return first_element(text.writer, buffer)


def _slot(w: Writer, name: str, index: int) -> str:
    """A field of the context."""
    slot = w.assign("slot", f"getelementptr inbounds nuw ptr, ptr %context, i64 {index}")
    return w.assign(name, f"load ptr, ptr {slot}, align 8")


def _end_if_failed(w: Writer, call: str) -> None:
    """End the step if what is called outside returns another status than 0."""
    status = w.assign("status", call)
    failed = w.assign("failed", f"icmp ne i32 {status}, 0")
    label = w.number()
    w.line(f"  br i1 {failed}, label %failed.{label}, label %called.{label}")
    w.label(f"failed.{label}")
    w.line("  ret i32 1")
    w.label(f"called.{label}")


def write_return(text: FunctionText, function: func.Func) -> None:
    """The end of a function, after its body."""
    terminator = function.body.terminator
    values = [leaf for value in terminator.operands for leaf in text.leaves(terminator, value)]
    text.writer.end_function(" ".join(values[0]) if values else "void")


def result_type(text: FunctionText, function: func.Func) -> str:
    """A function's LLVM return type: void, a scalar, or a vector of one register."""
    results = function.type.results
    if not results:
        return "void"
    if not isinstance(results[0], (ty.MemRefType, ty.UnrankedMemRefType)):
        kinds = [kind for type in results for kind in text.kinds(function, type)]
        if len(kinds) == 1:
            return kinds[0]
    function.fail(
        f"@{function.sym_name} returns {ty.result_text(results)}: expected at most one "
        "scalar; write into memref arguments instead"
    )


RULES: dict[type[Operation], Rule] = {func.Call: write_call}
