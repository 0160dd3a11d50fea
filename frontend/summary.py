"""`flow.summary`: values by step in files that TensorBoard reads, written by tensorboardX.

In the body of a job, operands may be blobs: the job then adds them in each step. Outside, they are
numbers, arrays and tensors. `pip install 'penstock[tensorboard]'` installs what is needed.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.basics.checks import check_integer, check_path_text
from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.functions.callouts import call_out
from penstock.process.imported_script import refuse_in_import
from penstock.trace.blob import Blob

__all__ = ["create_summary_writer", "flush_summary_writer", "histogram", "image", "scalar", "text"]

Array = np.ndarray[Any, Any]
_BINS = 30
_writers: list[_Writer] = []
"""The writer of this process, if there is one."""
_begun = itertools.count()


class _Writer:
    """A file of events."""

    def __init__(self, folder: str, library: Any) -> None:
        self.summary = import_module(f"{library.__name__}.summary")
        self._event = import_module(f"{library.__name__}.proto.event_pb2").Event
        events = import_module(f"{library.__name__}.event_file_writer").EventsWriter
        os.makedirs(folder, exist_ok=True)
        # Two files may begin in one second.
        suffix = f".{os.getpid()}.{next(_begun)}"
        self.file = events(os.path.join(folder, "events"), suffix)

    def add(self, summary: Any, step: int) -> None:
        self.file.write_event(self._event(wall_time=time.time(), step=step, summary=summary))


def create_summary_writer(logdir: str | os.PathLike[str], name: str | None = None) -> None:
    """Begin a file of events in a folder, which is made if needed; closes the one before.

    Raises a located ImportError without tensorboardX, and OSError if the folder cannot be made.

    >>> import tempfile
    >>> import penstock as flow
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     flow.summary.create_summary_writer(folder)
    ...     for step in range(3):
    ...         flow.summary.scalar(1 / (step + 1), step, "loss")
    ...     flow.summary.flush_summary_writer()
    """
    what = "flow.summary.create_summary_writer"
    if not isinstance(logdir, str | os.PathLike) or not os.fspath(logdir):
        raise located(TypeError, f"{what} takes the path of a folder, got {kind_of(logdir)}")
    check_path_text(logdir, what)
    refuse_in_import(f"{what} writes a file")
    try:
        library = import_module("tensorboardX")
    except ImportError:
        raise located(
            ImportError, f"{what} needs tensorboardX: pip install 'penstock[tensorboard]'"
        ) from None
    while _writers:
        _writers.pop().file.close()
    try:
        _writers.append(_Writer(os.fspath(logdir), library))
    except OSError as error:
        raise located(
            type(error), f"{what} cannot write in {os.fspath(logdir)!r}: {error.strerror}"
        ) from error


def flush_summary_writer(name: str | None = None) -> None:
    """Write what was added so far to the file."""
    _writer("flow.summary.flush_summary_writer").file.flush()


def scalar(value: Any, step: Any, tag: Any, name: str | None = None) -> None:
    """Add a number, or the mean of an array, at a step under a tag."""

    _add("scalar", lambda to, tag, x: to.scalar(tag, x.mean(dtype=np.float64)), value, step, tag)


def histogram(value: Any, step: Any, tag: Any, name: str | None = None) -> None:
    """Add the distribution of an array of finite numbers at a step under a tag."""

    def make(to: Any, label: str, array: Array) -> Any:
        if not np.isfinite(array.astype(np.float64)).all():
            raise located(
                ValueError,
                f"flow.summary.histogram takes finite numbers, got NaN or infinity for {label}",
            )
        return to.histogram(label, array, _BINS)

    _add("histogram", make, value, step, tag)


def image(value: Any, step: Any, tag: Any, name: str | None = None) -> None:
    """Add an image of shape (channels, height, width), or the first of a batch of these: uint8, or
    floats in [0, 1]. Needs Pillow."""

    def make(to: Any, label: str, array: Array) -> Any:
        first = array[0] if array.ndim == 4 else array
        if first.ndim != 3 or first.shape[0] not in (1, 3, 4):
            raise located(
                ValueError,
                "flow.summary.image takes images of 1, 3 or 4 channels in shape (channels, height, "
                f"width), got {array.shape}",
            )
        return to.image(label, first)

    _add("image", make, value, step, tag)


def text(value: Any, step: Any, tag: Any, name: str | None = None) -> None:
    """Add a string, or an int8 array of its UTF-8 bytes, at a step under a tag."""

    now = np.frombuffer(value.encode(), np.int8) if isinstance(value, str) else value
    _add("text", lambda to, label, x: to.text(label, _string(x, "text")), now, step, tag)


def _add(
    what: str, make: Callable[[Any, str, Array], Any], value: Any, step: Any, tag: Any
) -> None:
    """Add what `make` makes of a value: now, or in each step of the job whose body is traced."""
    named = f"flow.summary.{what}"
    given = (value, step, tag)
    blobs = [one for one in given if isinstance(one, Blob)]

    def write(*arrays: Array) -> list[Array]:
        found = iter(arrays)
        now, at, label = (next(found) if isinstance(one, Blob) else one for one in given)
        array = np.asarray(now.numpy() if hasattr(now, "numpy") else now)
        if array.dtype.kind in "OSU" or not array.size:
            raise located(TypeError, f"{named} takes numbers, got {kind_of(now)}")
        writer = _writer(named)
        writer.add(make(writer.summary, _tag(label, named), array), _step(at, named))
        return []

    if blobs:
        call_out(write, blobs, [], named)
    else:
        write()


def _step(step: Any, what: str) -> int:
    array = np.asarray(step.numpy() if hasattr(step, "numpy") else step)
    if array.size != 1 or array.dtype.kind not in "iu":
        raise located(TypeError, f"step of {what} must be one integer, got {kind_of(step)}")
    return check_integer(int(array.reshape(())), f"step of {what}", 0)


def _tag(tag: Any, what: str) -> str:
    found = tag if isinstance(tag, str) else _string(np.asarray(tag), what)
    if not found:
        raise located(ValueError, f"tag of {what} must be a string that is not empty")
    return found


def _string(array: Array, what: str) -> str:
    """A string from an array of its bytes, up to the first 0."""
    if array.dtype.kind not in "iu" or array.itemsize != 1:
        raise located(TypeError, f"{what} takes a string or its bytes as int8, got {array.dtype}")
    return array.tobytes().partition(b"\0")[0].decode(errors="replace")


def _writer(what: str) -> _Writer:
    if not _writers:
        raise located(
            RuntimeError, f"{what} needs a file; call flow.summary.create_summary_writer first"
        )
    return _writers[0]


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.summary")
