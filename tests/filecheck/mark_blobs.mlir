// RUN: penstock opt %s --pipeline mark-blobs | filecheck %s --check-prefix NAMED
// RUN: penstock opt %s --pipeline 'mark-blobs{every=true}' | filecheck %s --check-prefix EVERY

// NAMED: "job.watchable"(%x) {name = "x"}
// NAMED-NEXT: "job.watchable"(%y) {name = "y"}
// NAMED-NEXT: func.return

// EVERY: "job.watchable"(%x) {name = "x"}
// EVERY-NEXT: "job.watchable"(%y) {name = "y"}
// EVERY-NEXT: "job.watchable"(%1) {name = "flow.multiply:0"}
// EVERY-NEXT: func.return
func.func @job(%x: tensor<8xf32> {job.feed = "x"}) -> (tensor<8xf32> {job.fetch = "0"}) {
  %0 = "flow.constant"() {value = dense<2.0> : tensor<8xf32>} : () -> tensor<8xf32>
  %1 = "flow.multiply"(%x, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %y = "flow.negative"(%1) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
