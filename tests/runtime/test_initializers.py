"""Initial values of variables: distribution, determinism, and errors."""

import math
import os
import re
import subprocess
import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest

from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.store.initializers import initialize

Array = np.ndarray[Any, Any]

# The standard deviation of a unit normal truncated at two deviations.
CUT = 0.87962566103423978


def made(
    kind: str, shape: tuple[int, ...] = (400, 500), name: str = "w", dtype: str = "f64", **more: Any
) -> Array:
    array = np.empty(shape, numpy_dtype(dtype))
    initialize(array, name, {"kind": kind, **more})
    return array


def close(value: float, expected: float, count: int) -> bool:
    """Equal within five standard errors of a mean or deviation estimated from a sample."""
    return abs(value - expected) < 5 * max(abs(expected), 1.0) / math.sqrt(count)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64", "i8", "i32", "i64", "ui8"])
@pytest.mark.parametrize("shape", [(), (0,), (3, 4)])
def test_constant(dtype: str, shape: tuple[int, ...]) -> None:
    array = made("constant", shape, dtype=dtype, value=3)
    assert (array.dtype, array.shape) == (numpy_dtype(dtype), shape)
    assert (array == 3).all()


def test_constants_at_the_limits_of_types() -> None:
    assert made("constant", (1,), dtype="i64", value=2**63 - 1)[0] == 2**63 - 1
    assert made("constant", (1,), dtype="i32", value=-3.0)[0] == -3
    assert made("constant", (1,), dtype="f16", value=-math.inf)[0] == -math.inf
    assert math.isnan(made("constant", (1,), dtype="f32", value=math.nan)[0])


def test_random_uniform() -> None:
    array = made("random_uniform", minval=-2.0, maxval=6.0)
    assert array.min() >= -2
    assert array.max() < 6
    assert close(array.mean() / 8, 0.25, array.size)
    assert close(array.std() / 8, 1 / math.sqrt(12), array.size)


def test_random_normal() -> None:
    array = made("random_normal", mean=3.0, stddev=2.0)
    assert close((array.mean() - 3) / 2, 0, array.size)
    assert close(array.std() / 2, 1, array.size)
    assert abs(array - 3).max() > 6, "it looks cut off"


def test_truncated_normal() -> None:
    array = made("truncated_normal", mean=-1.0, stddev=0.1)
    assert abs(array + 1).max() <= 0.2
    assert close((array.mean() + 1) / 0.1, 0, array.size)
    assert close(array.std() / 0.1, CUT, array.size)
    # Values are redrawn, not clipped, so none pile up at the limits.
    assert np.count_nonzero(abs(array + 1) > 0.199) < array.size / 500


@pytest.mark.parametrize(
    ("shape", "mode", "fan"),
    [
        ((400, 500), "fan_in", 500),
        ((400, 500), "fan_out", 400),
        ((400, 500), "fan_avg", 450),
        ((64, 32, 5, 7), "fan_in", 32 * 5 * 7),
        ((64, 32, 5, 7), "fan_out", 64 * 5 * 7),
        ((64, 32, 5, 7), "fan_avg", (32 + 64) * 5 * 7 / 2),
        ((100_000,), "fan_in", 1),
        ((100_000,), "fan_out", 100_000),
    ],
)
@pytest.mark.parametrize("distribution", ["truncated_normal", "random_normal", "random_uniform"])
def test_variance_scaling(shape: tuple[int, ...], mode: str, fan: float, distribution: str) -> None:
    array = made("variance_scaling", shape, scale=2.0, mode=mode, distribution=distribution)
    stddev = math.sqrt(2 / fan)
    assert close(array.mean() / stddev, 0, array.size)
    assert close(array.std() / stddev, 1, array.size)
    limit = {"truncated_normal": 2 / CUT, "random_normal": 9, "random_uniform": math.sqrt(3)}
    assert abs(array).max() <= limit[distribution] * stddev


