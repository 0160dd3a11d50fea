import contextlib
import ctypes
import re
import shutil
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

import llvmlite.binding as binding
import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.codegen.host import LEVELS
from penstock.codegen.jobs.program import Program, compile_module
from penstock.codegen.link.shared_object import shared_object
from penstock.codegen.objects import llvm
from penstock.codegen.writer import LLVMText
from penstock.runtime import Executable, VariableStore
from penstock.runtime.native.shared_code import load_shared

LOAD, STACK = 1, 0x6474E551
X, W = 1, 2


def compiled(text: str, level: str = "x86-64-v2") -> bytes:
    return llvm.compile_object(LLVMText(text, ()), level)


def segments(image: bytes) -> list[tuple[int, ...]]:
    """Program headers: type, flags, offset, virtual and physical address, file size, memory size,
    alignment.
    """
    start, size, count = struct.unpack_from("<Q14xHH", image, 32)
    return [struct.unpack_from("<IIQQQQQQ", image, start + size * i) for i in range(count)]


def run(image: bytes, *numbers: int, symbol: str = "main") -> int:
    code = load_shared(image, "test")
    kinds = [ctypes.c_long] * len(numbers)
    return int(ctypes.CFUNCTYPE(ctypes.c_long, *kinds)(code.address(symbol))(*numbers))


@flow.global_function(type="train")
def train(
    x: tp.Numpy.Placeholder((8, 20), dtype=flow.float),
    y: tp.Numpy.Placeholder((8,), dtype=flow.int32),
) -> tp.Numpy:
    first = flow.glorot_uniform_initializer()
    hidden = flow.layers.dense(
        x, 48, activation=flow.nn.gelu, kernel_initializer=first, name="hidden"
    )
    logits = flow.layers.dense(hidden, 5, kernel_initializer=first, name="logits")
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
    flow.optimizer.SGD(flow.optimizer.PiecewiseConstantScheduler([], [0.1])).minimize(loss)
    return loss


@flow.global_function()
def doubles(
    x: tp.Numpy.Placeholder((33,), dtype=flow.double),
) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
    return flow.math.sin(x), flow.math.tanh(x), flow.math.pow(x, 2.5)


def program_of(job: object, level: str | None = None) -> Program:
    return compile_module(job.lower().modules["loops"], level)  # type: ignore[attr-defined]


def linked(programs: Sequence[Program]) -> bytes:
    objects = [code for program in programs for code in program.objects]
    return shared_object(objects, [program.description["entry"] for program in programs])


def steps(program: Program, address: int, keep: object) -> list[np.ndarray]:
    generator = np.random.default_rng(0)
    executable, store = Executable(address, program.description, keep), VariableStore()
    results = []
    for _ in range(3):
        feeds = [
            generator.random(f.shape).astype(np.float32)
            if f.dtype == "f32"
            else generator.integers(0, 5, f.shape, np.int32)
            if f.dtype == "i32"
            else generator.random(f.shape) * 3
            for f in executable.description.feeds
        ]
        results += executable.run(feeds, store)
    return results


def linked_by_llvm(program: Program) -> tuple[int, object]:
    llvm.target_machine(None)
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    for code in program.objects:
        engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine.get_function_address(program.description["entry"]), engine


def test_jobs_compute_the_same_bits_as_linked_by_llvm() -> None:
    programs = [program_of(train), program_of(doubles)]
    code = load_shared(linked(programs), "jobs")
    for program in programs:
        ours = steps(program, code.address(program.description["entry"]), code)
        theirs = steps(program, *linked_by_llvm(program))
        assert [a.tobytes() for a in ours] == [b.tobytes() for b in theirs]


@pytest.mark.parametrize("level", LEVELS)
def test_page_permissions(level: str) -> None:
    image = linked([program_of(train, level), program_of(doubles, level)])
    loads = [segment for segment in segments(image) if segment[0] == LOAD]
    assert [flags & (W | X) for _, flags, *_ in loads] == [0, X, W]
    assert [flags for kind, flags, *_ in segments(image) if kind == STACK] == [4 | W]
    for _, _, place, address, _, stored, size, align in loads:
        assert place % align == address % align
        assert place + stored <= len(image)
        assert stored <= size
    # Without DT_TEXTREL, 22, the dynamic linker writes to no code.
    _, _, place, _, _, size, *_ = next(s for s in segments(image) if s[0] == 2)
    tags = [tag for tag, _ in struct.iter_unpack("<QQ", image[place : place + size])]
    assert 22 not in tags
    assert 1 in tags


def test_the_same_input_gives_the_same_bytes() -> None:
    programs = [program_of(train), program_of(doubles)]
    image = linked(programs)
    assert linked(programs) == image
    twice = shared_object([*programs[0].objects] * 2, [programs[0].description["entry"]])
    assert twice == linked(programs[:1])


