"""Dialect gpu: what its verifier refuses, and the accesses of kernels that are proved."""

from __future__ import annotations

import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import FloatAttr, IntegerAttr, unit
from penstock.ir.builder import Builder
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import arith, gpu
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.types import MemRefType
from penstock.ir.verify.verifier import verify
from penstock.ir.verify.walk import Proof

KNOWN = "known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4, 1, 1>"
LAUNCH = (
    "%c4 = arith.constant 4 : index %c1 = arith.constant 1 : index "
    "%c256 = arith.constant 256 : index "
    "gpu.launch_func @kernels::@k blocks in (%c4, %c1, %c1) threads in (%c256, %c1, %c1) "
    "args(%x : memref<1000xf32>)"
)


def module_text(
    body: str = "",
    attributes: str = KNOWN,
    buffers: str = "",
    host: str = "",
    outer: str = "gpu.container_module",
) -> str:
    """A module with a kernel of one argument, and a function of the host."""
    return (
        f"module attributes {{{outer}}} {{ gpu.module @kernels {{ "
        f"gpu.func @k(%x: memref<1000xf32>) {buffers} kernel attributes {{{attributes}}} {{ {body} "
        f"gpu.return }} }} func.func @f(%x: memref<1000xf32>) {{ {host} return }} }}"
    )


def said(text: str) -> str:
    """The verifier's error for a module; empty if it accepts it."""
    try:
        verify(parse_module(text))
    except IRError as error:
        return "; ".join(d.message for d in error.diagnostics)
    return ""


