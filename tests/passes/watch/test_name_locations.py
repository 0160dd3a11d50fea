"""Names of values in locations, and the names that kernels report."""

from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.passes.manager import run_pipeline

TEXT = """\
module @job attributes {job.type = "predict"} {
  func.func @job(%x: tensor<4xf32> {job.feed = "x"}) -> (tensor<4xf32> {job.fetch = "0"}) {
    %e = "flow.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("a.py":1:0)
    %t = "flow.tanh"(%e) : (tensor<4xf32>) -> tensor<4xf32> loc("a.py":2:0)
    "job.watchable"(%x) {name = "x"} : (tensor<4xf32>) -> ()
    "job.watchable"(%e) {name = "first"} : (tensor<4xf32>) -> ()
    "job.watchable"(%e) {name = "again"} : (tensor<4xf32>) -> ()
    func.return %t : tensor<4xf32>
  }
}
"""


def test_names_precede_lines() -> None:
    module = parse_module(TEXT)
    run_pipeline(module, "name-locations")
    text = print_module(module)
    assert 'tensor<4xf32> loc(fused["first"("a.py":1:0), "again"])' in text
    assert 'tensor<4xf32> loc("a.py":2:0)' in text
    assert print_module(parse_module(text)) == text


def test_a_kernel_has_the_names_of_all_its_values() -> None:
    module = parse_module(TEXT)
    run_pipeline(module, "name-locations,lower,fuse-elementwise,outline-groups")
    call = next(op for op in module.job.body if op.name == "func.call")
    assert str(call.location) == 'fused["first"("a.py":1:0), "again", "a.py":2:0]'
    assert [place.line for place in call.location.files()] == [1, 2]
