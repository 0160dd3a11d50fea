"""Source locations in the user's program, and errors that are one located sentence.

Every error that users can cause begins with a file and line of their program: those of the
innermost frame outside of this package, other installed packages and Python's library, or the
line where a value was made.
"""

from __future__ import annotations

import difflib
import os
import sys
import sysconfig
import threading
import typing
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import FrameType, TracebackType
from typing import Any, TypeGuard, TypeVar

from penstock.ir.location import UNKNOWN, FileLocation, Location, shown_file

ErrorT = TypeVar("ErrorT", bound=Exception)
_LONGEST = 900
"""The maximum length of an error; the program text that it quotes may be of any length."""

# Folders of code that the user did not write and that may call ours on the user's behalf.
_PYTHONS = tuple(os.path.join(sysconfig.get_path(which), "") for which in ("stdlib", "platstdlib"))
_INSTALLED = frozenset({"site-packages", "dist-packages"})


def _inside_package(module: str) -> bool:
    return module == "penstock" or module.startswith("penstock.")


@lru_cache(maxsize=1024)
def _is_installed(filename: str) -> bool:
    return not _INSTALLED.isdisjoint(filename.split(os.sep))


@lru_cache(maxsize=1024)
def _is_pythons(filename: str) -> bool:
    return filename.startswith(("<frozen", *_PYTHONS)) and not _is_installed(filename)


def _is_ours(frame: FrameType) -> bool:
    code = frame.f_code
    # A docstring's example runs under its module's name, but counts as the user's program.
    if code.co_filename.startswith("<doctest"):
        return False
    return _inside_package(str(frame.f_globals.get("__name__", "")))


def _is_command(frame: FrameType) -> bool:
    """Whether the frame is the entry point of our command; frames outside it are nobody's
    program."""
    package = str(frame.f_globals.get("__package__"))
    return package.startswith("penstock.") and frame.f_code.co_name == "main"


def user_location() -> Location:
    """The line of the user's program that led here; `unknown` if there is none.

    If all code that led here is installed, the installed program counts as the user's.
    """
    frame: FrameType | None = sys._getframe(1)
    installed: FrameType | None = None
    while frame is not None and not _is_command(frame):
        filename = frame.f_code.co_filename
        if not _is_ours(frame) and not _is_pythons(filename):
            if not _is_installed(filename):
                return _place(frame)
            installed = installed or frame
        frame = frame.f_back
    return UNKNOWN if installed is None else _place(installed)


def _place(frame: FrameType) -> Location:
    return FileLocation(shown_file(frame.f_code.co_filename), frame.f_lineno)


def function_location(function: Callable[..., Any]) -> Location:
    """Where `function` was written: its first line, decorators included."""
    code = getattr(function, "__code__", None)
    if code is None:
        return UNKNOWN
    return FileLocation(shown_file(code.co_filename), code.co_firstlineno)


USERS = "is_users_error"
"""Marks errors in what the user wrote, whose tracebacks end at the user's line."""


def show_users_lines() -> None:
    """Let tracebacks of such errors that nothing catches end at the user's line, from now on.

    With PENSTOCK_DEBUG=1 they have all lines.
    """
    if os.environ.get("PENSTOCK_DEBUG") == "1":
        return
    if not isinstance(sys.excepthook, _Hook):
        sys.excepthook = _Hook(sys.excepthook)
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and not isinstance(shell.showtraceback, _Display):
        shell.showtraceback = _Display(shell.showtraceback)


