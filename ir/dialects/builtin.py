"""`builtin`: the module, which holds functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from penstock.ir.attributes import Attribute, StringAttr
from penstock.ir.codecs import STRING
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.dialects.arith import Cast
from penstock.ir.dialects.func import Func
from penstock.ir.opdef import attribute, region
from penstock.ir.quoting import bare_or_quoted
from penstock.ir.types import OpaqueType

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer


class UnrealizedConversionCast(Cast):
    """The same bits as a type that other ops take: integers with a sign of their own, and without.

    `arith` computes with signless integers alone. The sums of a warpgroup are a vector there, and a
    struct in `nvvm`.
    """

    name = "builtin.unrealized_conversion_cast"

    def verify(self) -> None:
        if not any(isinstance(v.type, OpaqueType) for v in (self.source, self.result)):
            super().verify()

    def fold(
        self, constants: Sequence[Attribute | None]
    ) -> Sequence[Value | Attribute | None] | None:
        """A cast back to the original type folds to the original value."""
        before = self.source.defining_op
        if isinstance(before, UnrealizedConversionCast):
            return [before.source] if before.source.type is self.result.type else None
        return None


class Module(Operation):
    """A compilation unit: functions, found by name, and the facts of the job as attributes."""

    name = "builtin.module"
    isolated = True
    symbol_table = True
    sym_name = attribute(STRING, optional=True)
    members = region(terminated=False)

    def write(self, p: Printer, indent: str) -> None:
        """`module @name attributes {...} { ... }`"""
        p.out.append("module ")
        if self.sym_name is not None:
            p.out.append(f"@{bare_or_quoted(self.sym_name)} ")
        rest = p.attribute_dictionary(self, ["sym_name"])
        p.out.append(f"attributes {rest} " if rest else "")
        blocks = self.region.blocks
        p.scoped_region(
            self, self.region, indent, labels=len(blocks) > 1 or bool(blocks[0].arguments)
        )

    @classmethod
    def read(cls, p: Parser) -> Module:
        """The inverse of `write`."""
        attributes: dict[str, Attribute] = {}
        if p.kind == "symbol":
            attributes["sym_name"] = StringAttr(p.symbol_name())
        if p.accept("attributes"):
            attributes = p.dictionary(attributes)
        region = p.region(isolated=True)
        if not region.blocks:
            region.append(Block())
        return cls(attributes=attributes, regions=[region])

    @staticmethod
    def empty(name: str | None = None) -> Module:
        """A module with no functions."""
        module = Module(regions=[Region(Block())])
        if name is not None:
            module.sym_name = name
        return module

    def functions(self) -> list[Func]:
        """Its functions, in order."""
        return [op for op in self.body if isinstance(op, Func)]

    def function(self, name: str) -> Func:
        """The function of that name; KeyError lists those there are."""
        for function in self.functions():
            if function.sym_name == name:
                return function
        raise KeyError(f"no function @{name} in the module: it has {self.function_names()}")

    def function_names(self) -> str:
        return ", ".join(f"@{f.sym_name}" for f in self.functions()) or "none"

    @property
    def job(self) -> Func:
        """The function of the job: the only one that is not private."""
        public = [f for f in self.functions() if f.sym_visibility != "private"]
        if len(public) != 1:
            self.fail(
                f"expected one public function, the job, and got {len(public)}: "
                "mark the others private"
            )
        if not public[0].regions[0].blocks:
            public[0].fail(f"@{public[0].sym_name} has no body: expected the job's")
        return public[0]
