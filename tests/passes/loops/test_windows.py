"""Contractions over windows: convolutions and their gradients, bit-identical to the definition."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
import pytest
from loops_interpreter import run_job
from tensor_programs import FUSED, arguments, lowered, named_inputs, same_bits

from penstock.ir.dialects import arith, func, linalg, memref, scf, vector
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.record import replace
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.passes.analysis.contraction import contraction_of
from penstock.passes.analysis.group_storage import Group
from penstock.passes.costs import patch_sizes, sum_parts, task_grid, tiling
from penstock.passes.costs.target import TARGETS
from penstock.passes.loops.tiles import patches
from penstock.passes.loops.tiles.lower_contraction import shape_of

Array = np.ndarray[Any, Any]


@dataclass
class Windows:
    """A contraction in letters, with linear subscripts such as `y * 2 + r`.

    Each entry of the epilogue adds a tensor elementwise; its letters are some of the result's.
    """

    a: str
    b: str
    out: str
    extents: dict[str, int]
    followers: list[str] = field(default_factory=list)
    element: str = "f32"

    @property
    def dims(self) -> list[str]:
        """The result's dimensions, then the reduction dimensions in the first factor's order."""
        result = re.findall("[a-z]", self.out)
        return list(dict.fromkeys([*result, *re.findall("[a-z]", f"{self.a} {self.b}")]))

    def shape(self, subscripts: str) -> list[int]:
        """The smallest shape that contains all accessed elements."""
        most = {d: n - 1 for d, n in self.extents.items()}
        return [1 + _greatest(expr, most) for expr in subscripts.split(",")]

    def type(self, subscripts: str) -> str:
        return f"tensor<{''.join(f'{n}x' for n in self.shape(subscripts))}{self.element}>"

    def map(self, subscripts: str, dims: list[str]) -> str:
        names = ", ".join(f"d{i}" for i in range(len(dims)))
        exprs = re.sub("[a-z]", lambda found: f"d{dims.index(found.group())}", subscripts)
        return f"affine_map<({names}) -> ({exprs})>"

    def text(self) -> str:
        e, out, result = self.element, self.type(self.out), re.findall("[a-z]", self.out)
        own = self.map(self.out, result)
        kinds = ["parallel"] * len(result) + ["reduction"] * (len(self.dims) - len(result))
        parallel = ", ".join(['"parallel"'] * len(result))
        maps = ", ".join(self.map(word, self.dims) for word in (self.a, self.b, self.out))
        names = ["%a", "%b", *(f"%x{i}" for i in range(len(self.followers)))]
        types = [self.type(word) for word in (self.a, self.b, *self.followers)]
        lines = []
        last = "%r"
        for i, word in enumerate(self.followers):
            lines.append(
                f"%y{i} = linalg.generic {{indexing_maps = [{own}, {self.map(word, result)}, "
                f"{own}], iterator_types = [{parallel}]}} ins({last}, %x{i} : {out}, "
                f"{self.type(word)}) outs(%e : {out}) {{\n^bb0(%u: {e}, %v: {e}, %o: {e}):\n"
                f" %z = arith.addf %u, %v : {e}\n linalg.yield %z : {e}\n}} -> {out}"
            )
            last = f"%y{i}"
        fed = ", ".join(
            f'{name}: {type} {{job.feed = "{name[1:]}"}}'
            for name, type in zip(names, types, strict=True)
        )
        types_ = ", ".join(f"{name}: {type}" for name, type in zip(names, types, strict=True))
        joined = "\n".join(lines)
        return f"""module attributes {{job.type = "predict"}} {{
          func.func @job({fed}) -> ({out} {{job.fetch = "0"}}) {{
            %r = func.call @group({", ".join(names)}) : ({", ".join(types)}) -> {out}
            return %r : {out}
          }}
          func.func private @group({types_}) -> {out} {{
            %e = tensor.empty() : {out}
            %f = linalg.generic {{indexing_maps = [{own}], iterator_types = [{parallel}]}}
                outs(%e : {out}) {{
            ^bb0(%o: {e}):
              %c = arith.constant 0.0 : {e}
              linalg.yield %c : {e}
            }} -> {out}
            %r = linalg.generic {{indexing_maps = [{maps}],
                iterator_types = [{", ".join(f'"{kind}"' for kind in kinds)}]}}
                ins(%a, %b : {types[0]}, {types[1]}) outs(%f : {out}) {{
            ^bb0(%p: {e}, %q: {e}, %s: {e}):
              %t = math.fma %p, %q, %s : {e}
              linalg.yield %t : {e}
            }} -> {out}
            {joined}
            return {last} : {out}
          }}
        }}"""

    def arrays(self) -> list[Array]:
        random = np.random.default_rng(5)
        dtype = {"f32": np.float32, "f64": np.float64}[self.element]
        shapes = [self.shape(word) for word in (self.a, self.b, *self.followers)]
        return [random.standard_normal(shape).astype(dtype) for shape in shapes]


def _greatest(expr: str, most: dict[str, int]) -> int:
    """The maximum of a linear expression; a subtracted letter is 0 there."""
    total = 0
    for sign, letter, factor in re.findall(r"([-+]?)\s*([a-z])(?:\s*\*\s*(\d+))?", expr):
        total += 0 if sign == "-" else most[letter] * int(factor or 1)
    numbers = re.findall(r"\+\s*(\d+)", expr)
    return total + sum(map(int, numbers))


def check(windows: Windows, target: str = "x86-64-v3", tiled: bool = True) -> Module:
    """The module at stage `loops`, after checking that its results equal the definition's, bit for
    bit.
    """
    module = parse_module(windows.text())
    arrays = windows.arrays()
    (wanted,) = interpret(module, arrays)
    lowered_module = lowered(module, f"bufferize{{target={target}}}")
    verify(lowered_module)
    names = ["a", "b", *(f"x{i}" for i in range(len(windows.followers)))]
    got = run_job(lowered_module, dict(zip(names, arrays, strict=True)))["0"]
    assert same_bits(got, wanted), print_module(lowered_module)
    assert bool(ops(lowered_module, vector.OuterProduct)) == tiled
    return lowered_module


def ops(module: Module, cls: type[Any]) -> list[Any]:
    return [op for op in module.walk() if isinstance(op, cls)]


SMALL = {"n": 2, "f": 5, "c": 3, "y": 4, "x": 7, "r": 3, "s": 2}
X, W, Y = "n, c, y * 2 + r, x + s * 2", "f, c, r, s", "n, f, y, x"
LAST = {"x": "n, y * 2 + r, x + s * 2, c", "w": "f, r, s, c", "y": "n, y, x, f"}
FORMS = {
    "result": (X, W, Y),
    "result, channels last": (LAST["x"], LAST["w"], LAST["y"]),
    "weight": (X, Y, W),
    "weight, channels last": (LAST["x"], LAST["y"], LAST["w"]),
    "data": ("n, f, y - r + 2, x - s + 1", W, "n, c, y, x"),
    "data, channels last": ("n, y - r + 2, x - s + 1, f", LAST["w"], "n, y, x, c"),
    "one dimension": ("n, c, x * 3 + s", "f, c, s", "n, f, x"),
    "three dimensions": ("n, c, z + t, y + r * 2, x + s", "f, c, t, r, s", "n, f, z, y, x"),
    "groups": ("n, g, c, y + r, x + s", "g, f, c, r, s", "n, g, f, y, x"),
    "groups, channels last": ("n, y + r, x + s, g, c", "g, f, r, s, c", "n, y, x, g, f"),
    "factors the other way round": (W, X, Y),
}


@pytest.mark.parametrize("form", FORMS)
def test_convolutions(form: str) -> None:
    a, b, out = FORMS[form]
    extents = {**SMALL, "z": 2, "t": 2, "g": 2}
    letters = set(re.findall("[a-z]", a + b))
    check(Windows(a, b, out, {d: n for d, n in extents.items() if d in letters}))


@pytest.mark.sampled
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4"])
def test_epilogues_are_computed_on_the_tiles(target: str, element: str) -> None:
    extents = {**SMALL, "f": 17, "y": 2, "c": 2}
    for a, b, out in (FORMS["result"], FORMS["result, channels last"]):
        module = check(Windows(a, b, out, extents, ["f", out], element), target)
        assert not [op for op in ops(module, memref.Alloca) if op.results[0].type.count > 2000]


def test_widths_with_remainders() -> None:
    for f, x in ((1, 6), (17, 1), (33, 9), (8, 14)):
        extents = {"n": 1, "f": f, "c": 2, "y": 2, "x": x, "r": 2, "s": 2}
        check(Windows(X, W, Y, extents), tiled=f > 1)


@pytest.mark.parametrize("form", ["result", "weight", "weight, channels last", "data"])
def test_blocks_of_the_sum_tasks_and_packing(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With small caches and small tasks, small convolutions take every path."""
    for name in ("GRID_SERIAL_CYCLES", "GRID_TASK_CYCLES"):
        monkeypatch.setattr(task_grid, name, 20)
        monkeypatch.setattr(f"penstock.passes.loops.tiles.packing.{name}", 20)
    tiny = {name: replace(module, l1=200, l2=1200) for name, module in TARGETS.items()}
    monkeypatch.setattr("penstock.passes.buffers.bufferize.TARGETS", tiny)
    extents = {"n": 3, "f": 19, "c": 17, "y": 2, "x": 5, "r": 2, "s": 1}
    module = check(Windows(*FORMS[form], extents, [FORMS[form][2]]))
    assert ops(module, scf.Forall)
    assert ops(module, scf.If), "the sum is taken in blocks"


