"""Random programs of all ops, compiled in several ways: see `penstock fuzz`."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.dialects import job
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.pointwise.arithmetic import Relu
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.write import scalars
from penstock.ir.write.folding import fold
from penstock.meaning.rounding import Expected, epsilon, expected
from penstock.passes import PASSES
from penstock.passes.pipeline import load_pass
from penstock.tools.fuzz import again, failure, ways
from penstock.tools.fuzz.calls import chosen
from penstock.tools.fuzz.program import with_state, written
from penstock.tools.fuzz.slopes import wrong_slope
from penstock.tools.fuzz.trial import (
    Outcome,
    Workbench,
    cut_inputs,
    difference,
    failure_of,
    reference,
    run,
    trial,
)
from penstock.tools.shared.shrink import shrink

PROGRAMS, CHUNK = int(os.environ.get("PENSTOCK_FUZZ_PROGRAMS", "14")), 7


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_CACHE", "off")


@pytest.mark.parametrize("first", range(1, PROGRAMS + 1, CHUNK))
def test_programs_give_the_same_results_in_all_ways(first: int) -> None:
    outcomes = [trial(seed) for seed in range(first, first + CHUNK)]
    failures = [f"program {one.seed}: {one.failure}" for one in outcomes if one.failure]
    assert not failures, "penstock fuzz --seed shows them again:\n" + "\n".join(failures)
    elements = sum(one.elements for one in outcomes)
    assert sum(one.known for one in outcomes) >= 0.95 * elements > 0


def test_a_seed_determines_the_program() -> None:
    one, other = written(12), written(12)
    assert print_module(one.module) == print_module(other.module)
    assert all(np.array_equal(one.inputs[name], array) for name, array in other.inputs.items())
    assert print_module(written(13).module) != print_module(one.module)


def test_orders_to_try_have_all_passes_and_are_legal() -> None:
    assert str(ways.required()) == "autodiff,lower,outline-groups,bufferize"
    seen: set[str] = set()
    for seed in range(1000):
        pipeline = ways.shuffled(random.Random(seed))
        pipeline.passes()  # raises PipelineError if its order is wrong
        seen.update(pipeline.names)
    assert seen == {name for name in PASSES if not load_pass(name).for_ranks}


def test_programs_have_equal_values_with_gradients_of_their_own() -> None:
    """And some orders simplify them before the gradients are ops."""
    seen: Counter[str] = Counter()
    for seed in range(100):
        ops = list(written(seed, chosen(["flow.sin"])).module.job.body)
        if not any(isinstance(op, job.Minimize) for op in ops):
            continue
        watched = {op.value for op in ops if isinstance(op, job.WatchDiff)}
        computed = [op for op in ops if isinstance(op, TensorOp) and op.operands]
        keys = Counter((op.name, *op.operands) for op in computed)
        for op in computed:
            alone = keys[(op.name, *op.operands)] == 1
            seen["repeated, watched"] += not alone and op.results[0] in watched
            seen["folds, watched"] += fold(op) is not None and op.results[0] in watched
            seen["detached"] += job.DETACHED in op.attributes
        names = ways.ways_of(seed)[2].pipeline.names
        seen["simplified first"] += bool({"cse", "fold"} & {*names[: names.index("autodiff")]})
    assert all(seen[what] >= 2 for what in seen), seen
    assert len(seen) == 4


def found(only: str) -> Outcome:
    """The first program that fails."""
    outcomes = (trial(seed, chosen([only])) for seed in range(20))
    return next(one for one in outcomes if one.failure)


def test_a_wrong_kernel_is_found_and_reduced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Wrong by one part in ten thousand, and only in elements above 1."""

    def wrong(self: Relu, b: object, x: object) -> object:
        one, scale = (scalars.constant(b, n, x.type) for n in (1, 1.0001))
        more = scalars.select(b, scalars.compare(b, "gt", x, one), scalars.mul(b, x, scale), x)
        return scalars.maximum(b, more, scalars.constant(b, 0, x.type))

    with monkeypatch.context() as patch:
        patch.setattr(Relu, "scalar", wrong)
        outcome = found("flow.relu")
        assert outcome.failure is not None
        assert outcome.failure.kind == "wrong result"
        small = failure.made_small(outcome.failure, outcome.seed)
        kept = failure.write(small, tmp_path / "kept", outcome.failure.module)
        names = [op.name for op in small.module.job.body]
        assert names.count("flow.relu") == 1
        assert len(names) <= 6
        read = again.read(Path(kept.folder) / "program.mlir")
        assert again.again(read.module, read.inputs, read.way) is not None
    assert again.again(read.module, read.inputs, read.way) is None


def test_a_wrong_gradient_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Relu, "grad", lambda self, b, gradients: gradients)
    outcome = found("flow.relu")
    assert outcome.failure is not None
    assert outcome.failure.kind == "wrong gradient"


JOB = """
module @program {{
  func.func @program({arguments}) -> ({result} {{job.fetch = "0"}}) {{
    {body}
    func.return %y : {result}
  }}
}}"""


