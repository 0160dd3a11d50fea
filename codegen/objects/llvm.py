"""Drives LLVM through llvmlite: checks, optimises and compiles text.

Floating-point arithmetic keeps its meaning: no instruction carries a fast-math flag, and LLVM
contracts a product and a sum only where the text says `llvm.fma` or `llvm.fmuladd`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from penstock.codegen.host import LEVELS as LEVELS
from penstock.codegen.host import host_level as host_level
from penstock.codegen.host import host_levels as host_levels
from penstock.codegen.host import processor
from penstock.codegen.objects import llvm_machine
from penstock.codegen.objects.llvm_machine import Machine, Rejected
from penstock.codegen.writer import SCALAR_LOOPS, LLVMText
from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.ir.record import Record

_PLACE = re.compile(r"<string>:(\d+):\d+: error: (.*)")
_SCALAR_LOOPS = f" {SCALAR_LOOPS} {{\n"
"""How the first line of a function ends that has such loops."""


_ARRANGES = re.compile(
    r"define |declare |attributes |[}!]|[\w.]+:$|$"
    r"|  (%\S+ = )?(getelementptr|load ptr,|call|ret) "
)
"""The lines of functions that only call others with pointers from their arguments."""
_SHORT = 80
"""The most lines of which nobody notices how good their code is."""


def is_plain(text: str) -> bool:
    """Whether a text is a few calls of kernels, for which any code is as good as the best."""
    lines = text.split("\n")
    return len(lines) <= _SHORT and all(map(_ARRANGES.match, lines))


def target_machine(cpu: str | None, quick: bool = False) -> Machine:
    """The target machine for a processor, the host where None; one for each thread.

    Raises ValueError for a name that is neither the host's nor one of `LEVELS`: LLVM would take
    any name and compile for the oldest processor.
    """
    return llvm_machine.native_machine(*processor(cpu), quick)


class Foreign(Record):
    """A processor of another family, such as a GPU, as LLVM names it."""

    triple: str
    cpu: str
    features: str = ""


def foreign_machine(target: Foreign) -> Machine:
    """A target machine for a processor of another family; one for each thread."""
    return llvm_machine.machine_of(target.triple, target.cpu, target.features)


@contextmanager
def _located(source: LLVMText) -> Iterator[None]:
    try:
        yield
    except Rejected as error:
        raise rejection(source, str(error)) from None


def rejection(source: LLVMText, message: str) -> IRError:
    """The error, at the operation, for what LLVM says of a line of a text."""
    found = _PLACE.search(message)
    if found is None:
        what = " ".join(message.split())
        return IRError(Diagnostic(f"LLVM rejects the module's text: {what}"))
    line = int(found[1])
    op = source.origin(line)
    lines = source.text.splitlines()
    text = f"`{lines[line - 1].strip()}`" if line <= len(lines) else "the end of the text"
    what = f"LLVM rejects {text}, line {line} of stage llvm: {found[2]}"
    if op is None:
        return IRError(Diagnostic(what))
    return IRError(Diagnostic(f"{op.name}: {what}", op.location))


def has_scalar_loops(text: str) -> bool:
    """Whether a text gains by LLVM's pipeline.

    Vectorised code is final: the pipeline would take most of the compile time and change nothing.
    """
    return _SCALAR_LOOPS in text


def check(source: LLVMText, cpu: str | None = None) -> None:
    """Raise `IRError`, at the operation, for the first line of a text that LLVM rejects."""
    with _located(source), llvm_machine.parsed(source.text.encode(), target_machine(cpu)):
        pass


def compile_object(source: LLVMText, cpu: str | None = None) -> bytes:
    """The relocatable object of a text for a processor, the host's where None.

    Thread-safe and concurrent. Raises `IRError` at the operation whose line LLVM rejects.
    """
    optimised, machine = has_scalar_loops(source.text), target_machine(cpu, is_plain(source.text))
    with _located(source):
        return llvm_machine.compiled(source.text.encode(), machine, optimised)


def compile_assembly(source: LLVMText, machine: Machine, optimised: bool | None = None) -> str:
    """The assembly text of a text for a target machine.

    `optimised` says whether to run LLVM's pipeline; with None, it runs if that pays off.
    """
    with _located(source), llvm_machine.parsed(source.text.encode(), machine) as module:
        if has_scalar_loops(source.text) if optimised is None else optimised:
            llvm_machine.optimise(module, machine)
        return llvm_machine.emit(module, machine, as_object=False).decode()
