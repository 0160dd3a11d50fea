// c + a b with a of 16 by 16 and b of 16 by 8, through shared memory.
//
// The warp copies half a row of a and a row of b per lane by cp.async. The lanes give the rows of
// the matrices of 8 by 8: those of a in the order of its registers.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<16x16xELEMENT>, %y: memref<16x8xELEMENT>, %z: memref<16x8xf32>)
        workgroup(%sa : memref<16x16xELEMENT, #gpu.address_space<workgroup>>, %sb : memref<16x8xELEMENT, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %t = gpu.thread_id x
      %half = arith.divui %t, %c2 : index
      %which = arith.remui %t, %c2 : index
      %part = arith.muli %which, %c8 : index
      %ta = nvgpu.device_async_copy %x[%half, %part], %sa[%half, %part], 8 {bypassL1} : memref<16x16xELEMENT> to memref<16x16xELEMENT, #gpu.address_space<workgroup>>
      %row = arith.remui %t, %c16 : index
      %tb = nvgpu.device_async_copy %y[%row, %c0], %sb[%row, %c0], 8 {bypassL1} : memref<16x8xELEMENT> to memref<16x8xELEMENT, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %ta, %tb
      WAIT
      gpu.barrier
      %q = arith.divui %t, %c16 : index
      %right = arith.muli %q, %c8 : index
      %av = nvgpu.ldmatrix %sa[%row, %right] {numTiles = 4 : i32, transpose = false} : memref<16x16xELEMENT, #gpu.address_space<workgroup>> -> vector<4x2xELEMENT>
      %bv = nvgpu.ldmatrix %sb[%row, %c0] {numTiles = 2 : i32, transpose = true} : memref<16x8xELEMENT, #gpu.address_space<workgroup>> -> vector<2x2xELEMENT>
      %group = arith.divui %t, %c4 : index
      %inside = arith.remui %t, %c4 : index
      %col = arith.muli %inside, %c2 : index
      %low = arith.addi %group, %c8 : index
      %c0v = vector.load %z[%group, %col] : memref<16x8xf32>, vector<2xf32>
      %c1v = vector.load %z[%low, %col] : memref<16x8xf32>, vector<2xf32>
      %none = arith.constant dense<0.0> : vector<2x2xf32>
      %acc0 = vector.insert %c0v, %none [0] : vector<2xf32> into vector<2x2xf32>
      %acc = vector.insert %c1v, %acc0 [1] : vector<2xf32> into vector<2x2xf32>
      %d = nvgpu.mma.sync(%av, %bv, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xELEMENT>, vector<2x2xELEMENT>, vector<2x2xf32>) -> vector<2x2xf32>
      %d0 = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
      %d1 = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %d0, %z[%group, %col] : memref<16x8xf32>, vector<2xf32>
      vector.store %d1, %z[%low, %col] : memref<16x8xf32>, vector<2xf32>
      gpu.return
    }
  }
}
