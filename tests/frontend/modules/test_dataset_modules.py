"""Modules that read records and prepare images."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock import nn

FEATURE = bytes([10, 11, 10, 1, 120, 18, 6, 34, 4, 10, 2])  # {"x": two of int32}


def _folder(tmp_path: Path, records: int) -> Path:
    whole = b""
    for i in range(records):
        record = FEATURE + bytes([i, i + 1])
        whole += len(record).to_bytes(8, "little") + record
    (tmp_path / "part-0").write_bytes(whole)
    return tmp_path


def test_records_are_read_in_order_and_again(tmp_path: Path) -> None:
    reader = nn.OFRecordReader(_folder(tmp_path, 3), batch_size=2)
    decode = nn.OFRecordRawDecoder("x", (2,), flow.int32)
    assert [decode(reader()).tolist() for _ in range(2)] == [[[0, 1], [1, 2]], [[2, 3], [0, 1]]]


def test_the_seed_decides_the_order(tmp_path: Path) -> None:
    folder, orders = _folder(tmp_path, 20), []
    for seed in (1, 1, 2):
        reader = nn.OFRecordReader(folder, 20, random_shuffle=True, random_seed=seed)
        orders.append(nn.OFRecordRawDecoder("x", (2,), flow.int32)(reader())[:, 0].tolist())
    assert orders[0] == orders[1] != orders[2]


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda at: nn.OFRecordReader(at / "none")(), ValueError, "OFRecordReader: there is no"),
        (lambda at: nn.OFRecordReader(at, batch_size=0), ValueError, "batch_size of flow.nn.OFR"),
        (lambda at: nn.OFRecordRawDecoder("y", (2,), flow.int32)(nn.OFRecordReader(at)()),
         ValueError, "flow.nn.OFRecordRawDecoder: .*no feature 'y', only 'x'"),
        (lambda at: nn.OFRecordRawDecoder("x", (2,), flow.int32)(flow.ones(2)), TypeError,
         "takes the records that flow.nn.OFRecordReader returned, got a Tensor"),
        (lambda at: nn.CoinFlip(probability=2.0), ValueError, "from 0 to 1, got 2"),
        (lambda at: nn.CoinFlip(placement=flow.placement.all("cpu"), sbp=flow.sbp.broadcast),
         NotImplementedError, "call to_global on what it returns"),
    ],
)  # fmt: skip
def test_errors(call: Any, error: type[Exception], said: str, tmp_path: Path) -> None:
    with pytest.raises(error) as caught:
        call(_folder(tmp_path, 1))
    assert re.search(said, str(caught.value))
    assert "test_dataset_modules.py" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_coins() -> None:
    flips = nn.CoinFlip(1000, random_seed=3, probability=0.25)
    first, second = flips(), flips()
    assert first.dtype is flow.int8
    assert set(first.tolist()) == {0, 1}
    assert not flow.equal(first, second)
    assert flow.equal(first, nn.CoinFlip(1000, random_seed=3, probability=0.25)())
    # Within 5 standard deviations, sqrt(1000 * 0.25 * 0.75) each.
    assert abs(first.sum().item() - 250) < 5 * 13.7


def test_images_are_those_of_jobs() -> None:
    images = np.random.default_rng(0).integers(0, 255, (3, 5, 6, 3)).astype(np.uint8)
    options: Any = dict(
        color_space="RGB", output_layout="NHWC", crop_h=4, crop_w=3, mean=[1.0, 2.0, 3.0],
        std=[2.0, 3.0, 4.0],
    )  # fmt: skip
    layer = nn.CropMirrorNormalize(**options)
    made = layer(flow.tensor(images), flow.tensor([0, 1, 1]))
    part = images[:, 0:4, 1:4].astype(np.float32)
    part[1:] = part[1:, :, ::-1]
    np.testing.assert_allclose(made.numpy(), (part - options["mean"]) / options["std"], rtol=1e-6)
    graph = nn.Graph.trace(lambda x, flips: layer(x, flips))
    assert flow.equal(graph(flow.tensor(images), flow.tensor([0, 1, 1])), made)
