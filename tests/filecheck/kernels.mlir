// RUN: penstock opt %s -p 'lower,canonicalize,cse,lift-views,fold-slices,fold-parts,split-phases,drop-unit-dims,interchange-sums,fuse-elementwise,outline-groups,canonicalize,cse,dce,schedule,bufferize{target=sm_80}' --split-input-file --no-locations | filecheck %s
// Five shuffles combine the lanes of a warp, in every lane; nothing of the row is in memory.
// CHECK: gpu.func @[[KERNEL:.*]](%a0: memref<6x96xf32> {llvm.noalias}, %y: memref<6x96xf32> {llvm.noalias}) kernel
// CHECK: arith.maximumf
// CHECK: gpu.shuffle xor
// CHECK: math.exp
// CHECK: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK: arith.divf
// CHECK: memref.store {{.*}} %y
// CHECK-NOT: gpu.barrier
// CHECK-LABEL: func.func @job
// CHECK: gpu.launch_func
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<6x96xf32> {job.feed = "a0"}) -> (tensor<6x96xf32> {job.fetch = "0"}) {
    %y = "flow.softmax"(%a0) {axis = 1 : i64} : (tensor<6x96xf32>) -> tensor<6x96xf32>
    func.return %y : tensor<6x96xf32>
  }
}

// -----

// Each warp adds up every 16th row; the sums of the warps meet in shared memory.
// CHECK: workgroup(%{{.*}} : memref<16x32xf64, #gpu.address_space<workgroup>>)
// CHECK: memref.load %a0
// CHECK: gpu.barrier
// CHECK: arith.addf
// CHECK: memref.store {{.*}} %y
// CHECK-LABEL: func.func @job
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<200x64xf32> {job.feed = "a0"}) -> (tensor<64xf32> {job.fetch = "0"}) {
    %y = "flow.reduce_sum"(%a0) {axes = array<i64: 0>, keepdims = false} : (tensor<200x64xf32>) -> tensor<64xf32>
    func.return %y : tensor<64xf32>
  }
}

// -----

// Two panels in shared memory; each thread adds up its part of the tile in registers.
// CHECK: workgroup(
// CHECK: scf.for {{.*}} iter_args
// CHECK: gpu.barrier
// CHECK: math.fma
// CHECK: gpu.barrier
// CHECK: memref.load %a2
// CHECK: arith.addf
// CHECK: memref.store {{.*}} %y
// CHECK-LABEL: func.func @job
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<24x40xf32> {job.feed = "a0"}, %a1: tensor<40x48xf32> {job.feed = "a1"}, %a2: tensor<48xf32> {job.feed = "a2"}) -> (tensor<24x48xf32> {job.fetch = "0"}) {
    %m = "flow.matmul"(%a0, %a1) : (tensor<24x40xf32>, tensor<40x48xf32>) -> tensor<24x48xf32>
    %s = "flow.add"(%m, %a2) : (tensor<24x48xf32>, tensor<48xf32>) -> tensor<24x48xf32>
    %y = "flow.relu"(%s) : (tensor<24x48xf32>) -> tensor<24x48xf32>
    func.return %y : tensor<24x48xf32>
  }
}

// -----

// The padding has no buffer.
// CHECK: %a0: memref<2x3x8x8xf32> {llvm.noalias}
// CHECK-NEXT: %a1: memref<4x3x3x3xf32> {llvm.noalias}
// CHECK-NEXT: %y: memref<2x4x8x8xf32> {llvm.noalias})
// CHECK: scf.if
// CHECK: gpu.barrier
// CHECK: math.fma
// CHECK-LABEL: func.func @job
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<2x3x8x8xf32> {job.feed = "a0"}, %a1: tensor<4x3x3x3xf32> {job.feed = "a1"}) -> (tensor<2x4x8x8xf32> {job.fetch = "0"}) {
    %p = "flow.pad"(%a0) {after = array<i64: 0, 0, 1, 1>, before = array<i64: 0, 0, 1, 1>, inside = array<i64: 0, 0, 0, 0>, value = 0.0 : f64} : (tensor<2x3x8x8xf32>) -> tensor<2x3x10x10xf32>
    %y = "flow.conv"(%p, %a1) {channels_last = false, dilations = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x3x10x10xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
    func.return %y : tensor<2x4x8x8xf32>
  }
}

// -----

// A kernel for each loop of tasks: the second has a thread for each of 60 elements.
// CHECK: gpu.func @sort_0.0(
// CHECK: gpu.func @sort_0.1(
// CHECK: known_block_size = array<i32: 60, 1, 1>, known_grid_size = array<i32: 1, 1, 1>
// CHECK-LABEL: func.func @job
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<3x20xf32> {job.feed = "a0"}) -> (tensor<3x20xf32> {job.fetch = "0"}) {
    %y, %i = "flow.sort"(%a0) {axis = 1 : i64, descending = false} : (tensor<3x20xf32>) -> (tensor<3x20xf32>, tensor<3x20xi32>)
    func.return %y : tensor<3x20xf32>
  }
}

// -----

// Each thread adds up the terms of one element, and writes it once.
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if
// CHECK: memref.store {{.*}} %y
// CHECK-NOT: memref.store
// CHECK-LABEL: func.func @job
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<2x3x4x4xf32> {job.feed = "a0"}) -> (tensor<2x3x9x9xf32> {job.fetch = "0"}) {
    %y = "flow.sum_pool_grad"(%a0) {channels_last = false, shape = array<i64: 2, 3, 9, 9>, strides = array<i64: 2, 2>, window = array<i64: 3, 3>} : (tensor<2x3x4x4xf32>) -> tensor<2x3x9x9xf32>
    func.return %y : tensor<2x3x9x9xf32>
  }
}
