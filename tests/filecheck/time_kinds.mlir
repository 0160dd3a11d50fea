// RUN: penstock opt %s -p lower,fuse-elementwise,outline-groups,time-kernels | filecheck %s

// What is on f64, and what multiplies bf16 and sums up in f32, has a peak of its own.
// CHECK-LABEL: func.func @job(
// CHECK: doubles = 16 : i64, flops = 16 : i64, id = 0 : i64, name = "matmul_0", pairs = 0 : i64
// CHECK: doubles = 0 : i64, flops = 16 : i64, id = 1 : i64, name = "{{.*}}matmul_0", pairs = 16 : i64
module attributes {job.type = "predict"} {
  func.func @job(%x: tensor<1x8xf64> {job.feed = "x"}, %w: tensor<8x1xf64> {job.feed = "w"}, %a: tensor<1x8xbf16> {job.feed = "a"}, %b: tensor<8x1xbf16> {job.feed = "b"}) -> (tensor<1x1xf64> {job.fetch = "0"}, tensor<1x1xbf16> {job.fetch = "1"}) {
    %0 = "flow.matmul"(%x, %w) {transpose_a = false, transpose_b = false} : (tensor<1x8xf64>, tensor<8x1xf64>) -> tensor<1x1xf64>
    %1 = "flow.matmul"(%a, %b) {transpose_a = false, transpose_b = false} : (tensor<1x8xbf16>, tensor<8x1xbf16>) -> tensor<1x1xbf16>
    return %0, %1 : tensor<1x1xf64>, tensor<1x1xbf16>
  }
}
