"""`penstock compile`: artifacts of jobs in users' files, and the errors on the way."""

import ctypes
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import penstock.runtime
from penstock.codegen import host
from penstock.codegen.objects.llvm import host_level
from penstock.ir.dialects.parsing import parse_module
from penstock.runtime import open_artifact
from penstock.runtime.native import processor
from penstock.runtime.store import safetensors
from penstock.tools import cli
from penstock.tools.shared.userfile import split_jobs

JOBS = """\
import penstock as flow
import penstock.typing as tp


@flow.global_function()
def scaled(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    return x * flow.get_variable("scale", (3,), initializer=flow.ones_initializer())


@flow.global_function()
def doubled(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    return x + x
"""
X = np.array([1, 2, 3], np.float32)

Compile = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.usefixtures("fresh_modules")


@pytest.fixture
def compiled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Compile:
    """Compile `jobs.py` in a new folder: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    Path("jobs.py").write_text(JOBS)

    def run(*words: str) -> tuple[int, str, str]:
        code = cli.main(["compile", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_one_job(compiled: Compile) -> None:
    code, out, err = compiled("jobs.py:doubled", "--target", "x86-64-v2", "-o", "two.pstk")
    assert (code, err) == (0, "")
    assert out.startswith("two.pstk: doubled for x86-64-v2; ")
    np.testing.assert_array_equal(penstock.runtime.load("two.pstk")(X), 2 * X)


def test_all_jobs_of_a_file_for_all_levels(compiled: Compile) -> None:
    code, out, err = compiled("jobs.py", "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert told["artifact"] == "jobs.pstk"
    assert told["jobs"] == ["scaled", "doubled"]
    assert told["targets"] == ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
    assert told["bytes"] == Path("jobs.pstk").stat().st_size
    assert open_artifact("jobs.pstk").manifest.jobs == ("scaled", "doubled")


def test_named_jobs_keep_the_order_they_are_named_in(compiled: Compile) -> None:
    words = "jobs.py:doubled,scaled", "--target", "x86-64-v2,x86-64-v3"
    assert compiled(*words)[0] == 0
    manifest = open_artifact("jobs.pstk").manifest
    assert manifest.jobs == ("doubled", "scaled")
    assert manifest.targets == ("x86-64-v2", "x86-64-v3")
    # The same command removes nothing; fewer jobs also remove their variables.
    assert compiled(*words)[2] == ""
    said = compiled("jobs.py:doubled", "--target", "x86-64-v2")[2]
    assert said == (
        "jobs.pstk: replaced an artifact, of which are gone: job 'scaled', "
        "the values of its variables; -o FILE writes to another\n"
    )


@pytest.mark.parametrize("asked", ["", "x86-64-v2"])
def test_the_level_of_this_machine(
    compiled: Compile, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """Or that which the environment asks for, as code for higher ones would not be loaded."""
    monkeypatch.setenv("PENSTOCK_TARGET", asked)
    assert compiled("jobs.py:doubled", "--target", "native", "-o", "two.pstk")[0] == 0
    assert open_artifact("two.pstk").manifest.targets == (asked or host_level(),)


def test_a_stage_and_a_job_from_its_text(compiled: Compile) -> None:
    code, out, _ = compiled("jobs.py:scaled", "--stop-after", "fused")
    assert code == 0
    assert parse_module(out).job.sym_name == "scaled"
    compiled("jobs.py:scaled", "--stop-after", "fused", "-o", "scaled.mlir")
    assert Path("scaled.mlir").read_text() == out
    assert compiled("--from", "scaled.mlir")[0] == 0
    assert open_artifact("scaled.pstk").manifest.stages("scaled") == ("fused", "loops")
    np.testing.assert_array_equal(penstock.runtime.load("scaled.pstk")(X), X)


@pytest.mark.parametrize(
    ("stage", "shown"), [("loops", "x86-64-v2"), ("llvm", "define i32 @scaled"), ("asm", "scaled:")]
)
def test_stages_are_for_the_target(compiled: Compile, stage: str, shown: str) -> None:
    code, out, _ = compiled("jobs.py:scaled", "--stop-after", stage, "--target", "x86-64-v2")
    assert code == 0
    assert shown in out


AVX2 = "+cx16,+popcnt,+sse3,+sse4.1,+sse4.2,+ssse3,+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe"


def test_every_target_is_compiled_on_a_machine_that_lacks_it(
    compiled: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM aborts on an instruction that the target processor does not have."""
    monkeypatch.setenv("PENSTOCK_CACHE", "off")
    Path("jobs.py").write_text(
        JOBS.replace("(3,)", "(33,)").replace("x + x", "flow.nn.softmax(flow.math.tanh(x))")
    )
    words = "jobs.py:doubled", "--stop-after", "asm", "--target"
    levels = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
    here = [compiled(*words, level) for level in levels]
    for name, value in (("host_cpu", "znver3"), ("host_features", AVX2)):
        monkeypatch.setattr(host, name, lambda value=value: value)
    monkeypatch.setattr(processor, "_flags", lambda: frozenset(processor.LEVELS["x86-64-v3"]))
    assert host.host_levels() == levels[:2]
    assert [compiled(*words, level) for level in levels] == here
    assert [(code, err) for code, _, err in here] == [(0, "")] * 3
    wide = here[2][1]
    assert {"vrangeps", "vscalefps", "%zmm"} <= {*NAMES.findall(wide)}
    code, _, err = compiled("jobs.py:doubled", "--target", ",".join(levels), "-o", "all.pstk")
    assert (code, err) == (0, "")
    assert open_artifact("all.pstk").manifest.targets == tuple(levels)


