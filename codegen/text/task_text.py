"""Emits `scf.forall`: its body becomes a function that the context's thread pool calls.

    define internal void @dense_0.task.1(ptr %closure, i64 %task)

Captured values are passed in a closure on the caller's stack: the context first, then 8 bytes or
more for each value. A task's indices are computed from its number; the last one varies fastest.
"""

from __future__ import annotations

import math

from penstock.codegen.memref_values import MemRefValue
from penstock.codegen.text.parts.counted import CountedLoop
from penstock.codegen.text.parts.function_text import FunctionText, Meaning, Rule, attributes_for
from penstock.codegen.text.parts.vectors import Column, Vector, piece_types
from penstock.codegen.writer import Writer, symbol
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import scf
from penstock.ir.record import Record, replace

POOL_SLOT = 2
"""The index of `parallel_for` in the context; the pool follows it."""


class Closure:
    """The captured LLVM values of a task, each with its type and offset."""

    def __init__(self) -> None:
        self.slots: dict[str, tuple[str, int]] = {"%context": ("ptr", 0)}
        self.size = 8

    def add(self, name: str, kind: str) -> None:
        """Capture a value. Constants and globals need not be captured."""
        if name.startswith("%") and name not in self.slots:
            # Vectors of a register's width are the largest: 64 bytes are room for any.
            size = 8 if not kind.startswith("<") else 128
            self.slots[name] = (kind, self.size)
            self.size += size

    def add_meaning(self, meaning: Meaning) -> None:
        """Capture the LLVM values that represent a value of the IR."""
        if isinstance(meaning, MemRefValue):
            self.add(meaning.pointer, "ptr")
            self.add(meaning.shift, "i64")
        elif isinstance(meaning, Vector):
            for kind, name in zip(
                piece_types(meaning.type, meaning.lanes), meaning.names, strict=True
            ):
                self.add(name, kind)

    def store(self, w: Writer) -> str:
        """Store all captured values on the current function's stack; returns the address."""
        pointer = w.fresh("closure")
        w.insert(f"  {pointer} = alloca [{self.size} x i8], align 64")
        for name, (kind, place) in self.slots.items():
            slot = w.assign("slot", f"getelementptr inbounds nuw i8, ptr {pointer}, i64 {place}")
            w.line(f"  store {kind} {name}, ptr {slot}, align 8")
        return pointer

    def load(self, w: Writer) -> dict[str, str]:
        """Load all captured values from `%closure`. Returns the new name of each."""
        names: dict[str, str] = {}
        for name, (kind, place) in self.slots.items():
            slot = w.assign("slot", f"getelementptr inbounds nuw i8, ptr %closure, i64 {place}")
            if name == "%context":
                w.line(f"  %context = load ptr, ptr {slot}, align 8")
            else:
                hint = name[1:].partition(".")[0]
                names[name] = w.assign(hint, f"load {kind}, ptr {slot}, align 8")
        return names


class _Task(Record):
    """A body to be outlined into a function."""

    op: scf.Forall
    name: str
    closure: Closure
    captured: dict[Value, Meaning]
    extents: list[int]


def write_forall(text: FunctionText, op: scf.Forall) -> None:
    """Store the captured values, and have the pool run the tasks; without a pool, run them here."""
    count = _task_count(text, op)
    captured = {value: text.meaning(op, value) for value in _captured(op)}
    closure = Closure()
    for value, meaning in captured.items():
        if isinstance(meaning, str):
            closure.add(meaning, text.type(op, value.type))
        elif isinstance(meaning, Column):
            op.fail("uses a column of another function: read it inside")
        else:
            closure.add_meaning(meaning)
    w = text.writer
    name = symbol(f"{text.name}.task.{w.number()}")
    _write_region(w, name, closure.store(w), count)
    task = _Task(op, name, closure, captured, op.extents or [1])
    text.tasks.append(lambda: _write_task(text, task))


def _task_count(text: FunctionText, op: scf.Forall) -> str:
    """How many tasks there are: a number of one at least, or a value."""
    extents = op.extents
    if extents is not None and math.prod(extents) > 0:
        return str(math.prod(extents))
    is_plain = list(op.static_lower_bound) == [0] and list(op.static_step) == [1]
    if extents is not None or not is_plain:
        op.fail("expected as many tasks as numbers say, one at least")
    return text.value(op, op.dynamic_upper_bound[0])


