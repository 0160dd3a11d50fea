"""`flow.data`: samples to train on: images in MNIST's form or in folders, CSV and OFRecord files.

Fashion-MNIST is used if it is installed, otherwise a small set of digits that ships with penstock.
Nothing here uses a network unless a program passes a `url`. A notice says which images were chosen.
"""

import hashlib
import os
import tempfile
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from penstock.basics.checks import check_integer
from penstock.basics.names import no_such
from penstock.basics.notices import tell_once
from penstock.batches.image_folders import ImageFolder
from penstock.files.csv_files import Table, read_csv
from penstock.files.dataset_files import (
    IDX_NAMES,
    NPZ_NAME,
    Samples,
    is_dataset,
    read_folder,
    read_npz,
)
from penstock.files.ofrecord_feeds import OFRecordRawDecoder, ofrecord_raw_decoder, ofrecord_reader
from penstock.files.ofrecord_writer import write_ofrecords
from penstock.ir.record import Record
from penstock.record import read_ofrecords

__all__ = [
    "ImageFolder",
    "OFRecordRawDecoder",
    "Table",
    "find_mnist",
    "load_digits",
    "load_mnist",
    "ofrecord_raw_decoder",
    "ofrecord_reader",
    "read_csv",
    "read_ofrecords",
    "write_ofrecords",
]

Batches: TypeAlias = tuple[NDArray[np.float32], NDArray[np.int32]]

FOLDER_VARIABLE = "PENSTOCK_DATA_DIR"
FASHION_FOLDER = Path("/usr/share/datasets/fashion-mnist")  # Debian's dataset-fashion-mnist
DIGITS_FILE = Path(__file__).with_name("digits.npz")
DIGITS_FOR_TRAINING = 1500


class Source(Record):
    """Where the images come from; `folder` is None for the digits that ship with the package."""

    folder: Path | None

    def __str__(self) -> str:
        if self.folder is None:
            return "the handwritten digits that ship with penstock"
        name = "Fashion-MNIST, not MNIST," if self.folder == FASHION_FOLDER else "the images"
        return f"{name} in {self.folder}"


def load_mnist(
    train_batch_size: int = 100,
    test_batch_size: int = 100,
    data_format: str = "NCHW",
    url: str | None = None,
    hash_check: str | None = None,
    out_dir: str | os.PathLike[str] = ".",
) -> tuple[Batches, Batches]:
    """Images of ten classes in batches, `((train_images, train_labels), (test_images, ...))`.

    Images are float32 in [0, 1] of shape `(batches, batch, 1, 28, 28)`, or `(batches, batch, 28,
    28, 1)` with `data_format="NHWC"`; labels are int32 of shape `(batches, batch)`. An incomplete
    last batch is dropped.

    `find_mnist(out_dir)` says which images are used. With `hash_check`, they come from `mnist.npz`
    in `out_dir`, which must have that SHA-256; with a `url` (http, https or file) as well, the file
    is first downloaded if it is missing.

    Raises FileNotFoundError if a named folder holds no images, and ValueError for damaged files, a
    wrong hash, an unknown data format and batches larger than the set.

    >>> (images, labels), _ = load_mnist(50, 10)
    >>> images.shape[1:], labels.shape[1:]
    ((50, 1, 28, 28), (50,))
    """
    if url is None and hash_check is None:
        source = find_mnist(out_dir)
    else:
        source = _verified(Path(out_dir), url, hash_check)
    train, test = _digits() if source.folder is None else read_folder(source.folder)
    scale = 144 if source.folder is None else 255
    counts = f"{len(train.images)} + {len(test.images)}"
    tell_once(f"load_mnist {source}", f"flow.data.load_mnist reads {counts} images: {source}")
    return (
        _batches(train, scale, "train", train_batch_size, data_format, source),
        _batches(test, scale, "test", test_batch_size, data_format, source),
    )


def load_digits(
    train_batch_size: int = 100, test_batch_size: int = 100, data_format: str = "NCHW"
) -> tuple[Batches, Batches]:
    """The digits that ship with the package, in the form of `load_mnist`: 1500 + 297 images.

    They are real, written by 13 people (NOTICE names source and licence). Each is 8 x 8 with values
    0 to 16; linear interpolation between pixel centres makes it 24 x 24, and a border of two zeros
    28 x 28.

    >>> (images, labels), (test_images, _) = load_digits(100, 99)
    >>> images.shape, test_images.shape
    ((15, 100, 1, 28, 28), (3, 99, 1, 28, 28))
    """
    train, test = _digits()
    source = Source(None)
    return (
        _batches(train, 144, "train", train_batch_size, data_format, source),
        _batches(test, 144, "test", test_batch_size, data_format, source),
    )


