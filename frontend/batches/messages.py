"""Sends nests between processes: arrays in shared memory, whose descriptor goes over a socket.

Nothing is pickled. The memory is anonymous, so the system frees it when no process maps it.
"""

from __future__ import annotations

import json
import mmap
import os
import socket
import struct
from typing import Any

import numpy as np

from penstock.runtime.dtypes import dtype_word, numpy_dtype
from penstock.saving.nests import Parts, put_together

Array = np.ndarray[Any, Any]

_HEAD = struct.Struct("<QQ")
_ALIGNMENT = 64


def send(to: socket.socket, nest: Any, what: str) -> None:
    """Send a nest. Raises a located TypeError if it is not a nest, OSError if nobody reads."""
    parts = Parts(nest, what)
    forms: list[tuple[str, str, tuple[int, ...], int]] = []
    end = 0
    for name, array in parts.arrays.items():
        forms.append((name, dtype_word(array.dtype), array.shape, end))
        end += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
    text = json.dumps({"tree": parts.tree, "arrays": forms}).encode()
    descriptor = os.memfd_create("penstock-batch", os.MFD_CLOEXEC)
    try:
        os.truncate(descriptor, max(end + len(text), 1))
        with mmap.mmap(descriptor, max(end + len(text), 1)) as room:
            for array, (_, _, shape, start) in zip(parts.arrays.values(), forms, strict=True):
                place: Array = np.ndarray(shape, array.dtype, room, start)
                np.copyto(place, array)
                del place  # Otherwise the memory cannot be unmapped.
            room[end : end + len(text)] = text
        socket.send_fds(to, [_HEAD.pack(end, len(text))], [descriptor])
    finally:
        os.close(descriptor)


def receive(source: socket.socket) -> Any:
    """The next nest, in its own memory. Raises EOFError if the sender is gone."""
    head, descriptors, _, _ = socket.recv_fds(source, _HEAD.size, 1)
    if not descriptors:
        raise EOFError
    (descriptor,) = descriptors
    try:
        end, length = _HEAD.unpack(head)
        room = mmap.mmap(descriptor, max(end + length, 1))
    finally:
        os.close(descriptor)
    found = json.loads(room[end : end + length])
    arrays = {
        name: np.ndarray(shape, numpy_dtype(word), room, start)
        for name, word, shape, start in found["arrays"]
    }
    return put_together(found["tree"], arrays, RuntimeError)
