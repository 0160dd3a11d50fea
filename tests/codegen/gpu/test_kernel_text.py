"""LLVM text and PTX of kernels: what it says, and that ptxas takes it."""

from __future__ import annotations

import re

import pytest
from gpu_modules import ROWS, kernel

from penstock.codegen.gpu.architectures import (
    ARCHITECTURES,
    Architecture,
    architecture_of,
    check_called,
)
from penstock.codegen.gpu.assembler import assemble
from penstock.codegen.gpu.kernel_text import emit_kernels
from penstock.codegen.gpu.program import begin_ptx, emit_ptx
from penstock.codegen.objects import compiler
from penstock.codegen.writer import LLVMText
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module

AMPERE = ARCHITECTURES["sm_80"]


def llvm_of(text: str, architecture: Architecture = AMPERE) -> str:
    return emit_kernels(parse_module(text), architecture).text


@pytest.fixture(scope="module")
def rows() -> str:
    """The PTX of two kernels."""
    return emit_ptx(parse_module(ROWS))


def test_kernels_are_entries_with_their_sizes(rows: str) -> None:
    assert re.findall(r"^\.visible \.entry (\w+)\(", rows, re.MULTILINE) == ["double", "sums"]
    assert rows.count(".reqntid 64, 1, 1") == 2
    assert ".target sm_80" in rows
    assert ".version 8.0" in rows


def test_accesses_know_their_memory_and_are_wide(rows: str) -> None:
    accesses = re.findall(r"\b(?:ld|st)\.[\w.:]+", rows)
    known = ("ld.param", "ld.global", "st.global", "ld.shared", "st.shared")
    assert accesses
    assert all(word.startswith(known) for word in accesses)
    assert "ld.global.nc.v4.b32" in accesses
    assert "st.global.v4.b32" in accesses


def test_shared_memory_has_the_size_of_its_buffers(rows: str) -> None:
    assert re.findall(r"\.shared .*;", rows) == [".shared .align 16 .b8 sums__part_0[8];"]


def test_lines_are_those_of_the_program(rows: str) -> None:
    assert re.findall(r"\.file\s+1 (.*)", rows) == ['"job.py"']
    entry = rows[rows.index(".entry double") : rows.index(".entry sums")]
    assert set(re.findall(r"\.loc\s+1 (\d+)", entry)) == {"2", "3", "4", "5", "6"}
    assert ".loc" not in rows[rows.index(".entry sums") :]


def test_no_access_claims_to_be_in_bounds() -> None:
    assert "inbounds" not in llvm_of(ROWS)


@pytest.mark.parametrize("arch", sorted(ARCHITECTURES))
def test_ptxas_takes_it(arch: str, ptxas: str) -> None:
    done = assemble(emit_ptx(parse_module(ROWS), arch), arch, ptxas)
    assert done.cubin.startswith(b"\x7fELF")
    assert not done.warnings
    assert {name: (u.shared, u.stack, u.spill_stores) for name, u in done.usage.items()} == {
        "double": (0, 0, 0), "sums": (8, 0, 0),
    }  # fmt: skip


# -- ops of dialect gpu -----------------------------------------------------------------------


def test_places_of_threads() -> None:
    text = llvm_of(
        kernel(
            "%a = gpu.thread_id x %b = gpu.thread_id y %c = gpu.block_id z %d = gpu.block_dim x "
            "%e = gpu.grid_dim y %f = gpu.lane_id %g = gpu.subgroup_id : index",
            block=(64, 2, 1), grid=(3, 5, 1), use="abcdefg",
        )
    )  # fmt: skip
    assert "call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()" in text
    assert "call range(i32 0, 2) i32 @llvm.nvvm.read.ptx.sreg.tid.y()" in text
    assert "ctaid" not in text, "there is one block along z"
    assert "mul nuw nsw i64 %tid" in text, "the number of a thread counts rows of x"
    assert re.search(r"%p\.\d+ = getelementptr i64, ptr %out\.\d+, i64 3\n", text)
    assert re.search(r"store i64 64, ptr", text)
    assert re.search(r"store i64 5, ptr", text)
    assert re.search(r"and i64 %number\.\d+, 31", text)
    assert re.search(r"lshr i64 %number\.\d+, 5", text)