def _write_region(w: Writer, name: str, closure: str, count: str) -> None:
    """Run the tasks, by the pool if there is one and there is more than one task."""
    if count == "1":
        w.line(f"  call void {name}(ptr {closure}, i64 0)")
        return
    slot = w.assign("slot", f"getelementptr inbounds nuw ptr, ptr %context, i64 {POOL_SLOT}")
    function = w.assign("parallel", f"load ptr, ptr {slot}, align 8")
    number = w.number()
    together, inorder, end = (f"{word}.{number}" for word in ("pooled", "alone", "done"))
    alone = w.assign("alone", f"icmp eq ptr {function}, null")
    w.line(f"  br i1 {alone}, label %{inorder}, label %{together}")
    w.label(together)
    slot = w.assign("slot", f"getelementptr inbounds nuw ptr, ptr %context, i64 {POOL_SLOT + 1}")
    pool = w.assign("pool", f"load ptr, ptr {slot}, align 8")
    w.line(f"  call void {function}(ptr {pool}, ptr {name}, ptr {closure}, i64 {count})")
    w.line(f"  br label %{end}")
    w.label(inorder)
    loop = CountedLoop(w, "0", count, "1", "task")
    w.line(f"  call void {name}(ptr {closure}, i64 {loop.index})")
    loop.close(holds_vectors=True)
    w.line(f"  br label %{end}")
    w.label(end)


def _captured(op: scf.Forall) -> list[Value]:
    """The values from outside that the body uses, without duplicates."""
    inside: set[Value] = set()
    used: dict[Value, None] = {}

    def look_inside(outer: Operation) -> None:
        for block in (block for region in outer.regions for block in region.blocks):
            inside.update(block.arguments)
            for inner in block:
                used.update(dict.fromkeys(inner.operands))
                inside.update(inner.results)
                if inner.regions:
                    look_inside(inner)

    look_inside(op)
    return [value for value in used if value not in inside]


def _write_task(outer: FunctionText, task: _Task) -> None:
    """The function of a body, and those outlined from it in turn."""
    w, op = outer.writer, task.op
    w.op = op
    w.begin_function()
    w.line("")
    attributes = attributes_for(op)
    w.line(f"define internal void {task.name}(ptr %closure, i64 %task) {attributes} {{")
    w.begin_body()
    names = task.closure.load(w)
    inner = outer.inside(task.name.strip('@"'))
    for value, meaning in task.captured.items():
        inner.bind(value, _renamed(meaning, names))
    _bind_positions(inner, task)
    inner.region(op, op.region)
    w.end_function()
    for write in inner.tasks:
        write()


def _renamed(meaning: Meaning, names: dict[str, str]) -> Meaning:
    """The same representation with a task's names."""
    if isinstance(meaning, str):
        return names.get(meaning, meaning)
    if isinstance(meaning, MemRefValue):
        pointer = names.get(meaning.pointer, meaning.pointer)
        return replace(meaning, pointer=pointer, shift=names.get(meaning.shift, meaning.shift))
    if isinstance(meaning, Vector):
        return replace(meaning, names=tuple(names.get(name, name) for name in meaning.names))
    return meaning


def _bind_positions(text: FunctionText, task: _Task) -> None:
    """The indices of a task, from its number."""
    w, op, rest = text.writer, task.op, "%task"
    bounds = zip(op.static_lower_bound, op.static_step, strict=True)
    for position, extent, (lower, step) in reversed(
        list(zip(op.inductions, task.extents, bounds, strict=True))
    ):
        index = rest
        if position is not op.inductions[0]:
            index = w.assign("at", f"urem i64 {rest}, {extent}")
            rest = w.assign("rest", f"udiv i64 {rest}, {extent}")
        if step != 1:
            index = w.assign("at", f"mul nsw i64 {index}, {step}")
            w.indices.note_divisor(index, step)
        if lower:
            divisor = math.gcd(lower, step)
            index = w.assign("at", f"add nsw i64 {index}, {lower}")
            w.indices.note_divisor(index, divisor)
        text.bind(position, index)


RULES: dict[type[Operation], Rule] = {scf.Forall: write_forall}
