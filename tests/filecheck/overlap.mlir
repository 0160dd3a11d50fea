// A conversion that other ops come behind begins where its operand is made; one that is read at once
// stays as it is.
//
// RUN: penstock opt %s --pipeline 'overlap' | filecheck %s

// CHECK-LABEL: @job
// CHECK:         %[[G:.*]] = "flow.matmul"(%x, %x)
// CHECK-NEXT:    %[[B:.*]] = "sbp.box"(%[[G]]) {sbp.deferred, source = "P", target = "B"}
// CHECK-NEXT:    %[[E:.*]] = "flow.relu"(%x)
// CHECK-NEXT:    %[[F:.*]] = "sbp.box"(%[[E]]) {source = "B", target = "S(0)"}
// CHECK-NEXT:    %[[H:.*]] = "flow.relu"(%[[F]])
// CHECK-NEXT:    %{{.*}} = "flow.add"(%[[B]], %[[B]])
module @job attributes {sbp.ranks = 2 : i64, sbp.mesh = [2]} {
  func.func @job(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %g = "flow.matmul"(%x, %x) {transpose_a = false, transpose_b = false, alpha = 1.0 : f64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %e = "flow.relu"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %f = "sbp.box"(%e) {source = "B", target = "S(0)"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %h = "flow.relu"(%f) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %b = "sbp.box"(%g) {source = "P", target = "B"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = "flow.add"(%b, %b) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return %h, %s : tensor<4x4xf32>, tensor<4x4xf32>
  }
}