@pytest.mark.parametrize("form", ["weight", "weight, channels last"])
def test_sums_over_large_images_are_split_within_an_image(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = {name: replace(module, l2=1600) for name, module in TARGETS.items()}
    monkeypatch.setattr("penstock.passes.buffers.bufferize.TARGETS", tiny)
    extents = {"n": 2, "f": 19, "c": 5, "y": 7, "x": 5, "r": 2, "s": 2}
    module = check(Windows(*FORMS[form], extents, [FORMS[form][2]]))
    (first, *_) = [op.condition.defining_op for op in ops(module, scf.If)]
    assert isinstance(first, arith.AndI), "both sums are at their begin"


@pytest.mark.sampled
@pytest.mark.parametrize(("target", "tiles"), [("x86-64-v3", {1}), ("x86-64-v4", {2, 4})])
@pytest.mark.parametrize("form", ["result", "result, channels last", "groups"])
def test_tiles_with_rows_of_several_images(
    form: str, target: str, tiles: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If an image has few rows and panels come from beyond L2."""
    tiny = {name: replace(module, l2=2000) for name, module in TARGETS.items()}
    monkeypatch.setattr("penstock.passes.buffers.bufferize.TARGETS", tiny)
    monkeypatch.setattr(task_grid, "GRID_SERIAL_CYCLES", 20)
    monkeypatch.setattr(task_grid, "GRID_TASK_CYCLES", 20)
    letters = set(re.findall("[a-z]", "".join(FORMS[form])))
    extents = {"n": 4, "f": 35, "c": 33, "y": 3, "x": 4, "r": 3, "s": 3, "g": 2}
    case = Windows(*FORMS[form], {d: n for d, n in extents.items() if d in letters})
    module = check(case, target)
    bodies = [loop.body for loop in ops(module, scf.For)]
    sums = {sum(isinstance(op, vector.OuterProduct) for op in body) for body in bodies} - {0}
    assert sums <= tiles | {4 * n for n in tiles}, "one or four positions in a turn"
    assert max(sums) >= min(tiles), "sets that share what is read of panels"


PARTS = {
    "weight": FORMS["weight"],
    "weight, channels last": FORMS["weight, channels last"],
    "groups": ("n, g, c, y + r, x + s", "n, g, f, y, x", "g, f, c, r, s"),
    "a filter for each channel": ("n, y * 2 + r, x + s * 2, f", LAST["y"], "f, r, s"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("form", PARTS)
@pytest.mark.parametrize("x", [4, 5])
def test_the_gradient_by_weights_in_parts(
    form: str, x: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sums of small integers are exact in any order."""
    monkeypatch.setattr(sum_parts, "BLOCK_POSITIONS", 16)
    monkeypatch.setattr(sum_parts, "LEAST_BLOCKS", 1)
    arrays = Windows.arrays
    monkeypatch.setattr(Windows, "arrays", lambda w: [np.rint(x * 4) for x in arrays(w)])
    letters = set(re.findall("[a-z]", "".join(PARTS[form])))
    extents = {"n": 4, "f": 19, "c": 5, "y": 7, "x": x, "r": 2, "s": 2, "g": 2}
    case = Windows(*PARTS[form], {d: n for d, n in extents.items() if d in letters})
    for followers in ([], [PARTS[form][2]]):
        module = check(dataclasses.replace(case, followers=followers), tiled="filter" not in form)
        assert ops(module, scf.Forall)
        sums = [a.type for f in module.functions() for a in f.arguments if a.name == "sums"]
        assert [type.shape[0] in (4, 8) for type in sums] == [True], "one for each part"
        assert sums[0].shape[-1] == 19, "lanes lie side by side"


def test_padding_that_is_expensive_to_refill_is_written_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tiny = {name: replace(result, l2=1600) for name, result in TARGETS.items()}
    monkeypatch.setattr("penstock.passes.buffers.bufferize.TARGETS", tiny)
    result = layer(Layer("result", channels_last=True, n=1, c=7, f=24))
    assert ops(result, memref.View)


def test_panels_serve_all_rows_and_images() -> None:
    """Weights are packed once for all images and rows."""
    module = parse_module(Windows(X, W, Y, {**SMALL, "n": 30, "f": 16}).text())
    (group,) = [f for f in module.functions() if f is not module.job]
    found = contraction_of(Group(group))
    assert found is not None
    extents = [found.extent(d) for d in (*found.above, found.row, found.lane)]
    assert (extents, found.outer, found.is_turned) == ([30, 4, 7, 16], (), True)
    assert shape_of(found).above == 120


def test_depthwise_convolutions() -> None:
    """Each channel has its own filter, so each lane of a panel has its own row."""
    x, w, y = "n, y * 2 + r, x + s * 2, g", "g, r, s", "n, y, x, g"
    forms = ((x, w, y), (x, y, w), ("n, y - r + 2, x * 2 - s + 1, g", w, y), (y, "r, g", y))
    for a, b, out in forms:
        extents = {**SMALL, "g": 19, "r": 3 if "r" in a + out else 1}
        module = check(Windows(a, b, out, extents), tiled=False)
        assert any(fma.result.type.rank == 2 for fma in ops(module, vector.Fma))


def test_lanes_that_share_an_element_of_a_factor() -> None:
    """If each channel has a filter and images are the innermost dimension, or there is only one
    filter.
    """
    x, w, y = "n, g, y * 2 + r, x + s", "g, r, s", "n, g, y, x"
    single = ("n, c, x + s", "c, s", "n, x")
    forms = ((x, w, y), (x, y, w), ("n, g, y - r + 2, x * 2 - s + 1", w, y), single)
    for a, b, out in forms:
        module = check(Windows(a, b, out, {**SMALL, "g": 3, "x": 13}, [out]), tiled=False)
        (fma,) = {fma.result.type.rank for fma in ops(module, vector.Fma)}
        assert fma == 2


def test_other_windowed_contractions_are_correct() -> None:
    """Windows of both factors, and a result written in windows."""
    extents = {"n": 2, "f": 3, "y": 4, "r": 3}
    check(Windows("n, y + r", "f, y + r, r", "n, f, y", extents), tiled=False)


# -- padding and patches --------------------------------------------------------------------------


@dataclass
class Layer:
    """A convolution of padded data or one of its gradients, in `flow` ops."""

    kind: str
    channels_last: bool = False
    stride: int = 1
    element: str = "f32"
    n: int = 2
    c: int = 3
    f: int = 17
    h: int = 5
    k: int = 3
    across: int = 0
    """The width of the window if it is not `k`."""
    pad: int = 1
    groups: int = 1

    def shape(self, channels: int, *space: int, lead: int | None = None) -> list[int]:
        first = self.n if lead is None else lead
        return [first, *space, channels] if self.channels_last else [first, channels, *space]

    def text(self) -> str:
        def type(shape: list[int]) -> str:
            return f"tensor<{''.join(f'{n}x' for n in shape)}{self.element}>"

        def numbers(listed: list[int]) -> str:
            return f"array<i64: {', '.join(map(str, listed))}>"

        padded, across = self.h + 2 * self.pad, self.across or self.k
        out = (padded - self.k) // self.stride + 1
        space = [self.h, self.h + 1], [padded, padded + 1]
        x, xp = self.shape(self.c, *space[0]), self.shape(self.c, *space[1])
        y = self.shape(self.f, out, (padded + 1 - across) // self.stride + 1)
        w = self.shape(self.c // self.groups, self.k, across, lead=self.f)
        around = numbers(self.shape(0, self.pad, self.pad, lead=0))
        geometry = (
            f"strides = {numbers([self.stride] * 2)}, dilations = {numbers([1, 1])}, "
            f"channels_last = {str(self.channels_last).lower()}"
        )
        pad = (
            f'%xp = "flow.pad"(%x) {{before = {around}, after = {around}, inside = '
            f"{numbers([0] * 4)}}} : ({type(x)}) -> {type(xp)}"
        )
        types, result, body = {
            "result": ((x, w), y, f'{pad}\n%r = "flow.conv"(%xp, %w) {{{geometry}}}'
                       f" : ({type(xp)}, {type(w)}) -> {type(y)}"),
            "weight": ((x, y), w, f'{pad}\n%r = "flow.conv_weight_grad"(%xp, %w) {{{geometry}, '
                       f"shape = {numbers(w)}}} : ({type(xp)}, {type(y)}) -> {type(w)}"),
            "data": ((y, w), x, f'%s = "flow.conv_data_grad"(%x, %w) {{{geometry}, shape = '
                     f"{numbers(xp)}}} : ({type(y)}, {type(w)}) -> {type(xp)}\n"
                     f'%r = "flow.slice"(%s) {{starts = {around}, sizes = {numbers(x)}, steps = '
                     f"{numbers([1] * 4)}}} : ({type(xp)}) -> {type(x)}"),
        }[self.kind]  # fmt: skip
        return f"""module attributes {{job.type = "predict"}} {{
          func.func @job(%x: {type(types[0])} {{job.feed = "x"}},
                         %w: {type(types[1])} {{job.feed = "w"}})
              -> ({type(result)} {{job.fetch = "0"}}) {{
            {body}
            return %r : {type(result)}
          }}
        }}"""


def layer(given: Layer) -> Module:
    """The module at stage `loops`, after checking that it equals the one at `fused`."""
    return lowered_to_loops(given.text())


def lowered_to_loops(text: str) -> Module:
    """The module at stage `loops`, after checking that it equals the one at `fused`, bit for
    bit.
    """
    module = lowered(parse_module(text), FUSED)
    arrays = arguments(module, 3)
    (wanted,) = interpret(module, arrays)
    lowered_module = lowered(module, "bufferize{target=x86-64-v3}")
    verify(lowered_module)
    got = run_job(lowered_module, named_inputs(module, arrays))["0"]
    assert same_bits(got, wanted), print_module(lowered_module)
    return lowered_module


@pytest.mark.sampled
@pytest.mark.parametrize("channels_last", [False, True])
@pytest.mark.parametrize("kind", ["result", "weight", "data"])
def test_there_is_no_padded_copy(kind: str, channels_last: bool) -> None:
    for stride in (1, 2):
        result = layer(Layer(kind, channels_last, stride))
        assert ops(result, vector.OuterProduct)
        assert "padded" not in [a.name for f in result.functions() for a in f.arguments]


def test_images_in_groups_of_channels_are_padded_in_patches() -> None:
    for kind, channels_last in (("result", False), ("weight", True), ("data", True)):
        result = layer(Layer(kind, channels_last, c=4, f=34, groups=2))
        assert ops(result, vector.OuterProduct)
        assert "padded" not in [a.name for f in result.functions() for a in f.arguments]


@pytest.mark.parametrize("kind", ["result", "weight", "data"])
def test_windows_of_one_column(kind: str) -> None:
    """They do not overlap along rows, so rows are read from memory, padded if necessary."""
    assert ops(layer(Layer(kind, c=17, across=1)), vector.OuterProduct)


@pytest.mark.parametrize("kind", ["result", "weight"])
def test_elements_outside_all_windows_are_dropped_first(kind: str) -> None:
    """Strided windows of one element equal unit-stride windows of the thinned tensor."""
    case = Layer(kind, stride=2, k=1, pad=0, c=17)
    module = lowered(parse_module(case.text()), FUSED)
    assert "* 2" not in "".join(map(str, ops(module, linalg.Generic)[-1].indexing_maps))
    layer(case)


def test_strides_split_the_gradient_into_phases() -> None:
    """No phase multiplies by the zeros between elements; equal phases are merged, each with its own
    tiles.
    """
    # Of 5 and 6 positions, odd ones have one tap each, even ones two. With stride 3, two of three
    # phases are equal and the third has no tap.
    cases = (
        (Layer("data", True, 2), 4, (3 + 2 * 2) * (3 + 3 * 2)),
        (Layer("data", stride=3, k=2, pad=0), 1, 4 * 4),
    )
    for case, count, places in cases:
        module = lowered(parse_module(case.text()), FUSED)
        sums = [op for op in ops(module, linalg.Generic) if not op.is_parallel]
        assert len(sums) == count
        assert sum(prod(op.extents) for op in sums) == case.n * case.c * case.f * places
        result = layer(case)
        assert len([f for f in result.functions() if ops(f, vector.OuterProduct)]) == count


@pytest.mark.parametrize("kind", ["result", "weight", "data"])
def test_patches_of_a_few_rows(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If L2 is small, a patch has a few rows or a few images."""
    tiny = {name: replace(result, l2=6000) for name, result in TARGETS.items()}
    monkeypatch.setattr("penstock.passes.buffers.bufferize.TARGETS", tiny)
    monkeypatch.setattr(patch_sizes, "RELOAD_CYCLES", 1000)
    for channels_last in (False, True):
        result = layer(Layer(kind, channels_last, n=4, f=13 if kind == "data" else 17))
        (patch,) = [op for op in ops(result, memref.Alloca) if len(op.results[0].type.shape) == 4]
        assert patch.results[0].type.count < 4 * 3 * 7 * 8


@pytest.mark.parametrize(
    ("kind", "l2", "buffers"),
    [
        ("result", 1 << 19, {(6, 7, 29)}),
        # Weights are packed for two rows of windows, and then for one.
        ("data", 60000, {(6, 7, 29), (1, 2, 3, 29, 16), (1, 2, 3, 29, 13)}),
        ("result", 26000, {(1, 1, 3, 29, 16), (1, 1, 3, 29, 13)}),
    ],
)
def test_channels_first_layouts_put_channels_last(
    kind: str, l2: int, buffers: set[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In sums, in copies of images, and in panels of weights."""
    caches = {name: replace(result, l2=l2) for name, result in TARGETS.items()}
    monkeypatch.setattr("penstock.passes.buffers.bufferize.TARGETS", caches)
    monkeypatch.setattr(patch_sizes, "SHARED", 4 if l2 > 60000 else 1000)
    result = layer(Layer(kind, n=1, c=29, f=29, h=4))
    assert {op.results[0].type.shape for op in ops(result, memref.Alloca)} == buffers
    if l2 > 60000:
        # Each window overlaps the image, so loops are marked as non-empty.
        assert [op for op in ops(result, scf.For) if scf.HAS_TURNS in op.attributes]
    padded = [a.type for f in result.functions() for a in f.arguments if a.name == "padded"]
    assert (str(padded[0]) == "memref<6x7x29xf32>") if l2 < 60000 else not padded


def test_unpadded_data_is_copied_to_patches() -> None:
    result = layer(Layer("result", stride=2, n=1, c=29, f=67, h=8, k=2, pad=0))
    assert (8, 8, 29) in {op.results[0].type.shape for op in ops(result, memref.Alloca)}


def test_windows_inside_the_padding() -> None:
    """Their loops have no iteration and are not marked as non-empty."""
    result = layer(Layer("result", stride=2, n=1, c=16, f=29, h=2, pad=3))
    assert not [op for op in ops(result, scf.For) if scf.HAS_TURNS in op.attributes]


PADDED = """module attributes {{job.type = "predict"}} {{
  func.func @job(%x: tensor<1x{n}x4x3xf32> {{job.feed = "x"}},
                 %w: tensor<17x{n}x2x3xf32> {{job.feed = "w"}})
      -> (tensor<1x17x3x3xf32> {{job.fetch = "0"}}) {{
    %xp = "flow.pad"(%x) {{before = array<i64: 0, 0, 0, {before}>, value = 0.75,
        after = array<i64: 0, 0, 0, {after}>, inside = array<i64: 0, 0, 0, 0>}}
        : (tensor<1x{n}x4x3xf32>) -> tensor<1x{n}x4x37xf32>
    %y = "flow.conv"(%xp, %w) {{channels_last = false, dilations = array<i64: 1, 1>,
        strides = array<i64: 1, 1>}}
        : (tensor<1x{n}x4x37xf32>, tensor<17x{n}x2x3xf32>) -> tensor<1x17x3x35xf32>
    %r = "flow.slice"(%y) {{starts = array<i64: 0, 0, 0, {start}>, sizes = array<i64: 1, 17, 3, 3>,
        steps = array<i64: 1, 1, 1, {step}>}} : (tensor<1x17x3x35xf32>) -> tensor<1x17x3x3xf32>
    return %r : tensor<1x17x3x3xf32>
  }}
}}"""


@pytest.mark.parametrize("channels", [1, 29])
@pytest.mark.parametrize("step", [-3, -1, 2])
def test_results_that_see_only_padding(channels: int, step: int) -> None:
    """A patch lies wholly before the source, wholly after it, or across an end."""
    for before, start in ((0, 28), (34, 8), (34, 26), (17, 14), (0, 8), (2, 9)):
        lowered_to_loops(
            PADDED.format(n=channels, before=before, after=34 - before, start=start, step=step)
        )


def test_data_without_patches_is_padded_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiling, "TASK_FRAME_BYTES", 60)
    monkeypatch.setattr(patches, "GRID_TASK_CYCLES", 40)
    for kind in ("result", "weight"):
        result = layer(Layer(kind, f=3))
        assert ops(result, memref.View)
        assert ops(result, scf.Forall)


@pytest.mark.sampled
@pytest.mark.parametrize("element", ["bf16", "f16"])
@pytest.mark.parametrize("kind", ["result", "weight", "data"])
def test_16_bits_are_widened_in_patches(kind: str, element: str) -> None:
    """Not in a separate kernel; data padded in memory is widened there."""
    case = Layer(kind, element=element)
    assert len(ops(lowered(parse_module(case.text()), FUSED), func.Call)) == 1
    result = layer(case)
    assert "padded" not in [a.name for f in result.functions() for a in f.arguments]
    assert [op for op in ops(result, memref.Alloca) if str(op.results[0].type.element) == "f32"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiling, "TASK_FRAME_BYTES", 60)
        result = layer(case)
    padded = [a.type for f in result.functions() for a in f.arguments if a.name == "padded"]
    assert [str(type.element) for type in padded] == ["f32"]


def test_padding_with_other_readers_is_computed_once() -> None:
    text = Layer("result").text()
    text = text.replace('"}) {', '"}, tensor<2x3x7x8xf32> {job.fetch = "1"}) {')
    text = re.sub(r"return %r : (\S+)", r"return %r, %xp : \1, tensor<2x3x7x8xf32>", text)
    module = lowered(parse_module(text), FUSED)
    assert len(ops(module, func.Call)) == 2
