"""Running pipelines: order, checks, reports, dumps, fuel, listeners, reproducers."""

import re
import signal
from pathlib import Path

import numpy as np
import pytest

from penstock.ir.core import Operation, OpResult
from penstock.ir.diagnostics import IRError, OutOfMemory
from penstock.ir.dialects import math
from penstock.ir.dialects.arith import Constant
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.facets import facet
from penstock.ir.rewriting.rewrite import Rewriter, pattern, rewrite
from penstock.ir.text.printer import print_module
from penstock.passes import manager, reproducer
from penstock.passes.base import Pass, PipelineError
from penstock.passes.flow.lower_to_linalg import LowerToLinalg
from penstock.passes.fusion.outline import OutlineGroups
from penstock.passes.listeners import Listener
from penstock.passes.manager import PassManager, run_pipeline
from penstock.passes.simplify.canonicalize import Canonicalize
from penstock.passes.simplify.cse import CSE
from penstock.passes.simplify.dce import DCE
from penstock.trace.tracing import relocated

TEXT = """
func.func private @unused() {
  return
}
func.func @f(%x: index) -> (index, index) {
  %a = arith.constant 2 : index loc("train.py":3:1)
  %b = arith.constant 3 : index
  %c = arith.muli %a, %b : index loc("train.py":5:1)
  %d = arith.addi %c, %x : index
  %e = arith.addi %x, %c : index
  return %d, %e : index, index
}
"""


@pytest.fixture
def module() -> Module:
    return parse_module(TEXT)


@pytest.fixture(autouse=True)
def reproducers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "reproducers"
    monkeypatch.setenv("PENSTOCK_REPRODUCER_DIR", str(folder))
    return folder


class Spoil(Pass):
    """Leaves an op that the verifier rejects."""

    name = "spoil"

    def run(self, module: Module) -> None:
        module.job.returned.operands = []


class Crash(Pass):
    """Raises because of a bug."""

    name = "break-off"
    limit: int = 0

    def run(self, module: Module) -> None:
        module.job.returned.operands = []
        self.look(module.job.body.first)

    def look(self, op: Operation | None) -> None:
        raise KeyError("what a bug")


class Waits(Pass):
    """Is interrupted."""

    name = "waits"

    def run(self, module: Module) -> None:
        signal.raise_signal(signal.SIGUSR1)


class Refuse(Pass):
    """Refuses a user's program."""

    name = "refuse"

    def run(self, module: Module) -> None:
        next(op for op in module.job.body if op.location.files()).fail("has no gradient")


def test_passes_run_in_order(module: Module) -> None:
    report = run_pipeline(module, "canonicalize,cse,dce")
    assert [p.name for p in report.passes] == ["canonicalize", "cse", "dce"]
    assert [op.name for op in module.job.body] == ["arith.constant", "arith.addi", "func.return"]
    assert module.function_names() == "@f"


def test_the_report(module: Module) -> None:
    report = run_pipeline(module, [Canonicalize(), CSE(), DCE()], timing=True)
    sizes = [(p.ops_before, p.ops_after) for p in report.passes]
    assert sizes == [(10, 8), (8, 7), (7, 5)]
    assert report.passes[1].rewrites == {"cse": 1}
    assert report.rewrites["fold_constants"] == 1
    assert report.stopped == ""
    timing = report.timing().splitlines()
    assert timing[0].split() == ["pass", "ms", "verify", "ms"]
    assert [line.split()[0] for line in timing[1:5]] == ["canonicalize", "cse", "dce", "total"]
    assert "fold_constants" in report.timing().partition("pattern")[2]
    statistics = report.statistics().splitlines()
    assert statistics[0].split() == ["pass", "ops", "in", "ops", "out", "rewrites"]
    assert "cse                    8        7         1" in statistics


def test_without_timing_patterns_are_not_timed(module: Module) -> None:
    report = run_pipeline(module, "canonicalize")
    assert "pattern" not in report.timing()
    assert report.passes[0].seconds > 0


def test_fuel(module: Module) -> None:
    report = run_pipeline(module, "canonicalize,cse,dce", fuel=1)
    assert report.rewrites.total() == 1
    assert report.stopped == (
        "fuel is spent after 1 rewrites; the last was fold_constants on arith.muli at train.py:5"
    )
    enough = run_pipeline(parse_module(TEXT), "canonicalize,cse,dce", fuel=100)
    assert enough.stopped == ""
    assert enough.rewrites.total() == 6


def test_every_amount_of_fuel_leaves_a_valid_module() -> None:
    texts = set()
    for fuel in range(8):
        module = parse_module(TEXT)
        run_pipeline(module, "canonicalize,cse,dce", fuel=fuel)
        texts.add(print_module(module))
    assert len(texts) == 7


