"""Pass `dce`: dead code elimination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from penstock.ir.attributes import ArrayAttr, Attribute, DictAttr, StringAttr, SymbolRefAttr
from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.rewriting.rewrite_session import RewriteSession, current
from penstock.passes.base import Pass


class DCE(Pass):
    """Remove unused pure ops and unreferenced private functions.

    func.func private @unused() { ... }
    func.func @job(%x: f32) -> f32 {        func.func @job(%x: f32) -> f32 {
      %0 = math.exp %x : f32            ->
      return %x : f32                         return %x : f32
    }                                       }
    """

    name = "dce"

    def run(self, module: Module) -> None:
        session = current()
        _remove_unused_ops(module, session)
        _remove_unused_symbols(module, session)


def _remove_unused_ops(op: Operation, session: RewriteSession) -> None:
    """Walk backwards, so that the users of an op are removed before the op is visited."""
    for region in op.regions:
        for block in reversed(region.blocks):
            for inner in reversed(block):
                if inner.pure and not inner.terminator and inner.is_unused:
                    if session.may_rewrite():
                        session.count("dce", inner)
                        inner.erase()
                elif inner.regions:
                    _remove_unused_ops(inner, session)


def _remove_unused_symbols(table: Operation, session: RewriteSession) -> None:
    """Keep public symbols and all that they reference, transitively."""
    symbols = {name: op for op in table.body if (name := _symbol(op)) is not None}
    waiting = [name for name, op in symbols.items() if not _is_private(op)]
    waiting += [name for op in table.body if _symbol(op) is None for name in _named_by(op)]
    kept: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in symbols and name not in kept:
            kept.add(name)
            waiting.extend(_named_by(symbols[name]))
    for name, op in symbols.items():
        if name not in kept and session.may_rewrite():
            session.count("dce", op)
            op.erase()


def _symbol(op: Operation) -> str | None:
    name = op.attributes.get("sym_name")
    return name.value if isinstance(name, StringAttr) else None


def _is_private(op: Operation) -> bool:
    return op.attributes.get("sym_visibility") is StringAttr("private")


def _named_by(op: Operation) -> Iterator[str]:
    for inner in op.walk():
        yield from _symbols_in(inner.attributes.values())


def _symbols_in(attributes: Iterable[Attribute]) -> Iterator[str]:
    for attribute in attributes:
        match attribute:
            case SymbolRefAttr(name=name):
                yield name
            case ArrayAttr(items=items):
                yield from _symbols_in(items)
            case DictAttr(items=items):
                yield from _symbols_in(value for _, value in items)
