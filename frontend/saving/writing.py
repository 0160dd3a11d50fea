"""`flow.save`: writes a nest of tensors to one safetensors file."""

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
"""The key of the nest in a file's metadata."""


def save(obj: Any, path_or_buffer: str | os.PathLike[str] | BinaryIO) -> None:
    """Write a nest of tensors to a file: dicts, lists and tuples, with numbers and strings.

    The file is in safetensors format, so other programs can read its arrays; a dict of tensors uses
    its keys as their names. The file is written under another name and then renamed, so a kill at
    any moment leaves either the old file or the new one. Raises a located TypeError for objects of
    any other class; code is never saved.

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