SHARED = "%s : memref<32xf32, #gpu.address_space<workgroup>>"
FLOAT = "%f = arith.constant 1.0 : f32 %i = arith.constant 1 : i32 %w = arith.constant 32 : i64"
REFUSED = {
    "threads": (
        module_text(attributes="known_block_size = array<i32: 64, 32, 1>"),
        "gpu.func: has 2048 threads per block: expected 1024 at most",
    ),
    "no threads": (
        module_text(attributes="known_block_size = array<i32: 0, 1, 1>"),
        "gpu.func: known_block_size is 0 along x: expected 1 to 1024",
    ),
    "two sizes": (
        module_text(attributes="known_grid_size = array<i32: 4, 1>"),
        "gpu.func: known_grid_size has 2 sizes: expected 3, along x, y and z",
    ),
    "tall grid": (
        module_text(attributes="known_grid_size = array<i32: 4, 70000, 1>"),
        "gpu.func: known_grid_size is 70000 along y: expected 1 to 65535",
    ),
    "buffer in the wrong memory": (
        module_text(buffers="workgroup(%s : memref<32xf32>)"),
        "gpu.func: the buffer %s is memref<32xf32>: expected a static memref in row-major order in "
        "#gpu.address_space<workgroup>",
    ),
    "no kernel": (
        "gpu.module @m { gpu.func @k() { gpu.return } }",
        "gpu.func: is not a kernel without results: expected `kernel`, and no results",
    ),
    "thread of the host": (
        module_text(host="%t = gpu.thread_id x"),
        "gpu.thread_id: stands outside a gpu.func",
    ),
    "barrier of the host": (
        module_text(host="gpu.barrier"),
        "gpu.barrier: stands outside a gpu.func",
    ),
    "end of the host": (
        "func.func @f() { gpu.return }",
        "gpu.return: stands outside a gpu.func",
    ),
    "shuffle of an index": (
        module_text(
            FLOAT + " %t = gpu.lane_id %r, %v = gpu.shuffle xor %t, %i, %i : index"
        ),
        "gpu.shuffle: moves index: expected an integer, a float, or a vector of one dimension",
    ),
    "width of a shuffle": (
        module_text(FLOAT + " %r, %v = gpu.shuffle xor %f, %i, %w : f32"),
        "gpu.shuffle: its width is i64: expected i32",
    ),
    "no container": (
        module_text(host=LAUNCH, outer=""),
        "gpu.launch_func: stands in a module without the attribute gpu.container_module",
    ),
    "unknown kernel": (
        module_text(host=LAUNCH.replace("::@k", "::@kk")),
        "gpu.launch_func: no symbol @kk is defined in @kernels: did you mean @k?",
    ),
    "unknown module": (
        module_text(host=LAUNCH.replace("@kernels", "@kernel")),
        "gpu.launch_func: no symbol @kernel is defined: did you mean @kernels?",
    ),
    "launch of a function": (
        "module attributes {gpu.container_module} { module @kernels { func.func @k() { return } } "
        "func.func @f(%x: memref<1000xf32>) { " + LAUNCH + " return } }",
        "gpu.launch_func: launches func.func: expected a kernel, gpu.func",
    ),
    "other arguments": (
        module_text(host=LAUNCH.replace("%x : memref<1000xf32>", "%c1 : index")),
        "gpu.launch_func: passes (index) to @k, which takes (memref<1000xf32>)",
    ),
    "other blocks": (
        module_text(host=LAUNCH.replace("blocks in (%c4,", "blocks in (%c1,")),
        "gpu.launch_func: launches (1, 1, 1) blocks: @k promises (4, 1, 1)",
    ),
    "other threads": (
        module_text(host=LAUNCH.replace("threads in (%c256,", "threads in (%c4,")),
        "gpu.launch_func: launches (4, 1, 1) threads per block: @k promises (256, 1, 1)",
    ),
    "too many threads": (
        module_text(
            attributes="",
            host=LAUNCH.replace("threads in (%c256, %c1,", "threads in (%c256, %c256,"),
        ),
        "gpu.launch_func: has 65536 threads per block: expected 1024 at most",
    ),
    "size of dynamic memory": (
        module_text(host=LAUNCH.replace("args", "dynamic_shared_memory_size %c1 args")),
        "gpu.launch_func: its dynamic shared memory is index: expected i32",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    text, message = REFUSED[case]
    assert said(text) == message


def test_what_is_accepted() -> None:
    assert said(module_text(host=LAUNCH, buffers=f"workgroup({SHARED})")) == ""


PLACE = (
    "%b = gpu.block_id x %t = gpu.thread_id x %n = gpu.block_dim x "
    "%o = arith.muli %b, %n : index %i = arith.addi %o, %t : index "
)
GUARD = (
    "%c1000 = arith.constant 1000 : index %in = arith.cmpi slt, %i, %c1000 : index "
    "scf.if %in { %v = memref.load %x[%i] : memref<1000xf32> } "
)


def proof(body: str, attributes: str = KNOWN, buffers: str = "") -> Proof:
    module = parse_module(module_text(body, attributes, buffers))
    (kernels,) = (op for op in module.body if isinstance(op, gpu.GpuModule))
    return Proof(kernels.kernels()[0])


def test_a_guarded_access_is_proved() -> None:
    found = proof(PLACE + GUARD)
    assert not found.problems
    assert (found.proved["memref.load"], found.unproved["memref.load"]) == (1, 0)


def test_an_access_is_proved_by_an_exact_grid() -> None:
    found = proof(
        PLACE + "%v = memref.load %x[%i] : memref<1000xf32>",
        "known_block_size = array<i32: 250, 1, 1>, known_grid_size = array<i32: 4, 1, 1>",
    )
    assert (found.problems, found.proved["memref.load"]) == ([], 1)


def test_an_access_past_the_end_is_refused() -> None:
    message = said(module_text(PLACE + "%v = memref.load %x[%i] : memref<1000xf32>"))
    assert message == (
        "memref.load: reads elements 0 to 1023 of dimension 0 of %x, memref<1000xf32>: expected 0 "
        "to 999"
    )


@pytest.mark.parametrize(
    ("index", "extent"),
    [
        ("gpu.lane_id", 32), ("gpu.subgroup_id : index", 8), ("gpu.thread_id x", 256),
        ("gpu.thread_id y", 1), ("gpu.block_id x", 4), ("gpu.thread_id x upper_bound 16", 16),
    ],
)  # fmt: skip
def test_the_range_of_a_place(index: str, extent: int) -> None:
    for size in (extent, extent - 1):
        type = f"memref<{size}xf32, #gpu.address_space<workgroup>>"
        body = f"%i = {index} %v = memref.load %s[%i] : {type}"
        found = proof(body, buffers=f"workgroup(%s : {type})")
        assert bool(found.problems) == (size < extent)


def test_extents_fold_if_they_are_known() -> None:
    module = parse_module(module_text("%d = gpu.block_dim x %g = gpu.grid_dim x"))
    folded = [op.fold([]) for op in module.walk() if isinstance(op, (gpu.BlockDim, gpu.GridDim))]
    assert [str(each[0]) for each in folded if each] == ["256 : index", "4 : index"]
    unknown = parse_module(module_text("%d = gpu.block_dim x", attributes=""))
    assert [op.fold([]) for op in unknown.walk() if isinstance(op, gpu.BlockDim)] == [None]


def test_builders_make_what_the_parser_reads() -> None:
    x = MemRefType((1000,), ty.f32)
    module = Module.empty()
    module.attributes[gpu.CONTAINER] = unit
    kernels = gpu.GpuModule.empty("kernels")
    shared = MemRefType((32,), ty.f32, None, gpu.WORKGROUP)
    kernel = gpu.GpuFunc.make("k", [x], (256, 1, 1), (4, 1, 1), [shared], [], ["x", "s"])
    kernel.set_alignment(0, 128)
    kernel.set_argument_attributes(0, {"llvm.noalias": unit})
    b = Builder.at_end(kernel.body)
    b.create(gpu.ThreadId, dimension="x")
    value = b.create(arith.Constant, value=FloatAttr.of(1.0, ty.f32)).result
    one = b.create(arith.Constant, value=IntegerAttr(1, ty.i32)).result
    b.create(gpu.Shuffle, value, one, one, mode="xor")
    b.create(gpu.Barrier)
    b.create(gpu.Return, [])
    kernels.body.append(kernel)
    host = Func.make("f", [x], names=["x"])
    b = Builder.at_end(host.body)
    sizes = [b.create(arith.Constant, value=IntegerAttr(n, ty.index)).result for n in (4, 1, 256)]
    grid, block = (sizes[0], sizes[1], sizes[1]), (sizes[2], sizes[1], sizes[1])
    launch = b.insert(gpu.LaunchFunc.of("k", grid, block, [host.body.arguments[0]]))
    b.create(Return, [])
    module.body.append(kernels)
    module.body.append(host)
    verify(module)
    text = print_module(module)
    assert "workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>> {llvm.align = 128" in text
    assert print_module(parse_module(text)) == text
    assert (kernel.threads, kernel.alignment(0)) == (256, 128)
    assert [a.name for a in kernel.workgroup_buffers] == ["s"]
    assert (launch.grid_sizes, launch.block_sizes, launch.cluster_sizes) == (grid, block, ())


EXCHANGED = """
module attributes {gpu.container_module} { gpu.module @kernels {
  gpu.func @k(%x: memref<32xf32> {llvm.noalias}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c31 = arith.constant 31 : index
    %v = memref.load %x[%c0] : memref<32xf32>
    %part = memref.subview %x[0] [32] [1] : memref<32xf32> to memref<32xf32, strided<[1]>>
    gpu.barrier
    memref.store %v, %part[%c31] : memref<32xf32, strided<[1]>>
    gpu.return
  }
} }"""


def test_a_buffer_that_threads_exchange_is_not_noalias() -> None:
    """LLVM would take a barrier not to change it."""
    assert said(EXCHANGED).startswith("gpu.func: %x is llvm.noalias, but its threads wait for each")
    assert said(EXCHANGED.replace(" {llvm.noalias}", "")) == ""
    assert said(EXCHANGED.replace("gpu.barrier", "")) == ""


def test_threads_may_wait_at_an_mbarrier() -> None:
    group = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>"
    waits = f"""
    %b = nvgpu.mbarrier.create -> {group}
    %true = arith.constant true
    nvgpu.mbarrier.try_wait.parity %b[%c0], %true, %c31 : {group}"""
    waiting = EXCHANGED.replace("gpu.barrier", waits)
    assert said(waiting).startswith("gpu.func: %x is llvm.noalias, but its threads wait for each")
    assert said(waiting.replace(" {llvm.noalias}", "")) == ""
