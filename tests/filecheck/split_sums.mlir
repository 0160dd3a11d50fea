// RUN: penstock opt %s -p 'lower,canonicalize,cse,fuse-elementwise,outline-groups,canonicalize,cse,dce,split-sums' --split-input-file --no-locations | filecheck %s
// All elements: rows become parallel, a divisor of them, and the sums of parts are added.
// CHECK: affine_map<(d0, d1, d2) -> (d2 * 10 + d0, d1)>
// CHECK-SAME: iterator_types = ["reduction", "reduction", "parallel"]
// CHECK: iterator_types = ["reduction"]
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<300x211xf32> {job.feed = "a0"}) -> (tensor<f32> {job.fetch = "0"}) {
    %y = "flow.reduce_sum"(%a0) {axes = array<i64: 0, 1>, keepdims = false} : (tensor<300x211xf32>) -> tensor<f32>
    func.return %y : tensor<f32>
  }
}

// -----

// What 19 parts leave of a prime number is the third sum.
// CHECK: affine_map<(d0, d1) -> (d1 * 2105 + d0)>
// CHECK-SAME: iterator_types = ["reduction", "parallel"]
// CHECK: iterator_types = ["reduction"]
// CHECK: affine_map<(d0) -> (d0 + 39995)>
// CHECK: arith.maximumf
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<40009xf32> {job.feed = "a0"}) -> (tensor<f32> {job.fetch = "0"}) {
    %y = "flow.reduce_max"(%a0) {axes = array<i64: 0>, keepdims = false} : (tensor<40009xf32>) -> tensor<f32>
    func.return %y : tensor<f32>
  }
}

// -----

// A product of one tile, along its depth.
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "parallel"]
// CHECK: math.fma
// CHECK: iterator_types = ["reduction", "parallel", "parallel"]
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<16x8192xf32> {job.feed = "a0"}, %a1: tensor<8192x16xf32> {job.feed = "a1"}) -> (tensor<16x16xf32> {job.fetch = "0"}) {
    %y = "flow.matmul"(%a0, %a1) : (tensor<16x8192xf32>, tensor<8192x16xf32>) -> tensor<16x16xf32>
    func.return %y : tensor<16x16xf32>
  }
}

// -----

// Few elements, and as many results as there are processors, are left alone.
// CHECK-NOT: d0 *
// CHECK: func.return
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<20x20xf32> {job.feed = "a0"}, %a1: tensor<400x400xf32> {job.feed = "a1"}) -> (tensor<f32> {job.fetch = "0"}, tensor<400xf32> {job.fetch = "1"}) {
    %y = "flow.reduce_sum"(%a0) {axes = array<i64: 0, 1>, keepdims = false} : (tensor<20x20xf32>) -> tensor<f32>
    %z = "flow.reduce_sum"(%a1) {axes = array<i64: 1>, keepdims = false} : (tensor<400x400xf32>) -> tensor<400xf32>
    func.return %y, %z : tensor<f32>, tensor<400xf32>
  }
}
