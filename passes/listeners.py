"""Pipeline listeners: the interface, and two listeners that print or dump the IR."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from penstock.ir.dialects.builtin import Module
from penstock.ir.text.printer import print_module
from penstock.ir.text_diff import text_diff
from penstock.passes.base import Pass


class Listener:
    """Callbacks around the passes of a pipeline. Subclasses override the ones they need."""

    def started(self, module: Module) -> None:
        """The pipeline begins."""

    def before(self, position: int, step: Pass, module: Module) -> None:
        """The pass at this position, counted from 0, is about to run."""

    def after(self, position: int, step: Pass, module: Module) -> None:
        """The pass has run, and the module was verified if verification is enabled."""


class Texts(Listener):
    """Base class for listeners that show the module's text after each pass that changed it."""

    def __init__(self) -> None:
        self.former = ""
        """The text before the last change."""
        self.text = ""

    def started(self, module: Module) -> None:
        self.text = print_module(module)
        self.show("input", 0)

    def after(self, position: int, step: Pass, module: Module) -> None:
        text = print_module(module)
        if text != self.text:
            self.former, self.text = self.text, text
            self.show(step.name, position + 1)

    def show(self, name: str, number: int) -> None:
        """Called when `self.text` changes. `number` is 0 for the input, then the pass's number."""


class Printout(Texts):
    """Writes the module to a stream after each pass that changed it."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.stream = stream

    def show(self, name: str, number: int) -> None:
        if number:
            self.stream.write(f"// IR after pass {number}, {name}\n{self.text}\n")


class Dumps(Texts):
    """Writes `00-input.mlir` and, after each pass that changed it, e.g. `03-cse.mlir`.

    A diff such as `03-cse.diff` is written next to it, with values numbered alike on both sides.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.shown = ""

    def show(self, name: str, number: int) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        stem = f"{number:02}-{name}"
        (self.folder / f"{stem}.mlir").write_text(self.text, encoding="utf-8")
        if number:
            changes = text_diff(self.former, self.text, self.shown, stem) + "\n"
            (self.folder / f"{stem}.diff").write_text(changes, encoding="utf-8")
        self.shown = stem