class _Hook:
    """`sys.excepthook`: shows an error without our lines, as the hook before it does."""

    def __init__(self, before: Callable[..., Any]) -> None:
        self._before = before

    def __call__(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        shown = users_part(trace) if _is_marked(error) else trace
        self._before(kind, error.with_traceback(shown), shown)


class _Display:
    """The same for IPython's `showtraceback`."""

    def __init__(self, before: Callable[..., Any]) -> None:
        self._before = before

    def __call__(self, exc_tuple: Any = None, *args: Any, **named: Any) -> Any:
        kind, error, trace = exc_tuple or sys.exc_info()
        if _is_marked(error):
            trace = users_part(trace)
            exc_tuple = kind, error.with_traceback(trace), trace
        return self._before(exc_tuple, *args, **named)


def _is_marked(error: BaseException | None) -> TypeGuard[BaseException]:
    return USERS in getattr(error, "__dict__", ())


def users_part(trace: TracebackType | None) -> TracebackType | None:
    """The traceback to the innermost line of the user's, without ours; all of it if there is
    none."""
    frames, current = [], trace
    while current is not None:
        frames.append(current)
        current = current.tb_next
    users = [i for i, one in enumerate(frames) if _is_users(one.tb_frame)]
    if not users:
        return trace
    part: TracebackType | None = None
    for one in reversed([one for one in frames[: users[-1] + 1] if not _is_ours(one.tb_frame)]):
        part = TracebackType(part, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return part


def _is_users(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return not _is_ours(frame) and not _is_pythons(file) and not _is_installed(file)


class _Layers(threading.local):
    def __init__(self) -> None:
        self.names: list[str] = []


_layers = _Layers()


@contextmanager
def in_layer(name: str) -> Iterator[None]:
    """Mixed into errors to mark them as this layer's; one line of a program may raise many."""
    _layers.names.append(name)
    try:
        yield
    finally:
        _layers.names.pop()


def located(kind: type[ErrorT], text: str, location: Location | None = None) -> ErrorT:
    """An exception whose text is `file:line: text`; by default the user's current line."""
    place = user_location() if location is None else location
    if _layers.names:
        text = f"layer {_layers.names[-1]}: {text}"
    text = clipped(text, _LONGEST)
    return of_user(kind(text if place is UNKNOWN else f"{place.describe()}: {text}"))


def of_user(error: ErrorT) -> ErrorT:
    """An error whose traceback ends at the user's line."""
    error.__dict__[USERS] = True
    show_users_lines()
    return error


def untraceable(kind: type[ErrorT], text: str) -> ErrorT:
    """A located error for what tensors can do, but not the blobs that stand for them in a trace."""
    error = located(kind, text)
    error.__dict__["untraceable"] = True
    return error


def is_untraceable(error: Exception) -> bool:
    """Whether the same code may work on tensors."""
    return "untraceable" in error.__dict__


def name_of(function: object) -> str:
    """What a function is called; an object that is callable is called by its class."""
    return str(getattr(function, "__name__", None) or type(function).__name__)


def clipped(text: str, most: int) -> str:
    """The text, shortened in the middle to at most this length.

    >>> clipped("abcdefghijklmnopqrstuvwxyz", 20)
    'abcdefgh ... tuvwxyz'
    """
    if len(text) <= most:
        return text
    kept = most - len(" ... ")
    return f"{text[: kept - kept // 2]} ... {text[len(text) - kept // 2 :]}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean "x"?` if a known name is similar, ignoring case; otherwise empty."""
    folded = {word.lower(): word for word in known}
    # With Python's default cutoff of 0.6, `tensor` would be similar to `sort`.
    near = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.61)
    return f'; did you mean "{folded[near[0]]}"?' if near else ""


def shown(annotation: object) -> str:
    """An annotation as an error shows it."""
    # In Python 3.10, list[int] is an instance of type, too.
    if isinstance(annotation, type) and typing.get_origin(annotation) is None:
        return annotation.__name__
    return str(annotation)


def counted(number: int, noun: str) -> str:
    """`1 array`, `2 arrays`"""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _readable(text: str) -> str:
    """The text, with escapes for characters that a terminal would not show."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def kind_of(value: object) -> str:
    """A short description of a value for an error."""
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, str):
        return f'the string "{clipped(_readable(value), 80)}"'
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = type(value).__name__
    if isinstance(value, tuple | list | dict):
        return f"a {name} of {len(value)}"
    if name == "ndarray":
        return f"an array of shape {getattr(value, 'shape', ())}"
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
