// c = a b with a of 16 by 8 and b of 8 by 8 in TF32, from memory by the maps of fragments.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<16x8xf32>, %y: memref<8x8xf32>, %z: memref<16x8xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %t = gpu.thread_id x
      %group = arith.divui %t, %c4 : index
      %inside = arith.remui %t, %c4 : index
      %low = arith.addi %group, %c8 : index
      %far = arith.addi %inside, %c4 : index
      %a0 = memref.load %x[%group, %inside] : memref<16x8xf32>
      %a1 = memref.load %x[%low, %inside] : memref<16x8xf32>
      %a2 = memref.load %x[%group, %far] : memref<16x8xf32>
      %a3 = memref.load %x[%low, %far] : memref<16x8xf32>
      %b0 = memref.load %y[%inside, %group] : memref<8x8xf32>
      %b1 = memref.load %y[%far, %group] : memref<8x8xf32>
      %na = arith.constant dense<0.0> : vector<4x1xf32>
      %i0 = vector.insert %a0, %na [0, 0] : f32 into vector<4x1xf32>
      %i1 = vector.insert %a1, %i0 [1, 0] : f32 into vector<4x1xf32>
      %i2 = vector.insert %a2, %i1 [2, 0] : f32 into vector<4x1xf32>
      %av = vector.insert %a3, %i2 [3, 0] : f32 into vector<4x1xf32>
      %nb = arith.constant dense<0.0> : vector<2x1xf32>
      %j0 = vector.insert %b0, %nb [0, 0] : f32 into vector<2x1xf32>
      %bv = vector.insert %b1, %j0 [1, 0] : f32 into vector<2x1xf32>
      %none = arith.constant dense<0.0> : vector<2x2xf32>
      %d = nvgpu.mma.sync(%av, %bv, %none) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
      %col = arith.muli %inside, %c2 : index
      %d0 = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
      %d1 = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %d0, %z[%group, %col] : memref<16x8xf32>, vector<2xf32>
      vector.store %d1, %z[%low, %col] : memref<16x8xf32>, vector<2xf32>
      gpu.return
    }
  }
}
