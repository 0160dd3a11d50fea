// A deferred collective is awaited ahead of the first op that reads its result or a view of it.
//
// RUN: penstock opt %s --pipeline 'await' | filecheck %s

// CHECK-LABEL: @job
// CHECK:         %[[Y:.*]] = "sbp.collective"(%x) {
// CHECK-NEXT:    %[[V:.*]] = tensor.expand_shape %[[Y]]
// CHECK-NEXT:    %[[O:.*]] = func.call @group(%x)
// CHECK-NEXT:    "sbp.await"(%[[Y]], %x)
// CHECK-NEXT:    %{{.*}} = func.call @reads(%[[V]])
// CHECK-NEXT:    %[[Z:.*]] = "sbp.collective"(%[[O]]) {
// CHECK-NEXT:    func.return
module @job {
  func.func @job(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) {
    %y = "sbp.collective"(%x) {kind = "all_reduce", reduction = "sum", ranks = array<i64: 0, 1>, counts = array<i64: 4>, deferred} : (tensor<4xf32>) -> tensor<4xf32>
    %v = tensor.expand_shape %y [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
    %o = func.call @group(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %r = func.call @reads(%v) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %z = "sbp.collective"(%o) {kind = "all_reduce", reduction = "sum", ranks = array<i64: 0, 1>, counts = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xf32>
    return %z, %r : tensor<4xf32>, tensor<2x2xf32>
  }
  func.func private @group(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  func.func private @reads(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    return %x : tensor<2x2xf32>
  }
}