def test_constants_keep_their_alignment() -> None:
    """x86-64-v4 loads 64 aligned bytes at once."""
    texts = [
        f'@c{i} = constant [{n} x i8] c"{chr(65 + i) * n}", align {a}\n'
        f"define ptr @f{i}() nounwind {{ ret ptr @c{i} }}\n"
        for i, (n, a) in enumerate([(3, 1), (64, 64), (5, 1), (128, 128), (1, 1), (8, 4096)])
    ]
    image = shared_object([compiled(text) for text in texts], [f"f{i}" for i in range(6)])
    code = load_shared(image, "constants")
    for i, align in enumerate([1, 64, 1, 128, 1, 4096]):
        address = ctypes.CFUNCTYPE(ctypes.c_void_p)(code.address(f"f{i}"))()
        assert address % align == 0
        assert ctypes.string_at(address, 1) == bytes([65 + i])


def test_objects_call_each_other_and_libraries() -> None:
    one = compiled("""
declare hidden i64 @other(i64)
declare i64 @labs(i64)
declare double @cbrt(double)
define i64 @main(i64 %n) nounwind {
  %a = call i64 @labs(i64 %n)
  %b = call i64 @other(i64 %a)
  %c = sitofp i64 %b to double
  %d = call double @cbrt(double %c)
  %e = fptosi double %d to i64
  ret i64 %e
}""")
    two = compiled("""
define hidden i64 @other(i64 %n) nounwind {
  %a = mul i64 %n, %n
  %b = mul i64 %a, %n
  ret i64 %b
}""")
    for objects in ([one, two], [two, one]):
        assert run(shared_object(objects, ["main"]), -7) == 7


def test_its_own_and_external_variables() -> None:
    """Zeros, data, pointers in data, the address of a library's data."""
    image = shared_object(
        [
            compiled("""
@environ = external global ptr
@zeros = internal global [1000 x i64] zeroinitializer, align 64
@start = internal global i64 30
@table = internal constant [2 x ptr] [ptr @start, ptr @labs]
@changing = internal global ptr @start
declare i64 @labs(i64)
define i64 @main(i64 %i) nounwind {
  %a = load i64, ptr getelementptr ([1000 x i64], ptr @zeros, i64 0, i64 999)
  %b.at = load ptr, ptr @changing
  %b = load i64, ptr %b.at
  %f.at = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i
  %f = load ptr, ptr %f.at
  %c = call i64 %f(i64 -10)
  %e = load ptr, ptr @environ
  %some = icmp ne ptr %e, null
  %d = zext i1 %some to i64
  %ab = add i64 %a, %b
  %abc = add i64 %ab, %c
  %abcd = add i64 %abc, %d
  store i64 %abcd, ptr @start
  ret i64 %abcd
}""")
        ],
        ["main"],
        ("libc.so.6",),
    )
    code = load_shared(image, "variables")
    main = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long)(code.address("main"))
    assert [main(1), main(1)] == [41, 52]
    assert run(image, 1) == 41  # a second image has its own variables


def test_jump_tables() -> None:
    cases = "\n".join(f"    i64 {i}, label %c{i}" for i in range(12))
    blocks = "\n".join(
        f"c{i}:\n  %v{i} = call i64 @labs(i64 {i * i})\n  ret i64 %v{i}" for i in range(12)
    )
    text = f"""
declare i64 @labs(i64)
define i64 @main(i64 %n) nounwind {{
  switch i64 %n, label %other [
{cases} ]
{blocks}
other:
  ret i64 -1
}}"""
    image = shared_object([compiled(text)], ["main"])
    assert [run(image, n) for n in (0, 5, 11, 12)] == [0, 25, 121, -1]


def test_data_is_exported() -> None:
    image = shared_object(
        [compiled("define i64 @main() nounwind { ret i64 1 }")], ["main"], data={"seal": b"0123"}
    )
    assert ctypes.string_at(load_shared(image, "data").address("seal"), 4) == b"0123"


MAIN = "define i64 @main() nounwind { ret i64 1 }\n"


