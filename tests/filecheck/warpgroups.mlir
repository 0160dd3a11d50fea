// RUN: penstock opt %s -p 'lower,canonicalize,cse,lift-views,fold-slices,fold-parts,split-phases,drop-unit-dims,interchange-sums,fuse-elementwise,outline-groups,canonicalize,cse,dce,schedule{target=sm_90a processors=4},bufferize{target=sm_90a}' --no-locations | filecheck %s
// A persistent contraction. One warpgroup has one thread fetch panels into a ring of stages: it
// waits until a stage is empty, says how many bytes come, and starts a copy of each factor.
// CHECK: %a0_map: !nvgpu.tensormap.descriptor<tensor = memref<128x64xbf16, {{.*}} swizzle = swizzle_128b
// CHECK: %a1_map: !nvgpu.tensormap.descriptor<tensor = memref<256x64xbf16, {{.*}} swizzle = swizzle_128b
// CHECK: nvgpu.mbarrier.create -> {{.*}}num_barriers = 8>
// CHECK: nvgpu.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK: gpu.barrier
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// The producer: tiles of a block are as far apart as there are blocks.
// CHECK: "nvvm.setmaxregister"() <{action = #nvvm<action decrease>, regCount = 40 : i32}>
// CHECK: scf.for %{{.*}} = %[[BLOCK]] to %{{.*}} step %[[BLOCKS:[0-9]+]] iter_args
// CHECK: scf.for %k = {{.*}} iter_args
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK-NEXT: nvgpu.mbarrier.arrive.expect_tx
// CHECK: nvgpu.tma.async.load %a0_map
// CHECK: nvgpu.tma.async.load %a1_map
// CHECK-NOT: nvgpu.mbarrier.arrive
// CHECK: } else {
// The consumers: they wait until a stage is full, multiply from shared memory, and one thread of
// each warpgroup says that the stage is empty once the products are done.
// CHECK: "nvvm.setmaxregister"() <{action = #nvvm<action increase>, regCount = 232 : i32}>
// CHECK: scf.for %{{.*}} = %[[BLOCK]] to %{{.*}} step %[[BLOCKS]] iter_args
// CHECK: scf.for %{{.*}} iter_args
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-NEXT: %[[FIRST:[0-9]+]] = "nvvm.wgmma.mma_async"
// CHECK-NEXT: %[[SECOND:[0-9]+]] = "nvvm.wgmma.mma_async"(%[[FIRST]]
// CHECK-NEXT: %[[THIRD:[0-9]+]] = "nvvm.wgmma.mma_async"(%[[SECOND]]
// CHECK-NEXT: "nvvm.wgmma.mma_async"(%[[THIRD]]
// CHECK-NEXT: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: scf.if
// CHECK-NEXT: nvgpu.mbarrier.arrive
// CHECK-LABEL: func.func @job
// The descriptors are made of the whole factors on the host; as many blocks as multiprocessors.
// CHECK: nvgpu.tma.create.descriptor
// CHECK: nvgpu.tma.create.descriptor
// CHECK: gpu.launch_func {{.*}} dynamic_shared_memory_size
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<1024x1024xbf16> {job.feed = "a0"}, %a1: tensor<1024x1024xbf16> {job.feed = "a1"}) -> (tensor<1024x1024xbf16> {job.fetch = "0"}) {
    %y = "flow.matmul"(%a0, %a1) {transpose_a = false, transpose_b = true} : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
    func.return %y : tensor<1024x1024xbf16>
  }
}