def room(arguments: str, result: str, body: str, on_device: bool = False, **inputs: Any) -> float:
    module = parse_module(JOB.format(arguments=arguments, result=result, body=body))
    feeds = {f"feed {name}": array for name, array in inputs.items()}
    return float(expected(module, feeds, 24, 1, on_device)["fetch 0"].room.max())


def test_tolerance_follows_cancellation() -> None:
    """x + z - z keeps the rounding error of x + z, however small x is."""
    arguments = '%x: tensor<f32> {job.feed = "x"}, %z: tensor<f32> {job.feed = "z"}'
    body = """%s = "flow.add"(%x, %z) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %y = "flow.subtract"(%s, %z) : (tensor<f32>, tensor<f32>) -> tensor<f32>"""
    small, large = (
        room(arguments, "tensor<f32>", body, x=np.float32(0.1), z=np.float32(z)) for z in (0.3, 3e4)
    )
    unit = float(np.spacing(np.float32(3e4)))
    assert small < 1e-6
    assert unit / 2 < large < 100 * unit


def test_tolerance_is_zero_without_rounding() -> None:
    body = '%y = "flow.relu"(%x) : (tensor<5xf32>) -> tensor<5xf32>'
    x = np.linspace(-1, 1, 5, dtype=np.float32)
    assert room('%x: tensor<5xf32> {job.feed = "x"}', "tensor<5xf32>", body, x=x) == 0


def test_tolerance_on_a_device_has_the_rounding_of_its_kernels() -> None:
    """Tensor cores take chances of 16 bits; products with 1 and -1 cancel, but not their errors."""
    type, l = "tensor<16x16xf16>", "tensor<16xf32>"  # noqa: E741
    body = f"""%y, %l = "flow.attention"(%x, %x, %v) {{scale = 0.25 : f64}}
        : ({type}, {type}, {type}) -> ({type}, {l})"""
    arguments = f'%x: {type} {{job.feed = "x"}}, %v: {type} {{job.feed = "v"}}'
    x = np.zeros((16, 16), np.float16)
    v = np.tile(np.float16([[1], [-1]]), (8, 16))
    cpu, device = (room(arguments, type, body, on_device, x=x, v=v) for on_device in (False, True))
    assert cpu < 2.0**-17
    assert 2.0**-11 < device < 2.0**-7


def test_near_a_pole_any_result_is_accepted() -> None:
    """-4.004139 becomes -4 in bfloat16, where lgamma is infinite."""
    body = """%h = "flow.cast"(%x) {element = bf16} : (tensor<f32>) -> tensor<bf16>
    %y = "flow.lgamma"(%h) : (tensor<bf16>) -> tensor<bf16>"""
    arguments = '%x: tensor<f32> {job.feed = "x"}'
    assert room(arguments, "tensor<bf16>", body, x=np.float32(-4.004139)) == np.inf
    assert room(arguments, "tensor<bf16>", body, x=np.float32(-3.5)) < 1


def test_integers_are_rounded_to_representable_ones() -> None:
    """-481 lies between two bfloat16 numbers; in f32 it needs no tolerance."""
    for element, least in ((ty.bf16, 1), (ty.f32, 0)):
        body = f"""%y = "flow.reduce_sum"(%x) {{axes = array<i64: 0>, keepdims = true}}
            : (tensor<3x{element}>) -> tensor<1x{element}>"""
        x = np.array([-132, -256, -93]).astype(numpy_dtype(element))
        found = room(
            f'%x: tensor<3x{element}> {{job.feed = "x"}}', f"tensor<1x{element}>", body, x=x
        )
        assert least <= found <= 64 * least


def test_comparisons_of_nearly_equal_values_are_not_judged() -> None:
    """atan x rounds to x in bfloat16, so floor_mod gives 0; without the rounding it gives atan
    x.
    """
    one = "tensor<1xbf16>"
    body = f"""%z = "flow.atan"(%x) : ({one}) -> {one}
        %m = "flow.floor_mod"(%z, %x) : ({one}, {one}) -> {one}
        %at, %y = "flow.argwhere"(%m) {{element = i32}}
            : ({one}) -> (tensor<1x1xi32>, tensor<1xi32>)"""
    x = np.array([-0.0043]).astype(numpy_dtype(ty.bf16))
    assert room(f'%x: {one} {{job.feed = "x"}}', "tensor<1xi32>", body, x=x) == np.inf


def test_tolerance_if_all_but_one_operand_cancel() -> None:
    """x - mean x is 0; code that multiplies before subtracting rounds gamma and beta."""
    one = "tensor<1xf32>"
    body = f"""%y, %m, %v = "flow.normalization"(%x, %x, %z) {{axes = array<i64: 0>, epsilon = 0.1}}
        : ({one}, {one}, {one}) -> ({one}, {one}, {one})"""
    arguments = f'%x: {one} {{job.feed = "x"}}, %z: {one} {{job.feed = "z"}}'
    x, z = np.float32([0.3]), np.float32([0.7])
    assert 1e-8 < room(arguments, one, body, x=x, z=z) < 1e-5


