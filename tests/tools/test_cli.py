"""The command itself: help, exit codes, pipes, interrupts, and errors without our traceback."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.tools import cli, completion
from penstock.tools.shared.errors import InputError, UsageError

COMMAND = [sys.executable, "-m", "penstock.tools.cli"]


def run(*words: str, **named: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, **named)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Make the command `opt` raise."""

    def arrange(error: BaseException) -> None:
        def raising(arguments: object) -> int:
            raise error

        module = SimpleNamespace(__doc__="", add_arguments=lambda parser: None, run=raising)
        monkeypatch.setattr(cli, "import_module", lambda name: module)

    return arrange


@pytest.mark.parametrize("words", [["--help"], ["-h"], []])
def test_help_names_every_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 0
    shown = capsys.readouterr().out
    for name, (_, summary) in cli.COMMANDS.items():
        assert f"{name}  " in shown
        assert summary in shown


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_each_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: penstock {name}")
    assert "Examples:" in shown


@pytest.mark.parametrize("name", ["compile", "help"])
def test_help_of_a_command_is_its_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for words in (["help", name], [name, "--help"]):
        assert cli.main(words) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]


def test_help_alone_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help"]) == 0
    assert capsys.readouterr().out == cli.overview() + "\n"


def test_the_man_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["help", "--man"]) == 0
    page = capsys.readouterr().out
    assert page.startswith('.TH PENSTOCK 1 "" "penstock 0.')
    for name in cli.COMMANDS:
        assert f'.SH "PENSTOCK {name.upper()}"' in page
    assert "\\fB\\-o, \\-\\-output FILE\\fR" in page
    if not shutil.which("man"):
        return
    (tmp_path / "penstock.1").write_text(page)
    environment = {**os.environ, "MANWIDTH": "80", "MANROFFSEQ": "", "LC_ALL": "C.UTF-8"}
    command = ["man", "--warnings", "-l", str(tmp_path / "penstock.1")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "penstock compile train.py:train_job" in done.stdout


COMPLETE = """
source /dev/stdin
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_penstock
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("comp",), {"compile", "completion"}),
        (("compile", "--tar"), {"--target"}),
        (("compile", "--target", "nat"), {"native"}),
        (("compile", "train.py", "--stop-after", "l"), {"loops", "llvm"}),
        (("compile", "tr"), {"train.py"}),
        (("compile", "-o", "tr"), {"train.py"}),
        (("completion", "z"), {"zsh"}),
        (("help", "exp"), {"explore"}),
    ],
)
def test_completion_in_bash(words: tuple[str, ...], offered: set[str], tmp_path: Path) -> None:
    (tmp_path / "train.py").touch()
    script = completion.bash(cli.program())
    done = subprocess.run(
        ["bash", "-c", COMPLETE, "bash", "penstock", *words],
        input=script, capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert set(done.stdout.split()) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_in_other_shells(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name, (_, summary) in cli.COMMANDS.items():
        assert name in script
        assert shlex.quote(summary)[1:-1] in script
    if shutil.which(shell):  # its own parser
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_the_version() -> None:
    assert run("--version").stdout.startswith("penstock 0.")


IMPORTED = """
import sys
before = {*sys.modules}
from penstock.tools.cli import main
main(["--help"])
print(*{*sys.modules} - before)
"""


def test_help_imports_little() -> None:
    """So it is quick: it imports neither NumPy nor any command."""
    found = set(run_code(IMPORTED).splitlines()[-1].split())
    ours = {name for name in found if name.partition(".")[0] not in sys.stdlib_module_names}
    errors = {f"penstock.{room}{name}" for room in ("meaning", "tools.shared")
              for name in ("", ".errors")}  # fmt: skip
    assert ours == {"penstock", "penstock.tools", "penstock.tools.cli", *errors}
    assert len(found) <= 40, "argparse and what it imports take 14 of them"


def run_code(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["opd"], "penstock: there is no command 'opd': did you mean opt?"),
        (["qqq"], "penstock: there is no command 'qqq': there are compile, "),
        (["opt", "--nope"], "penstock opt: error: unrecognized arguments: --nope"),
        (["show", "x.pstk", "--stge=fused"], "arguments: --stge=fused; did you mean --stage?"),
        (["opt", "--fuel", "x"], "argument --fuel: expected a whole number of at least 0, got 'x'"),
        (["dump"], "the following arguments are required"),
        (["dump", ""], "penstock: job: names no file\n"),
        (["dump", ":job"], "penstock: the file is missing before the colon of :job\n"),
        (["opt", "x.mlir", "-o", ""], "penstock: -o/--output: names no file\n"),
        (["diff", "x.mlir", ""], "penstock: after: names no file\n"),
        (["show", "x.pstk", "--import", ""], "penstock: --import: names no file\n"),
        (["tune", "--seconds", "x", "job.py"], "argument --seconds: invalid seconds value: 'x'"),
        *(
            (["tune", f"--seconds={text}", "job.py"], f"more than 0 and at most 3600, got {text}")
            for text in ("0", "-1", "nan", "inf", "1e9")
        ),
        (
            ["opt", "--fuse-report", "-p", "cse", "x.mlir"],
            "penstock: --fuse-report: the pipeline has no fusion pass; add fuse-elementwise or "
            "outline-groups to --pipeline\n",
        ),
    ],
)
def test_usage_errors(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InputError("x.mlir: bad"), 1, "x.mlir: bad\n"),
        (UsageError("no such thing"), 2, "penstock: no such thing\n"),
        (IRError(Diagnostic("flow.add: no")), 1, "unknown location: error: flow.add: no\n"),
        (FileNotFoundError(2, "No such file", "a.mlir"), 1, "penstock: a.mlir: No such file\n"),
        (OSError("strange"), 1, "penstock: input or output: strange\n"),
        (
            KeyError("k"),
            1,
            "penstock: failed with KeyError: 'k'; PENSTOCK_DEBUG=1 shows where\n",
        ),
        (RecursionError("deep"), 1, "penstock: failed with RecursionError: deep;"),
        (KeyboardInterrupt(), 130, "penstock: interrupted\n"),
    ],
)
def test_errors_become_a_line_and_a_code(  # type: ignore[no-untyped-def]
    error: BaseException,
    code: int,
    message: str,
    failing,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PENSTOCK_DEBUG", raising=False)
    failing(error)
    assert cli.main(["opt"]) == code
    shown = capsys.readouterr().err
    assert shown.startswith(message)
    assert "Traceback" not in shown


def test_the_traceback_is_shown_on_request(  # type: ignore[no-untyped-def]
    failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_DEBUG", "1")
    failing(KeyError("k"))
    with pytest.raises(KeyError):
        cli.main(["opt"])


def test_a_closed_pipe_is_not_an_error(tmp_path: Path) -> None:
    lines = "".join(f"  %v{i + 1} = math.exp %v{i} : f32\n" for i in range(20_000))
    (tmp_path / "long.mlir").write_text(f"func.func @f(%v0: f32) {{\n{lines}  return\n}}\n")
    process = subprocess.Popen(
        [*COMMAND, "opt", str(tmp_path / "long.mlir")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b"module {\n"
    process.stdout.close()
    with process.stderr as errors:
        assert errors.read() == b""
    assert process.wait(30) == 0


def test_a_closed_output_is_reported() -> None:
    shell = f'"{sys.executable}" -m penstock.tools.cli ops >&-'
    ended = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("penstock: standard output is closed")


@pytest.mark.parametrize("words", ["opt -", "opt", "opt --split-input-file -p cse"])
def test_a_closed_input_is_reported(words: str) -> None:
    shell = f'"{sys.executable}" -m penstock.tools.cli {words} <&-'
    ended = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "standard input is closed: name a file, or send the text through a pipe\n"
    )


def test_commands_that_read_no_input_run_without_one() -> None:
    shell = f'"{sys.executable}" -m penstock.tools.cli ops <&-'
    ended = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_an_interrupt_ends_it_with_130(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import threading\nprint('ready', flush=True)\nthreading.Event().wait()\n"
    )
    process = subprocess.Popen(
        [*COMMAND, "dump", str(tmp_path / "slow.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors == "penstock: interrupted\n"


@pytest.mark.parametrize(
    "words",
    [
        ["compile", "job.py", "-o", "job.py"],
        ["compile", "job.py:f", "-o", "./job.py"],
        ["compile", "--from", "a.mlir", "-o", "a.mlir"],
        ["dump", "job.py:f", "-o", "job.py"],
        ["explore", "job.py", "-o", "linked.py"],
        ["opt", "a.mlir", "-o", "a.mlir"],
        ["run", "a.pstk", "--feed", "x=x.npy", "--out", "x.npy"],
        ["run", "a.pstk", "--feed", "x=x.npy", "--out", "0=x.npy"],
        ["run", "a.pstk", "--feed", "x=x.npy", "--save", "x.npy"],
        ["run", "a.pstk", "--save-variables", "a.pstk"],
        ["show", "a.pstk", "--stage", "job", "-o", "a.pstk"],
    ],
)
def test_inputs_are_not_overwritten(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for name in ("job.py", "a.mlir", "a.pstk", "x.npy"):
        (tmp_path / name).write_text(name)
    (tmp_path / "linked.py").symlink_to("job.py")
    assert cli.main(words) == 2
    assert capsys.readouterr().err.endswith("is read, and would be lost: write another file\n")
    assert all(path.read_text() == path.resolve().name for path in tmp_path.iterdir())


@pytest.mark.parametrize("words", [["--save", "a.pstk"], ["--save-variables", "v.safetensors"]])
def test_training_may_continue_in_its_own_file(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here it is refused for its content, and not changed."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.pstk", "v.safetensors"):
        (tmp_path / name).write_text(name)
    assert cli.main(["run", "a.pstk", "--load-variables", "v.safetensors", *words]) == 1
    assert (tmp_path / "a.pstk").read_text() == "a.pstk"
