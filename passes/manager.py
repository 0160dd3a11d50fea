"""Runs pipelines: verification, timing, statistics, IR dumps, and reproducers of failures."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from traceback import walk_tb
from typing import cast

from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import (
    Diagnostic,
    Impossible,
    IRError,
    OutOfMemory,
    Refused,
    pass_interrupt,
)
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.facets import FacetError
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.record import Record
from penstock.ir.rewriting.rewrite_session import Remark, RewriteSession, opened
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.passes.base import Pass
from penstock.passes.listeners import Dumps, Listener, Printout
from penstock.passes.pipeline import Pipeline, check_order, parse_pipeline, pipeline_text
from penstock.passes.report import PassReport, Report


class PassManager(Record, frozen=False):
    """Runs passes one after the other on a module.

    >>> from penstock.ir.dialects.parsing import parse_module
    >>> module = parse_module("func.func private @unused()")
    >>> PassManager(parse_pipeline("canonicalize,dce")).run(module).rewrites
    Counter({'dce': 1})
    """

    passes: Sequence[Pass]
    verify_each: bool = True
    """Verify after each pass, not only after the last. A failure is reported the same way."""
    timing: bool = False
    """Also time the patterns, and count how often each was tried."""
    remarks: bool = False
    """Record what was fused, what was not, and why."""
    fuel: int | None = None
    """Stop optional rewriting after this many rewrites. Mandatory passes still run."""
    print_ir_after_all: bool = False
    """Write the module to standard error after each pass that changed it."""
    dump_dir: str | Path | None = None
    """A folder for `00-input.mlir` and, after each pass that changed the text, `03-cse.mlir`."""
    reproduce: bool = True
    """Write a reproducer if a pass fails."""
    listeners: Sequence[Listener] = ()
    lowered: Callable[[Func], object] = lambda function: None
    """Called with each function once its loops are written, and with the job last. The function may
    not verify yet."""

    def run(self, module: Module, pristine: Module | None = None) -> Report:
        """Run all passes. An `IRError` names the pass and its reproducer in its last note.

        `pristine` is an unmodified copy of the module; it is made here if absent. Raises
        PipelineError before any pass runs if their order is wrong.
        """
        check_order(self.passes)
        listeners = [*self.listeners, *self._printers()]
        remarks: list[Remark] | None = [] if self.remarks else None
        session = RewriteSession(self.fuel, self.timing, remarks=remarks, lowered=self.lowered)
        report = Report(session=session)
        # Passes are deterministic, so the IR before any pass can be recomputed from a copy of the
        # input. One copy is cheaper than a copy before each pass.
        if pristine is None:
            pristine = cast(Module, module.clone())
        ops = _count(module)
        for listener in listeners:
            listener.started(module)
        for position, step in enumerate(self.passes):
            for listener in listeners:
                listener.before(position, step, module)
            try:
                report.passes.append(self._step(position, step, module, session, ops))
            except (Impossible, Refused):
                raise
            except Exception as error:
                pass_interrupt(error)
                if not isinstance(error, FacetError):  # a FacetError has its own origin
                    self._check_each(pristine)
                raise self._failure(pristine, position, error) from error
            ops = report.passes[-1].ops_after
            for listener in listeners:
                listener.after(position, step, module)
        return report

    def _step(
        self, position: int, step: Pass, module: Module, session: RewriteSession, ops: int
    ) -> PassReport:
        rewrites = session.rewrites.copy()
        started = perf_counter()
        with opened(session):
            step.run(module)
        ran = perf_counter()
        if self.verify_each or position == len(self.passes) - 1:
            verify(module)
        return PassReport(
            name=str(step),
            seconds=ran - started,
            verify_seconds=perf_counter() - ran,
            ops_before=ops,
            ops_after=_count(module),
            rewrites=session.rewrites - rewrites,
        )

    def _printers(self) -> list[Listener]:
        found: list[Listener] = []
        if self.print_ir_after_all:
            found.append(Printout(sys.stderr))
        if self.dump_dir is not None:
            found.append(Dumps(Path(self.dump_dir)))
        return found

    def _check_each(self, pristine: Module) -> None:
        """Rerun with verification after each pass: an earlier pass may have broken the module."""
        if not self.verify_each:
            again = cast(Module, pristine.clone())
            PassManager(self.passes, fuel=self.fuel).run(again, pristine)

    def _failure(self, pristine: Module, position: int, error: Exception) -> IRError:
        step = self.passes[position]
        short = isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError)
        if isinstance(error, IRError):
            found = list(error.diagnostics)
        elif short:
            said = f"pass {step.name} ran out of memory" + (f": {error}" if str(error) else "")
            found = [Diagnostic(f"{said}; allow it more, or make the job smaller", _place(error))]
        else:
            said = ": ".join(filter(None, (type(error).__name__, str(error))))
            found = [Diagnostic(f"pass {step.name} broke off with {said}", _place(error))]
            line = _own_line(step, error)
            if line:
                found[0] = dataclasses.replace(found[0], notes=(f"raised at {line}",))
        note = self._reproducer(pristine, position, found[0].message)
        found[-1] = dataclasses.replace(found[-1], notes=(*found[-1].notes, *note))
        return (OutOfMemory if short else IRError)(*found)

    def _reproducer(self, pristine: Module, position: int, message: str) -> list[str]:
        """Write a reproducer and return the notes that give its path."""
        from penstock.passes import reproducer  # its imports are slow, and only failures need it

        failed = self.passes[position].name
        if not self.reproduce:
            return [f"in pass {failed}"]
        again = RewriteSession(self.fuel)
        module = cast(Module, pristine.clone())
        try:
            with opened(again):
                for step in self.passes[:position]:
                    step.run(module)
            remaining = pipeline_text(self.passes[position:])
            path = reproducer.write(print_module(module), remaining, failed, message, again.fuel)
        except Exception as error:
            pass_interrupt(error)
            return [f"in pass {failed}; no reproducer could be written: {error}"]
        return [f"in pass {failed}; to reproduce: {path}"]


def run_pipeline(
    module: Module,
    pipeline: str | Pipeline | Sequence[Pass],
    *,
    verify_each: bool = True,
    timing: bool = False,
    remarks: bool = False,
    fuel: int | None = None,
    print_ir_after_all: bool = False,
    dump_dir: str | Path | None = None,
    reproduce: bool = True,
    listeners: Sequence[Listener] = (),
    pristine: Module | None = None,
    lowered: Callable[[Func], object] = lambda function: None,
) -> Report:
    """Run a pipeline, e.g. "canonicalize,cse", on a module, in place.

    The options are those of `PassManager` and its `run`. Raises PipelineError if the pipeline is
    wrong, and IRError if a pass or verification fails; a note gives the reproducer's path.
    """
    if isinstance(pipeline, str):
        pipeline = parse_pipeline(pipeline)
    manager = PassManager(
        pipeline.passes() if isinstance(pipeline, Pipeline) else pipeline,
        verify_each=verify_each,
        timing=timing,
        remarks=remarks,
        fuel=fuel,
        print_ir_after_all=print_ir_after_all,
        dump_dir=dump_dir,
        reproduce=reproduce,
        listeners=listeners,
        lowered=lowered,
    )
    return manager.run(module, pristine)


def _place(error: Exception) -> Location:
    """The location of the op in the innermost frame of the traceback that has a located op."""
    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        for held in frame.f_locals.values():
            # An op under construction may have no location yet.
            op = getattr(held, "defining_op", None) if isinstance(held, Value) else held
            location = getattr(op, "location", UNKNOWN) if isinstance(op, Operation) else UNKNOWN
            if location.files():
                return location
    return UNKNOWN


def _own_line(step: Pass, error: Exception) -> str:
    """The innermost line of a pass's own file in a traceback; empty without any."""
    module = sys.modules.get(type(step).__module__)
    file = getattr(module, "__file__", None)
    lines = [n for frame, n in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    return f"{Path(file).name}:{lines[-1]}" if file and lines else ""


def _count(op: Operation) -> int:
    """The number of ops nested in an op, itself included."""
    count = 1
    for region in op.regions:
        for block in region.blocks:
            inner = block.first
            while inner is not None:
                count += _count(inner) if inner.regions else 1
                inner = inner.next
    return count