NAMES = re.compile(r"vrangeps|vscalefps|%zmm")


def test_saved_variables(compiled: Compile) -> None:
    safetensors.save("values.safetensors", {"scale": np.array([5, 6, 7], np.float32)})
    assert compiled("jobs.py:scaled", "--load-variables", "values.safetensors")[0] == 0
    np.testing.assert_array_equal(penstock.runtime.load("jobs.pstk")(X), [5, 12, 21])
    penstock.runtime.load("jobs.pstk").save("other.pstk")
    assert compiled("jobs.py:scaled", "--load-variables", "other.pstk", "-o", "third.pstk")[0] == 0
    assert Path("third.pstk").read_bytes() == Path("other.pstk").read_bytes()


def test_variables_of_a_part_of_the_model(compiled: Compile) -> None:
    Path("jobs.py").write_text(
        JOBS.replace(
            "return x * ",
            """return x * flow.get_variable(
        "frozen", (3,), initializer=flow.ones_initializer(), trainable=False) * """,
        )
    )
    safetensors.save("part.safetensors", {"scale": X, "other": X})
    code, _, error = compiled("jobs.py:scaled", "--load-variables", "part.safetensors")
    assert code == 1
    assert "part.safetensors: has no value for frozen; not used: other" in error


def test_variables_of_more_jobs_than_are_compiled(compiled: Compile) -> None:
    """The file of a train job works for its predict job."""
    values = {"scale": np.array([5, 6, 7], np.float32), "step": np.array(3, np.int64)}
    safetensors.save("values.safetensors", values)
    assert compiled("jobs.py:scaled", "--load-variables", "values.safetensors")[0] == 0
    artifact = penstock.runtime.load("jobs.pstk")
    np.testing.assert_array_equal(artifact(X), [5, 12, 21])
    artifact.variables.load("values.safetensors")
    safetensors.save("others.safetensors", {"step": np.array(3, np.int64)})
    wrong = "others.safetensors: has no value for scale; not used: step; use a file of this model"
    code, _, error = compiled("jobs.py:scaled", "--load-variables", "others.safetensors")
    assert code == 1
    assert error.startswith(f"jobs.py: {wrong}")
    with pytest.raises(ValueError, match=wrong):
        artifact.variables.load("others.safetensors")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "give either a file of jobs, or the text of one job with --from FILE.mlir"),
        (
            ("jobs.py", "--from", "x.mlir"),
            2,
            "give either a file of jobs, or the text of one job with --from",
        ),
        (("jobs.py:",), 2, "the name of the job is missing after the colon of jobs.py:"),
        (("jobs.py:double",), 1, "there is no job 'double': did you mean doubled?"),
        (("no.py",), 1, "no.py: there is no such file"),
        (("--from", "no.mlir"), 1, "no.mlir: No such file or directory"),
        (
            ("jobs.py", "--target", "x86-64-v9"),
            2,
            "'x86-64-v9': there are x86-64-v2, x86-64-v3, x86",
        ),
        (("jobs.py", "--target", "z"), 2, "no target 'z': there are x86-64-v2, x86-64-v3"),
        (("jobs.py", "--stop-after", "fuse"), 2, "no stage 'fuse': did you mean fused?"),
        (("jobs.py", "--stop-after", "fused"), 1, "one job: add one of :scaled, :doubled"),
        (
            ("jobs.py:scaled", "--stop-after", "job", "--target", "x86-64-v2,x86-64-v3"),
            2,
            "the text of a stage is for one processor level: give one --target",
        ),
        (("jobs.py", "--load-variables", "no"), 1, "no: cannot be read: No such file"),
        (("jobs.py", "--load-variables", "jobs.py"), 1, "jobs.py: is not a safetensors file"),
        (("jobs.py", "-o", "no/a.pstk"), 1, "no/a.pstk: No such file or directory"),
        (("jobs.py", "-o", "."), 1, ".: Is a directory"),
    ],
)
def test_wrong_arguments(
    compiled: Compile, words: tuple[str, ...], code: int, message: str
) -> None:
    before = {path.name for path in Path().iterdir()}
    found, out, err = compiled(*words)
    assert (found, out) == (code, "")
    assert message in err
    assert "Traceback" not in err
    assert "InputError" not in err
    assert {path.name for path in Path().iterdir()} - {"__pycache__"} == before


