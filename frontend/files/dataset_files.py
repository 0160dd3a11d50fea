"""Readers of MNIST's idx files and of npz files. The files are not trusted.

Names, types and declared sizes are checked against the file before any allocation, and nothing in
a file is executed. An invalid file raises one ValueError that names it.
"""

import gzip
import io
import math
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

NPZ_NAME = "mnist.npz"
IDX_NAMES = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)
NPZ_KEYS = {"x_train": 3, "y_train": 1, "x_test": 3, "y_test": 1}

# The maximum ratio of deflate (zlib's technical details); an honest file does not exceed it.
_DEFLATE_LIMIT = 1032
_DEFLATED = zipfile.ZIP_DEFLATED
_UNSIGNED_BYTE = 0x08
_NPY_HEADER = re.compile(
    rb"\{'descr': '([|<>][iu][1248])', 'fortran_order': False, "
    rb"'shape': \(((?:\d{1,19}, ?)*(?:\d{1,19})?)\),? ?\} *\n"
)


class Samples(NamedTuple):
    """Images `(n, height, width)` and their labels `(n,)`, both uint8."""

    images: NDArray[np.uint8]
    labels: NDArray[np.uint8]


def is_dataset(folder: Path) -> bool:
    """Whether the folder holds a file that `read_folder` can read."""
    return (folder / NPZ_NAME).is_file() or any(_idx_file(folder, name) for name in IDX_NAMES)


def read_folder(folder: Path) -> tuple[Samples, Samples]:
    """The training and test samples, from mnist.npz or from the four idx files.

    Raises ValueError, with the file's name, for a missing, damaged or foreign file.
    """
    npz = folder / NPZ_NAME
    if npz.is_file():
        arrays = read_npz(npz, NPZ_KEYS)
        parts = [arrays[key] for key in NPZ_KEYS]
        files = [npz] * 4
    else:
        files = [_required_idx_file(folder, name) for name in IDX_NAMES]
        parts = [read_idx(file, 3 if "idx3" in file.name else 1) for file in files]
    train = _samples(parts[0], parts[1], files[0], files[1])
    test = _samples(parts[2], parts[3], files[2], files[3])
    return train, test


def read_idx(path: Path, rank: int) -> NDArray[np.uint8]:
    """The array of unsigned bytes in an idx file, plain or (by its name) gzipped."""
    with path.open("rb") as file, _explained(path):
        stream = gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file
        header = stream.read(4 + 4 * rank)
        if len(header) < 4 + 4 * rank or header[:4] != bytes((0, 0, _UNSIGNED_BYTE, rank)):
            expected = f"an idx header of {rank}-dimensional unsigned bytes"
            raise _wrong(path, expected, header[:4].hex(" ") or "an empty file")
        shape = tuple(int.from_bytes(header[at : at + 4], "big") for at in range(4, len(header), 4))
        body = _exactly(path, stream, math.prod(shape))
    return np.frombuffer(body, np.uint8).reshape(shape)


def read_npz(path: Path, ranks: Mapping[str, int]) -> dict[str, NDArray[np.uint8]]:
    """The named arrays of an npz file, which must have the given ranks and fit a byte."""
    with path.open("rb") as file, _explained(path), zipfile.ZipFile(file) as archive:
        missing = sorted({f"{name}.npy" for name in ranks} - set(archive.namelist()))
        if missing:
            raise _wrong(path, f"an npz file with {', '.join(missing)}", archive.namelist()[:9])
        return {name: _member(path, archive, name, rank) for name, rank in ranks.items()}


def _member(path: Path, archive: zipfile.ZipFile, name: str, rank: int) -> NDArray[np.uint8]:
    if archive.getinfo(f"{name}.npy").compress_type not in (zipfile.ZIP_STORED, _DEFLATED):
        raise _wrong(path, f"{name} stored or deflated", "another compression method")
    with archive.open(f"{name}.npy") as stream:
        shape, dtype = _npy_header(path, stream, name)
        if len(shape) != rank:
            raise _wrong(path, f"{name} to have {rank} dimensions", f"shape {shape}")
        body = _exactly(path, stream, math.prod(shape) * dtype.itemsize)
    array = np.frombuffer(body, dtype).reshape(shape)
    if array.size and not 0 <= int(array.min()) <= int(array.max()) <= 255:
        raise _wrong(path, f"{name} within 0 to 255", f"{array.min()} to {array.max()}")
    return array.astype(np.uint8)


def _npy_header(
    path: Path, stream: IO[bytes] | io.BufferedIOBase, name: str
) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Parse shape and dtype of a version 1.0 header in its one spelling. NumPy evaluates a
    literal."""
    start = stream.read(10)
    text = stream.read(int.from_bytes(start[8:], "little"))
    found = _NPY_HEADER.fullmatch(text)
    if start[:8] != b"\x93NUMPY\x01\x00" or found is None:
        raise _wrong(path, f"{name} to be row-major integers in npy 1.0", repr(text[:90]))
    dtype, sizes = found[1].decode(), found[2].decode()
    return tuple(int(size) for size in sizes.split(",") if size.strip()), np.dtype(dtype)


def _exactly(path: Path, stream: IO[bytes] | io.BufferedIOBase, declared: int) -> bytes:
    """The rest of the stream, which must be `declared` bytes long."""
    size = path.stat().st_size
    if declared > size * _DEFLATE_LIMIT:
        raise _wrong(path, f"{declared} bytes as its header declares", f"a file of {size} bytes")
    body = stream.read(declared + 1)
    if len(body) != declared:
        found = "more" if len(body) > declared else f"{len(body)}"
        raise _wrong(path, f"{declared} bytes as its header declares", found)
    return body


def _samples(images: NDArray[Any], labels: NDArray[Any], image_file: Path, file: Path) -> Samples:
    if images.shape[1:] != (28, 28):
        raise _wrong(image_file, "images of 28 x 28 pixels", f"shape {images.shape}")
    if len(labels) != len(images):
        raise _wrong(file, f"a label for each of {len(images)} images", f"{len(labels)} labels")
    if labels.size and int(labels.max()) > 9:
        raise _wrong(file, "labels within 0 to 9", f"{labels.max()}")
    return Samples(images, labels)


def _idx_file(folder: Path, name: str) -> Path | None:
    files = (folder / name, folder / f"{name}.gz")
    return next((file for file in files if file.is_file()), None)


def _required_idx_file(folder: Path, name: str) -> Path:
    file = _idx_file(folder, name)
    if file is None:
        found = sorted(path.name for name in IDX_NAMES if (path := _idx_file(folder, name)))
        raise _wrong(folder, f"{name} or {name}.gz beside the others", ", ".join(found))
    return file


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn exceptions of the unpackers on damaged files into one sentence that names the file."""
    try:
        yield
    except WrongFileError:
        raise
    except (
        EOFError,
        OSError,  # gzip: no header; zipfile: a position before the file
        RuntimeError,  # zipfile: encrypted, or a later version
        ValueError,  # zipfile: a name in an unknown encoding
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise _wrong(path, "an undamaged data file", f"{type(error).__name__}: {error}") from error


class WrongFileError(ValueError):
    """A data file that is damaged or of another format than its name says."""


def _wrong(path: Path, expected: str, found: object) -> WrongFileError:
    return WrongFileError(
        f"{path} cannot be used: expected {expected}, found {found}; replace it or use another."
    )
