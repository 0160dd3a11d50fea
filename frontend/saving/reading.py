"""`flow.load`: reads a nest of tensors from an untrusted file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from penstock.basics.checks import check_path_text
from penstock.basics.errors import kind_of, located
from penstock.runtime.store.safetensors import read
from penstock.saving.nests import put_together
from penstock.saving.writing import NEST
from penstock.tensors.device import device
from penstock.tensors.tensor import wrap

_PICKLES = (b"PK\x03\x04", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")


def load(path: str | os.PathLike[str] | BinaryIO, map_location: Any = None) -> Any:
    """The nest of tensors that `flow.save` wrote, or a dict of the tensors in a safetensors file.

    The file is checked before memory is allocated, and nothing in it is executed. Raises a located
    ValueError for any other kind of file, and FileNotFoundError and the like if it cannot be read.

    >>> import io
    >>> import penstock as flow
    >>> file = io.BytesIO()
    >>> flow.save([flow.ones(2), ("a", None)], file)
    >>> _ = file.seek(0)
    >>> flow.load(file)
    [tensor([1., 1.], dtype=penstock.float32), ('a', None)]
    """
    if map_location is not None:
        device(map_location)
    if hasattr(path, "read"):
        return _loaded(cast(BinaryIO, path), "the file")
    if not isinstance(path, str | os.PathLike):
        raise located(
            TypeError, f"flow.load takes a path or a file open for reading, got {kind_of(path)}"
        )
    check_path_text(path, "flow.load")
    source = os.fspath(path)
    if os.path.isdir(source):
        raise located(
            ValueError,
            f"flow.load takes a file, and {source!r} is a folder; read the folder of a checkpoint "
            "with flow.checkpoint.get",
        )
    try:
        with open(source, "rb") as file:
            return _loaded(file, source)
    except OSError as error:
        raise located(type(error), f"flow.load cannot read {source!r}: {error.strerror}") from error


def _loaded(file: BinaryIO, source: str) -> Any:
    start = file.tell()
    if file.read(4).startswith(_PICKLES):
        raise located(
            ValueError,
            f"{source} holds pickled objects; flow.load does not read them, as reading them can "
            "execute code; convert it where it was made, with safetensors.torch.save_file",
        )
    file.seek(start)
    try:
        arrays, metadata = read(file, source)
    except ValueError as error:
        raise located(ValueError, str(error)) from None
    if NEST not in metadata:
        return {name: wrap(array) for name, array in arrays.items()}
    damaged = _damaged(source)
    try:
        tree = json.loads(metadata[NEST])
    except (ValueError, RecursionError):
        raise damaged("its nest is not JSON") from None
    return put_together(tree, arrays, damaged)


def _damaged(source: str) -> Callable[[str], Exception]:
    return lambda what: located(ValueError, f"{source}: is damaged: {what}")
