"""Parsing modules, in which ops of every dialect may stand."""

from __future__ import annotations

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir.dialects.builtin import Module
from penstock.ir.text.parser import Parser


def parse_module(text: str, source: str = "<text>", allow_unregistered: bool = False) -> Module:
    """The module in `text`; operations at the top without one are put into a module.

    `source` names the text in messages. Raises `IRError`, each finding with its line and a caret.

    >>> parse_module("func.func private @f(f32)").function("f").is_external
    True
    """
    return ModuleParser(text, source, allow_unregistered).module()


class ModuleParser(Parser):
    """Reads a whole module."""

    def module(self) -> Module:
        """The whole text."""
        ops = self.operations()
        if len(ops) == 1 and isinstance(ops[0], Module):
            return ops[0]
        module = Module.empty()
        for op in ops:
            module.body.append(op)
        return module