@pytest.mark.parametrize(
    ("mode", "word", "width", "clamp"),
    [("xor", "bfly", 32, 31), ("down", "down", 16, 0x101F), ("up", "up", 8, 0x1800),
     ("idx", "idx", 32, 31)],
)  # fmt: skip
def test_shuffles(mode: str, word: str, width: int, clamp: int) -> None:
    body = (
        f"%o = arith.constant 1 : i32 %w = arith.constant {width} : i32 %t = gpu.lane_id "
        "%v = arith.index_cast %t : index to i32 "
        f"%r, %ok = gpu.shuffle {mode} %v, %o, %w : i32 %a = arith.extui %r : i32 to i64 "
    )
    text = llvm_of(kernel(f"{body} %b = arith.index_cast %a : i64 to index", use="b"))
    call = rf"call i32 @llvm\.nvvm\.shfl\.sync\.{word}\.i32\(i32 -1, i32 %\S+, i32 1, i32 {clamp}\)"
    assert re.search(call, text)
    body += "%c = arith.select %ok, %t, %o2 : index"
    text = llvm_of(kernel("%o2 = arith.constant 7 : index " + body, use="c"))
    assert f"@llvm.nvvm.shfl.sync.{word}.i32p(" in text


@pytest.mark.parametrize(
    ("element", "words"),
    [("f64", 2), ("i64", 2), ("f32", 1), ("f16", 1), ("bf16", 1), ("i8", 1), ("i1", 1),
     ("vector<4xf32>", 4), ("vector<2xf64>", 4)],
)  # fmt: skip
def test_shuffles_of_every_type(element: str, words: int, ptxas: str) -> None:
    memory = element.partition("x")[2].rstrip(">") or element
    lanes = int(element[7]) if element.startswith("vector") else 1
    type = f"memref<{32 * lanes}x{memory}>"
    access = f"{type}, {element}" if lanes > 1 else type
    dialect = "vector" if lanes > 1 else "memref"
    load = f"{dialect}.load %x[%i] : {access}"
    store = f"{dialect}.store %r, %x[%i] : {access}"
    body = (
        f"%o = arith.constant 1 : i32 %w = arith.constant 32 : i32 %n = arith.constant {lanes} : "
        f"index %t = gpu.thread_id x %i = arith.muli %t, %n : index %v = {load} "
        f"%r, %ok = gpu.shuffle xor %v, %o, %w : {element} {store}"
    )
    ptx = emit_ptx(parse_module(kernel(body, arguments=f"%x: {type}", block=(32, 1, 1))))
    assert ptx.count("shfl.sync.bfly.b32") == words
    assemble(ptx, "sm_80", ptxas)


def test_a_width_must_be_constant() -> None:
    text = kernel(
        "%t = gpu.lane_id %v = arith.index_cast %t : index to i32 "
        '%r, %ok = gpu.shuffle xor %v, %v, %v : i32 loc("job.py":7:1)'
    )
    with pytest.raises(IRError, match=r"job\.py:7: error: gpu\.shuffle: has a width that is no"):
        llvm_of(text)


def test_dynamic_shared_memory() -> None:
    type = "#gpu.address_space<workgroup>"
    body = (
        f"%m = gpu.dynamic_shared_memory : memref<?xi8, {type}> %c = arith.constant 1024 : index "
        f"%v = memref.view %m[%c][] : memref<?xi8, {type}> to memref<64xf32, {type}> "
        f"%t = gpu.thread_id x %f = arith.constant 1.0 : f32 "
        f"memref.store %f, %v[%t] : memref<64xf32, {type}> gpu.barrier "
        f"%a = memref.load %v[%t] : memref<64xf32, {type}> "
        "%x = arith.fptosi %a : f32 to i64 %i = arith.index_cast %x : i64 to index"
    )
    ptx = emit_ptx(parse_module(kernel(body, block=(64, 1, 1), use="i")))
    assert ".extern .shared .align 1024 .b8 penstock_dynamic[];" in ptx
    assert "st.shared.b32" in ptx
    assert "ld.shared.b32" in ptx
    assert "bar.sync" in ptx


def test_limits_of_registers() -> None:
    text = kernel("").replace("kernel attributes {", "kernel attributes {nvvm.minctasm = 2 : i64, ")
    ptx = emit_ptx(parse_module(text.replace("nvvm.min", "nvvm.maxnreg = 64 : i64, nvvm.min")))
    assert re.search(r"\.minnctapersm 2\n", ptx)
    assert re.search(r"\.maxnreg 64\n", ptx)


def test_scratch_stays_in_registers() -> None:
    """Of loops with few iterations, all subscripts are known."""
    body = (
        "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c8 = arith.constant 8 : "
        "index %t = gpu.thread_id x "
        "scf.for %i = %c0 to %c8 step %c1 { %v = memref.load %x[%t, %i] : memref<64x8xf32> "
        "memref.store %v, %p[%i] : memref<8xf32, #gpu.address_space<private>> } "
        "scf.for %i = %c0 to %c8 step %c1 { %j = arith.subi %c8, %i : index "
        "%k = arith.subi %j, %c1 : index "
        "%v = memref.load %p[%i] : memref<8xf32, #gpu.address_space<private>> "
        "memref.store %v, %x[%t, %k] : memref<64x8xf32> }"
    )
    buffers = "private(%p : memref<8xf32, #gpu.address_space<private>>)"
    ptx = emit_ptx(
        parse_module(
            kernel(body, arguments="%x: memref<64x8xf32>", block=(64, 1, 1), buffers=buffers)
        )
    )
    assert ".local" not in ptx
    assert "bra" not in ptx