def test_tolerance_covers_cancellation_inside_an_op() -> None:
    """gelu(-5) = -5 (1 + erf(-5 / sqrt 2)) / 2 is off by an ulp of 1, halved, times 5."""
    body = '%y = "flow.gelu"(%x) : (tensor<1xf32>) -> tensor<1xf32>'
    x = np.float32([-5])
    unit = float(np.spacing(np.float32(0.5)))
    assert unit / 2 < room('%x: tensor<1xf32> {job.feed = "x"}', "tensor<1xf32>", body, x=x) < 1e-6


LEARNS = """
module @program attributes {job.type = "train"} {
  func.func @program(%x: tensor<3xf32> {job.variable = "x",
      job.initializer = {kind = "constant", value = 0.0}, job.trainable = true})
      -> (tensor<3x1xi32> {job.fetch = "0", job.extent = "count", job.dimension = 0 : i64},
          tensor<1xi32> {job.fetch = "count"}) {
    %y = "flow.square"(%x) : (tensor<3xf32>) -> tensor<3xf32>
    %at, %count = "flow.argwhere"(%x) {element = i32}
        : (tensor<3xf32>) -> (tensor<3x1xi32>, tensor<1xi32>)
    "job.minimize"(%y) {optimizer = {kind = "sgd"}, schedule = {kind = "piecewise_constant",
        boundaries = [], values = [0.75]}} : (tensor<3xf32>) -> ()
    func.return %at, %count : tensor<3x1xi32>, tensor<1xi32>
  }
}"""


def test_every_step_is_compared_and_dynamic_results_up_to_their_extent() -> None:
    module = parse_module(LEARNS)
    inputs = with_state(module, {"variable x": np.float32([8, 0, 4])}, 0)
    wanted = reference(module, inputs)
    assert wanted["variable x of step 3"].value.tolist() == [1, 0, 0.5]
    assert wanted["fetch 0 of step 2"].value.tolist() == [[0], [2]]
    found = run(module, inputs, ways.ways_of(0)[1], Workbench())
    assert not difference(wanted, found)
    for name in ("variable x of step 3", "fetch 0 of step 2"):
        assert difference(wanted, {**found, name: found[name][:1]}).startswith(name)
        assert difference(wanted, {**found, name: found[name] + 1}).startswith(name)


def test_a_result_with_unbounded_tolerance_may_be_nan() -> None:
    one = Expected(np.array([1.0, 2.0]), np.array([3.0, 0.1]))
    assert one.where_known().room.tolist() == [np.inf, 0.1]
    assert not Expected(np.array([9.0]), np.array([0.4])).is_astray
    assert Expected(np.array([9.0]), np.array([0.6])).is_astray


def test_a_reduced_program_keeps_the_extent_of_its_result() -> None:
    small = shrink(
        parse_module(LEARNS),
        lambda module: "fetch 0" in reference(module, cut_inputs(module, {}, 0)),
        lambda text: None,
    )
    assert len(small.job.returned.operands) == 2


@pytest.mark.parametrize("element", [ty.f16, ty.bf16, ty.f32, ty.f64])
def test_tolerance_is_a_few_ulp(element: ty.Type) -> None:
    body = f'%y = "flow.exp"(%x) : (tensor<50x{element}>) -> tensor<50x{element}>'
    x = np.linspace(-1, 1, 50).astype(numpy_dtype(element))
    type = f"tensor<50x{element}>"
    found = room(f'%x: {type} {{job.feed = "x"}}', type, body, x=x)
    assert 2 * epsilon(element) < found < 100 * epsilon(element)


@pytest.mark.parametrize(
    "op", ['"flow.abs"(%x)', '"flow.xdivy"(%x, %z)', '"flow.multiply"(%x, %s)']
)
def test_kinks_conventions_and_stopped_gradients_are_not_wrong(op: str) -> None:
    types = "tensor<f32>, tensor<f32>" if "," in op else "tensor<f32>"
    text = """
module @program attributes {job.type = "train"} {
  func.func @program(%x: tensor<f32> {job.variable = "x",
      job.initializer = {kind = "constant", value = 0.0}, job.trainable = true}) {
    %z = "flow.constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %s = "flow.stop_gradient"(%x) : (tensor<f32>) -> tensor<f32>
    %y = OP : (TYPES) -> tensor<f32>
    "job.minimize"(%y) {optimizer = {kind = "sgd"}, schedule = {kind = "piecewise_constant",
        boundaries = [], values = [0.1]}} : (tensor<f32>) -> ()
    func.return
  }
}"""
    module = parse_module(text.replace("OP", op).replace("TYPES", types))
    for value in (0.0, 0.5, -0.5):
        assert not wrong_slope(module, {"variable x": np.float32(value)})


@pytest.mark.parametrize("seed", [4, 17, 285, 378])
def test_a_program_on_the_simulated_gpu(seed: int) -> None:
    """Two of them read 16 bytes of memory of 12."""
    program = written(seed, ())
    way = next(way for number in range(99) for way in ways.ways_of(number) if way.device)
    assert failure_of(program.module, program.inputs, way) is None
