"""`flow.save`: a nest of tensors as one safetensors file."""

from __future__ import annotations

import json
import os
from typing import Any, BinaryIO, cast

from penstock.basics.checks import check_path_text
from penstock.basics.errors import kind_of, located
from penstock.runtime.files import replace
from penstock.runtime.store.safetensors import packed
from penstock.saving.nests import Parts

NEST = "penstock.nest"
"""The name under which the metadata of a file have the nest."""


def save(obj: Any, path_or_buffer: str | os.PathLike[str] | BinaryIO) -> None:
    """Write a nest of tensors to a file: dicts, lists and tuples, with numbers and texts.

    The file is one of safetensors, whose arrays other programs can read: those of a dict of tensors
    are called by its keys. It is written beside its place and moved there in one step, so that a
    kill at any moment leaves the file before or the new one. Objects of other classes are a located
    TypeError; code is never saved.

    >>> import os, tempfile
    >>> import penstock as flow
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "state.safetensors")
    ...     flow.save({"weight": flow.ones(2), "step": 3}, path)
    ...     flow.load(path)
    {'weight': tensor([1., 1.], dtype=penstock.float32), 'step': 3}
    """
    is_path = isinstance(path_or_buffer, str | os.PathLike)
    if not is_path and not hasattr(path_or_buffer, "write"):
        raise located(
            TypeError,
            f"flow.save takes a path or a file open for writing, got {kind_of(path_or_buffer)}",
        )
    parts = Parts(obj, "flow.save")
    try:
        data = packed(parts.arrays, {NEST: json.dumps(parts.tree, separators=(",", ":"))})
    except ValueError as error:
        raise located(ValueError, f"flow.save cannot write this: {error}") from None
    if not is_path:
        cast(BinaryIO, path_or_buffer).write(data)
        return
    path = cast(str, path_or_buffer)
    check_path_text(path, "flow.save")
    try:
        replace(path, data)
    except OSError as error:
        raise located(
            type(error), f"flow.save cannot write {os.fspath(path)!r}: {error.strerror}"
        ) from error