@pytest.mark.parametrize(
    ("mode", "fan"), [("fan_in", 5 * 7 * 32), ("fan_out", 64 * 5 * 7), ("fan_avg", 96 * 5 * 7 / 2)]
)
def test_variance_scaling_of_channels_last(mode: str, fan: float) -> None:
    array = made(
        "variance_scaling", (64, 5, 7, 32), scale=2.0, mode=mode, distribution="random_normal",
        data_format="NHWC",
    )  # fmt: skip
    assert close(array.std() / math.sqrt(2 / fan), 1, array.size)


def test_uniform_integers_lie_between_the_bounds() -> None:
    array = np.empty(10_000, np.int32)
    initialize(array, "w", {"kind": "random_uniform", "minval": -6, "maxval": 18})
    assert np.bincount(array + 6, minlength=24).min() > 300, "417 each are expected"
    assert sorted(set(array.tolist())) == list(range(-6, 18))


def test_a_variable_of_rank_0_has_fans() -> None:
    array = made("variance_scaling", (), scale=1.0, mode="fan_avg", distribution="random_uniform")
    assert abs(array) <= math.sqrt(3)


def test_narrow_types_are_rounded_from_the_same_values() -> None:
    wide = made("random_normal", mean=0.0, stddev=1.0)
    for dtype in ("f16", "bf16", "f32"):
        narrow = made("random_normal", dtype=dtype, mean=0.0, stddev=1.0)
        assert np.array_equal(narrow, wide.astype(narrow.dtype))


def test_a_large_variable_is_drawn_in_parts() -> None:
    array = made("random_normal", (3, 1 << 19), mean=0.0, stddev=1.0)
    first, second = array.reshape(-1)[: 1 << 19], array.reshape(-1)[1 << 20 :]
    assert not np.array_equal(first, second)
    assert close(array.std(), 1, array.size)


def test_name_and_seed_decide() -> None:
    def draw(name: str, **more: Any) -> bytes:
        return made("random_uniform", (8,), name, minval=0.0, maxval=1.0, **more).tobytes()

    assert draw("w") == draw("w") == draw("w", seed=0)
    assert len({draw("w"), draw("v"), draw("w", seed=1), draw("w", seed=-1), draw("1:w")}) == 5


PROCESS = """
import numpy as np
from penstock.runtime.store.initializers import initialize
array = np.empty((50, 60), np.float32)
options = {"mean": 0.0, "stddev": 0.1, "seed": 7}
initialize(array, "hidden-weight", {"kind": "truncated_normal", **options})
print(array.tobytes().hex())
"""


