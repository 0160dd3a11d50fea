"""The programs in examples/ do what they say."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRAIN = ROOT / "examples" / "train_mnist.py"


def run(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PENSTOCK_DATA_DIR"}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, env=environment, text=True, capture_output=True, check=False
    )


def test_the_watched_relu(tmp_path: Path) -> None:
    result = run(ROOT / "examples" / "watch_relu.py", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "in:  [-2. -1.  0.  1.  2.]\nout: [0. 0. 0. 1. 2.]\n"


def test_an_op_of_ones_own(tmp_path: Path) -> None:
    result = run(ROOT / "examples" / "own_op.py", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("before and after a step: [-0.5 ")
    assert re.fullmatch(r"\d+ checks tried \d+ calls, gradients and signatures", lines[1])
    assert lines[2] == "PTX: .visible .entry softsign_0_0("


def test_training_on_the_digits(tmp_path: Path) -> None:
    options = ("--data", "digits", "--epochs", "10", "--save", tmp_path / "saved")
    result = run(TRAIN, *options, "--stage", "loops", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "15 batches of 100 from the handwritten digits that ship with penstock"
    losses = [
        float(loss) for loss in re.findall(r"^epoch \d+: loss ([\d.]+),", result.stdout, re.M)
    ]
    assert len(losses) == 10
    assert losses[-1] < 0.2 < 1.0 < losses[0]
    (accuracy,) = re.findall(r"^test accuracy: ([\d.]+) %$", result.stdout, re.M)
    assert float(accuracy) >= 90
    names = {path.name for path in (tmp_path / "saved").iterdir()}
    assert {"hidden-weight", "hidden-bias", "output-weight", "output-bias"} <= names
    assert re.search(r"^train_job at the stage 'loops', 40 of \d+ lines:$", result.stdout, re.M)
    assert "memref" in result.stdout


def test_an_interrupt_ends_the_training_and_keeps_what_was_learned(tmp_path: Path) -> None:
    options = ("--data", "digits", "--epochs", "1000000", "--save", str(tmp_path / "saved"))
    with subprocess.Popen(
        [sys.executable, str(TRAIN), *options],
        cwd=tmp_path,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        assert program.stdout is not None
        while not program.stdout.readline().startswith("epoch 20:"):
            assert program.poll() is None
        program.send_signal(signal.SIGINT)
        rest, trouble = program.communicate(timeout=60)
    assert (program.returncode, trouble) == (0, "")
    assert "\ninterrupted: training ends here\n" in rest
    (accuracy,) = re.findall(r"^test accuracy: ([\d.]+) %$", rest, re.M)
    assert float(accuracy) >= 90
    assert (tmp_path / "saved" / "hidden-weight").is_dir()


def test_the_command_and_the_job_print_the_same_stage() -> None:
    """As README.md says: one name of a stage, one text."""
    in_python = (
        "import sys\n"
        f"sys.path.insert(0, {str(TRAIN.parent)!r})\n"
        "from train_mnist import train_job\n"
        'print(train_job.compile().as_text(stage="fused"), end="")\n'
    )
    command = ("-m", "penstock.tools.cli", "dump", f"{TRAIN.relative_to(ROOT)}:train_job")
    shown = [run(*command, "--stage", "fused", cwd=ROOT), run("-c", in_python, cwd=ROOT)]
    assert [result.returncode for result in shown] == [0, 0], shown
    assert shown[0].stdout == shown[1].stdout
    assert "func.func private @matmul_add_relu_0(" in shown[0].stdout


def test_a_folder_without_images_is_one_sentence(tmp_path: Path) -> None:
    result = run(TRAIN, "--data", tmp_path, cwd=tmp_path)
    assert result.returncode == 1
    assert result.stdout == ""
    assert re.fullmatch(rf"{tmp_path} holds neither [^\n]+\.\n", result.stderr)
