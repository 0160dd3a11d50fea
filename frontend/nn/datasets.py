"""Modules that read records and prepare images: `OFRecordReader`, `CropMirrorNormalize`, ..."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from typing import Any

from penstock.basics.checks import check_integer, check_number
from penstock.basics.dtypes import DType, float32, int8
from penstock.basics.errors import kind_of, located
from penstock.files.ofrecord_feeds import Batch, feature_of, records_of
from penstock.images.cropping import CropMirrorNormalize as crop_mirror_normalize
from penstock.jobs.jit import jit
from penstock.nn.modules.module import Module
from penstock.tensor_functions.calls import as_type, pair
from penstock.tensor_functions.random_numbers import Generator, rand
from penstock.tensors.creation import tensor
from penstock.tensors.device import device as checked_device
from penstock.tensors.inplace import refuse_traced
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob


class CoinFlip(Module):
    """Each call draws `batch_size` int8 numbers, 1 with this probability, otherwise 0.

    >>> import penstock as flow
    >>> flow.nn.CoinFlip(3, random_seed=1, probability=1.0)()
    tensor([1, 1, 1], dtype=penstock.int8)
    """

    def __init__(
        self, batch_size: int = 1, random_seed: int | None = None, probability: float = 0.5,
        device: Any = None, placement: Any = None, sbp: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        what = "flow.nn.CoinFlip"
        _check_place(device, placement, sbp, what)
        self.batch_size = check_integer(batch_size, f"batch_size of {what}", 1)
        self.probability = check_number(probability, f"probability of {what}")
        if not 0 <= self.probability <= 1:
            raise located(
                ValueError, f"probability of {what} must be from 0 to 1, got {probability}"
            )
        self._generator = None if random_seed is None else Generator().manual_seed(random_seed)

    def forward(self) -> Tensor:
        drawn = rand(self.batch_size, generator=self._generator)
        return as_type(pair("flow.less", drawn, self.probability), int8)


class CropMirrorNormalize(Module):
    """Crops, mirrors and normalizes uint8 images [n, height, width, channels] to floats.

    The options are those of `flow.image.CropMirrorNormalize`. An image is mirrored if its number in
    the second argument of the call is not 0.

    >>> import penstock as flow
    >>> images = flow.tensor([[[[1], [3]]]], dtype=flow.uint8)
    >>> layer = flow.nn.CropMirrorNormalize("GRAY", mean=[1.0], std=[2.0])
    >>> layer(images, flow.tensor([1]))
    tensor([[[[1., 0.]]]], dtype=penstock.float32)
    """

    def __init__(
        self, color_space: str = "BGR", output_layout: str = "NCHW", crop_h: int = 0,
        crop_w: int = 0, crop_pos_y: float = 0.5, crop_pos_x: float = 0.5,
        mean: Sequence[float] = (0.0,), std: Sequence[float] = (1.0,),
        output_dtype: DType = float32,
    ) -> None:  # fmt: skip
        super().__init__()
        self._of_blobs: Any = functools.partial(
            crop_mirror_normalize, color_space=color_space, output_layout=output_layout,
            crop_h=crop_h, crop_w=crop_w, crop_pos_y=crop_pos_y, crop_pos_x=crop_pos_x, mean=mean,
            std=std, output_dtype=output_dtype,
        )  # fmt: skip
        self._of_tensors = jit(self._of_blobs)

    def forward(self, input: Tensor, mirror: Tensor | None = None) -> Tensor:
        function = self._of_blobs if isinstance(input, Blob) else self._of_tensors
        made: Tensor = function(input) if mirror is None else function(input, mirror)
        return made


class OFRecordReader(Module):
    """Each call reads the next `batch_size` records of OFRecord files, for decoders.

    The options are those of `flow.data.ofrecord_reader`; `random_seed` decides the order.
    """

    def __init__(
        self, ofrecord_dir: str | os.PathLike[str], batch_size: int = 1, data_part_num: int = 1,
        part_name_prefix: str = "part-", part_name_suffix_length: int = -1,
        random_shuffle: bool = False, shuffle_buffer_size: int = 1024,
        shuffle_after_epoch: bool = False, random_seed: int = -1, device: Any = None,
        placement: Any = None, sbp: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        what = "flow.nn.OFRecordReader"
        _check_place(device, placement, sbp, what)
        self._records = records_of(
            what, None, str(random_seed), ofrecord_dir, batch_size, data_part_num,
            part_name_prefix, part_name_suffix_length, random_shuffle, shuffle_buffer_size,
            shuffle_after_epoch,
        )  # fmt: skip

    def forward(self) -> Batch:
        refuse_traced("flow.nn.OFRecordReader")
        return self._records.take()


class OFRecordRawDecoder(Module):
    """Each call decodes the feature `blob_name` of the records that an `OFRecordReader` returned.

    The result is of shape `(batch_size, *shape)`. The options are those of
    `flow.data.ofrecord_raw_decoder`; `truncate` and `auto_zero_padding` mean the same.

    >>> import os, tempfile
    >>> import penstock as flow
    >>> folder = tempfile.TemporaryDirectory()
    >>> record = bytes([10, 11, 10, 1, 120, 18, 6, 34, 4, 10, 2, 5, 7])  # {"x": [5, 7]}, int32
    >>> with open(os.path.join(folder.name, "part-0"), "wb") as file:
    ...     size = file.write(len(record).to_bytes(8, "little") + record)
    >>> reader = flow.nn.OFRecordReader(folder.name, batch_size=2)
    >>> decode = flow.nn.OFRecordRawDecoder("x", shape=(2,), dtype=flow.int32)
    >>> decode(reader())
    tensor([[5, 7],
            [5, 7]], dtype=penstock.int32)
    >>> folder.cleanup()
    """

    def __init__(
        self, blob_name: str, shape: Sequence[int], dtype: DType,
        dim1_varying_length: bool = False, truncate: bool = False,
        auto_zero_padding: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._feature = feature_of(
            "flow.nn.OFRecordRawDecoder", blob_name, shape, dtype, dim1_varying_length,
            truncate or auto_zero_padding,
        )  # fmt: skip

    def forward(self, input: Batch) -> Tensor:
        if not isinstance(input, list):
            raise located(
                TypeError,
                "flow.nn.OFRecordRawDecoder takes the records that flow.nn.OFRecordReader "
                f"returned, got {kind_of(input)}",
            )
        return tensor(self._feature.decode(input))


def _check_place(device: Any, placement: Any, sbp: Any, what: str) -> None:
    if device is not None:
        checked_device(device)
    if placement is not None or sbp is not None:
        raise located(
            NotImplementedError,
            f"{what} makes local tensors; leave placement and sbp out, and call to_global on "
            "what it returns",
        )
