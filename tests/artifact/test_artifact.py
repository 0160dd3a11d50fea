"""Artifacts behave like the jobs that they contain, and resume from their saved state."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.runtime
import penstock.typing as tp
from penstock.lowering.modules import target_level
from penstock.runtime import ArtifactError, checkpoint, load, open_artifact
from penstock.runtime.artifacts.artifact_file import level_for
from penstock.runtime.native import processor
from penstock.runtime.store import safetensors

Jobs = tuple[Any, Any]
Feeds = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]
COMPILER = ("llvmlite", "ml_dtypes", "penstock.ir", "penstock.passes", "penstock.codegen")


def steps(train: Any, feeds: Feeds, count: int) -> np.ndarray[Any, Any]:
    return np.stack([train(*feeds) for _ in range(count)])


def test_a_process_with_only_the_runtime_gives_the_same_bits(
    jobs: Jobs, feeds: Feeds, both: Path, in_process: Callable[..., str], tmp_path: Path
) -> None:
    np.savez(tmp_path / "feeds.npz", x=feeds[0], labels=feeds[1])
    printed = in_process(
        "import sys, json\n"
        "import numpy as np\n"
        "import penstock.runtime\n"
        "feeds = np.load(sys.argv[2])\n"
        "both = penstock.runtime.load(sys.argv[1])\n"
        "x, labels = feeds['x'], feeds['labels']\n"
        "losses = np.stack([both['train_job'](x, labels) for _ in range(5)])\n"
        "np.savez(sys.argv[3], losses=losses, logits=both['predict_job'](x))\n"
        "print(json.dumps(sorted(sys.modules)))\n",
        both,
        tmp_path / "feeds.npz",
        tmp_path / "results.npz",
    )
    found = np.load(tmp_path / "results.npz")
    np.testing.assert_array_equal(found["losses"], steps(jobs[0], feeds, 5))
    np.testing.assert_array_equal(found["logits"], jobs[1](feeds[0]))
    modules = json.loads(printed)
    assert "penstock.runtime.artifacts.artifact" in modules
    assert not [name for name in modules if name.startswith(COMPILER)]
    ours = {name for name in modules if name.startswith("penstock")}
    assert not {name for name in ours if not name.startswith("penstock.runtime")} - {"penstock"}


def test_equal_jobs_give_equal_bytes(jobs: Jobs, both: Path, tmp_path: Path) -> None:
    flow.save_artifact(tmp_path / "again.pstk", *jobs, targets=[target_level()])
    assert (tmp_path / "again.pstk").read_bytes() == both.read_bytes()


def test_training_resumes_from_a_saved_artifact(
    jobs: Jobs, feeds: Feeds, both: Path, tmp_path: Path
) -> None:
    whole = steps(jobs[0], feeds, 6)
    artifact = penstock.runtime.load(both)
    first = steps(artifact["train_job"], feeds, 3)
    artifact.save(tmp_path / "later.pstk")
    later = penstock.runtime.load(tmp_path / "later.pstk")
    np.testing.assert_array_equal(whole, [*first, *steps(later["train_job"], feeds, 3)])
    assert later.variables["System-Train-TrainStep-train_job"] == 6


def test_saving_over_the_loaded_file(feeds: Feeds, both: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.pstk"
    path.write_bytes(both.read_bytes())
    artifact = penstock.runtime.load(path)
    artifact["train_job"](*feeds)
    artifact.save(path)
    assert penstock.runtime.load(path).variables["System-Train-TrainStep-train_job"] == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["own.pstk"]


def test_variables_of_a_started_session_are_saved(jobs: Jobs, feeds: Feeds, tmp_path: Path) -> None:
    steps(jobs[0], feeds, 2)
    flow.save_artifact(tmp_path / "now.pstk", *jobs, targets=[target_level()])
    expected = jobs[1](feeds[0])
    found = penstock.runtime.load(tmp_path / "now.pstk")["predict_job"](feeds[0])
    np.testing.assert_array_equal(found, expected)


def test_jobs_that_disagree_on_a_variable(feeds: Feeds, jobs: Jobs, tmp_path: Path) -> None:
    train, predict = (flow.compile(job.lower().as_text("job")) for job in jobs)
    path = tmp_path / "loaded.pstk"
    flow.save_artifact(path, train, predict, targets=[target_level()])
    train(*feeds)
    with pytest.raises(
        ValueError, match="variable .* has one value in job 'train_job' and another"
    ):
        flow.save_artifact(path, train, predict, targets=[target_level()])
    values = train.variables()
    flow.save_artifact(path, train, predict, targets=[target_level()], variables=values)
    np.testing.assert_array_equal(penstock.runtime.load(path)["train_job"](*feeds), train(*feeds))


def test_given_variables_take_precedence(jobs: Jobs, tmp_path: Path) -> None:
    bias = np.arange(3, dtype=np.float32)
    path = tmp_path / "given.pstk"
    flow.save_artifact(path, *jobs, targets=[target_level()], variables={"output-bias": bias})
    np.testing.assert_array_equal(penstock.runtime.load(path).variables["output-bias"], bias)
    with pytest.raises(RuntimeError, match="'no-bias' is not a variable name"):
        flow.save_artifact(path, *jobs, variables={"no-bias": bias})


def test_variables_are_copies_that_can_be_set(both: Path, tmp_path: Path) -> None:
    variables = penstock.runtime.load(both).variables
    assert len(variables) == len(list(variables)) == 9
    assert "output-bias" in variables
    assert "none" not in variables
    assert {name: value.shape for name, value in variables.items()}["output-bias"] == (3,)
    assert variables.get("none") is None
    variables["output-bias"][...] = 5
    assert not variables["output-bias"].any()
    variables["output-bias"] = np.ones(3, np.float32)
    assert variables["output-bias"].sum() == 3
    with pytest.raises(KeyError):
        variables["none"]
    with pytest.raises(ValueError, match="variable 'output-bias'.*got float64 of shape"):
        variables["output-bias"] = np.ones(3)
    variables.save(tmp_path / "values.safetensors")
    checkpoint.save(tmp_path / "values", variables.copy())
    for place in ("values.safetensors", "values"):
        fresh = penstock.runtime.load(both).variables
        fresh.load(tmp_path / place)
        assert fresh["output-bias"].sum() == 3
    with pytest.raises(ValueError, match=r"none\.safetensors: cannot be read: No such file"):
        variables.load(tmp_path / "none.safetensors")


def test_values_are_not_duplicated_in_memory(tmp_path: Path) -> None:
    size = 1 << 20

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
        large = flow.get_variable("large", (size,), initializer=flow.ones_initializer())
        return flow.math.reduce_sum(large * x)

    flow.save_artifact(tmp_path / "large.pstk", job, targets=[target_level()])
    penstock.runtime.load(tmp_path / "large.pstk")  # imports what is needed
    tracemalloc.start()
    artifact = penstock.runtime.load(tmp_path / "large.pstk")
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    # Arrays of large variables are mapped pages, which tracemalloc does not count.
    assert held < 2 * size
    artifact.save(tmp_path / "again.pstk")
    assert (tmp_path / "again.pstk").read_bytes() == (tmp_path / "large.pstk").read_bytes()


def test_calls_by_name_and_wrong_calls(feeds: Feeds, both: Path) -> None:
    artifact = penstock.runtime.load(both)
    train = artifact["train_job"]
    other = penstock.runtime.load(both)["train_job"]
    np.testing.assert_array_equal(train(labels=feeds[1], x=feeds[0]), other(*feeds))
    with pytest.raises(TypeError, match=r"both.pstk has the jobs train_job, predict_job; call one"):
        artifact(*feeds)
    with pytest.raises(TypeError, match=r"job 'train_job' takes 2 arrays \(x, labels\), got 1"):
        train(feeds[0])
    with pytest.raises(TypeError, match=r"job 'train_job' takes 2 arrays \(x, labels\), got 1, z="):
        train(feeds[0], z=feeds[1])
    with pytest.raises(ValueError, match=r"parameter 'x' .* shape \(4, 5\), got shape \(5, 4\)"):
        train(feeds[0].T, feeds[1])
    with pytest.raises(KeyError):
        artifact["no_job"]


LEAN_BF16 = """\
import sys
sys.modules["llvmlite"] = sys.modules["ml_dtypes"] = None  # as where neither is installed
import numpy as np
import penstock.runtime
artifact = penstock.runtime.load(sys.argv[1])
x = np.array([1, 2.005, 3], np.float32)
artifact.watch("sum", lambda blob: print(blob.dtype))
print(artifact(x))
try:
    artifact.watch("half", print)
