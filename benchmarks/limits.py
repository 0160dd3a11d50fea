"""The limits of this machine: multiply-adds, tiles of them, and memory bandwidth at several sizes.

    python benchmarks/limits.py [--threads 1]

The kernels are LLVM text, compiled for this processor and run by several threads at once. A limit
is the best of several runs, since disturbances only slow a run down.
"""

from __future__ import annotations

import argparse
import ctypes
import mmap
import os
import threading
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle
from math import ceil
from time import perf_counter
from typing import Any

import llvmlite.binding as llvm
from child import at_least
from shared import measure, workloads

KINDS = {
    "copy": 2, "copy_streamed": 2, "triad": 3, "triad_streamed": 3, "read": 1, "read_apart": 1,
}  # fmt: skip
"""Memory kernels, with the number of arrays of equal size that each passes over. `read_apart` reads
eight parts of one array concurrently, which uses more of a processor's prefetchers."""
CACHED = {"L1": 16 << 10, "L2": 256 << 10, "L3": 4 << 20}
UNROLL = 8
AT_LEAST = 0.02
"""Minimum seconds of a run, so that starting threads is negligible."""
DEPTHS = (512, 1024, 2048)
"""Lengths of the sum over which tiles are timed."""
LARGE = 128 << 20
"""Bytes of an array that exceeds every cache."""


def machine() -> Any:
    """A new target machine, since a compiler takes ownership of its machine."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=2,
        jit=True,
    )


def lanes() -> int:
    """How many f32 a register holds."""
    return 16 if llvm.get_host_cpu_features().get("avx512f") else 8


def has_bf16() -> bool:
    return bool(llvm.get_host_cpu_features().get("avx512bf16"))


def loop(
    name: str,
    signature: str,
    step: int,
    body: str,
    phis: str = "",
    after: str = "",
    last: str = "",
) -> str:
    """A function that counts %i from 0 to %n by `step`, %turns times, and returns a float; `last`
    runs after each of these.

    The repetition is native, since a call from Python takes as long as thousands of bytes.
    """
    return f"""
