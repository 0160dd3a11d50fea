"""`bufferize`: updates in place, copies, taps and the arena."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from loops_interpreter import run_job
from mlir_runner import check, needs_mlir
from random_parts import parts_of
from tensor_programs import (
    FUSED,
    LOOPS,
    SHAPES,
    Program,
    arguments,
    in_order,
    lowered,
    named_inputs,
    same_bits,
)

from penstock.ir.attributes import DenseArrayAttr, IntegerAttr, StringAttr, python_value
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import arith, func, memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.types import MemRefType, byte_width
from penstock.ir.verify.verifier import verify
from penstock.passes.buffers.memory_plan import Interval, aligned, most_live
from penstock.passes.manager import run_pipeline

Array = np.ndarray[Any, Any]
T = "tensor<4x4xf32>"
X = f'%x: {T} {{job.feed = "x"}}'
W = f'%w: {T} {{job.variable = "w"}}'
V = f'%v: {T} {{job.variable = "v"}}'
FETCH = f'{T} {{job.fetch = "0"}}'


def update(name: str) -> str:
    return f'{T} {{job.update = "{name}"}}'


def op(result: str, name: str, *operands: str) -> str:
    types = ", ".join([T] * len(operands))
    return f'%{result} = "flow.{name}"({", ".join("%" + o for o in operands)}) : ({types}) -> {T}\n'


def listener(taps: list[tuple[str, Array]]) -> Callable[[str, Array], None]:
    """Records watched values."""
    return lambda name, array: taps.append((name, array))


class Job:
    """A job of tensor ops lowered to stage `loops` and checked against the interpreter."""

    def __init__(self, inputs: str, body: str, values: str, results: str) -> None:
        count = values.count("%")
        returned = f"return {values} : {', '.join([T] * count)}" if count else "return"
        text = f"func.func @job({inputs}) -> ({results}) {{\n{body}\n{returned}\n}}"
        before = parse_module(text)
        arrays = arguments(before, 1)
        named, watched = in_order(before, arrays)
        self.module = lowered(before, f"{FUSED},{LOOPS}")
        verify(self.module)
        taps: list[tuple[str, Array]] = []
        given = named_inputs(before, arrays)
        for watch in (None, listener(taps)):
            after = run_job(self.module, given, watch)
            assert set(after) == set(named)
            assert all(same_bits(after[name], named[name]) for name in named)
        assert [name for name, _ in taps] == [name for name, _ in watched]
        for (_, one), (_, other) in zip(taps, watched, strict=True):
            assert same_bits(one, other)

    def ops(self, cls: type[Operation]) -> list[Any]:
        return [inner for inner in self.module.job.body if isinstance(inner, cls)]

    @property
    def arena(self) -> int:
        size = self.module.job.argument_attributes(0)["job.arena"]
        assert isinstance(size, IntegerAttr)
        return size.value

    def argument(self, name: str) -> Value:
        job = self.module.job
        for i, argument in enumerate(job.arguments):
            if StringAttr(name) in job.argument_attributes(i).values():
                return argument
        raise KeyError(name)


# -- in place -----------------------------------------------------------------------------------


def test_an_update_that_reads_where_it_writes_is_in_place() -> None:
    job = Job(f"{X}, {W}", op("n", "subtract", "w", "x"), "%n", update("w"))
    (call,) = job.ops(func.Call)
    assert list(call.operands) == [job.argument("x"), job.argument("w")], "passed once"
    assert not job.ops(memref.Copy)
    assert job.arena == 0


def test_an_update_that_reads_other_elements_is_copied_at_the_end() -> None:
    body = f'%n = "flow.transpose"(%w) {{permutation = array<i64: 1, 0>}} : ({T}) -> {T}'
    job = Job(W, body, "%n", update("w"))
    (copy,) = job.ops(memref.Copy)
    assert copy.target is job.argument("w")
    assert job.arena == 64


def test_a_matmul_does_not_overwrite_its_operand() -> None:
    body = f'%n = "flow.matmul"(%w, %x) : ({T}, {T}) -> {T}'
    job = Job(f"{X}, {W}", body, "%n", update("w"))
    assert [copy.target for copy in job.ops(memref.Copy)] == [job.argument("w")]


def test_an_update_waits_for_the_readers_of_the_old_value() -> None:
    """The update comes first in the text, but the matmul reads the weight before it changes."""
    body = op("n", "subtract", "w", "x")
    body += f'%m = "flow.matmul"(%x, %w) : ({T}, {T}) -> {T}'
    job = Job(f"{X}, {W}", body, "%m, %n", f"{FETCH}, {update('w')}")
    product, change = job.ops(func.Call)
    assert "matmul" in product.callee
    assert change.operands[-1] is job.argument("w")
    assert not job.ops(memref.Copy)


def test_an_update_that_is_read_before_the_last_reader_is_copied() -> None:
    """The matmul needs both the new and the old value."""
    body = op("n", "subtract", "w", "x")
    body += f'%m = "flow.matmul"(%n, %w) : ({T}, {T}) -> {T}'
    job = Job(f"{X}, {W}", body, "%m, %n", f"{FETCH}, {update('w')}")
    assert [copy.target for copy in job.ops(memref.Copy)] == [job.argument("w")]


def test_an_update_that_does_not_read_the_old_value_is_in_place() -> None:
    job = Job(f"{X}, {W}", op("n", "negative", "x"), "%n", update("w"))
    (call,) = job.ops(func.Call)
    assert list(call.operands) == [job.argument("x"), job.argument("w")]
    assert not job.ops(memref.Copy)


def test_a_matmul_added_to_a_variable() -> None:
    """The addend is computed in registers, so it needs no buffer."""
    body = f'%g = "flow.matmul"(%x, %x) : ({T}, {T}) -> {T}\n' + op("n", "subtract", "w", "g")
    job = Job(f"{X}, {W}", body, "%n", update("w"))
    (call,) = job.ops(func.Call)
    assert call.operands[1] is job.argument("w")
    assert len(call.operands) == 2
    assert not job.ops(memref.Copy)


def test_a_temporary_buffer_is_reused_after_its_last_reader() -> None:
    body = f"""%a = "flow.matmul"(%x, %x) : ({T}, {T}) -> {T}
    %b = "flow.reduce_sum"(%a) {{axes = array<i64: 1>, keepdims = true}} : ({T}) -> tensor<4x1xf32>
    %c = "flow.subtract"(%a, %b) : ({T}, tensor<4x1xf32>) -> {T}
    %d = "flow.matmul"(%c, %x) : ({T}, {T}) -> {T}"""
    job = Job(X, body, "%d", FETCH)
    views = {v for call in job.ops(func.Call) for v in call.operands if v.type == _square()}
    arena = [v for v in views if isinstance(v.defining_op, memref.View)]
    assert len(arena) == 1


def _square() -> MemRefType:
    type = parse_module("func.func private @f(memref<4x4xf32>)").functions()[0].type.inputs[0]
    assert isinstance(type, MemRefType)
    return type


def test_a_group_is_specialised_for_each_kind_of_call() -> None:
    """One call may overwrite its operand; the other may not, since it is watched afterwards."""
    body = op("a", "subtract", "w", "x") + op("b", "subtract", "v", "x")
    body += f'%m = "flow.matmul"(%b, %v) : ({T}, {T}) -> {T}'
    job = Job(f"{X}, {W}, {V}", body, "%m, %a, %b", f"{FETCH}, {update('w')}, {update('v')}")
    names = [call.callee for call in job.ops(func.Call)]
    assert len({name for name in names if name.startswith("subtract")}) == 2
    assert all(job.module.function(name) for name in names)


# -- copies -------------------------------------------------------------------------------------


def test_a_fetched_feed_and_variable_are_copied_first() -> None:
    """A variable that is returned is the value before the update."""
    job = Job(
        f"{X}, {W}",
        op("n", "subtract", "w", "x"),
        "%w, %x, %n",
        f'{FETCH}, {T} {{job.fetch = "1"}}, {update("w")}',
    )
    first, second, call = list(job.module.job.body)[:3]
    assert isinstance(first, memref.Copy)
    assert isinstance(second, memref.Copy)
    assert {first.source, second.source} == {job.argument("w"), job.argument("x")}
    assert isinstance(call, func.Call)


def test_a_fetch_is_written_by_the_call_that_computes_it() -> None:
    job = Job(X, op("y", "negative", "x"), "%y", FETCH)
    (call,) = job.ops(func.Call)
    assert list(call.operands) == [job.argument("x"), job.argument("0")]
    assert job.arena == 0


def test_a_value_fetched_twice_is_computed_once() -> None:
    job = Job(X, op("y", "negative", "x"), "%y, %y", f'{FETCH}, {T} {{job.fetch = "1"}}')
    assert len(job.ops(func.Call)) == 1
    (copy,) = job.ops(memref.Copy)
    assert (copy.source, copy.target) == (job.argument("0"), job.argument("1"))


def test_a_new_value_that_is_fetched_is_copied_out() -> None:
    job = Job(f"{X}, {W}", op("n", "subtract", "w", "x"), "%n, %n", f"{FETCH}, {update('w')}")
    (copy,) = job.ops(memref.Copy)
    assert (copy.source, copy.target) == (job.argument("w"), job.argument("0"))


def test_two_variables_are_swapped() -> None:
    job = Job(f"{W}, {V}", "", "%v, %w", f"{update('w')}, {update('v')}")
    assert len(job.ops(memref.Copy)) == 4, "both are saved first"
    assert job.arena == 128


def test_one_value_goes_into_two_variables() -> None:
    results = f"{update('w')}, {update('v')}"
    job = Job(f"{X}, {W}, {V}", op("n", "negative", "x"), "%n, %n", results)
    (copy,) = job.ops(memref.Copy)
    assert (copy.source, copy.target) == (job.argument("w"), job.argument("v"))


def test_a_variable_takes_the_value_of_a_feed() -> None:
    job = Job(f"{X}, {W}", "", "%x", update("w"))
    (copy,) = job.ops(memref.Copy)
    assert (copy.source, copy.target) == (job.argument("x"), job.argument("w"))


def test_assigning_a_variable_to_itself_does_nothing() -> None:
    job = Job(W, "", "%w", update("w"))
    assert not job.ops(memref.Copy)


def test_a_fetch_in_another_shape_is_written_in_place() -> None:
    body = op("y", "negative", "x")
    body += f'%z = "flow.reshape"(%y) {{shape = array<i64: 2, 8>}} : ({T}) -> tensor<2x8xf32>'
    text = f"""func.func @job({X}) -> (tensor<2x8xf32> {{job.fetch = "0"}}) {{
    {body}
    return %z : tensor<2x8xf32>
    }}"""
    module = parse_module(text)
    arrays = arguments(module, 3)
    made = lowered(module, f"{FUSED},{LOOPS}")
    verify(made)
    assert not [o for o in made.job.body if isinstance(o, memref.Copy | memref.View)]
    after = run_job(made, {"x": arrays[0]})
    assert same_bits(after["0"], -arrays[0].reshape(2, 8))


def test_constant_tensors_become_constants_of_the_module() -> None:
    c = "tensor<4xf32>"
    body = f"""%c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {c}
    %y = "flow.add"(%x, %c) : ({T}, {c}) -> {T}"""
    job = Job(X, body, "%y", FETCH)
    (constant,) = (o for o in job.module.body if isinstance(o, memref.Global))
    assert constant.constant
    assert len(job.ops(memref.GetGlobal)) == 1


# -- taps ---------------------------------------------------------------------------------------


def test_a_tap_sees_the_value_at_its_position() -> None:
    """The update comes after the watch; another watch sees the new value."""
    body = op("n", "subtract", "w", "x")
    body += f'"job.watch"(%w) {{name = "old"}} : ({T}) -> () loc("train.py":7:2)\n'
    body += f'"job.watch"(%n) {{name = "new"}} : ({T}) -> ()'
    job = Job(f"{X}, {W}", body, "%n", update("w"))
    assert len(job.ops(scf.If)) == 2
    attributes = job.module.job.argument_attributes(len(job.module.job.arguments) - 1)
    assert python_value(attributes["job.taps"]) == [
        {"id": 0, "name": "old", "shape": [4, 4], "dtype": "f32", "loc": "train.py:7"},
        {"id": 1, "name": "new", "shape": [4, 4], "dtype": "f32"},
    ]
    assert job.module.function("penstock_tap_f32").is_external


def test_a_watched_value_lives_until_its_tap() -> None:
    body = f"""%a = "flow.matmul"(%x, %x) : ({T}, {T}) -> {T}
    %b = "flow.matmul"(%a, %x) : ({T}, {T}) -> {T}
    %c = "flow.matmul"(%b, %x) : ({T}, {T}) -> {T}
    "job.watch"(%a) {{name = "a"}} : ({T}) -> ()"""
    job = Job(X, body, "%c", FETCH)
    assert job.arena == 128, "%a and %b at once"


def test_a_watch_of_a_view_a_feed_and_a_fetch() -> None:
    body = f"""%v = "flow.reshape"(%x) {{shape = array<i64: 16>}} : ({T}) -> tensor<16xf32>
    "job.watch"(%v) {{name = "v"}} : (tensor<16xf32>) -> ()
    "job.watch"(%x) {{name = "x"}} : ({T}) -> ()
    {op("y", "negative", "x")}
    "job.watch"(%y) {{name = "y"}} : ({T}) -> ()"""
    Job(X, body, "%y", FETCH)


def test_without_watches_there_are_no_flags() -> None:
    job = Job(X, op("y", "negative", "x"), "%y", FETCH)
    last = len(job.module.job.arguments) - 1
    assert all("job.taps" not in job.module.job.argument_attributes(i) for i in range(last + 1))
    assert "penstock_tap" not in print_module(job.module)


# -- the function -------------------------------------------------------------------------------


def test_the_order_and_attributes_of_arguments() -> None:
    body = op("n", "subtract", "w", "x")
    body += f'"job.watch"(%n) {{name = "n"}} : ({T}) -> ()'
    job = Job(f"{W}, {X}", body, "%n, %x", f"{update('w')}, {FETCH}")
    keys = []
    for i in range(len(job.module.job.arguments)):
        attributes = job.module.job.argument_attributes(i)
        assert "llvm.noalias" in attributes
        keys.append([key for key in attributes if key.startswith("job.")])
    changed = ["job.updated", "job.variable"]
    assert keys == [["job.arena"], ["job.feed"], changed, ["job.fetch"], ["job.taps"]]
    assert not job.module.job.type.results


def test_an_op_without_a_buffer_is_an_error_at_its_location() -> None:
    module = parse_module(
        f"""func.func @job(%x: {T} {{job.feed = "x"}}) -> ({FETCH}) {{
        %y = "flow.negative"(%x) : ({T}) -> {T} loc("train.py":9:4)
        return %y : {T}
        }}"""
    )
    with pytest.raises(IRError, match=r"train.py:9: error: flow.negative: has no buffer in a job"):
        run_pipeline(module, "bufferize")


def test_a_dynamic_shape_is_an_error() -> None:
    module = parse_module("func.func @job(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }")  # fmt: skip  # noqa: E501
    with pytest.raises(IRError, match=r"expected tensors of static shape"):
        run_pipeline(module, "bufferize")


# -- the arena ----------------------------------------------------------------------------------


def lives(module: Module) -> list[Interval]:
    """The live range of each view of the arena and of each stack."""
    position = {inner: i for i, top in enumerate(module.job.body) for inner in top.walk()}

    def uses(value: Value) -> list[int]:
        found = []
        for user in value.users():
            found.append(position[user])
            for result in user.results:
                found += uses(result)
        return found

    made = []
    for view in (o for o in module.job.body if isinstance(o, memref.View)):
        offset = view.byte_shift.defining_op
        assert isinstance(offset, arith.Constant)
        assert isinstance(offset.value, IntegerAttr)
        type = view.results[0].type
        assert isinstance(type, MemRefType)
        size = type.count * byte_width(type.element)
        steps = uses(view.results[0])
        made.append(Interval(size, min(steps), max(steps), offset.value.value))
    for call, step in position.items():
        stack = call.attributes.get("job.stack")
        if isinstance(stack, DenseArrayAttr):
            start, size = stack.values
            made.append(Interval(size, step, step, start))
    return made


def arena_of(module: Module) -> int:
    size = module.job.argument_attributes(0)["job.arena"]
    assert isinstance(size, IntegerAttr)
    return size.value


def assert_no_overlap(module: Module) -> None:
    found = [buffer for buffer in lives(module) if buffer.size]
    for i, one in enumerate(found):
        assert one.offset + aligned(one.size) <= arena_of(module)
        for other in found[:i]:
            if one.first <= other.last and other.first <= one.last:
                first, second = sorted((one, other), key=lambda buffer: buffer.offset)
                assert first.offset + first.size <= second.offset, print_module(module)


@pytest.mark.parametrize("start", parts_of(300, 50))
def test_random_jobs_are_bit_exact_and_no_live_buffers_overlap(start: int) -> None:
    in_place = 0
    worst = 1.0
    for seed in range(start, start + 50):
        shapes = (SHAPES, ((3, 3), (3,)), ((0,), (3,), (3, 0), (2, 3), ()))[seed % 3]
        before = Program(seed, shapes).written(4 + seed % 17)
        arrays = arguments(before, seed)
        named, watched = in_order(before, arrays)
        module = lowered(before, f"{FUSED},{LOOPS}")
        verify(module)
        assert_no_overlap(module)
        worst = max(worst, arena_of(module) / max(64, most_live(lives(module))))
        taps: list[tuple[str, Array]] = []
        after = run_job(module, named_inputs(before, arrays), listener(taps))
        assert all(same_bits(after[name], named[name]) for name in named), seed
        for (name, one), (other, two) in zip(taps, watched, strict=True):
            assert name == other
            assert same_bits(one, two), (seed, name)
        in_place += sum("_in_place" in f.sym_name for f in module.functions())
    print(f"arena at most {worst:.3f} of the most that is live; {in_place} groups in two ways")
    assert worst <= 1.05


MLP = """module @step attributes {job.type = "train"} {
  func.func @step(%images: tensor<100x1x28x28xf32> {job.feed = "images"},
      %labels: tensor<100xi32> {job.feed = "labels"},
      %w0: tensor<512x784xf32> {job.variable = "w0", job.trainable = true},
      %b0: tensor<512xf32> {job.variable = "b0", job.trainable = true},
      %w1: tensor<10x512xf32> {job.variable = "w1", job.trainable = true},
      %b1: tensor<10xf32> {job.variable = "b1", job.trainable = true})
      -> (tensor<100xf32> {job.fetch = "0"}) {
    %x = "flow.reshape"(%images) {shape = array<i64: 100, 784>}
        : (tensor<100x1x28x28xf32>) -> tensor<100x784xf32>
    %m0 = "flow.matmul"(%x, %w0) {transpose_b = true}
        : (tensor<100x784xf32>, tensor<512x784xf32>) -> tensor<100x512xf32>
    %a0 = "flow.add"(%m0, %b0) : (tensor<100x512xf32>, tensor<512xf32>) -> tensor<100x512xf32>
    %h = "flow.relu"(%a0) : (tensor<100x512xf32>) -> tensor<100x512xf32>
    %m1 = "flow.matmul"(%h, %w1) {transpose_b = true}
        : (tensor<100x512xf32>, tensor<10x512xf32>) -> tensor<100x10xf32>
    %logits = "flow.add"(%m1, %b1) : (tensor<100x10xf32>, tensor<10xf32>) -> tensor<100x10xf32>
    "job.watch_diff"(%logits) {name = "logits"} : (tensor<100x10xf32>) -> ()
    %loss = "flow.sparse_softmax_cross_entropy"(%labels, %logits)
        : (tensor<100xi32>, tensor<100x10xf32>) -> tensor<100xf32>
    "job.minimize"(%loss) {optimizer = {kind = "sgd"},
        schedule = {kind = "piecewise_constant", boundaries = [], values = [0.1], base_lr = 0.1}}
        : (tensor<100xf32>) -> ()
    return %loss : tensor<100xf32>
  }
}"""


def test_the_mlp_step_runs_in_place_in_an_arena_of_the_live_bytes() -> None:
    module, handed_over = parse_module(MLP), {}
    run_pipeline(
        module,
        f"autodiff,canonicalize,cse,dce,{FUSED},{LOOPS}",
        lowered=lambda function: handed_over.update({function: print_module(function)}),
    )
    verify(module)
    *groups, job = handed_over
    assert job is module.job
    assert {*groups} == {f for f in module.functions() if f is not job and not f.is_external}
    assert [f.sym_name for f in groups[:2]] == ["matmul_add_relu_0", "matmul_cast_divide_sgd_0"]
    assert list(handed_over.values()) == [print_module(function) for function in handed_over]
    assert_no_overlap(module)
    ratio = arena_of(module) / most_live(lives(module))
    ops = sum(1 for _ in module.walk())
    print(f"arena {arena_of(module)} bytes, {ratio:.3f} of the most that is live; {ops} ops")
    assert ratio <= 1.05
    assert ops <= 820
    assert not [o for o in module.walk() if isinstance(o, memref.Copy)]


@needs_mlir
@pytest.mark.parametrize("seed", range(12))
def test_mlir_opt_accepts_a_job_without_flags(seed: int) -> None:
    module = Program(seed, (SHAPES, ((0,), (3,), (3, 0), ()))[seed % 2]).written(10 + seed)
    check(lowered(module, f"{FUSED},{LOOPS}"))


def test_bufferize_is_deterministic() -> None:
    texts = [print_module(lowered(Program(8).written(20), f"{FUSED},{LOOPS}")) for _ in range(2)]
    assert texts[0] == texts[1]