def test_every_process_draws_the_same_bits() -> None:
    seen = {
        subprocess.run(
            [sys.executable, "-c", PROCESS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(seen) == 1
    here = made("truncated_normal", (50, 60), "hidden-weight", "f32", mean=0.0, stddev=0.1, seed=7)
    assert bytes.fromhex(seen.pop().decode()) == here.tobytes()


MISTAKES: list[tuple[dict[str, Any] | None, str, str]] = [
    (None, "f32", "variable 'w' has no initializer; give it one, or load a value for it first"),
    ({"kind": "glorot"}, "f32", "variable 'w' has the unknown initializer kind 'glorot'; expected"),
    (
        {"value": 1},
        "f32",
        "variable 'w' has the unknown initializer kind None; expected one of con",
    ),
    (
        {"kind": "random_normal", "mean": 0.0},
        "f32",
        "initializer 'random_normal' of variable 'w' takes mean, stddev and an integer seed, got ",
    ),
    (
        {"kind": "constant", "value": 0.0, "seed": "a"},
        "f32",
        "initializer 'constant' of variable 'w' takes value and an integer seed, got ",
    ),
    (
        {"kind": "constant", "value": "0"},
        "f32",
        "option 'value' of initializer 'constant' of variable 'w' must be a number, got '0'; corr",
    ),
    (
        {"kind": "truncated_normal", "mean": 0.0, "stddev": -0.1},
        "f32",
        "option 'stddev' of initializer 'truncated_normal' of variable 'w' must be a number of at ",
    ),
    (
        {"kind": "variance_scaling", "scale": 1.0, "mode": "fan", "distribution": "random_normal"},
        "f32",
        "option 'mode' of initializer 'variance_scaling' of variable 'w' must be one of fan_in, ",
    ),
    (
        {"kind": "variance_scaling", "scale": 1.0, "mode": "fan_in", "distribution": "normal"},
        "f32",
        "option 'distribution' of initializer 'variance_scaling' of variable 'w' must be one of ",
    ),
    (
        {"kind": "random_normal", "mean": 0, "stddev": 9},
        "i32",
        "variable 'w' holds int32, which initializer 'random_normal' cannot draw; use a constant",
    ),
    (
        {"kind": "random_uniform", "minval": 0.25, "maxval": 0.75},
        "i32",
        "variable 'w' holds int32, of which initializer 'random_uniform' draws none in [0.25, 0.7",
    ),
    (
        {"kind": "random_uniform", "minval": 0, "maxval": math.inf},
        "ui8",
        "variable 'w' holds uint8, of which initializer 'random_uniform' draws none in [0, inf); ",
    ),
    (
        {"kind": "constant", "value": 0.5},
        "i64",
        "variable 'w' holds int64, which cannot be 0.5; ch",
    ),
    (
        {"kind": "constant", "value": 300},
        "ui8",
        "variable 'w' holds uint8, which cannot be 300; ch",
    ),
    ({"kind": "constant", "value": math.nan}, "i8", "variable 'w' holds int8, which cannot be nan"),
    ({"kind": "constant", "value": 1e6}, "f16", "variable 'w' holds float16, which cannot be 1000"),
]


@pytest.mark.parametrize(("initializer", "dtype", "sentence"), MISTAKES)
def test_error_messages(initializer: dict[str, Any] | None, dtype: str, sentence: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        initialize(np.empty((2,), numpy_dtype(dtype)), "w", initializer)


PARTS = [(slice(0, 3), slice(0, 5)), (slice(2, 3), slice(1, 4)), (slice(0, 0), slice(0, 5))]


@pytest.mark.parametrize(
    ("kind", "dtype", "options"),
    [
        ("constant", "f32", {"value": 3}),
        ("random_uniform", "f32", {"minval": -9, "maxval": 9}),
        ("random_uniform", "i32", {"minval": -9, "maxval": 9}),
        ("truncated_normal", "f32", {"mean": 0, "stddev": 2}),
        (
            "variance_scaling",
            "f32",
            {"scale": 2, "mode": "fan_in", "distribution": "random_normal"},
        ),
    ],
)
def test_a_part_has_the_bits_that_it_has_in_the_whole(
    kind: str, dtype: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Chunks begin and end inside rows, and inside rows of rows.
    monkeypatch.setattr("penstock.runtime.store.initializers._CHUNK", 7)
    shape = (3, 5, 4)
    initializer = {"kind": kind, **options}
    whole = made(kind, shape, dtype=dtype, **options)
    for place in PARTS:
        for last in slice(0, 4), slice(1, 3):
            wanted = whole[(*place, last)]
            part = np.empty(wanted.shape, wanted.dtype)
            initialize(part, "w", initializer, shape, (*place, last))
            assert part.tobytes() == wanted.tobytes()


def test_a_part_takes_no_more_memory() -> None:
    shape, part = (64, 1 << 17), np.empty((64, 16), np.float32)
    initializer = {"kind": "random_uniform", "minval": -1, "maxval": 1}
    tracemalloc.start()
    try:
        initialize(part, "w", initializer, shape, (slice(0, 64), slice(5, 21)))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < math.prod(shape) * 4 * 0.9, "a chunk of numbers, not the whole variable"
