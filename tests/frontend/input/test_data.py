"""Sources of images, their form, and the errors of wrong files."""

import gzip
import hashlib
import http.server
import io
import re
import threading
import tracemalloc
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import penstock as flow
from penstock.basics import notices
from penstock.data import DIGITS_FILE, FASHION_FOLDER, FOLDER_VARIABLE
from penstock.files import dataset_files

Arrays = dict[str, NDArray[np.integer]]

DIGIT_LABELS = [2, 8, 2, 6, 6, 7, 1, 9, 8, 5]
DIGIT_DIGEST = "5e0e0e878260a11f837aef599a1553b423a603efd82ca2c746f669ee440bad76"


def idx_bytes(array: NDArray[np.uint8]) -> bytes:
    dimensions = b"".join(size.to_bytes(4, "big") for size in array.shape)
    return bytes((0, 0, 8, array.ndim)) + dimensions + array.tobytes()


def some_arrays(train: int = 25, test: int = 12) -> Arrays:
    random = np.random.default_rng(7)
    return {
        "x_train": random.integers(0, 256, (train, 28, 28), np.uint8),
        "y_train": random.integers(0, 10, train, np.uint8),
        "x_test": random.integers(0, 256, (test, 28, 28), np.uint8),
        "y_test": random.integers(0, 10, test, np.uint8),
    }


def write_idx(folder: Path, arrays: Arrays, packed: bool = False) -> None:
    for name, array in zip(dataset_files.IDX_NAMES, arrays.values(), strict=True):
        data = idx_bytes(array.astype(np.uint8))
        path = folder / (f"{name}.gz" if packed else name)
        path.write_bytes(gzip.compress(data) if packed else data)


def write_npz(folder: Path, arrays: Arrays, packed: bool = True) -> Path:
    path = folder / "mnist.npz"
    (np.savez_compressed if packed else np.savez)(path, **arrays)  # type: ignore[arg-type]
    return path


@pytest.fixture
def arrays() -> Arrays:
    return some_arrays()


