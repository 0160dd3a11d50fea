// Every op of dialects nvgpu and nvvm, in each of its custom forms, but those of warpgroups, whose types
// MLIR shortens: tests/ir/verify/test_nvgpu.py has these.
module @m {
  gpu.module @kernels {
    gpu.func @tensor_cores(%x: memref<64x64xbf16>, %i: index, %n: index)
        workgroup(%s : memref<64x64xbf16, #gpu.address_space<workgroup>>)
        kernel {
      %a = nvgpu.ldmatrix %s[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<64x64xbf16, #gpu.address_space<workgroup>> -> vector<4x2xbf16>
      %b = nvgpu.ldmatrix %s[%i, %i] {numTiles = 2 : i32, transpose = true} : memref<64x64xbf16, #gpu.address_space<workgroup>> -> vector<2x2xbf16>
      %c = arith.constant dense<0.0> : vector<2x2xf32>
      %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %a3 = arith.constant dense<0.0> : vector<4x1xf32>
      %b3 = arith.constant dense<0.0> : vector<2x1xf32>
      %d3 = nvgpu.mma.sync(%a3, %b3, %c) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
      %one = arith.constant 1.0 : f32
      %bits = nvvm.convert.float.to.tf32 %one {rnd = #nvvm.fp_rnd_mode<rna>}
      %t = nvgpu.device_async_copy %x[%i, %i], %s[%i, %i], 8 {bypassL1} : memref<64x64xbf16> to memref<64x64xbf16, #gpu.address_space<workgroup>>
      %t2 = nvgpu.device_async_copy %x[%i, %i], %s[%i, %i], 4, %n : memref<64x64xbf16> to memref<64x64xbf16, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %t, %t2
      %g0 = nvgpu.device_async_create_group
      nvgpu.device_async_wait %g {numGroups = 1 : i32}
      nvgpu.device_async_wait %g0
      gpu.return
    }
  }
}
