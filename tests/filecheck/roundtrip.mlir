// RUN: penstock opt %s | filecheck %s
// RUN: penstock opt %s --generic | filecheck %s --check-prefix=GENERIC
// RUN: penstock opt %s --no-locations | filecheck %s --check-prefix=BARE

// CHECK: module @train_job attributes {job.type = "train"} {
// GENERIC: "builtin.module"() <{sym_name = "train_job"}> ({
// BARE: module @train_job
// BARE-NOT: loc(
module @train_job attributes {job.type = "train"} {
  // CHECK-LABEL: func.func @train_job(
  // CHECK-SAME: %x: tensor<2x3xf32> {job.feed = "x"}
  // CHECK-SAME: -> (tensor<2x3xf32> {job.fetch = "0"})
  // GENERIC: "func.func"() <{
  // GENERIC-SAME: arg_attrs = [{job.feed = "x"}]
  func.func @train_job(%x: tensor<2x3xf32> {job.feed = "x"}) -> (tensor<2x3xf32> {job.fetch = "0"}) {
    // CHECK: %y = tensor.empty() : tensor<2x3xf32> loc("train.py":20:8)
    // GENERIC: %y = "tensor.empty"() : () -> tensor<2x3xf32> loc("train.py":20:8)
    %y = tensor.empty() : tensor<2x3xf32> loc("train.py":20:8)
    // CHECK: arith.constant 0x7FC00000 : f32
    %nan = arith.constant 0x7FC00000 : f32
    // CHECK: arith.constant dense<[1, 2, 3]> : tensor<3xi64>
    %d = arith.constant dense<[1, 2, 3]> : tensor<3xi64>
    // CHECK: func.return %x : tensor<2x3xf32>
    // GENERIC: "func.return"(%x) : (tensor<2x3xf32>) -> ()
    return %x : tensor<2x3xf32>
  }
}
