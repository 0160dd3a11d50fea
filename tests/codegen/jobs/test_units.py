"""Units: how a job's text is split, and that a kernel's text does not mention the job."""

import ctypes
import re
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from loading import load_object

from penstock.codegen.cache import Store
from penstock.codegen.objects import compiler, llvm, objects
from penstock.codegen.objects.objects import Compilation, compile_objects, side_by_side
from penstock.codegen.objects.units import SYMBOL, Units, split
from penstock.codegen.writer import LLVMText
from penstock.ir.diagnostics import IRError

# Two kernels that differ in names, numbers and comments only, one that differs in what it computes,
# a small function, a helper of two kernels, a constant. `filler` makes kernels long enough.
JOB = """\
define void @job(ptr %context, ptr %arguments) #0 {{
  call void @job.body(ptr %context, ptr %arguments)
  ret void
}}

; train.py:1
define internal void @job.body(ptr %context, ptr %x) #0 {{
entry:
  call void @first(ptr %context, ptr %x)
  call void @"second one"(ptr %context, ptr %x)
  call void @third(ptr %context, ptr %x)
  call void @small(ptr %context, ptr %x)
  ret void
}}
{kernels}
define internal void @small(ptr %context, ptr %x) #0 {{
entry:
  %a.1 = load float, ptr %x, align 4
  %b.2 = call float @helper(float %a.1)
  store float %b.2, ptr %x, align 4
  ret void
}}

define internal float @helper(float %x) #0 {{
entry:
  %t.1 = load float, ptr @table, align 64
  %s.2 = call float @llvm.fma.f32(float %x, float %t.1, float 1.0)
  ret float %s.2
}}
@table = internal unnamed_addr constant [4 x i8] c"\\00\\00\\00\\40", align 64

attributes #0 = {{ nounwind }}
attributes #1 = {{ noinline nounwind }}
declare float @llvm.fma.f32(float, float, float)
!0 = !{{!"llvm.loop.unroll.disable"}}
!1 = distinct !{{!1, !0}}
!2 = distinct !{{!2, !0}}
!3 = distinct !{{!3, !0}}
"""
KERNEL = """
; train.py:{line}
define internal void {name}(ptr %context, ptr %x) #1 {{
entry:
  br label %loop.1
loop.1:
  %i.2 = phi i64 [ 0, %entry ], [ %next.3, %loop.1 ]
  %p.4 = getelementptr float, ptr %x, i64 %i.2
  %a.5 = load float, ptr %p.4, align 4
  %b.6 = call float @helper(float %a.5)
{filler}
  store float {stored}, ptr %p.4, align 4
  %next.3 = add nuw nsw i64 %i.2, 1
  %more.7 = icmp slt i64 %next.3, {count}
  br i1 %more.7, label %loop.1, label %end.1, !llvm.loop !{node}
end.1:
  ret void
}}
"""


def kernel(name: str, line: int, node: int, count: int = 8, steps: int = 30) -> str:
    filler = "\n".join(
        f"  %f.{n} = fadd float %{'b.6' if n == 100 else f'f.{n - 1}'}, 1.0"
        for n in range(100, 100 + steps)
    )
    stored = f"%f.{99 + steps}"
    return KERNEL.format(name=name, line=line, node=node, count=count, filler=filler, stored=stored)


def job(count: int = 8) -> str:
    kernels = (kernel("@first", 3, 1), kernel('@"second one"', 4, 2), kernel("@third", 5, 3, count))
    return JOB.format(kernels="".join(kernels))


def test_equal_kernels_are_one_unit() -> None:
    entry, kernel = split(job())
    assert (entry.name, entry.symbol) == ("", "")
    assert kernel.name == "@first"
    assert re.fullmatch(SYMBOL, kernel.symbol)
    assert entry.text.count(f"call void @{kernel.symbol}(") == 3
    assert entry.text.count(kernel.symbol) == 4, "three calls, one declaration"
    assert "@first" not in entry.text
    assert "define internal float @helper" in entry.text, "a small function stays with the entry"


def test_different_kernels_are_different_units() -> None:
    assert len(split(job(count=9))) == 3


def test_a_kernels_text_does_not_mention_its_job() -> None:
    before = split(job())[1].text
    renamed = job().replace("@first", "@another").replace("@helper", "@aid").replace("!1", "!41")
    renamed = renamed.replace("@table", "@numbers").replace("train.py", "other.py")
    assert split(renamed.replace("@job", "@task"))[1].text == before


def test_a_string_is_not_mistaken_for_a_name() -> None:
    text = job().replace(r'c"\00\00\00\40"', 'c"@f!1"')
    assert all('c"@f!1"' in unit.text for unit in split(text))


def test_uncalled_functions_are_in_no_unit() -> None:
    text = job(9).replace("  call void @third(ptr %context, ptr %x)\n", "")
    assert split(text)[1:] == split(job(9))[1:2]
    assert "@third" not in split(text)[0].text


