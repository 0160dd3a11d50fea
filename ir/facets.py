"""Facets, the methods that define an op, and the errors for facets that fail.

The author of an op writes `infer`, `reference`, `grad`, `lower` and helpers such as `scalar`. An
exception in one of them is a bug of the op's class, not of the program that calls the op. So the
error names the op, the method, the failing line and the line of the call.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, TracebackType
from typing import NoReturn

from penstock.ir.diagnostics import Diagnostic, IRError, LocatedOp, pass_interrupt
from penstock.ir.location import shown_file


class FacetError(IRError):
    """A facet raised an exception or returned a wrong value (not: it rejected its operands)."""


@contextmanager
def facet(op: LocatedOp, name: str) -> Iterator[None]:
    """Convert exceptions inside `with facet(op, "grad"):` into errors of that facet."""
    try:
        yield
    except Exception as error:
        broke_off(op, name, error)


def broke_off(op: LocatedOp, name: str, error: Exception) -> NoReturn:
    """Re-raise a facet's exception as a `FacetError`, or unchanged if it names the op already."""
    pass_interrupt(error)
    if isinstance(error, FacetError):
        raise error
    if isinstance(error, IRError):
        what = error.diagnostics[0].message
        if what.startswith(f"{op.name}: "):
            raise error
        what = f"made an op that is refused: {what}"
    else:
        text = str(error).partition("\n")[0]
        what = f"raised {type(error).__name__}" + (f": {text}" if text else "")
    method, place = _origin(op, name, error.__traceback__)
    raise FacetError(_sentence(op, method, place, what)) from error


def gave(op: LocatedOp, name: str, what: object, expected: str) -> NoReturn:
    """Raise the error for a facet that returned something other than `expected`."""
    method = getattr(type(op), name)
    place = _place(method.__code__) if inspect.isfunction(method) else ""
    kind = "None" if what is None else f"{what!r} of type {type(what).__name__}"
    raise FacetError(_sentence(op, name, place, f"gave {kind}: expected {expected}"))


def _sentence(op: LocatedOp, method: str, place: str, what: str) -> Diagnostic:
    where = f" ({place})" if place else ""
    return Diagnostic(f"{op.name}: its `{method}`{where} {what}", op.location)


def _place(code: CodeType, line: int = 0) -> str:
    return f"{shown_file(code.co_filename)}:{line or code.co_firstlineno}"


def _origin(op: LocatedOp, name: str, trace: TracebackType | None) -> tuple[str, str]:
    """The innermost method of the op in the traceback, and the last line that ran in its file.

    Methods defined in a user's module take precedence.
    """
    classes = [base for base in type(op).__mro__ if not base.__module__.startswith("penstock.")]
    for bases in (classes, type(op).__mro__):
        methods = _methods(bases)
        found, file, step = None, None, trace
        while step is not None:
            code = step.tb_frame.f_code
            first = step.tb_frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
            if code in methods and (first is op or methods[code][1]):
                name, file = methods[code][0], code.co_filename
            if code.co_filename == file:
                found = name, _place(code, step.tb_lineno)
            step = step.tb_next
        if found is not None:
            return found
    return name, ""


def _methods(classes: Iterable[type]) -> dict[CodeType, tuple[str, bool]]:
    """The functions of these classes by their code: the name, and whether it is static."""
    found: dict[CodeType, tuple[str, bool]] = {}
    for base in classes:
        for name, member in vars(base).items():
            function = getattr(member, "fget", getattr(member, "__func__", member))
            if inspect.isfunction(function):
                found.setdefault(function.__code__, (name, function is not member))
    return found