@pytest.fixture(autouse=True)
def nothing_around(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Start in an empty folder, with no folder named in the environment."""
    monkeypatch.chdir(tmp_path_factory.mktemp("empty"))
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)


def without_fashion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.data.FASHION_FOLDER", Path("not-installed"))


# The form of a data set


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(write_npz, id="npz"),
        pytest.param(
            lambda folder, arrays: write_npz(folder, arrays, packed=False), id="npz-plain"
        ),
        pytest.param(write_idx, id="idx"),
        pytest.param(lambda folder, arrays: write_idx(folder, arrays, True), id="idx.gz"),
    ],
)
def test_each_form_gives_the_same_batches(
    write: Callable[[Path, Arrays], object], arrays: Arrays, tmp_path: Path
) -> None:
    write(tmp_path, arrays)
    (images, labels), (test_images, test_labels) = flow.data.load_mnist(10, 4, out_dir=tmp_path)
    assert images.shape == (2, 10, 1, 28, 28)
    assert images.dtype == np.float32
    assert labels.shape == (2, 10)
    assert labels.dtype == np.int32
    assert (test_images.shape, test_labels.shape) == ((3, 4, 1, 28, 28), (3, 4))
    expected = (arrays["x_train"][:20].astype(np.float64) / 255).astype(np.float32)
    np.testing.assert_array_equal(images.reshape(20, 28, 28), expected)
    np.testing.assert_array_equal(labels.ravel(), arrays["y_train"][:20])
    np.testing.assert_array_equal(test_labels.ravel(), arrays["y_test"])


def test_the_channel_comes_last_when_asked(arrays: Arrays, tmp_path: Path) -> None:
    write_npz(tmp_path, arrays)
    (first, _), _ = flow.data.load_mnist(5, 5, out_dir=tmp_path)
    (last, _), _ = flow.data.load_mnist(5, 5, "NHWC", out_dir=tmp_path)
    assert last.shape == (5, 5, 28, 28, 1)
    np.testing.assert_array_equal(last[..., 0], first[:, :, 0])


def test_labels_may_be_wider_integers(arrays: Arrays, tmp_path: Path) -> None:
    write_npz(tmp_path, {**arrays, "y_train": arrays["y_train"].astype(np.int64)})
    (_, labels), _ = flow.data.load_mnist(25, 12, out_dir=tmp_path)
    np.testing.assert_array_equal(labels[0], arrays["y_train"])


def test_the_bundled_digits() -> None:
    (images, labels), (test_images, test_labels) = flow.data.load_digits(100, 99)
    assert images.shape == (15, 100, 1, 28, 28)
    assert images.dtype == np.float32
    assert test_images.shape == (3, 99, 1, 28, 28)
    assert test_labels.dtype == np.int32
    assert (images.min(), images.max()) == (0.0, 1.0)
    counts = np.bincount(np.concatenate([labels.ravel(), test_labels.ravel()]))
    assert counts.tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    assert np.bincount(test_labels.ravel()).min() >= 20, "every digit is in the test part"


def test_the_digits_are_the_same_on_every_machine() -> None:
    (images, labels), _ = flow.data.load_digits(1500, 297)
    assert labels[0, :10].tolist() == DIGIT_LABELS
    digest = hashlib.sha256(images.astype("<f4").tobytes()).hexdigest()
    assert digest == DIGIT_DIGEST


def test_a_digit_pixel_is_spread_by_linear_interpolation() -> None:
    stored = dataset_files.read_npz(DIGITS_FILE, {"images": 3, "labels": 1})
    order = np.random.RandomState(0).permutation(1797)
    small = stored["images"][order[0]] / 16
    (images, _), _ = flow.data.load_digits(1, 1)
    large = images[0, 0, 0]
    np.testing.assert_allclose(large[3:26:3, 3:26:3], small, rtol=1e-6)
    between = (2 * small[3, 4] + small[3, 5]) / 3
    np.testing.assert_allclose(large[3 + 9, 3 + 13], between, rtol=1e-6)
    assert not large[:2].any()
    assert not large[-2:].any()
    assert not large[:, :2].any()
    assert not large[:, -2:].any()


@pytest.mark.skipif(
    not FASHION_FOLDER.is_dir(), reason="Debian's dataset-fashion-mnist is not installed"
)
def test_fashion_mnist_of_the_system() -> None:
    (images, labels), (test_images, _) = flow.data.load_mnist()
    assert images.shape == (600, 100, 1, 28, 28)
    assert test_images.shape == (100, 100, 1, 28, 28)
    assert (images.min(), images.max()) == (0.0, 1.0)
    assert np.bincount(labels.ravel()).tolist() == [6000] * 10
    assert str(flow.data.find_mnist()) == f"Fashion-MNIST, not MNIST, in {FASHION_FOLDER}"


# Where data sets are searched for


def test_the_current_folder_comes_first(arrays: Arrays, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, "/nowhere")
    write_npz(Path("."), arrays)
    assert flow.data.find_mnist().folder == Path.cwd()


def test_then_the_folder_in_the_environment(
    arrays: Arrays, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_idx(tmp_path, arrays)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert flow.data.find_mnist().folder == tmp_path
    (images, _), _ = flow.data.load_mnist(25, 12)
    assert images.shape[0] == 1


def test_last_the_digits(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    without_fashion(monkeypatch)
    notices.forget()
    for _ in range(2):
        (images, _), _ = flow.data.load_mnist()
    assert images.shape[0] == 15
    (said,) = caplog.messages
    assert re.fullmatch(
        r".*test_data\.py:\d+: flow\.data\.load_mnist reads 1500 \+ 297 images: the handwritten "
        "digits that ship with penstock",
        said,
    )


def test_a_named_folder_is_the_only_place(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        flow.data.load_mnist(out_dir=tmp_path)
    assert str(raised.value) == (
        f"{tmp_path} holds neither mnist.npz nor train-images-idx3-ubyte, "
        "train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte (plain or .gz); "
        "put them there, or name no folder to use what is installed."
    )


def test_a_folder_named_in_the_environment_is_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(FileNotFoundError, match=f"^{tmp_path}, which PENSTOCK_DATA_DIR names"):
        flow.data.load_mnist()


def test_a_set_that_lacks_a_file_names_it(arrays: Arrays, tmp_path: Path) -> None:
    write_idx(tmp_path, arrays)
    (tmp_path / "t10k-images-idx3-ubyte").unlink()
    with pytest.raises(ValueError, match="expected t10k-images-idx3-ubyte or t10k-images-idx3-u"):
        flow.data.load_mnist(out_dir=tmp_path)


# Misuse


@pytest.mark.parametrize("size", [0, -1, 26])
def test_a_batch_larger_than_the_set(size: int, arrays: Arrays, tmp_path: Path) -> None:
    write_npz(tmp_path, arrays)
    with pytest.raises(
        ValueError, match="^train_batch_size must be from 1 to 25, the number of"
    ) as e:
        flow.data.load_mnist(size, 1, out_dir=tmp_path)
    assert str(e.value).endswith(f"train images in the images in {tmp_path}, got {size}.")


def test_a_test_batch_larger_than_the_digits() -> None:
    with pytest.raises(ValueError, match=r"^test_batch_size must be from 1 to 297, .* got 300\.$"):
        flow.data.load_digits(100, 300)


def test_an_unknown_data_format() -> None:
    with pytest.raises(ValueError, match=r"^data_format must be 'NCHW' or 'NHWC', got 'NCW'\.$"):
        flow.data.load_digits(data_format="NCW")


# Wrong files


def damage(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


BAD_IDX: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (
        lambda data: b"",
        "expected an idx header of 3-dimensional unsigned bytes, found an em",
    ),
    "foreign": (lambda data: b"\x89PNG" + data[4:], "found 89 50 4e 47;"),
    "floats": (lambda data: data[:2] + b"\x0d" + data[3:], "found 00 00 0d 03;"),
    "truncated": (
        lambda data: data[:-1],
        "expected 19600 bytes as its header declares, found 1",
    ),
    "too long": (
        lambda data: data + b"\0",
        "expected 19600 bytes as its header declares, found more",
    ),
    "header cut": (lambda data: data[:15], "found 00 00 08 03;"),
    "huge": (
        lambda data: data[:4] + b"\xff" * 12,
        f"expected {0xFFFFFFFF**3} bytes as its header declares, found a file of 16 bytes;",
    ),
    "other size": (
        lambda data: idx_bytes(np.zeros((5, 32, 32), np.uint8)),
        r"expected images of 28 x 28 pixels, found shape \(5, 32, 32\);",
    ),
}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize(("change", "message"), BAD_IDX.values(), ids=BAD_IDX)
def test_bad_idx_images(
    change: Callable[[bytes], bytes], message: str, packed: bool, arrays: Arrays, tmp_path: Path
) -> None:
    write_idx(tmp_path, arrays)
    path = tmp_path / "train-images-idx3-ubyte"
    damage(path, change)
    if packed:
        data, path = path.read_bytes(), path.with_name(f"{path.name}.gz")
        path.with_suffix("").unlink()
        path.write_bytes(gzip.compress(data))
        message = message.replace("a file of 16 bytes", rf"a file of {path.stat().st_size} bytes")
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))} cannot be used: .*{message}"):
        flow.data.load_mnist(10, 10, out_dir=tmp_path)


BAD_GZIP: dict[str, Callable[[bytes], bytes]] = {
    "not gzip": lambda data: b"hello",
    "truncated": lambda data: data[: len(data) // 2],
    "bits flipped": lambda data: data[:20] + bytes(255 - byte for byte in data[20:40]) + data[40:],
    "checksum": lambda data: data[:-8] + bytes(4) + data[-4:],
}


@pytest.mark.parametrize("change", BAD_GZIP.values(), ids=BAD_GZIP)
def test_a_damaged_gzip_file(
    change: Callable[[bytes], bytes], arrays: Arrays, tmp_path: Path
) -> None:
    write_idx(tmp_path, arrays, packed=True)
    path = tmp_path / "t10k-images-idx3-ubyte.gz"
    damage(path, change)
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))} cannot be used: expected "):
        flow.data.load_mnist(10, 10, out_dir=tmp_path)


def test_labels_that_do_not_fit_the_images(arrays: Arrays, tmp_path: Path) -> None:
    write_npz(tmp_path, {**arrays, "y_test": arrays["y_test"][:-1]})
    with pytest.raises(ValueError, match="expected a label for each of 12 images, found 11 labels"):
        flow.data.load_mnist(10, 10, out_dir=tmp_path)


def test_labels_beyond_ten_classes(arrays: Arrays, tmp_path: Path) -> None:
    write_npz(tmp_path, {**arrays, "y_train": arrays["y_train"] + np.uint8(200)})
    with pytest.raises(ValueError, match="expected labels within 0 to 9, found 20"):
        flow.data.load_mnist(10, 10, out_dir=tmp_path)


def npy_bytes(header: str, body: bytes = b"", version: tuple[int, int] = (1, 0)) -> bytes:
    text = header.encode() + b"\n"
    return b"\x93NUMPY" + bytes(version) + len(text).to_bytes(2, "little") + text + body


def object_array() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array([{}], object))
    return stream.getvalue()


UINT8 = "{'descr': '|u1', 'fortran_order': False, 'shape': "
NO_HEADER = "expected x_test to be row-major integers in npy 1.0, found b"
BAD_MEMBERS: dict[str, tuple[bytes, str]] = {
    "objects": (object_array(), NO_HEADER),
    "floats": (npy_bytes(UINT8.replace("|u1", "<f4") + "(1, 28, 28), }"), NO_HEADER),
    "column-major": (npy_bytes(UINT8.replace("False", "True") + "(1, 28, 28), }"), NO_HEADER),
    "negative": (npy_bytes(UINT8 + "(-1, 28, 28), }", bytes(784)), NO_HEADER),
    "other version": (npy_bytes(UINT8 + "(1, 28, 28), }", bytes(784), (2, 0)), NO_HEADER),
    "not npy": (b"hello", NO_HEADER),
    "code": (npy_bytes("__import__('os').abort()"), NO_HEADER),
    "deep": (npy_bytes("-" * 60000 + "1"), NO_HEADER),
    "long number": (npy_bytes(UINT8 + "(" + "1" * 60000 + "), }"), NO_HEADER),
    "flat": (npy_bytes(UINT8 + "(784,), }", bytes(784)), "have 3 dimensions, found shape .784,.;"),
    "huge": (
        npy_bytes(UINT8 + f"({1 << 60}, 28, 28), }}"),
        f"expected {(1 << 60) * 784} bytes as its header declares, found a file of",
    ),
    "short": (
        npy_bytes(UINT8 + "(2, 28, 28), }", bytes(784)),
        "expected 1568 bytes as its header declares, found 784;",
    ),
    "long": (
        npy_bytes(UINT8 + "(1, 28, 28), }", bytes(785)),
        "expected 784 bytes as its header declares, found more;",
    ),
    "wide values": (
        npy_bytes(UINT8.replace("|u1", "<i2") + "(1, 28, 28), }", b"\0\1" * 784),
        "expected x_test within 0 to 255, found 256 to 256;",
    ),
}


@pytest.mark.parametrize(("member", "message"), BAD_MEMBERS.values(), ids=BAD_MEMBERS)
def test_bad_npz_members(member: bytes, message: str, arrays: Arrays, tmp_path: Path) -> None:
    path = tmp_path / "mnist.npz"
    good = {name: array for name, array in arrays.items() if name != "x_test"}
    write_npz(tmp_path, good)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("x_test.npy", member)
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))} cannot be used: .*{message}"):
        flow.data.load_mnist(10, 10, out_dir=tmp_path)


BAD_NPZ: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (
        lambda data: b"",
        "expected an undamaged data file, found BadZipFile: File is not a zip file",
    ),
    "truncated": (lambda data: data[:-100], "found BadZipFile: File is not a zip file"),
    "bits flipped": (
        lambda data: data[:3000] + bytes(255 - byte for byte in data[3000:3100]) + data[3100:],
        "expected an undamaged data file, found ",
    ),
}


@pytest.mark.parametrize(("change", "message"), BAD_NPZ.values(), ids=BAD_NPZ)
def test_a_damaged_npz_file(
    change: Callable[[bytes], bytes], message: str, arrays: Arrays, tmp_path: Path
) -> None:
    path = write_npz(tmp_path, arrays)
    damage(path, change)
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))} cannot be used: .*{message}"):
        flow.data.load_mnist(10, 10, out_dir=tmp_path)


def test_an_npz_file_of_something_else(tmp_path: Path) -> None:
    np.savez(tmp_path / "mnist.npz", weights=np.zeros(3))
    with pytest.raises(
        ValueError,
        match=r"expected an npz file with x_test\.npy, x_train\.npy, y_test\.npy, y_train\.npy, "
        r"found \['weights\.npy'\]; replace it or use another\.$",
    ):
        flow.data.load_mnist(out_dir=tmp_path)


def test_a_file_that_unpacks_to_far_more_than_it_declares(arrays: Arrays, tmp_path: Path) -> None:
    write_idx(tmp_path, arrays)
    path = tmp_path / "train-images-idx3-ubyte"
    header = path.read_bytes()[:16]
    path.unlink()
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(header + bytes(1 << 28), 9))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="expected 19600 bytes .*, found more"):
            flow.data.load_mnist(out_dir=tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()


# Downloads, on request only


def test_a_url_is_fetched_and_checked(arrays: Arrays, tmp_path: Path) -> None:
    file = write_npz(tmp_path, arrays)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    target = tmp_path / "new" / "folder"
    for _ in range(2):
        (images, _), _ = flow.data.load_mnist(
            10, 10, url=file.as_uri(), hash_check=digest.upper(), out_dir=target
        )
        assert images.shape[0] == 2
        file.unlink(missing_ok=True)  # it exists the second time
    assert [path.name for path in target.iterdir()] == ["mnist.npz"]


def test_a_url_may_be_on_a_server(
    arrays: Arrays, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    file = write_npz(tmp_path, arrays)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    handler = partial(QuietHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            (images, _), _ = flow.data.load_mnist(
                10,
                10,
                url=f"http://127.0.0.1:{server.server_port}/mnist.npz",
                hash_check=digest,
                out_dir=tmp_path / "target",
            )
        finally:
            server.shutdown()
    assert images.shape[0] == 2


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on the error stream."""


def test_a_wrong_hash_leaves_nothing_behind(arrays: Arrays, tmp_path: Path) -> None:
    file = write_npz(tmp_path, arrays)
    target = tmp_path / "target"
    with pytest.raises(ValueError, match=f"^{re.escape(file.as_uri())} has the SHA-256 [0-9a-f]+"):
        flow.data.load_mnist(url=file.as_uri(), hash_check="00" * 32, out_dir=target)
    assert not list(target.iterdir())


def test_a_file_with_another_hash_is_not_read(arrays: Arrays, tmp_path: Path) -> None:
    file = write_npz(tmp_path, arrays)
    with pytest.raises(ValueError, match=f"^{re.escape(str(file))} has the SHA-256 .* not read"):
        flow.data.load_mnist(hash_check="00" * 32, out_dir=tmp_path)
    with pytest.raises(FileNotFoundError, match="^hash_check was given, but there is no file "):
        flow.data.load_mnist(hash_check="00" * 32, out_dir=tmp_path / "target")


def test_a_url_needs_a_hash_and_a_known_scheme(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="^url was given without hash_check, expected the file's"):
        flow.data.load_mnist(url="https://example.org/mnist.npz", out_dir=tmp_path)
    with pytest.raises(ValueError, match="^url must begin with http://, https:// or file://, got"):
        flow.data.load_mnist(url="data:,hello", hash_check="00" * 32, out_dir=tmp_path)
