// RUN: penstock opt %s -p 'form-kernels,lower{device=gpu},canonicalize,dce' --split-input-file --no-locations | filecheck %s
// The products, the scale and the softmax are one op, which stays when others lower.
// CHECK-LABEL: func.func @job(
// CHECK: "flow.attention"(%q, %k, %v) {causal = false, scale = 1.0 : f64, zeros = false}
// CHECK-NOT: linalg.generic
// CHECK: func.return
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%q: tensor<2x4x8xf32> {job.feed = "q"}, %k: tensor<2x5x8xf32> {job.feed = "k"}, %v: tensor<2x5x6xf32> {job.feed = "v"}) -> (tensor<2x4x6xf32> {job.fetch = "0"}) {
    %s = "flow.matmul"(%q, %k) {alpha = 0.5 : f64, transpose_b = true} : (tensor<2x4x8xf32>, tensor<2x5x8xf32>) -> tensor<2x4x5xf32>
    %c = "flow.constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %t = "flow.multiply"(%s, %c) : (tensor<2x4x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %p = "flow.softmax"(%t) {axis = 2 : i64} : (tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
    %y = "flow.matmul"(%p, %v) : (tensor<2x4x5xf32>, tensor<2x5x6xf32>) -> tensor<2x4x6xf32>
    func.return %y : tensor<2x4x6xf32>
  }
}

// -----

// The chances are a result, too: the ops stay apart.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: flow.attention
// CHECK: func.return
module @apart attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @apart(%q: tensor<4x8xf32> {job.feed = "q"}, %k: tensor<5x8xf32> {job.feed = "k"}, %v: tensor<5x6xf32> {job.feed = "v"}) -> (tensor<4x6xf32> {job.fetch = "0"}, tensor<4x5xf32> {job.fetch = "1"}) {
    %s = "flow.matmul"(%q, %k) {transpose_b = true} : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x5xf32>
    %p = "flow.softmax"(%s) {axis = 1 : i64} : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %y = "flow.matmul"(%p, %v) : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    func.return %y, %p : tensor<4x6xf32>, tensor<4x5xf32>
  }
}
