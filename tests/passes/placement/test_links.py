"""Conversions on a mesh take the way that is fastest on the links of the machine."""

import pytest

from penstock.ir.dialects.job import Collective
from penstock.ir.dialects.parsing import parse_module
from penstock.passes.manager import run_pipeline
from penstock.passes.pipeline import PassSpec, Pipeline

ROWS, COLUMNS = (0, 1), (0, 2)
"""The groups of rank 0 along axis 1 and axis 0."""


@pytest.mark.parametrize(
    ("slow", "groups"), [(0, [ROWS, COLUMNS, ROWS]), (1, [COLUMNS, ROWS, COLUMNS])]
)
def test_the_most_is_sent_on_the_fast_axis(slow: int, groups: list[tuple[int, ...]]) -> None:
    links = [[0.001, 1.0e9, 1.0e10], [0.001, 1.0e9, 1.0e10]]
    links[slow][1] = 1000.0
    module = parse_module(f"""
        module attributes {{job.type = "predict", sbp.machine = {{links = {links}}},
            sbp.mesh = [2, 2], sbp.ranks = 4 : i64}} {{
          func.func @job(%x: tensor<64x64xf32> {{job.feed = "x", sbp.state = "P, P", sbp.local}})
              -> (tensor<64x64xf32> {{job.fetch = "0"}}) {{
            %y = "sbp.box"(%x) {{source = "P, P", target = "B, B"}}
                : (tensor<64x64xf32>) -> tensor<64x64xf32>
            return %y : tensor<64x64xf32>
          }}
        }}""")
    run_pipeline(module, Pipeline.of(PassSpec.of("localize", rank=0)))
    found = [tuple(op.ranks) for op in module.walk() if isinstance(op, Collective)]
    assert found == groups