def test_large_loops_are_not_unrolled() -> None:
    """The inner loop is; 256 copies of what it holds would take LLVM long."""
    step = "%v{} = math.exp %v{} : f32 "
    inner = "".join(step.format(i + 1, i) for i in range(8))
    body = (
        "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index "
        "%c16 = arith.constant 16 : index "
        "scf.for %i = %c0 to %c16 step %c1 { scf.for %j = %c0 to %c16 step %c1 { "
        f"%v0 = memref.load %x[%i, %j] : memref<16x16xf32> {inner} "
        "memref.store %v8, %x[%i, %j] : memref<16x16xf32> } }"
    )
    text = llvm_of(kernel(body, arguments="%x: memref<16x16xf32>"))
    ends = re.findall(r"!llvm.loop !(\d+)", text)
    properties = [re.findall(rf"!{end} = distinct !{{!{end}, !(\d+)}}", text) for end in ends]
    words = [re.findall(rf'!{one[0]} = !{{!"(.*)"}}', text)[0] for one in properties]
    assert words == ["llvm.loop.unroll.full", "llvm.loop.unroll.disable"]


# -- what is refused --------------------------------------------------------------------------


def test_an_op_without_code_is_refused() -> None:
    text = kernel('memref.prefetch %out[%n], read, locality<3>, data : memref<8xindex> '
                  'loc("job.py":5:1)', arguments="%out: memref<8xindex>, %n: index")  # fmt: skip
    with pytest.raises(IRError, match=r"job\.py:5: error: memref\.prefetch: there is no code for "
                                      r"it at stage gpu: expected gpu, nvgpu"):  # fmt: skip
        llvm_of(text)


def test_a_kernel_without_its_block_size_is_refused() -> None:
    text = "gpu.module @m { gpu.func @k() kernel { gpu.return } }"
    with pytest.raises(IRError, match="has no known_block_size"):
        llvm_of(text)


def test_two_kernels_of_one_symbol_are_refused() -> None:
    one = (
        "gpu.func @{} kernel attributes {{known_block_size = array<i32: 1, 1, 1>}} {{ gpu.return }}"
    )
    text = f"gpu.module @m {{ {one.format('a()')} {one.format('a_()')} }}"
    assert "@a(" in llvm_of(text)
    text = text.replace("@a()", '@"a-"()')
    with pytest.raises(IRError, match="has the symbol @a_ of another kernel"):
        llvm_of(text)


def test_an_unknown_architecture_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no architecture 'sm_1' to compile for"):
        architecture_of("sm_1")


@pytest.mark.parametrize(
    "name", ["llvm.exp.f32", "llvm.nvvm.barrier9", "llvm.sin.f64", "llvm.prefetch.p0", "exp"]
)
def test_a_function_that_gpus_lack_never_reaches_llvm(name: str) -> None:
    source = LLVMText(f"declare void @{name}(ptr)\n", (None, None))
    with pytest.raises(IRError, match=rf"there is no {re.escape(name)} on sm_80"):
        begin_ptx(source, AMPERE)
    check_called(LLVMText("declare float @llvm.sqrt.f32(float)\n", (None, None)), AMPERE)


def test_llvm_rejects_text_at_its_operation() -> None:
    module = parse_module(ROWS)
    source = emit_kernels(module, AMPERE)
    broken = LLVMText(source.text.replace("fadd <4 x float>", "fadd <4 x i32>"), source.origins)
    with pytest.raises(IRError, match=r"job\.py:5: error: arith\.addf: LLVM rejects"):
        begin_ptx(broken, AMPERE)()


def test_llvm_that_ends_its_process_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the check off, LLVM gets a function that it cannot compile."""
    monkeypatch.setattr("penstock.codegen.gpu.program.check_called", lambda *_: None)
    text = llvm_of(ROWS).replace("@llvm.fmuladd.f32(float %x.21,", "@llvm.pow.f32(float %x.21,", 1)
    text = re.sub(r"(@llvm\.pow\.f32\(float %x\.21, float [^,]+), [^)]+\)", r"\1)", text)
    text += "declare float @llvm.pow.f32(float, float)\n"
    with pytest.raises(IRError, match="the kernels of stage llvm for sm_80"):
        begin_ptx(LLVMText(text, (None,) * (text.count("\n") + 1)), AMPERE)()


def test_a_compiler_that_does_not_answer_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.codegen.gpu.program.SECONDS", 0.0)
    monkeypatch.setattr(compiler._Worker, "_read", lambda self: None)
    with pytest.raises(IRError, match="no answer for 0 seconds"):
        begin_ptx(emit_kernels(parse_module(ROWS), AMPERE), AMPERE)()
