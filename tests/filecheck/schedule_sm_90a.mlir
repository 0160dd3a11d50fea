// RUN: penstock opt %s -p 'lower,canonicalize,cse,fuse-elementwise,outline-groups,canonicalize,cse,dce,schedule{target=sm_90a precision=tf32},bufferize{target=sm_90a}' --split-input-file --no-locations | filecheck %s
// Factors with neighbours along the depth are multiplied by warpgroups: eight elements deep, as memory has them.
// CHECK: gpu.func @matmul_0.0(
// CHECK: nvgpu.tma.async.load
// CHECK: "nvvm.wgmma.mma_async"({{.*}}layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>{{.*}}k = 8>, typeA = #nvvm.wgmma_type<tf32>, typeB = #nvvm.wgmma_type<tf32>
// CHECK-NOT: nvgpu.mma.sync
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a: tensor<256x128xf32> {job.feed = "a"}, %b: tensor<256x128xf32> {job.feed = "b"}) -> (tensor<256x256xf32> {job.fetch = "0"}) {
    %y = "flow.matmul"(%a, %b) {transpose_a = false, transpose_b = true} : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<256x256xf32>
    func.return %y : tensor<256x256xf32>
  }
}

// -----

// Others stay with warps, which round them.
// CHECK: gpu.func @matmul_0.0(
// CHECK: nvvm.convert.float.to.tf32
// CHECK: nvgpu.mma.sync
// CHECK-NOT: wgmma
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a: tensor<256x128xf32> {job.feed = "a"}, %b: tensor<128x256xf32> {job.feed = "b"}) -> (tensor<256x256xf32> {job.fetch = "0"}) {
    %y = "flow.matmul"(%a, %b) {transpose_a = false, transpose_b = false} : (tensor<256x128xf32>, tensor<128x256xf32>) -> tensor<256x256xf32>
    func.return %y : tensor<256x256xf32>
  }
}