def test_dumps_only_where_something_changed(module: Module, tmp_path: Path) -> None:
    run_pipeline(module, "canonicalize,fold,cse,cse,dce", dump_dir=tmp_path / "ir" / "deep")
    dumps = sorted((tmp_path / "ir" / "deep").glob("*.mlir"))
    assert [path.name for path in dumps] == [
        "00-input.mlir", "01-canonicalize.mlir", "03-cse.mlir", "05-dce.mlir"
    ]  # fmt: skip
    assert dumps[-1].read_text() == print_module(module)
    assert print_module(parse_module(dumps[0].read_text())) == dumps[0].read_text()


def test_printing_after_each_pass(module: Module, capsys: pytest.CaptureFixture[str]) -> None:
    run_pipeline(module, "canonicalize,canonicalize,cse", print_ir_after_all=True)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.findall(r"// IR after .*", captured.err) == [
        "// IR after pass 1, canonicalize",
        "// IR after pass 3, cse",
    ]


def test_listeners(module: Module) -> None:
    class Heard(Listener):
        def started(self, module: Module) -> None:
            heard.append("started")

        def before(self, position: int, step: Pass, module: Module) -> None:
            heard.append(f"before {position} {step}")

        def after(self, position: int, step: Pass, module: Module) -> None:
            heard.append(f"after {position} {step}")

    heard: list[str] = []
    PassManager([CSE(), DCE()], listeners=[Heard(), Listener()]).run(module)
    assert heard == ["started", "before 0 cse", "after 0 cse", "before 1 dce", "after 1 dce"]


# -- failures --------------------------------------------------------------------------------------


def reproducer_of(error: IRError) -> Path:
    note = error.diagnostics[-1].notes[-1]
    return Path(note.partition("to reproduce: ")[2])


def test_a_pass_that_breaks_the_module(module: Module, reproducers: Path) -> None:
    with pytest.raises(IRError, match=r"func.return: returns \(\) where @f promises") as caught:
        run_pipeline(module, [Canonicalize(), Spoil(), DCE()])
    assert "note: in pass spoil; to reproduce: " in str(caught.value)
    path = reproducer_of(caught.value)
    assert path.parent == reproducers
    head, run, versions, *text = path.read_text().splitlines()
    assert head.startswith("// failed: func.return: returns () where @f promises")
    assert run == "// run: penstock opt --pipeline spoil,dce <this file>"
    assert versions.startswith("// penstock ")
    assert f"NumPy {np.__version__}" in versions
    expected = parse_module(TEXT)
    run_pipeline(expected, "canonicalize")
    assert print_module(parse_module("\n".join(text))) == print_module(expected)


@pytest.mark.parametrize(("each", "times"), [(True, 3), (False, 1)])
def test_verification_between_passes_can_be_disabled(
    module: Module, monkeypatch: pytest.MonkeyPatch, each: bool, times: int
) -> None:
    verified: list[Module] = []
    monkeypatch.setattr(manager, "verify", verified.append)
    run_pipeline(module, "canonicalize,cse,dce", verify_each=each)
    assert len(verified) == times


def test_the_pass_that_broke_the_module_is_still_named(module: Module) -> None:
    before = print_module(module)
    pristine = parse_module(TEXT)
    with pytest.raises(IRError, match="in pass spoil") as caught:
        run_pipeline(module, [CSE(), Spoil(), DCE()], verify_each=False, pristine=pristine)
    assert "--pipeline spoil,dce" in reproducer_of(caught.value).read_text()
    assert print_module(pristine) == before


def test_a_pass_with_a_bug(module: Module) -> None:
    with pytest.raises(IRError) as caught:
        run_pipeline(module, [CSE(), Crash(limit=4), DCE()])
    said = "train.py:3: error: pass break-off broke off with KeyError: 'what a bug'"
    assert str(caught.value).startswith(said), "the op that it was at"
    line = Crash.look.__code__.co_firstlineno + 1
    assert f"note: raised at test_manager.py:{line}" in str(caught.value)
    assert isinstance(caught.value.__cause__, KeyError)
    text = reproducer_of(caught.value).read_text()
    assert "// run: penstock opt --pipeline 'break-off{limit=4},dce' <this file>" in text
    assert "func.return %d, %d" in text, "the IR before the pass, not what it left"


class Timeout(Exception):
    """Raised by a handler of a signal."""


class Clock:
    """Ways to write a signal handler."""

    def method(self, number: int, frame: object) -> None:
        self.rest()

    def rest(self, *_: object) -> None:
        raise Timeout("took too long")

    def once(self, number: int, frame: object) -> None:
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        raise Timeout("took too long")


@pytest.mark.parametrize("name", ["method", "rest", "once"])
def test_an_exception_of_a_signal_handler_is_not_a_pass_failure(
    module: Module, reproducers: Path, name: str
) -> None:
    before = signal.signal(signal.SIGUSR1, getattr(Clock(), name))
    try:
        with pytest.raises(Timeout, match="^took too long$"):
            run_pipeline(module, [CSE(), Waits(), DCE()])
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert not reproducers.exists()