def find_mnist(out_dir: str | os.PathLike[str] = ".") -> Source:
    """The images that `load_mnist(out_dir=out_dir)` uses.

    A folder holds images if it has `mnist.npz` or MNIST's four idx files, plain or gzipped. If you
    name a folder other than the default, only that folder is searched. Otherwise the current folder
    is used if it holds images; otherwise the folder named by PENSTOCK_DATA_DIR; otherwise
    Fashion-MNIST, if Debian's package `dataset-fashion-mnist` is installed; otherwise the digits
    that ship with the package.

    Raises FileNotFoundError if you or PENSTOCK_DATA_DIR named a folder that has no images.
    """
    folder = Path(out_dir)
    if folder != Path("."):
        return _named(folder, "")
    if is_dataset(folder):
        return Source(folder.resolve())
    if named := os.environ.get(FOLDER_VARIABLE):
        return _named(Path(named), f", which {FOLDER_VARIABLE} names,")
    return Source(FASHION_FOLDER if is_dataset(FASHION_FOLDER) else None)


def _named(folder: Path, how: str) -> Source:
    if is_dataset(folder):
        return Source(folder.resolve())
    raise FileNotFoundError(
        f"{folder.resolve()}{how} holds neither {NPZ_NAME} nor {', '.join(IDX_NAMES)} (plain or "
        ".gz); put them there, or name no folder to use what is installed."
    )


def _batches(
    samples: Samples, scale: int, part: str, size: int, data_format: str, source: Source
) -> Batches:
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"data_format must be 'NCHW' or 'NHWC', got {data_format!r}.")
    size = check_integer(size, f"{part}_batch_size")
    total = len(samples.images)
    if not 1 <= size <= total:
        raise ValueError(
            f"{part}_batch_size must be from 1 to {total}, the number of {part} images in {source},"
            f" got {size}."
        )
    count = total // size
    images = samples.images[: count * size].astype(np.float32)
    images /= scale
    one_channel = (1, 28, 28) if data_format == "NCHW" else (28, 28, 1)
    labels = samples.labels[: count * size].astype(np.int32)
    return images.reshape(count, size, *one_channel), labels.reshape(count, size)


def _digits() -> tuple[Samples, Samples]:
    """The shipped digits as 28 x 28 images of 0 to 144, split by a fixed permutation.

    Each writer's digits are adjacent in the file, so they are shuffled before the split. Images are
    16 * 9 times their true brightness: integers are the same on every machine.
    """
    arrays = read_npz(DIGITS_FILE, {"images": 3, "labels": 1})
    weights = _interpolation(8, 3)
    images = np.zeros((len(arrays["images"]), 28, 28), np.uint8)
    images[:, 2:26, 2:26] = weights @ arrays["images"].astype(np.int64) @ weights.T
    order = np.random.RandomState(0).permutation(len(images))
    train, test = order[:DIGITS_FOR_TRAINING], order[DIGITS_FOR_TRAINING:]
    labels = arrays["labels"]
    return Samples(images[train], labels[train]), Samples(images[test], labels[test])


def _interpolation(size: int, factor: int) -> NDArray[np.int64]:
    """The matrix, times an odd `factor`, that upsamples a row of pixels by linear interpolation."""
    centres = (np.arange(size * factor) - factor // 2) / factor
    rows = [np.interp(centres, np.arange(size), unit) for unit in np.eye(size)]
    return np.rint(factor * np.stack(rows, axis=1)).astype(np.int64)


def _verified(folder: Path, url: str | None, expected: str | None) -> Source:
    """The folder, after checking the SHA-256 of its mnist.npz."""
    if expected is None:
        raise ValueError(
            "url was given without hash_check, expected the file's SHA-256; a file from elsewhere "
            "is only read when it is known to be the one that was meant."
        )
    file = folder / NPZ_NAME
    if file.is_file():
        _check_hash(file, str(file), expected)
    elif url is None:
        raise FileNotFoundError(f"hash_check was given, but there is no file {file.resolve()}.")
    else:
        _fetch(url, file, expected)
    return Source(folder.resolve())


def _check_hash(file: Path, name: str, expected: str) -> None:
    with file.open("rb") as stream:
        digest = hashlib.sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != expected.lower():
        raise ValueError(
            f"{name} has the SHA-256 {digest.hexdigest()}, expected {expected} (hash_check); "
            "it was not read."
        )


def _fetch(url: str, file: Path, expected: str) -> None:
    """Download `url` to `file`, complete and with the expected hash, or not at all."""
    if urlsplit(url).scheme not in ("http", "https", "file"):
        raise ValueError(f"url must begin with http://, https:// or file://, got {url!r}.")
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as target, urllib.request.urlopen(url, timeout=60) as answer:
            while block := answer.read(1 << 20):
                target.write(block)
            target.flush()
            os.fsync(target.fileno())
        _check_hash(part, url, expected)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.data")
