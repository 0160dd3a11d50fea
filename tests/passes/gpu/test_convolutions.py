"""Convolutions of 16 bits on tensor cores, and their gradients: what they copy, and the numbers."""

from __future__ import annotations

import os
import re
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from scheduled_jobs import run, run_simulated

from penstock.codegen.gpu.program import emit_ptx
from penstock.ir.attributes import attribute
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.lowering.modules import Modules
from penstock.runtime.gpu.devices import simulated_in

Array = np.ndarray[Any, Any]
TYPES = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}
ORDERS = ("eager", "lazy", "random:1")
IS_LONG = os.environ.get("PENSTOCK_LONG") == "1"
COUNT, CHANNELS, FILTERS = 2, 16, 24
SHORT = [
    ("forward", True, 1, "bf16", 3), ("forward", False, 2, "f16", 3), ("data", True, 2, "f16", 3),
    ("data", False, 1, "bf16", 3), ("filter", True, 1, "f16", 3), ("filter", False, 2, "bf16", 3),
    ("forward", False, 2, "bf16", 1), ("filter", True, 2, "f16", 1), ("data", False, 1, "f16", 1),
]  # fmt: skip
CASES = list(product(("forward", "data", "filter"), (True, False), (1, 2), TYPES, (3, 1)))
CASES = CASES if IS_LONG else SHORT
"""What is computed, whether channels are last, strides, types, and the extents of filters."""


def shapes(last: bool, stride: int, size: int) -> tuple[list[int], list[int], list[int]]:
    """The shapes of images ahead of padding, of filters and of results."""
    plain = [COUNT, 6, 5, CHANNELS], [FILTERS, size, size, CHANNELS], [COUNT, 6, 5, FILTERS]
    if stride == 2:
        plain[2][1:3] = [3, 3]
    if last:
        return plain
    return tuple([n, c, h, w] for n, h, w, c in plain)  # type: ignore[return-value]


def fused(kind: str, last: bool, stride: int, type: str, size: int) -> Module:
    """The job of one convolution of padded images, or of one gradient of it, at stage `fused`."""
    image, filters, result = shapes(last, stride, size)
    axes = (1, 2) if last else (2, 3)
    around = [size // 2 * (d in axes) for d in range(4)]
    padded = [n + 2 * more for n, more in zip(image, around, strict=True)]
    ones = ", ".join(map(str, around))
    x, w, y, p = (
        f"tensor<{'x'.join(map(str, shape))}x{type}>" for shape in (image, filters, result, padded)
    )
    how = (
        f"channels_last = {str(last).lower()}, dilations = array<i64: 1, 1>, "
        f"strides = array<i64: {stride}, {stride}>"
    )
    pad = f'%p = "flow.pad"(%a) {{after = array<i64: {ones}>, before = array<i64: {ones}>, ' + (
        f"inside = array<i64: 0, 0, 0, 0>, value = 0.0 : f64}} : ({x}) -> {p}"
    )
    if kind == "forward":
        given, found = (x, w), y
        body = f'{pad} %y = "flow.conv"(%p, %b) {{{how}}} : ({p}, {w}) -> {y}'
    elif kind == "filter":
        given, found = (x, y), w
        how += f", shape = array<i64: {', '.join(map(str, filters))}>"
        body = f'{pad} %y = "flow.conv_weight_grad"(%p, %b) {{{how}}} : ({p}, {y}) -> {w}'
    else:
        given, found = (y, w), p
        how += f", shape = array<i64: {', '.join(map(str, padded))}>"
        body = f'%y = "flow.conv_data_grad"(%a, %b) {{{how}}} : ({y}, {w}) -> {p}'
    module = parse_module(f"""
    module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
      func.func @job(%a: {given[0]} {{job.feed = "a"}}, %b: {given[1]} {{job.feed = "b"}})
          -> ({found} {{job.fetch = "0"}}) {{
        {body}
        func.return %y : {found}
      }}
    }}""")
    module.attributes["job.device"] = attribute("gpu-sim 0:0")
    found_module = Modules("job", module)["fused"].clone()
    assert isinstance(found_module, Module)
    return found_module


def operands(kind: str, last: bool, stride: int, type: str, size: int) -> list[Array]:
    draw = np.random.default_rng(7)
    image, filters, result = shapes(last, stride, size)
    both = {"forward": (image, filters), "data": (result, filters), "filter": (image, result)}
    return [draw.standard_normal(shape).astype(TYPES[type]) for shape in both[kind]]


def exact(kind: str, last: bool, stride: int, size: int, one: Array, other: Array) -> Array:
    """What the job computes, in float64."""

    def wide(x: Array) -> Array:
        x = x.astype(np.float64)
        return x if last else x.transpose(0, 2, 3, 1)

    x, w, dy = wide(one), wide(other), None
    if kind == "filter":
        dy, w = w, np.zeros((FILTERS, size, size, CHANNELS))
    if kind == "data":
        dy, x = x, np.zeros((COUNT, 6, 5, CHANNELS))
    around = (size // 2, size // 2)
    p = np.pad(x, ((0, 0), around, around, (0, 0)))
    high, wide_ = ((n - 1) // stride + 1 for n in (6, 5))
    y = np.zeros((COUNT, high, wide_, FILTERS))
    for r, s in np.ndindex(size, size):
        part = np.s_[:, r : r + stride * high : stride, s : s + stride * wide_ : stride]
        if kind == "forward":
            y += p[part] @ w[:, r, s].T
        elif kind == "filter":
            w[:, r, s] = np.einsum("nyxf,nyxc->fc", dy, p[part])
        else:
            p[part] += dy @ w[:, r, s]
    found = {"forward": y, "filter": w, "data": p}[kind]
    return found if last else found.transpose(0, 3, 1, 2)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_convolution_on_tensor_cores(number: int) -> None:
    kind, last, stride, type, size = CASES[number]
    module = fused(*CASES[number])
    run(module, "schedule{target=sm_80}")
    given = operands(*CASES[number])
    with simulated_in(ORDERS[number % 3]):
        got = run_simulated(module, given).astype(np.float64)
    wanted = exact(kind, last, stride, size, *given)
    unit = float(ml_dtypes.finfo(TYPES[type]).eps)
    np.testing.assert_allclose(got, wanted, unit, unit * np.abs(wanted).max())
    run(module, "bufferize{target=sm_80}")
    ptx = emit_ptx(module)
    # Each factor is copied by tensor cores' panels of 16 bytes or stored 16 bytes at a time.
    products = [text for text in ptx.split(".entry")[1:] if "mma.sync" in text]
    assert len(products) == (stride**2 if kind == "data" and size > 1 else 1)
    for text in products:
        assert f"f32.{type}.{type}.f32" in text
        assert "st.shared.b16" not in text
        copies = re.findall(r"cp\.async\.cg\.shared\.global .*?;", text)
        gathered = re.findall(r"st\.shared\.v4\.b32", text)
        if last:
            assert copies
            assert not gathered
            # Beyond the image a copy reads nothing, and writes zeros.
            assert (kind == "data" and stride == 2) or any(", 16, %r" in each for each in copies)
        elif size == stride == 1:
            # The 30 positions of a channel are one run, whose pairs are copied.
            assert re.search(r"cp\.async\.ca\.shared\.global .*, 4(, %r\d+)?;", text)
            assert not gathered
        else:
            assert gathered