except ImportError as error:
    print("no", error.name)
"""


def test_bfloat16_inside_a_job_needs_only_numpy(
    tmp_path: Path, in_process: Callable[..., str]
) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        half = flow.cast(x, flow.bfloat16, name="half")
        return flow.math.add(flow.cast(half, flow.float), x, name="sum")

    flow.save_artifact(tmp_path / "half.pstk", job)
    taps = open_artifact(tmp_path / "half.pstk").description("job", "x86-64-v2").taps
    assert "bf16" in {tap.dtype for tap in taps}
    printed = in_process(LEAN_BF16, tmp_path / "half.pstk").splitlines()
    assert printed == ["float32", "[2.    4.005 6.   ]", "no ml_dtypes"]


def test_compiled_jobs_after_loading_an_artifact(
    both: Path, in_process: Callable[..., str]
) -> None:
    """The helpers of the artifact serve both, with one pool of threads."""
    printed = in_process(
        "import sys\n"
        "import numpy as np\n"
        "import penstock as flow\n"
        "import penstock.runtime\n"
        "from penstock.runtime import threads\n"
        "artifact = penstock.runtime.load(sys.argv[1])\n"
        "pool = threads.parallel_for()\n"
        "x = np.zeros((4, 5), np.float32)\n"
        "text = penstock.runtime.open_artifact(sys.argv[1])\n"
        "text = text.stage('predict_job', 'job', '')\n"
        "job = flow.compile(text)\n"
        "print((job(x) == artifact['predict_job'](x)).all(), pool == threads.parallel_for())\n",
        both,
    )
    assert printed == "True True\n"


def test_watching_an_artifact(feeds: Feeds, both: Path) -> None:
    artifact = penstock.runtime.load(both)
    seen: list[Any] = []
    stop = artifact.watch("output_bias_add", seen.append)
    artifact["train_job"](*feeds)
    expected = penstock.runtime.load(both)["predict_job"](feeds[0])
    (logits,) = seen
    np.testing.assert_array_equal(logits, expected)
    stop()
    stop()
    seen.clear()
    artifact["train_job"](*feeds)
    assert not seen
    with pytest.raises(ValueError, match=r"both.pstk has the watch points .* more, got 'nothing'"):
        artifact.watch("nothing", seen.append)
    with pytest.raises(ValueError, match='no watch point \'hiden.*; did you mean "hidden_matmul"'):
        artifact.watch(["hidden*", "hiden_matmul"], seen.append)
    with pytest.raises(ValueError, match=r"no watch point 'hiden\*'; did you mean \"hidden\*\""):
        artifact.watch("hiden*", seen.append)


def test_watching_by_glob_line_and_list(feeds: Feeds, both: Path) -> None:
    """Fused values are recomputed for the handler, and results stay the same."""
    artifact = penstock.runtime.load(both)
    seen: dict[str, Any] = {}
    line = next(tap.loc for tap in artifact["train_job"].taps if tap.name == "hidden_matmul")
    assert line.startswith("tests/artifact/conftest.py:")
    patterns = ["hidden*/grad", "x", line.removeprefix("tests/")]
    stop = artifact.watch(patterns, lambda name, array: seen.update({name: array}))
    loss = artifact["train_job"](*feeds)
    np.testing.assert_array_equal(seen["x"], feeds[0])
    np.testing.assert_array_equal(np.maximum(seen["hidden_bias_add"], 0), seen["hidden_activation"])
    weight = seen["hidden-weight"]
    np.testing.assert_allclose(seen["hidden_matmul"], feeds[0] @ weight.T, rtol=1e-5, atol=1e-6)
    other = seen["hidden_matmul/grad"].T @ feeds[0]
    np.testing.assert_allclose(seen["hidden-weight/grad"], other, rtol=1e-5, atol=1e-6)
    assert not any(name.startswith("output") for name in seen)
    stop()
    np.testing.assert_array_equal(loss, penstock.runtime.load(both)["train_job"](*feeds))
    how = {tap.name: tap.how for tap in artifact["train_job"].taps}
    assert how["hidden_matmul"].startswith("recomputed by matmul")
    assert how["hidden_activation"] == "kept"


def test_a_rebuilt_artifact_gives_the_same_bits(feeds: Feeds, both: Path) -> None:
    rebuilt = penstock.runtime.load(both, rebuild=True)
    loaded = penstock.runtime.load(both)
    np.testing.assert_array_equal(
        steps(rebuilt["train_job"], feeds, 3), steps(loaded["train_job"], feeds, 3)
    )


def test_rebuilding_needs_the_compiler(both: Path, in_process: Callable[..., str]) -> None:
    printed = in_process(
        "import sys\n"
        "sys.modules['llvmlite'] = None\n"
        "import penstock.runtime\n"
        "try:\n"
        "    penstock.runtime.load(sys.argv[1], rebuild=True)\n"
        "except penstock.runtime.ArtifactError as error:\n"
        "    print(error)\n",
        both,
    )
    assert "cannot be rebuilt without the compiler" in printed


def test_the_best_level_is_chosen(
    jobs: Jobs, feeds: Feeds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "levels.pstk"
    flow.save_artifact(path, jobs[1], targets=["x86-64-v4", "x86-64-v2"])
    assert open_artifact(path).manifest.targets == ("x86-64-v2", "x86-64-v4")
    monkeypatch.setenv("PENSTOCK_TARGET", "x86-64-v2")
    expected = jobs[1](feeds[0])
    np.testing.assert_array_equal(penstock.runtime.load(path)(feeds[0]), expected)


@pytest.mark.parametrize(
    ("levels", "target", "chosen"),
    [
        (["x86-64-v4", "x86-64-v4-bf16"], "", "x86-64-v4"),
        (["x86-64-v2", "x86-64-v4-bf16"], "", "x86-64-v4-bf16"),
        (["x86-64-v4", "x86-64-v4-bf16"], "x86-64-v4-bf16", "x86-64-v4-bf16"),
        (["x86-64-v2", "x86-64-v4-bf16"], "x86-64-v4", "x86-64-v2"),
        (["x86-64-v2", "x86-64-v4"], "x86-64-v4-bf16", "x86-64-v4"),
    ],
)
def test_the_bf16_level_is_not_chosen_on_every_processor_with_bf16(
    jobs: Jobs, levels: list[str], target: str, chosen: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    every = frozenset(processor.LEVELS["x86-64-v4-bf16"])
    monkeypatch.setattr(processor, "_flags", lambda: every)
    monkeypatch.setattr(processor, "_maker", lambda: "GenuineIntel")
    monkeypatch.setenv("PENSTOCK_TARGET", target)
    path = tmp_path / "levels.pstk"
    flow.save_artifact(path, jobs[1], targets=levels)
    assert level_for(open_artifact(path)) == chosen


def test_a_missing_level(jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "high.pstk"
    flow.save_artifact(path, jobs[1], targets=["x86-64-v4"])
    monkeypatch.setenv("PENSTOCK_TARGET", "x86-64-v2")
    with pytest.raises(
        ArtifactError,
        match=r"has code for x86-64-v4, and this machine runs x86-64-v2 and lower; compile it with "
        r"--target x86-64-v2, or load it with rebuild=True",
    ):
        penstock.runtime.load(path)
    assert penstock.runtime.load(path, rebuild=True)


def test_compiled_and_loaded_jobs_can_be_saved(jobs: Jobs, feeds: Feeds, tmp_path: Path) -> None:
    jobs[1].compile().save(tmp_path / "compiled.pstk", targets=[target_level()])
    loaded = flow.compile(jobs[1].lower().as_text("fused"))
    flow.save_artifact(tmp_path / "loaded.pstk", loaded)
    expected = loaded(feeds[0])
    for name in ("compiled", "loaded"):
        artifact = penstock.runtime.load(tmp_path / f"{name}.pstk")
        np.testing.assert_array_equal(artifact(feeds[0]), expected)
    assert open_artifact(tmp_path / "loaded.pstk").manifest.stages("predict_job") == (
        "fused",
        "loops",
    )


def test_an_empty_job(tmp_path: Path) -> None:
    @flow.global_function()
    def nothing() -> None:
        pass

    flow.save_artifact(tmp_path / "nothing.pstk", nothing)
    assert penstock.runtime.load(tmp_path / "nothing.pstk")() is None


def test_a_name_beyond_ascii(tmp_path: Path) -> None:
    @flow.global_function()
    def größe(größe: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        return größe + flow.get_variable("мера", (2,), initializer=flow.ones_initializer())

    flow.save_artifact(tmp_path / "ä.pstk", größe)
    artifact = penstock.runtime.load(tmp_path / "ä.pstk")
    assert artifact.jobs.keys() == {"größe"}
    np.testing.assert_array_equal(artifact(np.zeros(2, np.float32)), [1, 1])
    assert "мера" in safetensors.unpacked(
        open_artifact(tmp_path / "ä.pstk").content("variables.safetensors"), ""
    )


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        ({"path": 3}, TypeError, "takes a file path as its first argument, got 3"),
        ({"jobs": ()}, ValueError, "an artifact holds at least one job"),
        ({"jobs": (3,)}, TypeError, "an artifact holds job functions, .* got 3"),
        (
            {"targets": []},
            ValueError,
            "targets must be a list of some of x86-64-v2, .* got a list of 0",
        ),
        ({"targets": "x86-64-v3"}, ValueError, 'got the string "x86-64-v3"'),
        ({"targets": ["x86-64-v5"]}, ValueError, 'x86-64-v4-bf16, got the string "x86-64-v5"'),
        ({"path": "/proc/none/a.pstk"}, ValueError, r"'/proc/none/a.pstk' cannot be written"),
    ],
)
def test_misuse(
    jobs: Jobs, tmp_path: Path, words: dict[str, Any], error: type[Exception], message: str
) -> None:
    arguments = {"path": tmp_path / "a.pstk", "jobs": jobs, **words}
    with pytest.raises(error, match=rf"test_artifact\.py:\d+: .*{message}"):
        flow.save_artifact(arguments.pop("path"), *arguments.pop("jobs"), **arguments)
    assert not list(tmp_path.iterdir())


def test_wrong_calls_of_a_loaded_artifact(both: Path) -> None:
    artifact = load(both)
    with pytest.raises(KeyError, match="has the jobs train_job, predict_job, got 'no'"):
        artifact["no"]
    with pytest.raises(TypeError, match="a handler must be a function of an array, .*, got None"):
        artifact.watch("*", None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is asked for no watch point: give a name"):
        artifact.watch([], print)


def test_a_job_twice_and_loops_for_another_level(jobs: Jobs, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="job 'predict_job' was given twice"):
        flow.save_artifact(tmp_path / "a.pstk", jobs[1], jobs[1])
    loops = flow.compile(jobs[1].lower().as_text("loops"))
    other = "x86-64-v2" if target_level() != "x86-64-v2" else "x86-64-v3"
    with pytest.raises(
        ValueError, match=f"lowered for {target_level()}, so it cannot be .* {other}"
    ):
        flow.save_artifact(tmp_path / "a.pstk", loops, targets=[other])
    flow.save_artifact(tmp_path / "a.pstk", loops)
    assert open_artifact(tmp_path / "a.pstk").manifest.targets == (target_level(),)
