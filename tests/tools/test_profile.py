"""`penstock profile` and `penstock run --profile`."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import penstock as flow
from penstock.lowering.modules import target_level
from penstock.tools import cli
from penstock.tools.shared.errors import in_shell

Run = Callable[..., tuple[int, str, str]]

SOURCE = """\
import numpy as np

import penstock as flow
import penstock.typing as tp


@flow.global_function(type="train")
def step(
    x: tp.Numpy.Placeholder((16, 8)), y: tp.Numpy.Placeholder((16,), dtype=flow.int32)
) -> tp.Numpy:
    weight = flow.get_variable("weight", (8, 4), initializer=flow.ones_initializer())
    logits = flow.matmul(x, weight)
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    flow.optimizer.SGD(rate, momentum=0).minimize(loss)
    return loss


if __name__ == "__main__":
    x, y = np.ones((16, 8), np.float32), np.zeros(16, np.int32)
    for _ in range(3):
        step(x, y)
"""


@pytest.fixture
def penstock(capsys: pytest.CaptureFixture[str], fresh_modules: None) -> Run:
    """Runs a command: exit code, output, errors."""

    def run(*words: object) -> tuple[int, str, str]:
        code = cli.main([str(word) for word in words])
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
def script(tmp_path: Path) -> Path:
    flow.clear_default_session()
    path = tmp_path / "net.py"
    path.write_text(SOURCE)
    return path


def test_a_job_of_a_file(penstock: Run, script: Path) -> None:
    trace = script.with_name("trace.json")
    words = "--steps", "4", "--threads", "1", "--trace", trace
    code, out, err = penstock("profile", f"{script}:step", *words)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("step: 4 steps of ")
    assert [line.split()[0] for line in lines if line.split()[1:2] == ["us"]] == ["line"]
    assert any("net.py:12 " in line for line in lines)
    assert any(line.startswith("the step ") and " 100.0 " in line for line in lines)
    assert "Peak of 1 thread" in out
    assert "without:" in lines[-1]
    events = json.loads(trace.read_text())["traceEvents"]
    assert [e["name"] for e in events if e.get("cat") == "step"] == ["step"] * 4


def test_an_artifact(penstock: Run, script: Path) -> None:
    path, plain = script.with_name("net.pstk"), script.with_name("plain.pstk")
    level = target_level()
    assert penstock("compile", script, "--profile", "--target", level, "-o", path)[0] == 0
    code, out, _ = penstock("profile", path, "--steps", "3", "--json")
    found = json.loads(out)
    assert (code, found["job"], found["unit"], found["steps"]) == (0, "step", "us", 3)
    assert sum(found["lines"].values()) + found["outside"] == pytest.approx(found["step"])
    assert sum(found["kernels"].values()) + found["outside"] == pytest.approx(found["step"])
    assert {call["name"] for call in found["calls"]} == set(found["kernels"])
    assert found["peak"]["flops"] > 0
    # The page takes it.
    path.with_name("times.json").write_text(out)
    page = ("explore", script, "--stop-after", "fused", "--json")
    shown = json.loads(penstock(*page, "--profile", path.with_name("times.json"))[1])["profile"]
    assert (shown["kernels"], shown["lines"]) == (found["kernels"], found["lines"])
    feeds = []
    for name, array in ("x", np.ones((2, 16, 8), np.float32)), ("y", np.zeros((2, 16), np.int32)):
        np.save(script.with_name(f"{name}.npy"), array)
        feeds += ["--feed", f"{name}={script.with_name(f'{name}.npy')}"]
    code, out, _ = penstock("run", path, *feeds, "--profile")
    assert code == 0
    assert "step: 2 steps of " in out
    assert penstock("compile", script, "--target", level, "-o", plain)[0] == 0
    for command in (("run", plain, *feeds, "--profile"), ("profile", plain)):
        code, _, err = penstock(*command)
        assert code == 1
        assert "job 'step' was compiled without counters; compile it with --profile" in err
        assert err.count("\n") == 1


def test_a_script(penstock: Run, script: Path) -> None:
    code, out, err = penstock("run", "--profile", script)
    assert (code, err) == (0, "")
    assert "step: 3 steps of " in out
    assert re.search(r"^Of [\d.]+ s, [\d.]+ s were in steps, and [\d.]+ s \(", out, re.MULTILINE)


def test_jobs_of_one_name_are_told_apart_by_their_feeds(penstock: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.py"
    path.write_text(
        "import penstock as flow\n"
        "double = flow.jit(lambda x: x @ x.t())\n"
        "found = double(flow.ones(2, 4)), double(flow.ones(8, 4))\n"
    )
    code, out, err = penstock("run", "--profile", path)
    assert (code, err) == (0, "")
    assert re.findall(r"^\S+\((.*)\): 1 step of", out, re.MULTILINE) == ["2x4", "8x4"]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("profile", "net.py:stap"), 1, "there is no job 'stap': did you mean"),
        (("profile", "none.py"), 1, "none.py: there is no such file"),
        (("profile", "net.py:step", "--steps", "0"), 2, "--steps and --top are at least 1"),
        (("profile", "net.py:step", "--threads", "0"), 2, "--threads: a number of threads must"),
        (("profile", "net.py:step", "--feed", "z=x.npy"), 2, "has no feed 'z'"),
        (("run", "--profile", "--find-nonfinite", "net.py"), 2, "give one of them"),
        (("run", "--profile", "--ranks", "2", "net.py"), 2, "leave out --ranks"),
        (("compile", "net.py", "--profile", "--emit", "so"), 2, "leave out --profile"),
    ],
)
def test_mistakes_take_one_sentence(
    penstock: Run, script: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...],
    code: int, told: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(script.parent)
    got, _, err = penstock(*words)
    assert (got, err.count("\n")) == (code, 1)
    assert told in err


def test_a_profile_is_of_the_cpu(penstock: Run, script: Path) -> None:
    """A run on a GPU is refused, in the words of the shell; `penstock profile` takes the CPU."""
    found, feed = script.with_suffix(".pstk"), script.with_suffix(".npy")
    script.write_text(
        "import penstock as flow\n"
        "import penstock.typing as tp\n"
        "@flow.global_function()\n"
        "def double(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:\n"
        "    return x + x\n"
    )
    np.save(feed, np.ones((4, 8), np.float32))
    words = ("--gpu", "sm_80", "--profile", "--target", "native", "-o", str(found))
    assert penstock("compile", str(script), *words)[0] == 0
    on_gpu = ("run", str(found), "--feed", f"x={feed}", "--device")
    code, _, err = penstock(*on_gpu, "gpu-sim", "--profile")
    assert code == 1
    assert "'double' runs on a GPU, whose kernels cannot be profiled; run it on the CPU" in err
    code, out, err = penstock("profile", str(found), "--steps", "1")
    assert (code, err) == (0, "")
    assert "are compared with bytes alone" not in out
    # What Python says of its arguments is said of options.
    assert in_shell('load it with device="gpu-sim"') == "load it with --device gpu-sim"


def test_integers_are_compared_with_bytes(penstock: Run, script: Path) -> None:
    script.write_text(
        "import penstock as flow\n"
        "import penstock.typing as tp\n"
        "@flow.global_function()\n"
        "def whole(x: tp.Numpy.Placeholder((4, 8), dtype=flow.int32)) -> tp.Numpy:\n"
        "    return x + x\n"
    )
    code, out, err = penstock("profile", script, "--steps", "1")
    assert (code, err) == (0, "")
    assert "Kernels without flops, such as those of integers, are compared with bytes alone" in out