def test_a_pass_that_runs_out_of_memory(module: Module, monkeypatch: pytest.MonkeyPatch) -> None:
    def look(self: Crash, op: Operation | None) -> None:
        raise MemoryError("Unable to allocate 64.0 GiB")

    monkeypatch.setattr(Crash, "look", look)
    with pytest.raises(OutOfMemory) as caught:
        run_pipeline(module, [Crash()])
    error = relocated(caught.value)
    assert type(error) is MemoryError
    assert str(error).startswith(
        "train.py:3: pass break-off ran out of memory: Unable to allocate 64.0 GiB; allow it more"
    )


def test_a_method_of_an_op_that_runs_out_of_memory(module: Module) -> None:
    class Methods(Pass):
        """Calls a method of an op."""

        name = "methods"

        def run(self, module: Module) -> None:
            op = module.job.returned
            with facet(op, "fold"):
                raise MemoryError("Unable to allocate 64.0 GiB")

    with pytest.raises(OutOfMemory, match="func.return: its `fold` raised MemoryError: Unable"):
        run_pipeline(module, [Methods()])


def test_a_pass_that_crashes_while_constructing_an_op(module: Module) -> None:
    class Unmade(Pass):
        """Crashes before the op has a location."""

        name = "unmade"

        def run(self, module: Module) -> None:
            first = module.job.body.first
            self.make(Constant.__new__(Constant), OpResult.__new__(OpResult), first)

        def make(self, op: Operation, result: OpResult, near: Operation | None) -> None:
            raise KeyError("what a bug")

    with pytest.raises(IRError, match="^train.py:3: error: pass unmade broke off with KeyError"):
        run_pipeline(module, [Unmade()])


def test_a_pass_that_refuses_keeps_the_users_line(module: Module) -> None:
    with pytest.raises(IRError) as caught:
        run_pipeline(module, [Refuse()])
    assert str(caught.value).startswith("train.py:3: error: arith.constant: has no gradient\n")


def test_equal_failures_share_one_file(reproducers: Path) -> None:
    for _ in range(3):
        with pytest.raises(IRError):
            run_pipeline(parse_module(TEXT), [Crash()])
    assert len(list(reproducers.iterdir())) == 1
    with pytest.raises(IRError):
        run_pipeline(parse_module(TEXT), [CSE(), Crash()])
    assert len(list(reproducers.iterdir())) == 2


def test_the_reproducer_has_the_remaining_fuel(module: Module) -> None:
    with pytest.raises(IRError) as caught:
        run_pipeline(module, [Canonicalize(), Crash()], fuel=10)
    assert "--pipeline break-off --fuel 6 <this file>" in reproducer_of(caught.value).read_text()


def test_a_reproducer_reproduces(module: Module) -> None:
    @pattern
    def endless(op: math.Exp, rewriter: Rewriter) -> None:
        rewriter.replace(op, rewriter.create(math.Exp, op.operands[0]))

    class Endless(Pass):
        """Never terminates."""

        name = "endless"

        def run(self, module: Module) -> None:
            rewrite(module, [endless])

    module = parse_module(
        "func.func @f(%x: f32) -> f32 {\n  %y = math.exp %x : f32\n  return %y : f32\n}"
    )
    with pytest.raises(IRError, match="rewriting does not end: pattern endless") as first:
        run_pipeline(module, [Endless()])
    again = parse_module(reproducer_of(first.value).read_text())
    with pytest.raises(IRError, match="rewriting does not end: pattern endless") as second:
        run_pipeline(again, [Endless()])
    assert reproducer_of(first.value) == reproducer_of(second.value)


def test_an_unwritable_reproducer_does_not_hide_the_error(
    module: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PENSTOCK_REPRODUCER_DIR", str(tmp_path / "file"))
    with pytest.raises(IRError, match="broke off with KeyError") as caught:
        run_pipeline(module, [Crash()])
    assert "no reproducer could be written: " in str(caught.value)


def test_a_failed_write_leaves_no_file(
    reproducers: Path, module: Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(IRError, match="no reproducer could be written: .*No space left"):
        run_pipeline(module, [Crash()])
    assert list(reproducers.iterdir()) == []


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("PENSTOCK_REPRODUCER_DIR")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_the_default_folder_is_the_users_own(temporary: Path) -> None:
    folder = reproducer.folder()
    assert folder.parent == temporary
    assert folder.stat().st_mode & 0o777 == 0o700
    assert reproducer.folder() == folder


def test_a_planted_folder_is_not_trusted(temporary: Path) -> None:
    planted = reproducer.folder()
    planted.chmod(0o777)
    assert reproducer.folder() != planted
    planted.rmdir()
    planted.symlink_to(temporary)
    assert reproducer.folder() not in (planted, temporary)


def test_the_working_directory_stays_clean(
    module: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(IRError):
        run_pipeline(module, [Crash()])
    assert list((tmp_path / "here").iterdir()) == []


def test_a_wrong_order_is_refused_before_any_pass_runs(module: Module) -> None:
    before = print_module(module)
    with pytest.raises(PipelineError, match="must come before it, since"):
        run_pipeline(module, [Canonicalize(), OutlineGroups(), LowerToLinalg()])
    assert print_module(module) == before
