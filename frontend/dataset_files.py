"""Readers of MNIST's own idx files and of npz files, for files that nobody vouches for.

Names, types and declared sizes are checked against the file before anything is allocated, and
nothing in a file is ever executed. A file that is wrong is one ValueError that names it.
"""

import gzip
import math
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

# Deflate cannot pack tighter, so no honest file unpacks to more (zlib's technical details).
_DEFLATE_LIMIT = 1032
_UNSIGNED_BYTE = 0x08


class Samples(NamedTuple):
    """Images `(n, height, width)` and their labels `(n,)`, both uint8."""

    images: NDArray[np.uint8]
    labels: NDArray[np.uint8]


def is_dataset(folder: Path) -> bool:
    """Whether the folder holds any file that `read_folder` knows."""
    return (folder / NPZ_NAME).is_file() or any(_idx_file(folder, name) for name in IDX_NAMES)


def read_folder(folder: Path) -> tuple[Samples, Samples]:
    """The train and the test samples, from mnist.npz or else from the four idx files.

    Raises ValueError for a missing, damaged or foreign file, naming it.
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
    """The array of unsigned bytes in an idx file, plain or, if named so, gzip-packed."""
    with _explained(path), _open_idx(path) as stream:
        header = stream.read(4 + 4 * rank)
        if len(header) < 4 + 4 * rank or header[:4] != bytes((0, 0, _UNSIGNED_BYTE, rank)):
            raise _wrong(
                path, f"an idx header of {rank}-dimensional unsigned bytes", header[:4].hex(" ")
            )
        shape = tuple(int.from_bytes(header[at : at + 4], "big") for at in range(4, len(header), 4))
        body = _exactly(path, stream, math.prod(shape))
    return np.frombuffer(body, np.uint8).reshape(shape)


def read_npz(path: Path, ranks: Mapping[str, int]) -> dict[str, NDArray[np.uint8]]:
    """The named arrays of an npz file, each of the given rank, whose integers fit a byte."""
    with _explained(path), zipfile.ZipFile(path) as archive:
        missing = sorted({f"{name}.npy" for name in ranks} - set(archive.namelist()))
        if missing:
            raise _wrong(path, f"an npz file with {', '.join(missing)}", archive.namelist()[:9])
        return {name: _member(path, archive, name, rank) for name, rank in ranks.items()}


def _member(path: Path, archive: zipfile.ZipFile, name: str, rank: int) -> NDArray[np.uint8]:
    with archive.open(f"{name}.npy") as stream:
        version = np.lib.format.read_magic(stream)
        if version != (1, 0):
            raise _wrong(path, f"{name} in version 1.0 of the npy form", f"version {version}")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
        if len(shape) != rank or min(shape) < 0 or fortran or dtype.kind not in "iu":
            raise _wrong(
                path,
                f"{name} to be {rank}-dimensional row-major integers",
                f"shape {shape}, dtype {dtype}{', column-major' if fortran else ''}",
            )
        body = _exactly(path, stream, math.prod(shape) * dtype.itemsize)
    array = np.frombuffer(body, dtype).reshape(shape)
    if array.size and not 0 <= int(array.min()) <= int(array.max()) <= 255:
        raise _wrong(path, f"{name} within 0 to 255", f"{array.min()} to {array.max()}")
    return array.astype(np.uint8)


def _exactly(path: Path, stream: IO[bytes], declared: int) -> bytes:
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


def _open_idx(path: Path) -> IO[bytes]:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what the unpackers raise on damaged files into one sentence that names the file."""
    try:
        yield
    except WrongFileError:
        raise
    except (
        EOFError,
        gzip.BadGzipFile,
        zipfile.BadZipFile,
        zlib.error,
        RuntimeError,  # zipfile: encrypted, or packed by an unknown method
        ValueError,  # numpy: not an npy header
    ) as error:
        raise _wrong(path, "an undamaged data file", f"{error}") from error


class WrongFileError(ValueError):
    """A data file that is damaged or is not what its name says."""


def _wrong(path: Path, expected: str, found: object) -> WrongFileError:
    return WrongFileError(
        f"{path} cannot be used: expected {expected}, found {found}; replace it or use another."
    )
