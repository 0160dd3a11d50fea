// RUN: penstock opt %s --pipeline canonicalize,cse | filecheck %s
// RUN: penstock opt %s --pipeline fold | filecheck %s --check-prefix=FOLD

module @predict attributes {job.type = "predict"} {
  // What changes nothing goes; equal ops are one; a watch stays where it is and keeps its value.
  // CHECK-LABEL: func.func @predict(
  // CHECK-NEXT: %[[R:.*]] = "flow.relu"(%x)
  // CHECK-NEXT: "job.watch"(%[[R]]) {name = "y"}
  // CHECK-NEXT: %[[S:.*]] = "flow.add"(%[[R]], %[[R]])
  // CHECK-NEXT: func.return %[[S]]
  // Folding alone leaves what became unused.
  // FOLD-LABEL: func.func @predict(
  // FOLD-NEXT: "flow.constant"
  // FOLD-NEXT: "flow.transpose"(%x)
  // FOLD-NOT: "flow.add"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<f32>)
  // FOLD: "flow.relu"(%x)
  // FOLD: "flow.relu"(%x)
  // FOLD: func.return
  func.func @predict(%x: tensor<2x3xf32> {job.feed = "x"}) -> (tensor<2x3xf32> {job.fetch = "0"}) {
    %zero = "flow.constant"() {value = dense<-0.0> : tensor<f32>} : () -> tensor<f32>
    %same = "flow.add"(%x, %zero) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %t = "flow.transpose"(%same) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %tt = "flow.transpose"(%t) {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %y = "flow.relu"(%tt) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    "job.watch"(%y) {name = "y"} : (tensor<2x3xf32>) -> ()
    %again = "flow.relu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %z = "flow.add"(%y, %again) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %z : tensor<2x3xf32>
  }
}
