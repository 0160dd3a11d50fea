"""The body of a kernel: registers, variables, labels and instructions."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.runtime.gpu.simulator.ptx.cursor import Cursor
from penstock.runtime.gpu.simulator.ptx.syntax import (
    Address,
    Instruction,
    Kernel,
    Label,
    Module,
    Not,
    Operand,
    Pair,
    Register,
    Sink,
    Special,
    Symbol,
    Vector,
)
from penstock.runtime.gpu.simulator.ptx.variables import variable_declaration

__all__ = ["BodyParser"]

_REGISTER_TYPES = {
    **{"pred": "pred", "b8": "b8", "u8": "b8", "s8": "b8"},
    **{name: "b16" for name in ("b16", "u16", "s16", "f16", "bf16")},
    **{name: "b32" for name in ("b32", "u32", "s32", "f32", "f16x2", "bf16x2")},
    **{name: "b64" for name in ("b64", "u64", "s64", "f64")},
}
SPECIAL = {
    f"%{name}.{axis}"
    for name in ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid")
    for axis in "xyz"
} | {
    *(f"%cluster_nctaid.{axis}" for axis in "xyz"),
    *("%laneid", "%warpid", "%nwarpid", "%cluster_ctarank", "%cluster_nctarank"),
    *(f"%lanemask_{kind}" for kind in ("eq", "le", "lt", "ge", "gt")),
    *("%clock", "%clock64", "%globaltimer", "%smid", "%nsmid", "%gridid"),
    *("%dynamic_smem_size", "%total_smem_size", "%is_explicit_cluster"),
}


class BodyParser:
    """Reads one kernel from after its opening brace through its closing brace."""

    def __init__(self, cursor: Cursor, kernel: Kernel, module: Module) -> None:
        self.cursor, self.kernel, self.module = cursor, kernel, module
        self.scopes: list[int] = [0]
        self.last_scope = 0
        self.registers: list[dict[str, Register]] = [{}]
        self.source: str | None = None

    def parse(self) -> None:
        """Read the body into the kernel."""
        cursor = self.cursor
        while self.scopes:
            if cursor.at("{"):
                cursor.take()
                self.last_scope += 1
                self.scopes.append(self.last_scope)
                self.registers.append({})
            elif cursor.accept("}"):
                self.scopes.pop()
                self.registers.pop()
            elif cursor.accept(";"):
                continue
            elif cursor.next.kind == "word" and cursor.next.text.startswith("."):
                self._directive()
            else:
                self._statement()
        self._check_labels()

    def _directive(self) -> None:
        cursor = self.cursor
        if cursor.accept(".reg"):
            self._declare_registers()
        elif cursor.accept(".loc"):
            self._location()
        elif cursor.at(".shared", ".local"):
            self.kernel.variables.append(variable_declaration(cursor))
        elif cursor.accept(".pragma"):
            cursor.take()
            cursor.expect(";")
        else:
            cursor.fail(f"the directive {cursor.next.text!r} is not modelled in a kernel")

    def _declare_registers(self) -> None:
        cursor = self.cursor
        kind = _REGISTER_TYPES.get(cursor.word()[1:])
        if kind is None:
            cursor.fail("registers of this type are not modelled")
        while True:
            name = cursor.word()
            if cursor.accept("<"):
                count = cursor.integer()
                cursor.expect(">")
                names = [f"{name}{number}" for number in range(count)]
            else:
                names = [name]
            for each in names:
                register = Register(each, kind, len(self.kernel.registers))
                self.kernel.registers.append(register)
                self.registers[-1][each] = register
            if not cursor.accept(","):
                break
        cursor.expect(";")

    def _location(self) -> None:
        """`.loc 1 12 3`, and where that was inlined."""
        cursor = self.cursor
        file, line, _ = cursor.integer(), cursor.integer(), cursor.integer()
        self.source = f"{self.module.files.get(file, f'file {file}')}:{line}"
        while cursor.accept(","):
            word = cursor.word()
            if word == "function_name":
                cursor.word()
                if cursor.accept("+"):
                    cursor.integer()
            elif word == "inlined_at":
                for _ in range(3):
                    cursor.integer()
            else:
                cursor.fail(f"{word!r} is not part of a .loc")

    def _statement(self) -> None:
        cursor = self.cursor
        start = cursor.next
        guard: Register | Not | None = None
        if cursor.accept("@"):
            negated = cursor.accept("!")
            register = self._register(cursor.word())
            guard = Not(register) if negated else register
        name = cursor.word()
        if guard is None and cursor.accept(":"):
            key = (self.scopes[-1], name)
            if key in self.kernel.labels:
                cursor.fail(f"the label {name} is defined twice")
            self.kernel.labels[key] = len(self.kernel.instructions)
            return
        operands = self._operands(branch=name.split(".")[0] == "bra")
        stop = cursor.expect(";")
        text = " ".join(cursor.text[start.start : stop.stop].split())
        self.kernel.instructions.append(
            Instruction(
                kernel=self.kernel.name,
                number=len(self.kernel.instructions),
                line=start.line,
                text=text if len(text) <= 120 else f"{text[:117]}...",
                opcode=tuple(name.split(".")),
                operands=operands,
                guard=guard,
                source=self.source,
                scopes=tuple(self.scopes),
            )
        )

    def _operands(self, branch: bool) -> tuple[Operand, ...]:
        found: list[Operand] = []
        while not self.cursor.at(";"):
            if branch:
                found.append(Label(self.cursor.word(), tuple(self.scopes)))
            else:
                found.append(self._operand())
            if not self.cursor.accept(","):
                break
        return tuple(found)

    def _operand(self) -> Operand:
        cursor = self.cursor
        if cursor.accept("{"):
            items = [self._operand()]
            while cursor.accept(","):
                items.append(self._operand())
            cursor.expect("}")
            return Vector(tuple(items))
        if cursor.accept("["):
            return self._address()
        if cursor.accept("!"):
            return Not(self._register(cursor.word()))
        first = self._atom()
        return Pair(first, self._atom()) if cursor.accept("|") else first

    def _address(self) -> Address:
        cursor = self.cursor
        base = self._atom()
        offset = 0
        while cursor.at("+", "-"):
            sign = -1 if cursor.take().text == "-" else 1
            offset += sign * cursor.integer()
        coordinates = None
        if cursor.accept(","):
            vector = self._operand()
            if not isinstance(vector, Vector):
                cursor.fail("expected coordinates in braces")
            coordinates = vector.items
        cursor.expect("]")
        return Address(base, offset, coordinates)

    def _atom(self) -> Operand:
        cursor = self.cursor
        if cursor.next.kind == "number" or cursor.at("-"):
            return cursor.number()
        name = cursor.word()
        if name == "_":
            return Sink()
        register = self._find(name)
        if register is not None:
            return register
        if name in SPECIAL:
            return Special(name)
        if name.startswith("%"):
            cursor.fail(f"the register {name} is not declared or not modelled")
        return Symbol(name)

    def _register(self, name: str) -> Register:
        register = self._find(name)
        if register is None:
            self.cursor.fail(f"the register {name} is not declared")
        return register

    def _find(self, name: str) -> Register | None:
        for scope in reversed(self.registers):
            if name in scope:
                return scope[name]
        return None

    def _check_labels(self) -> None:
        for instruction in self.kernel.instructions:
            for operand in instruction.operands:
                if isinstance(operand, Label) and target(self.kernel, operand) is None:
                    instruction.fail(f"the label {operand.name} is not defined")


def target(kernel: Kernel, label: Label) -> int | None:
    """The number of the instruction at a label, in the innermost scope that defines it."""
    scopes: Sequence[int] = label.scopes
    for scope in reversed(scopes):
        found = kernel.labels.get((scope, label.name))
        if found is not None:
            return found
    return None