define float @{name}({signature}, i64 %n, i64 %turns) {{
entry:
  br label %again
again:
  %turn = phi i64 [ 0, %entry ], [ %turned, %end ]
  br label %loop
loop:
  %i = phi i64 [ 0, %again ], [ %next, %loop ]
{phis}{body}  %next = add i64 %i, {step}
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
{last}  %turned = add i64 %turn, 1
  %another = icmp slt i64 %turned, %turns
  br i1 %another, label %again, label %done
done:
{after or "  ret float 0.0"}
}}
"""


def sum_of(values: list[str], kind: str) -> str:
    lines = []
    total = values[0]
    for i, value in enumerate(values[1:]):
        lines.append(f"  %sum{i} = fadd {kind} {total}, {value}")
        total = f"%sum{i}"
    lines.append(f"  %lane = extractelement {kind} {total}, i32 0\n  ret float %lane")
    return "\n".join(lines)


def multiply_adds(name: str, bf16: bool) -> str:
    """Independent accumulators, enough to hide the latency and few enough for the registers."""
    width, count = (16, 24) if lanes() == 16 else (8, 12)
    kind = f"<{width} x float>"
    factor = f"<{2 * width} x bfloat>" if bf16 else kind
    call = "llvm.x86.avx512bf16.dpbf16ps.512" if bf16 else f"llvm.fma.v{width}f32"
    phis = "".join(
        f"  %a{i} = phi {kind} [ zeroinitializer, %again ], [ %b{i}, %loop ]\n"
        for i in range(count)
    )
    body = "".join(
        f"  %b{i} = call {kind} @{call}({kind} %a{i}, {factor} %x, {factor} %x)\n"
        if bf16
        else f"  %b{i} = call {kind} @{call}({factor} %x, {factor} %x, {kind} %a{i})\n"
        for i in range(count)
    )
    after = sum_of([f"%b{i}" for i in range(count)], kind)
    order = f"{kind}, {factor}, {factor}" if bf16 else f"{factor}, {factor}, {kind}"
    text = loop(name, "ptr %source", 1, body, phis, after)
    text = text.replace("entry:\n", f"entry:\n  %x = load {factor}, ptr %source, align 4\n")
    return text + f"declare {kind} @{call}({order})\n"


def tile_shape() -> tuple[int, int]:
    """The rows and lanes of the largest tile of a matmul."""
    return (14, 32) if lanes() == 16 else (6, 16)


def tile(name: str) -> str:
    """The inner loop of a matmul: a tile, %n positions deep, of packed factors in near caches,
    unrolled four times; the tile is stored at the end."""
    (rows, wide), width, unroll = tile_shape(), lanes(), 4
    kind, vectors = f"<{width} x float>", range(wide // width)
    sums = [(i, v) for i in range(rows) for v in vectors]
    phis = "".join(
        f"  %a{i}.{v}.0 = phi {kind} [ zeroinitializer, %again ], [ %a{i}.{v}.{unroll}, %loop ]\n"
        for i, v in sums
    )
    fma, lines = f"call {kind} @llvm.fma.v{width}f32", []
    for k in range(unroll):
        lines.append(f"  %k{k} = add i64 %i, {k}")
        for v in vectors:
            at = f"[{wide} x float], ptr %lanes, i64 %k{k}, i64 {v * width}"
            lines.append(f"  %q{k}.{v} = getelementptr {at}")
            lines.append(f"  %l{k}.{v} = load {kind}, ptr %q{k}.{v}, align {4 * width}")
        for i in range(rows):
            at = f"[{rows} x float], ptr %rows, i64 %k{k}, i64 {i}"
            lines.append(f"  %p{k}.{i} = getelementptr {at}")
            lines.append(f"  %x{k}.{i} = load float, ptr %p{k}.{i}, align 4")
            lines.append(f"  %y{k}.{i} = insertelement {kind} poison, float %x{k}.{i}, i32 0")
            lines.append(
                f"  %r{k}.{i} = shufflevector {kind} %y{k}.{i}, {kind} poison, "
                f"<{width} x i32> zeroinitializer"
            )
            for v in vectors:
                lines.append(
                    f"  %a{i}.{v}.{k + 1} = {fma}({kind} %r{k}.{i}, {kind} %l{k}.{v}, "
                    f"{kind} %a{i}.{v}.{k})"
                )
    last = "".join(
        f"  %o{i}.{v} = getelementptr float, ptr %out, i64 {i * 1024 + v * width}\n"
        f"  store {kind} %a{i}.{v}.{unroll}, ptr %o{i}.{v}, align 4\n"
        for i, v in sums
    )
    signature = "ptr %out, ptr %rows, ptr %lanes"
    return loop(name, signature, unroll, "\n".join(lines) + "\n", phis, last=last)


def stream(name: str, kind: str) -> str:
    """A pass over arrays `%out`, `%in`, `%in2`, unrolled eight times to hide the addition
    latency."""
    width = lanes()
    vector = f"<{width} x float>"
    arrays, streamed = KINDS[kind], kind.endswith("streamed")
    lines, phis = [], ""
    for j in range(UNROLL):
        at = f"%at{j}"
        if kind == "read_apart":
            lines.append(f"  %part{j} = mul i64 %n, {j}\n  {at} = add i64 %i, %part{j}")
        else:
            lines.append(f"  {at} = add i64 %i, {j * width}")
        for source in ("in", "in2")[: max(1, arrays - 1)]:
            lines.append(f"  %p{source}{j} = getelementptr float, ptr %{source}, i64 {at}")
            lines.append(f"  %v{source}{j} = load {vector}, ptr %p{source}{j}, align {width * 4}")
        value = f"%vin{j}"
        if arrays == 3:
            lines.append(f"  %s{j} = fadd {vector} %vin{j}, %vin2{j}")
            value = f"%s{j}"
        if arrays == 1:
            phis += f"  %a{j} = phi {vector} [ zeroinitializer, %again ], [ %b{j}, %loop ]\n"
            lines.append(f"  %b{j} = fadd {vector} %a{j}, {value}")
            continue
        hint = ", !nontemporal !0" if streamed else ""
        lines.append(f"  %o{j} = getelementptr float, ptr %out, i64 {at}")
        lines.append(f"  store {vector} {value}, ptr %o{j}, align {width * 4}{hint}")
    after = sum_of([f"%b{j}" for j in range(UNROLL)], vector) if arrays == 1 else ""
    signature = "ptr %out, ptr %in, ptr %in2"
    step = width if kind == "read_apart" else UNROLL * width
    return loop(name, signature, step, "\n".join(lines) + "\n", phis, after)


@cache
def kernels() -> tuple[Any, dict[str, int]]:
    """The compiled kernels: the object that keeps them alive, and their addresses."""
    texts = {kind: stream(kind, kind) for kind in KINDS}
    texts["touch"] = loop(
        "touch",
        "ptr %out",
        4096,
        "  %p = getelementptr i8, ptr %out, i64 %i\n  store i8 1, ptr %p\n",
    )
    texts["fma"] = multiply_adds("fma", bf16=False)
    texts["tile"] = tile("tile")
    if has_bf16():
        texts["dot_bf16"] = multiply_adds("dot_bf16", bf16=True)
    module = llvm.parse_assembly("\n".join(texts.values()) + "\n!0 = !{i32 1}\n")
    module.verify()
    engine = llvm.create_mcjit_compiler(module, machine())
    engine.finalize_object()
    return engine, {name: engine.get_function_address(name) for name in texts}


def kernel(name: str, pointers: int) -> Callable[..., float]:
    """A kernel as a function, which releases the GIL."""
    addresses, counts = [ctypes.c_void_p] * pointers, [ctypes.c_int64] * 2
    kind = ctypes.CFUNCTYPE(ctypes.c_float, *addresses, *counts)
    return kind(kernels()[1][name])


def at_once(works: list[Callable[[], object]]) -> float:
    """Seconds from the first start to the last end of functions on separate threads.

    Each thread gets its own CPU if there are enough; otherwise they share CPUs in turn. Raises the
    first exception of a function, or of a thread before it starts.
    """
    gate, spans = threading.Barrier(len(works)), list[tuple[float, float]]()
    allowed = os.sched_getaffinity(0)
    cpus = cycle(sorted(allowed))
    errors: list[BaseException] = []

    def run(work: Callable[[], object], cpu: int) -> None:
        try:
            os.sched_setaffinity(0, {cpu})  # of this thread
            gate.wait()
            started = perf_counter()
            work()
            spans.append((started, perf_counter()))
        except threading.BrokenBarrierError:
            pass  # another thread has the error
        except BaseException as error:
            errors.append(error)
            gate.abort()  # threads at the gate would wait forever

    first, *others = [threading.Thread(target=run, args=(work, next(cpus))) for work in works]
    try:
        for thread in others:
            thread.start()
        first.run()
    except BaseException:
        gate.abort()  # not all threads were started
        raise
    finally:
        for thread in others:
            if thread.ident is not None:
                thread.join()
        os.sched_setaffinity(0, allowed)
    if errors:
        raise errors[0]
    return max(end for _, end in spans) - min(start for start, _ in spans)


def pages(size: int, huge: bool) -> tuple[mmap.mmap, int]:
    """Fresh memory and its address, a multiple of 2 MiB."""
    block = mmap.mmap(-1, size + (2 << 20), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    block.madvise(mmap.MADV_HUGEPAGE if huge else mmap.MADV_NOHUGEPAGE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(block))
    return block, -(-start // (2 << 20)) * (2 << 20)


def flop_rate(name: str, threads: int, repeat: int) -> float:
    """flop/s of all threads together."""
    run = kernel(name, 1)
    width, count = (16, 24) if lanes() == 16 else (8, 12)
    flops = (4 if name == "dot_bf16" else 2) * width * count
    zeros = ctypes.create_string_buffer(256)
    turns = 4_000_000
    best = min(
        at_once([lambda: run(ctypes.addressof(zeros), turns, 1)] * threads) for _ in range(repeat)
    )
    return flops * turns * threads / best


def tile_rate(depth: int, threads: int, repeat: int) -> float:
    """flop/s of all threads together, in consecutive tiles of this depth."""
    run, (rows, wide) = kernel("tile", 3), tile_shape()
    blocks = [pages(2 << 20, huge=True) for _ in range(threads)]
    places = 0, 128 << 10, 384 << 10  # the result, rows, lanes
    each = 2 * rows * wide * depth
    turns = ceil(2e9 / each)

    def work(address: int) -> Callable[[], object]:
        return lambda: run(*(address + place for place in places), depth, turns)

    works = [work(address) for _, address in blocks]
    return each * turns * threads / min(at_once(works) for _ in range(repeat))


class Memory:
    """Three large arrays on huge or ordinary pages, which every kernel passes over."""

    def __init__(self, huge: bool) -> None:
        self.blocks = [pages(LARGE, huge) for _ in range(3)]
        for _, address in self.blocks:
            kernel("touch", 1)(address, LARGE, 1)

    def bandwidth(self, kind: str, total: int, threads: int, repeat: int) -> float:
        """Bytes per second, read and written, of a kernel whose arrays have `total` bytes together.

        The arrays are passed over repeatedly, so those that fit a cache stay in it.
        """
        run = kernel(kind, 3)
        arrays = KINDS[kind]
        part = total // arrays // threads // 1024 * 1024
        count = part // 4 // (UNROLL if kind == "read_apart" else 1)

        def work(place: int, turns: int) -> Callable[[], object]:
            shift = place * part
            addresses = [address + shift for _, address in self.blocks]

            return lambda: run(*addresses, count, turns)

        turns = 1
        while (seconds := at_once([work(0, turns)])) < AT_LEAST / 2:
            turns *= 8
        turns = ceil(turns * AT_LEAST / seconds)
        works = [work(place, turns) for place in range(threads)]
        best = min(at_once(works) for _ in range(repeat))
        return arrays * part * threads * turns / best


def first_touch(huge: bool, threads: int, repeat: int) -> float:
    """Bytes per second when touching fresh memory, page by page."""
    part = LARGE // threads // (2 << 20) * (2 << 20)

    def once() -> float:
        block, address = pages(LARGE, huge)
        touch = kernel("touch", 1)
        works = [
            lambda place=place: touch(address + place * part, part, 1) for place in range(threads)
        ]
        seconds = at_once(works)
        del block
        return part * threads / seconds

    return max(once() for _ in range(repeat))


def working_sets() -> dict[str, tuple[str, int]]:
    """For each memory-bound workload: kernels with the same traffic, and its bytes."""
    return {
        workload.id: ("copy" if workload.written else "read", workload.read + workload.written)
        for workload in workloads.WORKLOADS
        if workload.read
    }


def figures(threads: int, repeat: int) -> Iterator[tuple[str, str, float, str]]:
    """Name, metric, value and unit of every limit."""
    yield "fma", "rate", flop_rate("fma", threads, repeat) / 1e9, "GFLOP/s"
    for depth in DEPTHS:
        yield f"tile.{depth}", "rate", tile_rate(depth, threads, repeat) / 1e9, "GFLOP/s"
    if has_bf16():
        yield "dot_bf16", "rate", flop_rate("dot_bf16", threads, repeat) / 1e9, "GFLOP/s"
    for huge in (False, True):
        memory, named = Memory(huge), "huge_pages" if huge else "4k_pages"
        for kind, arrays in KINDS.items():
            rate = memory.bandwidth(kind, arrays * LARGE, threads, repeat)
            yield f"{kind}.{named}", "bandwidth", rate / 1e9, "GB/s"
        rate = first_touch(huge, threads, repeat)
        yield f"first_touch.{named}", "bandwidth", rate / 1e9, "GB/s"
    for level, size in CACHED.items():
        rate = memory.bandwidth("read", size * threads, threads, repeat)
        yield f"read.{level}", "bandwidth", rate / 1e9, "GB/s"
    # The best of any kernel for the number of bytes that a workload moves.
    for name, (kind, total) in working_sets().items():
        kinds = [known for known in KINDS if known.startswith(kind)]
        total = min(total, KINDS[kind] * LARGE)
        rate = max(memory.bandwidth(known, total, threads, repeat) for known in kinds)
        yield f"bytes.{name}", "bandwidth", rate / 1e9, "GB/s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=at_least(1), default=1)
    parser.add_argument("--repeat", type=at_least(1), default=7, help="runs, the best counts (7)")
    parser.add_argument("--out", help="append JSON lines to this file instead of printing")
    parser.add_argument("--round", type=int, default=0, help="which round of the run this is")
    given = parser.parse_args()
    for name, metric, value, unit in figures(given.threads, given.repeat):
        line = measure.Line(f"w0.{name}", "machine", given.threads, metric, value, unit)
        measure.emit(line, given.out, given.round)


if __name__ == "__main__":
    main()
