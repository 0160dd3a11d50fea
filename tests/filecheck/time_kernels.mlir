// RUN: penstock opt %s -p lower,fuse-elementwise,outline-groups,time-kernels | filecheck %s

// Calls are numbered; two lines share the time of a kernel by their work, flops and iterations:
// 4 zeros and 8 * 4 multiply-adds for the first, 4 maxima for the second.
// CHECK-LABEL: func.func @job(
// CHECK: func.call @matmul_relu_0(%x, %w) {job.timed = {arena = 0 : i64, doubles = 0 : i64, flops = 68 : i64, id = 0 : i64, name = "matmul_relu_0", pairs = 0 : i64, places = ["net.py:3", "net.py:4"], read = 160 : i64, transcendentals = 0 : i64, weights = [100, 8], written = 16 : i64}}
// CHECK: func.call @exp_0(%x) {job.timed = {arena = 0 : i64, doubles = 0 : i64, flops = 0 : i64, id = 1 : i64, name = "exp_0"
// CHECK-NOT: job.timed =
module attributes {job.type = "predict"} {
  func.func @job(%x: tensor<1x8xf32> {job.feed = "x"}, %w: tensor<8x4xf32> {job.feed = "w"}) -> (tensor<1x4xf32> {job.fetch = "0"}, tensor<1x8xf32> {job.fetch = "1"}) {
    %0 = "flow.matmul"(%x, %w) {transpose_a = false, transpose_b = false} : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32> loc("net.py":3:0)
    %1 = "flow.relu"(%0) : (tensor<1x4xf32>) -> tensor<1x4xf32> loc("net.py":4:0)
    %2 = "flow.exp"(%x) : (tensor<1x8xf32>) -> tensor<1x8xf32> loc("net.py":5:0)
    func.return %1, %2 : tensor<1x4xf32>, tensor<1x8xf32>
  }
}
