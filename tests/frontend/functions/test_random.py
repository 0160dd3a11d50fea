"""Random numbers: bit-exact in every way to run a job, and their distributions."""

import hashlib
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.runtime
import penstock.typing as tp
from penstock.ir.dialects.flow.random_numbers import philox, quantile
from penstock.lowering.modules import TARGET
from penstock.passes.costs.target import TARGETS
from penstock.runtime import threads
from penstock.runtime.native import processor

Array = np.ndarray[Any, Any]

FAR = 4.9
"""The absolute value of a normal number exceeds this with a probability below 1e-6."""


def key(job: str, name: str, seed: int = 0) -> int:
    """The generator's key for a seed and the names of a job and an op."""
    digest = hashlib.sha256(f"{seed}:{job}:{name}".encode()).digest()
    return int.from_bytes(digest[:8], "little", signed=True)


@pytest.mark.parametrize(
    ("counter", "step", "seed", "words"),
    [
        (0, 0, 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        (2**64 - 1, -1, -1, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (0x85A308D3243F6A88, 0x0370734413198A2E, 0x299F31D0A4093822,
         "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)  # fmt: skip
def test_philox_matches_the_published_vectors(
    counter: int, step: int, seed: int, words: str
) -> None:
    """The known answers of the authors' code."""
    result = philox.blocks(np.asarray(counter, np.uint64), step, seed)
    assert " ".join(f"{word:08x}" for word in result) == words


def test_the_quantile_is_that_of_the_standard_library() -> None:
    shares = np.array([2.0**-65, 1e-15, 1e-9, 2.0**-33, 1e-5, 0.01, 0.074, 0.076, 0.2, 0.4, 0.5])
    wanted = [-NormalDist().inv_cdf(share) for share in shares]
    np.testing.assert_allclose(quantile.upper_quantile(shares), wanted, rtol=1e-14, atol=1e-16)


def all_kinds(rows: int = 67) -> Any:
    flow.clear_default_session()
    shape = (rows, 130)

    @flow.global_function()
    def job(
        p: tp.Numpy.Placeholder(shape),
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        return (
            flow.random.uniform(shape, name="u"),
            flow.random.uniform(shape, dtype=flow.float64, name="v"),
            flow.random.normal(shape, name="n"),
            flow.random.bernoulli(p, dtype=flow.int8, name="b"),
            flow.nn.random_mask_like(p, 0.25, name="m", seed=3),
        )

    return job


def probabilities() -> Array:
    return np.random.default_rng(1).random((67, 130), np.float32)


def test_a_job_draws_the_numbers_of_the_generator() -> None:
    job, p = all_kinds(), probabilities()
    for step in range(3):
        u, v, _, b, m = job(p)
        words = {n: philox.words(p.shape, step, key("job", n)) for n in "ub"}
        assert np.array_equal(u, (words["u"] >> 8) * np.float32(2.0**-24))
        wide = philox.words(p.shape, step, key("job", "v"), np.uint64)
        assert np.array_equal(v, (wide >> np.uint64(11)) * 2.0**-53)
        assert np.array_equal(b, (words["b"] >> 8) * np.float32(2.0**-24) < p)
        signed = philox.words(p.shape, step, key("job", "m", 3)).view(np.int32)
        assert np.array_equal(m, signed >= 2**30 - 2**31)


def test_the_bits_do_not_depend_on_processor_and_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Enough for several tasks.
    p, found = np.random.default_rng(1).random((670, 130), np.float32), set()
    assert "scf.forall" in all_kinds(670).lower().as_text("loops")
    before = threads.num_threads()
    for level in filter(processor.supports, TARGETS):
        monkeypatch.setenv(TARGET, level)
        job = all_kinds(670)
        for number in (1, 3):
            threads.set_num_threads(number)
            flow.load_variables({"System-Random-Step-job": np.asarray(5, np.int64)})
            found.add(b"".join(array.tobytes() for array in job(p)))
    threads.set_num_threads(before)
    assert len(found) == 1


def test_the_bits_do_not_depend_on_fusion() -> None:
    """Vectorised along either dimension, transposed, summed, and in rows that are no multiple of a
    vector.
    """

    @flow.global_function()
    def plain() -> tp.Numpy:
        return flow.random.uniform((40, 37), seed=1, name="drawn")

    drawn = plain()
    flow.clear_default_session()

    @flow.global_function()
    def around(
        x: tp.Numpy.Placeholder((37, 40)), y: tp.Numpy.Placeholder((37,))
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        u = flow.random.uniform((40, 37), seed=1, name="drawn")
        return flow.transpose(u, (1, 0)) + x, u * y, flow.math.reduce_max(u * y, axis=0)

    x, y = np.zeros((37, 40), np.float32), np.ones(37, np.float32)
    words = philox.words((40, 37), 0, key("around", "drawn", 1))
    wanted = ((words >> 8) * np.float32(2.0**-24)).astype(np.float32)
    turned, scaled, largest = around(x, y)
    assert np.array_equal(turned, wanted.T)
    assert np.array_equal(scaled, wanted)
    assert np.array_equal(largest, wanted.max(0))
    assert not np.array_equal(drawn, wanted), "jobs of different names draw different numbers"


@pytest.mark.parametrize(("row", "column"), [(0, 0), (2, 8), (1, 5)])
def test_a_part_has_the_bits_of_the_whole(row: int, column: int) -> None:
    """As on a rank that holds the part; vectors start at a block of words or inside one."""
    shape, whole = (3, 37), (7, 50)
    job = flow.compile(f"""module @part attributes {{job.type = "predict"}} {{
      func.func @part(%step: tensor<i64> {{job.feed = "step"}})
          -> (tensor<3x37xf32> {{job.fetch = "0"}}) {{
        %u = "flow.random_uniform"(%step) {{
            element = f32, seed = 9 : i64, shape = array<i64: 3, 37>,
            origin = array<i64: {row}, {column}>, whole = array<i64: 7, 50>}}
            : (tensor<i64>) -> tensor<3x37xf32>
        func.return %u : tensor<3x37xf32>
      }}
    }}""")
    words = philox.words(whole, 4, 9)[row : row + shape[0], column : column + shape[1]]
    assert np.array_equal(job(np.asarray(4)), (words >> 8) * np.float32(2.0**-24))


def test_the_step_counter_continues_from_a_checkpoint(tmp_path: Path) -> None:
    p = probabilities()
    job = all_kinds()
    drawn = [job(p) for _ in range(3)]
    assert flow.get_all_variables()["System-Random-Step-job"].numpy() == 3
    job = all_kinds()
    assert np.array_equal(job(p)[0], drawn[0][0])
    flow.checkpoint.save(str(tmp_path / "one"))
    job = all_kinds()
    flow.load_variables(flow.checkpoint.get(str(tmp_path / "one")))
    for later in drawn[1:]:
        assert all(map(np.array_equal, job(p), later))


def test_an_artifact_draws_the_same_bits(tmp_path: Path) -> None:
    p = probabilities()
    job = all_kinds()
    drawn = [job(p) for _ in range(3)]
    job = all_kinds()
    path = tmp_path / "job.pstk"
    job(p)
    flow.save_artifact(path, job, targets=["x86-64-v2", "x86-64-v3"])
    loaded = penstock.runtime.load(path)
    for later in drawn[1:]:
        assert all(map(np.array_equal, loaded(p), later))


def test_fused_random_numbers_can_be_watched(tmp_path: Path) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 70))) -> tp.Numpy:
        return x + 2 * flow.random.uniform((3, 70), name="u")

    path, seen = tmp_path / "job.pstk", []
    flow.save_artifact(path, job, targets=["x86-64-v2"])
    loaded = penstock.runtime.load(path)
    loaded.watch("u", lambda u: seen.append(u.copy()))
    for step in range(2):
        y = loaded(np.zeros((3, 70), np.float32))
        words = philox.words((3, 70), step, key("job", "u"))
        assert np.array_equal(seen[step], (words >> 8) * np.float32(2.0**-24))
        assert np.array_equal(y, 2 * seen[step])


# -- distributions -------------------------------------------------------------------------------


def looks_independent(values: Array, mean: float, variance: float) -> None:
    """Whether mean, variance and correlation of neighbours are within statistical error."""
    flat = (values.astype(np.float64).ravel() - mean) / np.sqrt(variance)
    count = flat.size
    assert abs(flat.mean()) * np.sqrt(count) < FAR
    spread = np.square(flat) - 1
    assert abs(spread.mean()) * np.sqrt(count) < FAR * spread.std()
    for lag in (1, 2, 3, 4, 5, 8, 16, 32, values.shape[-1]):
        assert abs((flat[lag:] * flat[:-lag]).mean()) * np.sqrt(count) < FAR, f"lag {lag}"


def looks_even(shares: Array, bins: int = 256) -> None:
    """A chi-square test for uniform numbers from 0 to 1."""
    counts, _ = np.histogram(shares, bins, (0.0, 1.0))
    wanted = shares.size / bins
    statistic = np.sum(np.square(counts - wanted)) / wanted
    # Wilson and Hilferty, 1931: the cube root is nearly normal.
    free = bins - 1
    root = (statistic / free) ** (1 / 3) - (1 - 2 / (9 * free))
    assert abs(root) / np.sqrt(2 / (9 * free)) < FAR


def normal_share(values: Array) -> Array:
    from math import erf

    return np.asarray(0.5 * (1 + np.vectorize(erf)(values.astype(np.float64) / np.sqrt(2))))


@pytest.fixture(scope="module")
def samples() -> list[dict[str, Array]]:
    """Two steps of draws of every kind."""
    flow.clear_default_session()
    shape = (256, 512)

    @flow.global_function()
    def sample() -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        p = flow.constant(0.25, flow.float32, shape)
        return (
            flow.random.uniform(shape, name="u"),
            flow.random.uniform(shape, dtype=flow.float64, name="v"),
            flow.random.normal(shape, name="n"),
            flow.random.truncated_normal(shape, name="t"),
            flow.random.bernoulli(p, name="b"),
            flow.random.uniform(shape, name="u", seed=1),
        )

    return [dict(zip("uvntbw", sample(), strict=True)) for _ in range(2)]


def test_uniform_distribution(samples: list[dict[str, Array]]) -> None:
    for drawn in samples:
        for name in "uvw":
            assert drawn[name].min() >= 0
            assert drawn[name].max() < 1
            looks_independent(drawn[name], 0.5, 1 / 12)
            looks_even(drawn[name])
            looks_even(drawn[name] * 4096 % 1)  # the low digits


def test_normal_distribution(samples: list[dict[str, Array]]) -> None:
    for drawn in samples:
        looks_independent(drawn["n"], 0.0, 1.0)
        looks_even(normal_share(drawn["n"]))


def test_truncated_normal_numbers_stay_within_two_deviations(
    samples: list[dict[str, Array]],
) -> None:
    outside = NormalDist().cdf(-2)
    inside = 1 - 2 * outside
    variance = 1 - 4 * NormalDist().pdf(2) / inside
    for drawn in samples:
        assert np.abs(drawn["t"]).max() <= 2
        assert np.abs(drawn["t"]).max() > 1.99
        looks_independent(drawn["t"], 0.0, variance)
        looks_even((normal_share(drawn["t"]) - outside) / inside)


def test_bernoulli_distribution(samples: list[dict[str, Array]]) -> None:
    for drawn in samples:
        assert set(np.unique(drawn["b"])) == {0, 1}
        looks_independent(drawn["b"], 0.25, 0.25 * 0.75)


def test_steps_names_and_seeds_are_independent(samples: list[dict[str, Array]]) -> None:
    one, two = samples
    for x, y in ((one["u"], two["u"]), (one["u"], one["w"]), (one["u"], one["v"])):
        product = (x.astype(np.float64) - 0.5) * (y - 0.5) * 12
        assert abs(product.mean()) * np.sqrt(product.size) < FAR


# -- dropout --------------------------------------------------------------------------------------


def dropped(rate: float, noise_shape: tuple[int, ...] | None = None) -> tuple[Array, Array]:
    """Dropout of ones in a train job, and its gradient."""
    found: list[Array] = []

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((50, 40))) -> tp.Numpy:
        w = flow.get_variable("w", (50, 40), initializer=flow.ones_initializer())
        y = flow.nn.dropout(x * w, rate, noise_shape=noise_shape)
        flow.watch_diff(w, lambda gradient: found.append(gradient.numpy()))
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(y)
        return y

    return job(np.ones((50, 40), np.float32)), found[0]


def test_dropout_keeps_its_mask_for_the_gradient() -> None:
    y, gradient = dropped(0.25)
    assert np.array_equal(y, gradient)
    assert set(np.unique(y)) == {0, np.float32(1 / 0.75)}
    looks_independent(y != 0, 0.75, 0.75 * 0.25)


def test_dropout_of_whole_rows() -> None:
    y, gradient = dropped(0.5, (50, 1))
    assert np.array_equal(y, gradient)
    assert all(len(set(row)) == 1 for row in y)
    assert 0 < (y == 0).sum() < y.size


def test_dropout_with_rate_0_is_the_identity() -> None:
    y, gradient = dropped(0.0)
    assert (y == 1).all()
    assert (gradient == 1).all()
    assert "System-Random-Step-job" not in flow.get_all_variables()


def test_a_predict_job_drops_nothing() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((5,))) -> tp.Numpy:
        return flow.nn.dropout(x, 0.9)

    assert (job(np.ones(5, np.float32)) == 1).all()


def test_16_bit_floats_and_bernoulli() -> None:
    @flow.global_function()
    def job() -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        return (
            flow.random.uniform((300,), dtype=flow.float16),
            flow.random.uniform((300,), dtype=flow.bfloat16),
            flow.random.normal((300,), 10.0, 2.0, dtype=flow.float16),
            flow.random.CoinFlip(1000, probability=0.2),
        )

    u, v, n, coins = job()
    assert (u.dtype, n.dtype, coins.dtype) == (np.float16, np.float16, np.int8)
    assert v.dtype.name == "bfloat16"
    assert max(u.max(), v.max()) < 1
    assert abs(n.astype(np.float64).mean() - 10) < FAR * 2 / np.sqrt(300)
    assert abs(coins.mean() - 0.2) < FAR * 0.4 / np.sqrt(1000)


def test_permutations_are_uniform() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((4, 2)),
    ) -> tuple[tp.Numpy, tp.Numpy]:
        order = flow.random.generate_random_batch_permutation_indices(x, name="order")
        return order, flow.random.shuffle(x)

    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    counts: dict[tuple[int, ...], int] = {}
    rounds = 2400
    for _ in range(rounds):
        order, shuffled = job(x)
        assert sorted(shuffled[:, 0]) == [0, 2, 4, 6]
        assert np.array_equal(shuffled[:, 1], shuffled[:, 0] + 1)
        for drawn in (order, shuffled[:, 0] // 2):
            key = tuple(int(n) for n in drawn)
            counts[key] = counts.get(key, 0) + 1
    assert len(counts) == 24
    wanted = 2 * rounds / 24
    statistic = sum((count - wanted) ** 2 / wanted for count in counts.values())
    assert statistic < 72, "a chi-square of 23 degrees of freedom with probability 1e-6"


def test_seeds() -> None:
    assert flow.random.gen_seed(5) == (5, True)
    assert flow.random.gen_seed()[0] != flow.random.gen_seed()[0]
