"""Attention on the simulated GPU: its values, its schedules, and the ops that it is formed from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from gpu_modules import Step
from scheduled_jobs import Array, edit, ops_of, run

import penstock as flow
import penstock.typing as tp
from penstock.codegen.gpu.assembler import assemble, ptxas_path
from penstock.codegen.gpu.program import compile_gpu
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.lowering.modules import Modules
from penstock.passes.gpu.write.schedule_data import schedule_of

TYPES: Mapping[str, Any] = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
ELEMENTS = {**TYPES, "i1": np.bool_, "i8": np.int8, "i64": np.int64}
TOLERANCES = {"f32": 1e-5, "f16": 3 * 2**-12, "bf16": 3 * 2**-9}
"""Of the largest result: sums of up to 128 products of f32, each rounded by 2**-24; or three
roundings to 16 bits: of chances, of their gradients, and of the result."""
KINDS = ("attention", "attention_query_grad", "attention_key_grad")


class Case:
    """Calls of attention and its gradients, with arrays and what they give in float64."""

    def __init__(
        self, type: str, shape: Sequence[int], causal: bool, batch: tuple[int, ...] = (2,),
        group: int = 1, mask: Array | None = None, fill: float = -np.inf,
    ):  # fmt: skip
        queries, keys, features, width = shape
        self.type, self.causal, self.scale, self.fill = type, causal, features**-0.5, fill
        draw = np.random.default_rng(sum(shape))
        few = (*batch[:-1], batch[-1] // group) if batch else ()
        shapes = (
            (*batch, queries, features), (*few, keys, features), (*few, keys, width),
            (*batch, queries, width),
        )  # fmt: skip
        arrays = [draw.standard_normal(s).astype(TYPES[type]) for s in shapes]
        q, k, v, dy = (array.astype(np.float64) for array in arrays)
        if group > 1:
            k, v = (np.repeat(each, group, axis=-3) for each in (k, v))
        scores = q @ np.swapaxes(k, -1, -2) * self.scale
        shown = np.tri(queries, keys) > 0 if causal else np.ones((queries, keys), bool)
        if mask is not None and mask.dtype.kind in "iub":
            scores, shown = np.where(mask, scores, fill), shown & (mask != 0)
        elif mask is not None:
            scores = scores + mask.astype(np.float64)
        if causal:
            scores = np.where(np.tri(queries, keys) > 0, scores, -np.inf)
        highest = scores.max(-1, keepdims=True)
        self.zeros = bool(np.isneginf(highest).any())
        e = np.exp(scores - np.where(np.isneginf(highest), 0, highest))
        sums = e.sum(-1, keepdims=True)
        p = e / np.where(sums, sums, 1)
        with np.errstate(divide="ignore"):
            parts = [np.where(np.isneginf(highest), 0, highest), np.log(sums)]
        total = (parts[0] + parts[1])[..., 0] if mask is None else np.concatenate(parts, -1)
        delta = (dy * (p @ v)).sum(-1)
        ds = p * (dy @ np.swapaxes(v, -1, -2) - delta[..., None]) * self.scale
        ds = np.where(shown, ds, 0)
        rows = [total.astype(np.float32), delta.astype(np.float32)]
        factors = [*arrays[:3], *([] if mask is None else [mask])]
        self.given = {"attention": factors, "": [*factors, *rows, arrays[3]]}
        self.expected = {
            "attention": [p @ v, total],
            "attention_query_grad": [ds @ k],
            "attention_key_grad": [np.swapaxes(ds, -1, -2) @ q, np.swapaxes(p, -1, -2) @ dy],
        }

    def arrays(self, kind: str) -> list[Array]:
        """The operands of a call."""
        return self.given.get(kind, self.given[""])

    def results(self, kind: str) -> list[Array]:
        """Arrays for the results, of the types that they have."""
        found = [np.zeros(one.shape, TYPES[self.type]) for one in self.expected[kind]]
        if kind == "attention":
            found[1] = found[1].astype(np.float32)
        return found

    def module(self, kind: str) -> Module:
        """A job of one call, at stage `scheduled`."""
        operands, results = (
            [_type(a) for a in each] for each in (self.arrays(kind), self.results(kind))
        )
        names = [f"%a{i}" for i in range(len(operands))]
        arguments = ", ".join(
            f'{name}: {type} {{job.feed = "{name[1:]}"}}'
            for name, type in zip(names, operands, strict=True)
        )
        given = f"causal = {str(self.causal).lower()}, zeros = {str(self.zeros).lower()}"
        bits = np.float64(self.fill).view(np.uint64)
        given += f", scale = {self.scale} : f64, fill = 0x{bits:016X} : f64"
        fetched = ", ".join(f'{type} {{job.fetch = "{i}"}}' for i, type in enumerate(results))
        made = ", ".join(f"%y{i}" for i in range(len(results)))
        text = f"""
        module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
          func.func @job({arguments}) -> ({fetched}) {{
            {made} = "flow.{kind}"({", ".join(names)}) {{{given}}}
                : ({", ".join(operands)}) -> ({", ".join(results)})
            func.return {made} : {", ".join(results)}
          }}
        }}"""
        modules = Modules("job", parse_module(text)).on_gpu()
        return cast(Module, modules["scheduled"].clone())

    def check(self, kind: str, module: Module, order: str = "eager") -> None:
        """Run a scheduled job, and compare its results."""
        run(module, "bufferize{target=sm_80}")
        results = self.results(kind)
        step = Step(compile_gpu(module), [*self.arrays(kind), *results], order)
        step.run(step.plan["steps"])
        for got, wanted in zip(results, self.expected[kind], strict=True):
            assert self.error(got, wanted) <= 1

    def error(self, got: Array, wanted: Array) -> float:
        """How far a result is off, as a part of what is allowed."""
        allowed = TOLERANCES["f32" if got.dtype == np.float32 else self.type]
        finite = np.isfinite(wanted)
        assert (got[~finite] == wanted[~finite]).all()
        off = np.abs(got[finite].astype(np.float64) - wanted[finite])
        return float(off.max() / (allowed * np.abs(wanted[finite]).max()))


def _type(array: Array) -> str:
    element = next(name for name, dtype in ELEMENTS.items() if array.dtype == dtype)
    return f"tensor<{''.join(f'{n}x' for n in array.shape)}{element}>"


CASES: Sequence[tuple[str, tuple[int, ...], bool, tuple[int, ...], str]] = (
    # type, queries, keys, features and width of values, causal, batch, order
    ("f32", (5, 7, 4, 6), False, (2,), "eager"),
    ("f32", (37, 41, 32, 32), True, (2, 1), "lazy"),
    ("f32", (40, 33, 64, 32), False, (), "random:1"),
    ("f32", (18, 35, 128, 128), True, (1,), "eager"),
    ("f16", (20, 9, 24, 20), True, (1,), "eager"),
    ("f16", (40, 100, 32, 48), False, (2,), "lazy"),
    ("bf16", (70, 50, 64, 64), True, (1, 2), "random:1"),
    ("bf16", (50, 70, 128, 128), True, (1,), "lazy"),
    ("f16", (64, 64, 64, 64), False, (1,), "eager"),
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("type", "shape", "causal", "batch", "order"), CASES)
def test_values(
    type: str, shape: tuple[int, ...], causal: bool, batch: tuple[int, ...], order: str, kind: str
) -> None:
    case = Case(type, shape, causal, batch)
    module = case.module(kind)
    (op,) = ops_of(module)
    assert bool(schedule_of(op).warp) is (type != "f32" and shape[2] % 16 == 0)
    case.check(kind, module, order)


EDITED: Sequence[tuple[str, dict[str, Any]]] = (
    ("f32", {"tile": [16, 8], "thread": [1, 1], "block": 128, "grid": 6}),
    ("f32", {"tile": [32, 16], "thread": [4, 2], "block": 64, "grid": 4}),
    ("f16", {"tile": [16, 16], "warp": [16, 16], "stages": 4, "block": 32, "grid": 6}),
    ("f16", {"tile": [48, 16], "warp": [16, 16], "stages": 3, "block": 96, "grid": 2}),
    ("f16", {"tile": [32, 32], "thread": [2, 2], "warp": None, "stages": None, "block": 256,
             "grid": 4}),
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("type", "changes"), EDITED)
def test_an_edited_schedule_is_followed(type: str, changes: dict[str, Any], kind: str) -> None:
    case = Case(type, (41, 43, 32, 16), True)
    module = case.module(kind)
    (op,) = ops_of(module)
    edit(op, **changes)
    module = parse_module(print_module(module))
    assert schedule_of(ops_of(module)[0]).block == changes["block"]
    case.check(kind, module, "random:1")


UNFIT: Sequence[tuple[str, dict[str, Any], str]] = (
    ("f32", {"kind": "tasks", "tile": None, "thread": None, "grid": 1, "block": 1},
     "has flow.schedule of kind 'tasks': expected kind 'attention'"),
    ("f32", {"tile": [24, 32]}, "expected two numbers in tile, the first a multiple of the second"),
    ("f32", {"tile": [32, 12], "thread": [2, 2]},
     "expected two numbers in tile, the first a multiple of the second"),
    ("f32", {"tile": [24, 12], "thread": [2, 2]},
     "expected each number of tile to be a multiple of that of thread, the second by a power of "
     "two up to 32"),
    ("f32", {"thread": None, "warp": [16, 32], "stages": 2},
     "has flow.schedule with warp, but its factors are not of f16 or bf16 with features by 16s; "
     "use thread"),
    ("f32", {"grid": 7},
     "has flow.schedule with block = 256 and grid = 7: its tile needs 256 and 4"),
    ("f16", {"tile": [64, 32], "warp": [32, 16]},
     "with tile = [64, 32] and warp = [32, 16]: expected multiples of 16 in tile, and [16, 32] in "
     "warp"),
    ("f16", {"stages": 1}, "has flow.schedule with stages = 1: expected 2 or more"),
    ("f16", {"stages": 40}, "bytes of shared memory: expected at most 49152; use fewer stages"),
    ("f32", {"depth": 4}, "has flow.schedule with depth, which kind 'attention' does not have"),
)  # fmt: skip


@pytest.mark.parametrize(("type", "changes", "said"), UNFIT)
def test_an_unfit_schedule_is_refused(type: str, changes: dict[str, Any], said: str) -> None:
    module = Case(type, (41, 43, 32, 16), True).module("attention")
    (op,) = ops_of(module)
    edit(op, **changes)
    with pytest.raises(IRError) as error:
        run(module, "bufferize{target=sm_80}")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("type", "width"),
    [("bf16", 128)]
    + [pytest.param(t, w, marks=pytest.mark.long) for t in ("bf16", "f32") for w in (32, 64)],
)
def test_no_registers_spill(type: str, width: int) -> None:
    ptxas = ptxas_path()
    if ptxas is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    case = Case(type, (130, 70, width, width), True)
    for kind in KINDS:
        module = case.module(kind)
        run(module, "bufferize{target=sm_80}")
        for arch in ("sm_80", "sm_90a", "sm_100"):
            usage = assemble(compile_gpu(module, arch).ptx, arch, ptxas).usage
            assert [(one.spill_stores, one.stack) for one in usage.values()] == [(0, 0)]


# -- what it is formed from -----------------------------------------------------------------------

Q, K, V = "tensor<2x4x8xf32>", "tensor<2x5x8xf32>", "tensor<2x5x6xf32>"
S, Y = "tensor<2x4x5xf32>", "tensor<2x4x6xf32>"
SCALED = "{transpose_b = true, alpha = 0.5 : f64}"
PRODUCT = f'%s = "flow.matmul"(%q, %k) {SCALED} : ({Q}, {K}) -> {S}\n'
OTHER = PRODUCT.replace("%s =", "%t =")
SOFTMAX = f'%p = "flow.softmax"(%s) {{axis = 2 : i64}} : ({S}) -> {S}\n'
MIXED = f'%y = "flow.matmul"(%p, %v) : ({S}, {V}) -> {Y}\n'
PLAIN = PRODUCT + SOFTMAX + MIXED
MASK = "{diagonal = 0 : i64, fill = 0xFFF0000000000000 : f64}"
CAUSAL = f'{OTHER}%s = "flow.tril"(%t) {MASK} : ({S}) -> {S}\n{SOFTMAX}{MIXED}'
ASKED = f"""{OTHER}
    %h = "flow.reduce_max"(%t) {{axes = array<i64: 2>, keepdims = true}} : ({S})
        -> tensor<2x4x1xf32>
    %i = "flow.constant"() {{value = dense<0xFF800000> : tensor<f32>}} : () -> tensor<f32>
    %n = "flow.equal"(%h, %i) : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<2x4x1xi8>
    %o = "flow.constant"() {{value = dense<0.0> : tensor<f32>}} : () -> tensor<f32>
    %s = "flow.where"(%n, %o, %t) : (tensor<2x4x1xi8>, tensor<f32>, {S}) -> {S}
    """
"""0 in place of the scores of queries that read no key."""
FORMED = {
    "plain": PLAIN,
    "zeros": f"""{ASKED}{SOFTMAX.replace("%p =", "%r =")}
        %p = "flow.where"(%n, %o, %r) : (tensor<2x4x1xi8>, tensor<f32>, {S}) -> {S}
        {MIXED}""",
    "scaled": f"""{OTHER}
        %c = "flow.constant"() {{value = dense<4.0> : tensor<f32>}} : () -> tensor<f32>
        %s = "flow.divide"(%t, %c) : ({S}, tensor<f32>) -> {S}
        {SOFTMAX}{MIXED}""",
    "causal": CAUSAL,
    "a mask of numbers": f"""{OTHER}
        %m = "flow.constant"() {{value = dense<4.0> : tensor<4x5xf32>}} : () -> tensor<4x5xf32>
        %s = "flow.add"(%t, %m) : ({S}, tensor<4x5xf32>) -> {S}
        {SOFTMAX}{MIXED}""",
    "replaced scores": f"""{OTHER}
        %m = "flow.constant"() {{value = dense<[1, 0, 1, 1, 1]> : tensor<5xi8>}}
            : () -> tensor<5xi8>
        %n = "flow.constant"() {{value = dense<-9.0> : tensor<f32>}} : () -> tensor<f32>
        %s = "flow.where"(%m, %n, %t) : (tensor<5xi8>, tensor<f32>, {S}) -> {S}
        {SOFTMAX}{MIXED}""",
}
LEFT = {
    "a negative scale": PLAIN.replace("0.5", "-0.5"),
    "two masks": f"""{OTHER}
        %m = "flow.constant"() {{value = dense<4.0> : tensor<4x1xf32>}} : () -> tensor<4x1xf32>
        %r = "flow.add"(%t, %m) : ({S}, tensor<4x1xf32>) -> {S}
        %s = "flow.add"(%r, %m) : ({S}, tensor<4x1xf32>) -> {S}
        {SOFTMAX}{MIXED}""",
    "a mask behind the scale": f"""{OTHER}
        %m = "flow.constant"() {{value = dense<4.0> : tensor<4x1xf32>}} : () -> tensor<4x1xf32>
        %r = "flow.add"(%t, %m) : ({S}, tensor<4x1xf32>) -> {S}
        %c = "flow.constant"() {{value = dense<2.0> : tensor<f32>}} : () -> tensor<f32>
        %s = "flow.multiply"(%r, %c) : ({S}, tensor<f32>) -> {S}
        {SOFTMAX}{MIXED}""",
    "another diagonal": CAUSAL.replace("diagonal = 0", "diagonal = 1"),
    "the chances are read again": f"""{PRODUCT}{SOFTMAX}{MIXED.replace("%y", "%z")}
        %r = "flow.reduce_sum"(%p) {{axes = array<i64: 2>, keepdims = true}} : ({S})
            -> tensor<2x4x1xf32>
        %y = "flow.add"(%z, %r) : ({Y}, tensor<2x4x1xf32>) -> {Y}""",
    "zeros for scores alone": ASKED + SOFTMAX + MIXED,
    "the chances have a factor": f"""{PRODUCT}{SOFTMAX.replace("%p =", "%r =")}
        %c = "flow.constant"() {{value = dense<2.0> : tensor<f32>}} : () -> tensor<f32>
        %p = "flow.multiply"(%r, %c) : ({S}, tensor<f32>) -> {S}
        {MIXED}""",
    "softmax over queries": PLAIN.replace("axis = 2", "axis = 1"),
}


@pytest.mark.parametrize("name", [*FORMED, *LEFT])
def test_what_forms_attention_and_what_does_not(name: str) -> None:
    """Either way the job computes what it does on the CPU."""
    is_formed, body = name in FORMED, {**FORMED, **LEFT}[name]
    text = f"""
    module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
      func.func @job(%q: {Q} {{job.feed = "q"}}, %k: {K} {{job.feed = "k"}},
                     %v: {V} {{job.feed = "v"}}) -> ({Y} {{job.fetch = "0"}}) {{
        {body}
        func.return %y : {Y}
      }}
    }}"""
    on_gpu = text.replace("sbp.ranks", 'job.device = "gpu-sim 0:0", sbp.ranks')
    assert ("flow.attention" in _ops(Modules("job", parse_module(on_gpu)))) is is_formed
    assert "flow.attention" not in _ops(Modules("job", parse_module(text)))
    draw = np.random.default_rng(0)
    feeds = [draw.standard_normal(s).astype(np.float32) for s in ((2, 4, 8), (2, 5, 8), (2, 5, 6))]
    found = [np.asarray(flow.compile(one)(*feeds)) for one in (on_gpu, text)]
    np.testing.assert_allclose(*found, 1e-5, 1e-6)


def _ops(modules: Modules) -> list[str]:
    return [op.name for op in modules["fused"].walk()]


def attending(device: str, causal: bool, element: Any = flow.float32) -> Any:
    """A train job of one attention; its variables are f32, and products are of an element type."""

    @flow.global_function(type="train")
    def attend(x: tp.Numpy.Placeholder((2, 6, 8))) -> tp.Numpy:
        def product(name: str) -> Any:
            drawn = flow.random_uniform_initializer(-0.5, 0.5)
            w = flow.get_variable(name, shape=(8, 8), initializer=drawn)
            return flow.matmul(flow.cast(x, element), flow.cast(w, element))

        with flow.scope.placement(device, "0:0"):
            q, k, v = map(product, ("q", "k", "v"))
            scores = flow.matmul(q, k, transpose_b=True) * 8**-0.5
            if causal:
                scores = flow.math.tril(scores, fill_value=-np.inf)
            chances = flow.nn.softmax(scores, name="chances")
            y = flow.cast(flow.matmul(chances, v, name="y"), flow.float32)
            loss = flow.math.reduce_sum(y * y, axis=2)
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    return attend


@pytest.mark.parametrize("causal", [False, True])
def test_a_step_updates_as_on_the_cpu(causal: bool) -> None:
    """And blobs inside of attention can be watched: they are computed where somebody does."""
    found: list[dict[str, Array]] = []
    x = np.random.default_rng(1).standard_normal((2, 6, 8)).astype(np.float32)
    for device in ("cpu", "gpu-sim"):
        flow.clear_default_session()
        job, seen = attending(device, causal), {}

        def handler(name: str, blob: Array, seen: dict[str, Array] = seen) -> None:
            seen[name] = np.array(blob)

        seen["first loss"] = np.asarray(job(x))
        stop = job.watch("*", handler)
        seen["loss"] = np.asarray(job(x))
        stop()
        seen |= {f"new {name}": each.numpy() for name, each in flow.get_all_variables().items()}
        found.append(seen)
    ops = _ops(Modules("job", job.lower().modules["job"]))
    assert [name for name in ops if "attention" in name] == [f"flow.{kind}" for kind in KINDS]
    assert "chances" in found[0]
    assert found[0].keys() == found[1].keys()
    for name, value in found[0].items():
        np.testing.assert_allclose(found[1][name], value, 1e-4, 1e-6, err_msg=name)


@pytest.mark.parametrize("element", ["bfloat16", "float16"])
def test_mixed_precision_attends_by_three_kernels(element: str) -> None:
    """Variables of f32, cast ahead of products; gradients of 16 bits have a softmax of f32.

    Results are near those of f32: of each of about ten roundings, 2**-9 or 2**-12 of the largest.
    """
    found: list[dict[str, Array]] = []
    x = np.random.default_rng(1).standard_normal((2, 6, 8)).astype(np.float32)
    for device, type in (("cpu", "float32"), ("gpu-sim", element)):
        flow.clear_default_session()
        job, seen = attending(device, True, getattr(flow, type)), {}
        seen["loss"] = np.asarray(job(x))
        old = {name: np.array(each.numpy()) for name, each in flow.get_all_variables().items()}
        seen["next loss"] = np.asarray(job(x))
        for name, each in flow.get_all_variables().items():
            seen[f"update of {name}"] = each.numpy() - old[name]
        found.append(seen)
    modules = Modules("job", job.lower().modules["job"])
    assert [name for name in _ops(modules) if "attention" in name] == [f"flow.{k}" for k in KINDS]
    kinds = [schedule_of(op) for op in ops_of(cast(Module, modules["scheduled"]))]
    assert not [own for own in kinds if own.kind == "tile" and not own.warp]
    part = 10 * {"bfloat16": 2**-9, "float16": 2**-12}[element]
    for name, value in found[0].items():
        off = np.abs(found[1][name].astype(np.float64) - value).max()
        assert off <= part * np.abs(value).max(), name
