"""A data set of images in one folder per class."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from penstock.basics.checks import check_count, check_path_text
from penstock.basics.errors import kind_of, located
from penstock.batches.datasets import Dataset

Array = np.ndarray[Any, Any]
SUFFIXES = frozenset({".bmp", ".gif", ".jpeg", ".jpg", ".png", ".ppm", ".tif", ".tiff", ".webp"})


class ImageFolder(Dataset):
    """Images in one folder per class, such as `images/cat/1.png`, read by Pillow when asked for.

    Element i is `(image, label)`: float32 of shape (channels, height, width) in [0, 1], resized to
    `size` = (height, width), and the number of its folder as an int. `mode` is "RGB" or "L", for
    one channel of grey. `transform` takes the image, and returns what is used instead. Classes and
    files are in the order of their names.

    Raises a located ImportError without Pillow, ValueError for a folder without images, and, when
    it is read, for a damaged image.

    >>> import pathlib, tempfile
    >>> import penstock as flow
    >>> from PIL import Image
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("cat", "dog"):
    ...         pathlib.Path(folder, name).mkdir()
    ...         Image.new("RGB", (8, 6), "white").save(pathlib.Path(folder, name, "1.png"))
    ...     images = flow.data.ImageFolder(folder, size=(4, 4))
    ...     image, label = images[1]
    >>> images.classes, image.shape, label
    (['cat', 'dog'], (3, 4, 4), 1)
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        size: tuple[int, int],
        mode: str = "RGB",
        transform: Callable[[Array], Any] | None = None,
    ) -> None:
        what = "ImageFolder"
        if not isinstance(root, str | os.PathLike):
            raise located(TypeError, f"{what} takes the path of a folder, got {kind_of(root)}")
        check_path_text(root, what)
        if not isinstance(size, tuple | list) or len(size) != 2:
            raise located(TypeError, f"size of {what} must be (height, width), got {kind_of(size)}")
        if mode not in ("RGB", "L"):
            raise located(ValueError, f'mode of {what} must be "RGB" or "L", got {kind_of(mode)}')
        if transform is not None and not callable(transform):
            raise located(
                TypeError, f"transform of {what} must be a function, got {kind_of(transform)}"
            )
        try:
            self._pillow = import_module("PIL.Image")
        except ImportError:
            raise located(
                ImportError, f"{what} needs Pillow: pip install 'penstock[images]'"
            ) from None
        height, width = (check_count(n, f"size of {what}") for n in size)
        self._size, self._mode, self._transform = (width, height), mode, transform
        try:
            self.classes = sorted(one.name for one in Path(root).iterdir() if one.is_dir())
            self.files = [
                (path, label)
                for label, name in enumerate(self.classes)
                for path in sorted(Path(root, name).iterdir())
                if path.suffix.lower() in SUFFIXES and path.is_file()
            ]
        except OSError as error:
            raise located(
                type(error), f"{what} cannot read {os.fspath(root)!r}: {error.strerror}"
            ) from error
        if not self.files:
            raise located(
                ValueError,
                f"{what} found no images in folders below {os.fspath(root)!r}; put them as in "
                f"{os.path.join(os.fspath(root), 'cat', '1.png')}",
            )

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> tuple[Any, int]:
        path, label = self.files[index]
        try:
            with self._pillow.open(path) as opened:
                image = opened.convert(self._mode).resize(self._size)
        except (OSError, ValueError, SyntaxError, self._pillow.DecompressionBombError) as error:
            raise located(
                ValueError, f"{os.fspath(path)!r} is not an image that can be read: {error}"
            ) from None
        pixels = np.asarray(image, np.float32).reshape(*self._size[::-1], -1) / 255
        found = np.ascontiguousarray(pixels.transpose(2, 0, 1))
        return (found if self._transform is None else self._transform(found)), label
