// On two ranks: a value is converted once for all that read it in another state, and the second rank
// computes two of five rows, which both gather.
//
// RUN: penstock opt %s --pipeline 'box' | filecheck %s --check-prefix=BOX
// RUN: penstock opt %s --pipeline 'box,localize{rank=1},lower,dce' | filecheck %s --check-prefix=RANK

// BOX-LABEL: @job
// BOX:         %[[Y:.*]] = "flow.relu"(%x)
// BOX-NEXT:    %[[B:.*]] = "sbp.box"(%[[Y]]) {source = "S(0)", target = "B"}
// BOX-NEXT:    %[[A:.*]] = "flow.abs"(%[[B]])
// BOX-NEXT:    %[[N:.*]] = "flow.negative"(%[[B]])
// BOX-NEXT:    func.return %[[A]], %[[N]]

// RANK-LABEL: @job
// RANK-SAME:    %place: tensor<i64> {job.place = 1 : i64}
// RANK:         %[[T:.*]] = linalg.generic {{.*}} attrs = {flow.op = "slice"}
// RANK:           tensor.extract %place[]
// RANK:           tensor.extract %x
// RANK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[T]] : tensor<2x4xf32>)
// RANK:         %[[F:.*]] = tensor.collapse_shape %[[Y]] {{.*}} into tensor<8xf32>
// RANK-NEXT:    %[[G:.*]] = "sbp.collective"(%[[F]]) {counts = array<i64: 12, 8>, kind = "all_gather", ranks = array<i64: 0, 1>} : (tensor<8xf32>) -> tensor<20xf32>
// RANK-NOT:     sbp.collective
// RANK:         func.return
module attributes {sbp.ranks = 2 : i64, sbp.mesh = [2]} {
  func.func @job(%x: tensor<5x4xf32> {job.feed = "x", sbp.state = "S(0)"}) -> (tensor<5x4xf32> {job.fetch = "0"}, tensor<5x4xf32> {job.fetch = "1"}) {
    %y = "flow.relu"(%x) {sbp.signature = {operands = ["S(0)"], results = ["S(0)"]}} : (tensor<5x4xf32>) -> tensor<5x4xf32>
    %a = "flow.abs"(%y) {sbp.signature = {operands = ["B"], results = ["B"]}} : (tensor<5x4xf32>) -> tensor<5x4xf32>
    %n = "flow.negative"(%y) {sbp.signature = {operands = ["B"], results = ["B"]}} : (tensor<5x4xf32>) -> tensor<5x4xf32>
    return %a, %n : tensor<5x4xf32>, tensor<5x4xf32>
  }
}