def test_errors_of_the_file_are_shown_as_its_own(compiled: Compile) -> None:
    Path("jobs.py").write_text(JOBS.replace("x + x", "x + 'a'"))
    code, out, err = compiled("jobs.py")
    assert (code, out) == (1, "")
    assert 'File "jobs.py", line 12' in err.replace(f"{Path.cwd()}/", "")


def test_text_with_an_error_is_pointed_at(compiled: Compile) -> None:
    Path("bad.mlir").write_text("module @x {\n  func.func @x( {\n}\n")
    code, out, err = compiled("--from", "bad.mlir")
    assert (code, out) == (1, "")
    assert err.startswith("bad.mlir:2:")
    assert "^" in err


def test_names_of_jobs_are_distinguished_from_names_of_files() -> None:
    assert split_jobs("a:b.py") == ("a:b.py", [])
    assert split_jobs("a.py:b,c") == ("a.py", ["b", "c"])


def test_a_library_for_c(compiled: Compile) -> None:
    code, out, _ = compiled("jobs.py", "--emit", "so,header", "-o", "sums", "--target", "x86-64-v2")
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines()] == ["libsums.so", "sums.h"]
    library = ctypes.CDLL(str(Path("libsums.so").absolute()))
    x, result = (ctypes.c_float * 3)(*X), (ctypes.c_float * 3)()
    assert library.sums_doubled(x, result, None) == 0
    np.testing.assert_array_equal(result, X + X)
    assert (
        "int sums_scaled(\n    const struct sums_variables *variables,"
        in Path("sums.h").read_text()
    )


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (["--emit", "header"], ["jobs.h"]),
        (["--emit", "so"], ["libjobs.so"]),
        (["--emit", "header,so", "-o", "plugin.so"], ["plugin.so", "plugin.h"]),
        (["--emit", "so,header", "-o", "libplug.so"], ["libplug.so", "plug.h"]),
    ],
)
def test_emitted_files(compiled: Compile, words: list[str], files: list[str]) -> None:
    code, out, _ = compiled("jobs.py:doubled", *words, "--json", "--target", "x86-64-v2")
    assert code == 0
    said = [json.loads(line) for line in out.splitlines()]
    assert [line.get("so") or line["header"] for line in said] == files
    assert sorted(path.name for path in Path().iterdir() if path.is_file()) == sorted(
        [*files, "jobs.py"]
    )
    assert [Path(file).stat().st_size for file in files] == [line["bytes"] for line in said]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--emit", "sos"], "there is no 'sos' to emit: did you mean so?"),
        (["--emit", ""], "there is no '' to emit: there are artifact, so, header"),
        (
            ["--emit", "artifact,so"],
            "an artifact cannot be written with other files: emit either artifact, or so and "
            "header",
        ),
        (
            ["--emit", "so", "-o", "-"],
            "a library and its header are always written to files, in whole: leave",
        ),
        (["--emit", "so", "--stop-after", "job"], "in whole: leave out --stop-after"),
    ],
)
def test_invalid_combinations_to_emit(compiled: Compile, words: list[str], message: str) -> None:
    code, _, err = compiled("jobs.py", *words)
    assert code == 2
    assert message in err