def run(codes: tuple[bytes, ...]) -> list[float]:
    loaded = load_object(codes[0], "job", *codes[1:])
    x = np.arange(16, dtype=np.float32)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(loaded.address)(None, x.ctypes.data)
    values: list[float] = x.tolist()
    return values


@pytest.mark.parametrize("count", [8, 9])
def test_units_compute_what_the_whole_text_does(count: int) -> None:
    source = LLVMText(job(count), ())
    whole = run((llvm.compile_object(source),))
    assert run(compile_objects(source)) == whole
    assert whole[1] != 1


def test_objects_are_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "cache", print)
    result = compile_objects(LLVMText(job(9), ()), store=store)
    assert len(result) == 3
    compiled: list[str] = []
    submit = compiler.submit

    def counted(source: LLVMText, cpu: str | None = None) -> Callable[[], bytes]:
        compiled.append(source.text)
        return submit(source, cpu)

    monkeypatch.setattr(compiler, "submit", counted)
    assert compile_objects(LLVMText(job(9), ()), store=store) == result
    assert not compiled
    # Another job with one of the kernels: only its entry is compiled.
    compile_objects(LLVMText(job(8).replace("@job", "@task"), ()), store=store)
    assert len(compiled) == 1
    # Another processor has its own objects.
    compile_objects(LLVMText(job(9), ()), "x86-64-v4", store)
    assert len(compiled) == 4


def test_a_rejected_line_is_counted_in_the_whole_text() -> None:
    text = job(9).replace("fadd float %f.110, 1.0", "fadd float %f.110, 1", 1)
    assert text != job(9)
    number = text[: text.index("%f.110, 1\n")].count("\n") + 1
    with pytest.raises(IRError, match=f"LLVM rejects .*fadd float %f.110.*line {number} of stage"):
        compile_objects(LLVMText(text, (None,) * text.count("\n")))


def test_the_assembly_has_the_names_of_the_text() -> None:
    text = objects.assembly(LLVMText(job(9), ()), None)
    for name in ("job:", "first:", "third:"):
        assert re.search(f"^{name}", text, re.MULTILINE), name
    assert "penstock." not in text
    labels = re.findall(r"^(\.L[\w.]+):", text, re.MULTILINE)
    assert len(labels) == len(set(labels)) > 0


def test_units_compile_in_parallel_and_arrive_in_order() -> None:
    assert side_by_side(lambda n: n * n, range(50)) == [n * n for n in range(50)]
    assert side_by_side(str, []) == []
    before = threading.active_count()
    begun: list[int] = []

    def fail(number: int) -> int:
        begun.append(number)
        if number >= 3:
            raise ValueError(f"at {number}")
        return number

    with pytest.raises(ValueError, match="at 3"):
        side_by_side(fail, range(1000))
    assert len(begun) < 1000
    assert threading.active_count() == before


KERNELS = ("@first", '@"second one"', "@third")


def pieces(text: str) -> dict[str, list[str]]:
    """The text of a job in pieces, as it is written: first everything else, then each kernel."""
    functions = re.findall(r"^define.*?^\}\n", text, re.DOTALL | re.MULTILINE)
    found = {"": text}
    for name in KERNELS:
        found[name] = next(f for f in functions if f.startswith(f"define internal void {name}("))
        found[""] = found[""].replace(found[name], "")
    return {name: piece.split("\n") for name, piece in found.items()}


@pytest.mark.parametrize("count", [8, 9])
@pytest.mark.parametrize("step", [1, -1])
def test_pieces_have_the_units_of_the_whole_text(count: int, step: int) -> None:
    """In any order."""
    found = Units()
    for lines in [*pieces(job(count)).values()][::step]:
        found.add(lines)
    assert found.all() == split(job(count))


def test_a_kernel_waits_for_what_it_refers_to() -> None:
    found, parts = Units(), pieces(job(9))
    found.add(parts["@third"])
    assert found.kernel("@third") is None
    found.add(parts[""])
    assert found.kernel("@third") in split(job(9))
    assert found.kernel("@small") is None, "it is not worth a unit"


def test_kernels_are_compiled_while_others_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    submit = compiler.submit

    def told(source: LLVMText, cpu: str | None = None) -> Callable[[], bytes]:
        begun.append(source.text)
        return submit(source, cpu)

    parts, source = pieces(job(9)), LLVMText(job(9), ())
    compilation = Compilation()
    monkeypatch.setattr(compiler, "submit", told)
    aid = parts[""].index("define internal float @helper(float %x) #0 {")
    compilation.written("@helper", parts[""][aid:])
    for name, count in zip(KERNELS, (1, 1, 2), strict=True):
        compilation.written(name, parts[name])
        assert len(begun) == count
    compilation.written("", parts[""][:aid])
    assert len(begun) == 3
    result = compilation.objects(lambda: source)
    assert len(begun) == len(result) == 3
    assert result == compile_objects(source)
