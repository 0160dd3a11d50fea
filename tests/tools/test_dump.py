"""`penstock dump`: the stages of jobs in users' files, and the errors of those files."""

import sys
from pathlib import Path

import pytest

from penstock.ir.dialects.parsing import parse_module
from penstock.tools import cli
from penstock.tools.shared.userfile import split_job

ONE = """\
import penstock as flow
import penstock.typing as tp


@flow.global_function()
def relu_job(x: tp.Numpy.Placeholder((5,), dtype=flow.float)) -> tp.Numpy:
    return flow.nn.relu(x)
"""
TWO = ONE + ONE.partition("\n\n\n")[2].replace("relu", "tanh").replace("nn.tanh", "math.tanh")

pytestmark = pytest.mark.usefixtures("fresh_modules")


@pytest.fixture
def dump(tmp_path: Path, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Write a file, dump a job of it: exit code, output, errors."""

    def run(text: str, *words: str, job: str = "", name: str = "model.py") -> tuple[int, str, str]:
        (tmp_path / name).write_text(text)
        code = cli.main(["dump", f"{tmp_path / name}{job}", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_a_stage(dump, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, err = dump(ONE, "--stage", "job", job=":relu_job")
    assert (code, err) == (0, "")
    assert parse_module(out).job.sym_name == "relu_job"
    assert f'loc("{tmp_path}/model.py":7:0)' in out


def test_the_forms(dump) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = dump(ONE, "--stage", "job", "--generic", "--no-locations")
    assert '"func.func"() <{' in out
    assert "loc(" not in out


@pytest.mark.parametrize("stage", ["grad", "placed", "fused", "loops"])
def test_every_stage_of_the_ir(dump, stage: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = dump(ONE, "--stage", stage)
    assert (code, err) == (0, "")
    assert parse_module(out).job.sym_name == "relu_job"


@pytest.mark.parametrize(("stage", "word"), [("llvm", "define"), ("asm", ".globl")])
def test_code(dump, stage: str, word: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = dump(ONE, "--stage", stage)
    assert (code, err) == (0, "")
    assert word in out


def test_to_a_file(dump, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = dump(ONE, "--stage", "job", "-o", str(tmp_path / "out.mlir"))
    assert (code, out) == (0, "")
    assert "flow.relu" in (tmp_path / "out.mlir").read_text()
    code, _, err = dump(ONE, "--stage", "job", "-o", "/dev/full")
    assert (code, err) == (1, "penstock: /dev/full: No space left on device\n")


def test_which_job(dump) -> None:  # type: ignore[no-untyped-def]
    code, _, err = dump(TWO, "--stage", "job")
    assert code == 2
    assert err.endswith("model.py defines several jobs: add one of :relu_job, :tanh_job\n")
    code, out, _ = dump(TWO, "--stage", "job", job=":tanh_job")
    assert code == 0
    assert "flow.tanh" in out
    code, _, err = dump(TWO, "--stage", "job", job=":than_job")
    assert code == 1
    assert err.endswith("model.py: there is no job 'than_job': did you mean tanh_job?\n")
    code, _, err = dump(TWO, job=":q")
    assert err.endswith("there is no job 'q': it defines relu_job, tanh_job\n")


def test_a_colon_with_no_job(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["dump", "net.py:"]) == 2
    assert capsys.readouterr().err == (
        "penstock: the name of the job is missing after the colon of net.py:; write net.py:JOB, "
        "or net.py where the file defines one job\n"
    )


def test_a_file_without_jobs(dump) -> None:  # type: ignore[no-untyped-def]
    code, _, err = dump("x = 1\n")
    assert code == 1
    assert err.endswith("model.py: defines no job; decorate one with @flow.global_function()\n")


def test_an_unknown_stage(dump) -> None:  # type: ignore[no-untyped-def]
    code, _, err = dump(ONE, "--stage", "fusd")
    assert code == 2
    assert err == "penstock: there is no stage 'fusd': did you mean fused?\n"


def test_a_missing_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["dump", f"{tmp_path}/no.py:job"]) == 1
    assert capsys.readouterr().err == f"{tmp_path}/no.py: there is no such file\n"
    (tmp_path / "text.txt").write_text("")
    assert cli.main(["dump", f"{tmp_path}/text.txt"]) == 1
    assert "text.txt: not a Python file" in capsys.readouterr().err


# -- errors in the user's file -------------------------------------------------------------


def test_an_error_while_importing(dump, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, err = dump("def f():\n    return 1 / 0\n\nf()\n")
    assert (code, out) == (1, "")
    lines = [line for line in err.splitlines() if line.strip(" ~^")]
    assert lines == [
        "Traceback (most recent call last):",
        f'  File "{tmp_path}/model.py", line 4, in <module>',
        "    f()",
        f'  File "{tmp_path}/model.py", line 2, in f',
        "    return 1 / 0",
        "ZeroDivisionError: division by zero",
    ]


def test_a_syntax_error(dump, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, _, err = dump("x = = 1\n")
    assert code == 1
    assert f'File "{tmp_path}/model.py", line 1' in err
    assert err.endswith("SyntaxError: invalid syntax\n")
    assert "importlib" not in err


def test_an_error_in_the_body_shows_no_frame_of_ours(dump) -> None:  # type: ignore[no-untyped-def]
    code, _, err = dump(ONE.replace("flow.nn.relu(x)", "flow.reshape(x, [7])"), "--stage", "job")
    assert code == 1
    assert "model.py" in err
    assert "line 7, in relu_job" in err
    assert "penstock/" not in err
    assert "frontend" not in err


def test_a_file_that_ends_the_process(dump) -> None:  # type: ignore[no-untyped-def]
    code, _, err = dump("import sys\nsys.exit(3)\n")
    assert code == 1
    assert 'guard the code to run with if __name__ == "__main__":' in err


def test_the_file_is_not_main_and_sees_no_arguments_of_ours(dump) -> None:  # type: ignore[no-untyped-def]
    text = "import sys\nassert __name__ == 'model'\nassert len(sys.argv) == 1\n"
    _, _, err = dump(text + "if __name__ == '__main__':\n    raise SystemExit\n")
    assert "defines no job" in err


def test_modules_beside_it_are_found(dump, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "beside_it.py").write_text(ONE)
    code, out, _ = dump("from beside_it import relu_job\n", "--stage", "job")
    assert code == 0
    assert "flow.relu" in out


def test_a_file_named_like_an_installed_module(dump) -> None:  # type: ignore[no-untyped-def]
    import json

    code, _, _ = dump(ONE, "--stage", "job", name="json.py")
    assert code == 0
    assert sys.modules["json"] is json


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("train.py", ("train.py", "")),
        ("train.py:job", ("train.py", "job")),
        ("a:b/train.py", ("a:b/train.py", "")),
        ("C:train.py:job", ("C:train.py", "job")),
    ],
)
def test_splitting(target: str, expected: tuple[str, str]) -> None:
    assert split_job(target) == expected
