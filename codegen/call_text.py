"""Rules for calls: functions of the module, and taps, which the context provides.

Every function takes `ptr %context` first:

    struct Context { void (*tap)(void *user, int32_t id, void *data); void *user; };
"""

from __future__ import annotations

from penstock.codegen.buffers import first_element
from penstock.codegen.function_text import FunctionText, Rule
from penstock.codegen.llvm_types import llvm_type
from penstock.ir import types as ty
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import func

TAP = "penstock_tap_"
"""External functions of this name and a dtype hand a buffer to the context's callback."""


def write_call(text: FunctionText, op: func.Call) -> None:
    """A call of a function of the module, or of the context's tap."""
    callee = text.functions.get(op.callee)
    if callee is None:
        op.fail(f"expected a function, and @{op.callee} is none")
    if callee.is_external:
        _write_tap(text, op)
        return
    arguments = ["ptr %context", *(_argument(text, op, value) for value in op.operands)]
    target = text.symbols[op.callee]
    call = f"call {result_type(callee)} {target}({', '.join(arguments)})"
    if op.results:
        text.bind(op.results[0], text.writer.assign(op.results[0].name, call))
    else:
        text.writer.line(f"  {call}")


def _argument(text: FunctionText, op: Operation, value: Value) -> str:
    if isinstance(value.type, ty.MemRefType):
        return f"ptr {first_element(text.writer, text.buffer(op, value))}"
    return f"{text.type(op, value.type)} {text.value(op, value)}"


def _write_tap(text: FunctionText, op: func.Call) -> None:
    inputs = [value.type for value in op.operands]
    is_tap = len(inputs) == 2 and inputs[0] is ty.i32 and not op.results
    if not (is_tap and op.callee.startswith(TAP)):
        op.fail(
            f"@{op.callee} has no body, and only taps come from outside: expected "
            f"@{TAP}<dtype> of (i32, memref<*x...>), or a body"
        )
    buffer = text.buffer(op, op.operands[1])
    if not buffer.is_contiguous:
        op.fail(f"a tap takes a row-major buffer and gets {buffer.type}: copy it first")
    w = text.writer
    data = first_element(w, buffer)
    function = w.assign("tap", "load ptr, ptr %context, align 8")
    slot = w.assign("slot", "getelementptr inbounds nuw ptr, ptr %context, i64 1")
    user = w.assign("user", f"load ptr, ptr {slot}, align 8")
    identifier = text.value(op, op.operands[0])
    w.line(f"  call void {function}(ptr {user}, i32 {identifier}, ptr {data})")


def write_return(text: FunctionText, function: func.Func) -> None:
    """The end of a function, after its body."""
    terminator = function.body.terminator
    values = text.values(terminator, terminator.operands)
    kind = result_type(function)
    text.writer.line(f"  ret {kind} {values[0]}" if values else "  ret void")


def result_type(function: func.Func) -> str:
    """What a function returns: nothing, or one scalar or vector."""
    results = function.type.results
    if not results:
        return "void"
    if len(results) > 1 or isinstance(results[0], (ty.MemRefType, ty.UnrankedMemRefType)):
        function.fail(
            f"@{function.sym_name} returns {ty.result_text(results)}: expected at most one "
            "scalar; write into memref arguments instead"
        )
    try:
        return llvm_type(results[0])
    except TypeError as error:
        function.fail(str(error))


RULES: dict[type[Operation], Rule] = {func.Call: write_call}