@pytest.mark.parametrize(
    ("texts", "exports", "message"),
    [
        (
            ["@t = thread_local global i64 1\ndefine ptr @main() nounwind {\n"
             "  %a = call ptr @llvm.threadlocal.address.p0(ptr @t)\n  ret ptr %a\n}\n"
             "declare ptr @llvm.threadlocal.address.p0(ptr)"],
            ["main"], "object 0 of it.so cannot be linked: it has the symbol t of type 6, such as",
        ),
        (
            ["@t = external thread_local global i64\ndefine ptr @main() nounwind {\n"
             "  %a = call ptr @llvm.threadlocal.address.p0(ptr @t)\n  ret ptr %a\n}\n"
             "declare ptr @llvm.threadlocal.address.p0(ptr)"],
            ["main"], "the symbol t of type 6",
        ),
        ([MAIN.replace("i64 @", "weak i64 @")], ["main"], "the symbol main, which is weak"),
        (["@c = common global i64 0\n" + MAIN], ["main"], "the symbol c, which is common"),
        ([MAIN.replace("define", "define protected")], ["main"], "main of visibility 3"),
        (
            ["@i = ifunc i64 (), ptr @main\ndefine ptr @main() nounwind { ret ptr null }"],
            ["main"], "object 0 of it.so cannot be linked: it has no ELF header for this",
        ),
        (
            [MAIN + "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] "
             "[{ i32, ptr, ptr } { i32 1, ptr @main, ptr null }]"],
            ["main"], r"the section .ctors.65534 of kind 0x1",
        ),
        (
            ["@a = external hidden global i64\ndefine ptr @main() nounwind { ret ptr @a }"],
            ["main"], "object 0 of it.so cannot be linked: a is undefined",
        ),
        ([MAIN, MAIN + "\n@x = global i64 1"], ["main"], "object 1 of .* main is defined by two"),
        ([MAIN], ["other"], "no object of it.so defines other"),
        (
            ["@a = external dso_local global i64\ndefine ptr @main() nounwind { ret ptr @a }"],
            ["main"], "relocation R_X86_64_PC32 .* against a needs the data of another library",
        ),
    ],
)  # fmt: skip
def test_unsupported_objects_are_refused(
    texts: list[str], exports: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        shared_object([compiled(text) for text in texts], exports, name="it.so")


def test_every_relocation_but_ours_is_refused_by_name() -> None:
    image = bytearray(
        compiled(
            "declare i64 @f()\n" + MAIN.replace("ret i64 1", "%a = call i64 @f()\n  ret i64 %a")
        )
    )
    at = image.find(struct.pack("<I", 4) + struct.pack("<I", 3), 64)
    assert at > 0
    for kind, name in [
        (1, "64"),
        (3, "GOT32"),
        (10, "32"),
        (11, "32S"),
        (19, "TLSGD"),
        (22, "GOTTPOFF"),
        (99, "99"),
    ]:
        struct.pack_into("<I", image, at, kind)
        with pytest.raises(
            ValueError, match=f"relocation R_X86_64_{name} in .text at 0x2 against f"
        ):
            shared_object([bytes(image)], ["main"])


def test_an_executable_stack_is_refused() -> None:
    image = bytearray(compiled(MAIN))
    headers, count = struct.unpack_from("<Q12xH", image, 40)
    for at in range(headers, headers + 64 * count, 64):
        kind, flags, size = struct.unpack_from("<4xIQ16xQ", image, at)
        if (kind, flags, size) == (1, 0, 0):
            struct.pack_into("<Q", image, at + 8, 4)
    with pytest.raises(ValueError, match="it has code that needs an executable stack"):
        shared_object([bytes(image)], ["main"])


def test_damaged_objects_never_crash_the_linker() -> None:
    """A truncated object, or one with any byte changed, is linked or refused with a ValueError."""
    whole = compiled(MAIN + "@x = global ptr @main\n", "x86-64-v2")
    generator = np.random.default_rng(0)
    for size in range(0, len(whole), 7):
        with pytest.raises(ValueError, match=r"object 0 of it.so cannot be linked: it has"):
            shared_object([whole[:size]], ["main"], name="it.so")
    for _ in range(1000):
        damaged = bytearray(whole)
        damaged[generator.integers(len(whole))] ^= 1 << generator.integers(8)
        with contextlib.suppress(ValueError):
            shared_object([bytes(damaged)], ["main"])


def tool(name: str, *arguments: str) -> str:
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([name, *arguments], capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.so"
    path.write_bytes(linked([program_of(train), program_of(doubles)]))
    return path


def test_unwind_tables_match_the_code(tmp_path: Path) -> None:
    path = tmp_path / "frames.so"
    texts = [MAIN.replace(" nounwind", "").replace("main", name) for name in ("one", "two")]
    path.write_bytes(shared_object([compiled(text) for text in texts], ["one", "two"]))
    symbols, frames = tool("nm", str(path)), tool("readelf", "--debug-dump=frames", str(path))
    starts = re.findall(r"^(\w+) T", symbols, re.MULTILINE)
    assert sorted(re.findall(r"FDE .* pc=(\w+)\.\.", frames)) == sorted(starts)


def test_readelf_reads_it_without_a_warning(library: Path) -> None:
    said = tool("readelf", "--all", "--wide", "--lint", str(library))
    assert re.search(r"R_X86_64_GLOB_DAT .* sin\b", said)
    assert "TEXTREL" not in said


def test_tools_show_its_code(library: Path) -> None:
    assert re.search(r" T train$", tool("nm", "--dynamic", str(library)), re.MULTILINE)
    code = tool("objdump", "--disassemble", str(library))
    assert "<train.body>:" in code
    assert "<sin@plt>:" in code
