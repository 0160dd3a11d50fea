// Every op of dialect gpu, in each of its custom forms.
module @m attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @bare() kernel {
      gpu.return
    }
    gpu.func @places(%x: memref<100x10xf32> {llvm.noalias}, %n: index loc("a.py":1:2))
        workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>, %u : memref<4xi32, #gpu.address_space<workgroup>> {llvm.align = 1024 : i64} loc("a.py":3:4))
        private(%p : memref<4xf32, #gpu.address_space<private>>)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 100, 1, 1>} {
      %b = gpu.block_id x
      %t = gpu.thread_id x upper_bound 256
      %ty = gpu.thread_id y {zz.a = 1 : i64}
      %d = gpu.block_dim y
      %g = gpu.grid_dim z
      %l = gpu.lane_id upper_bound 32
      %l2 = gpu.lane_id
      %w = gpu.subgroup_id : index
      %c = arith.constant 1.0 : f32
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %r, %valid = gpu.shuffle xor %c, %one, %width : f32
      %r2, %valid2 = gpu.shuffle down %one, %one, %width : i32
      %r3, %valid3 = gpu.shuffle up %one, %one, %width {zz.a = 1 : i64} : i32
      %r4, %valid4 = gpu.shuffle idx %c, %one, %width : f32
      gpu.barrier
      gpu.return
    }
    gpu.func @clustered(%x: memref<4xf32>) kernel attributes {known_cluster_size = array<i32: 2, 1, 1>, zz.a = 1 : i64} {
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  gpu.module @more [#nvvm.target<chip = "sm_80">] attributes {zz.a = 1 : i64} {
  }
  func.func @host(%x: memref<100x10xf32>, %n: index, %y: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c100 = arith.constant 100 : index
    %c256 = arith.constant 256 : index
    %bytes = arith.constant 4096 : i32
    gpu.launch_func @kernels::@bare blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1)
    gpu.launch_func @kernels::@places blocks in (%c100, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : memref<100x10xf32>, %n : index)
    gpu.launch_func @kernels::@clustered clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %bytes args(%y : memref<4xf32>) {zz.a = 1 : i64}
    return
  }
}
