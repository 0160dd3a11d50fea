// Every op on vectors, tasks, and vectors of any rank wherever scalars may stand. xDSL 0.74 lacks some.
module {
  func.func @memory(%m: memref<8x16xf32>, %l: memref<8x16xf32, strided<[16, 1], offset: ?>>, %c: index, %f: f32, %at: vector<16xi32>, %mask: vector<16xi1>, %mask2: vector<6x16xi1>) {
    %0 = vector.load %m[%c, %c] : memref<8x16xf32>, vector<16xf32>
    %1 = vector.load %l[%c, %c] {alignment = 64 : i64, nontemporal = true} : memref<8x16xf32, strided<[16, 1], offset: ?>>, vector<5xf32>
    vector.store %0, %m[%c, %c] : memref<8x16xf32>, vector<16xf32>
    vector.store %1, %m[%c, %c] {nontemporal = true} : memref<8x16xf32>, vector<5xf32>
    %2 = vector.transfer_read %m[%c, %c], %f {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x16xf32>, vector<6xf32>
    %3 = vector.transfer_read %m[%c, %c], %f {in_bounds = [true, true]} : memref<8x16xf32>, vector<6x16xf32>
    %4 = vector.transfer_read %m[%c, %c], %f {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x16xf32>, vector<16x6xf32>
    %5 = vector.transfer_read %m[%c, %c], %f {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : memref<8x16xf32>, vector<8x6xf32>
    %6 = vector.transfer_read %m[%c, %c], %f, %mask2 {in_bounds = [true, true]} : memref<8x16xf32>, vector<6x16xf32>
    vector.transfer_write %3, %m[%c, %c] {in_bounds = [true, true]} : vector<6x16xf32>, memref<8x16xf32>
    vector.transfer_write %2, %m[%c, %c] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<6xf32>, memref<8x16xf32>
    vector.transfer_write %0, %m[%c, %c], %mask {in_bounds = [true]} : vector<16xf32>, memref<8x16xf32>
    %7 = vector.maskedload %m[%c, %c], %mask, %0 : memref<8x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.maskedstore %m[%c, %c], %mask, %0 : memref<8x16xf32>, vector<16xi1>, vector<16xf32>
    %8 = vector.gather %m[%c, %c][%at], %mask, %0 : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %9 = memref.alloca() : memref<6x16xf32>
    %10 = memref.alloca(%c) {alignment = 64 : i64} : memref<?x16xf32>
    %11 = memref.alloca() : memref<8xf32>
    %12 = vector.transfer_read %11[%c], %f {in_bounds = [true, true], permutation_map = affine_map<(d0) -> (0, d0)>} : memref<8xf32>, vector<6x8xf32>
    return
  }
  func.func @values(%c: index, %f: f32, %v: vector<16xf32>, %a: vector<6xf32>, %acc: vector<6x16xf32>, %n: vector<16xi32>, %r: vector<6x2xbf16>, %l: vector<16x2xbf16>) {
    %0 = vector.broadcast %f : f32 to vector<6x16xf32>
    %1 = vector.broadcast %v : vector<16xf32> to vector<6x16xf32>
    %2 = vector.outerproduct %a, %v, %acc : vector<6xf32>, vector<16xf32>
    %3 = vector.outerproduct %a, %v, %acc {kind = #vector.kind<maximumf>} : vector<6xf32>, vector<16xf32>
    %4 = vector.outerproduct %v, %f, %v : vector<16xf32>, f32
    %5 = vector.fma %acc, %0, %1 : vector<6x16xf32>
    %6 = vector.reduction <add>, %v : vector<16xf32> into f32
    %7 = vector.reduction <maximumf>, %v, %f : vector<16xf32> into f32
    %8 = vector.reduction <minsi>, %n {zz.a} : vector<16xi32> into i32
    %9 = vector.multi_reduction <add>, %acc, %a [1] : vector<6x16xf32> to vector<6xf32>
    %10 = vector.multi_reduction <mul>, %acc, %f [0, 1] : vector<6x16xf32> to f32
    %11 = vector.extract %acc[2] : vector<16xf32> from vector<6x16xf32>
    %12 = vector.extract %acc[2, %c] : f32 from vector<6x16xf32>
    %13 = vector.insert %f, %acc [2, %c] : f32 into vector<6x16xf32>
    %14 = vector.insert %v, %acc [3] : vector<16xf32> into vector<6x16xf32>
    %15 = vector.extract_strided_slice %v {offsets = [8], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
    %16 = vector.extract_strided_slice %acc {offsets = [2], sizes = [2], strides = [1]} : vector<6x16xf32> to vector<2x16xf32>
    %17 = vector.insert_strided_slice %15, %v {offsets = [8], strides = [1]} : vector<8xf32> into vector<16xf32>
    %18 = vector.insert_strided_slice %15, %acc {offsets = [1, 8], strides = [1]} : vector<8xf32> into vector<6x16xf32>
    %19 = vector.transpose %acc, [1, 0] : vector<6x16xf32> to vector<16x6xf32>
    %20 = vector.shape_cast %acc : vector<6x16xf32> to vector<96xf32>
    %21 = vector.shuffle %v, %v [0, 16, 1, 17] : vector<16xf32>, vector<16xf32>
    %22 = vector.bitcast %v : vector<16xf32> to vector<32xi16>
    %23 = vector.step : vector<16xindex>
    %24 = vector.constant_mask [4] : vector<16xi1>
    %25 = vector.create_mask %c, %c : vector<6x16xi1>
    %26 = vector.interleave %v, %v : vector<16xf32> -> vector<32xf32>
    %27 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %r, %l, %acc : vector<6x2xbf16>, vector<16x2xbf16> into vector<6x16xf32>
    return
  }
  func.func @elementwise(%x: vector<6x16xf32>, %y: vector<6x16xf32>, %m: vector<6x16xi1>, %n: vector<6x16xi32>, %h: vector<6x16xf16>) {
    %z = arith.constant dense<0.0> : vector<6x16xf32>
    %0 = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
    %1 = arith.addf %x, %z : vector<6x16xf32>
    %2 = arith.maximumf %1, %y : vector<6x16xf32>
    %3 = arith.cmpf ogt, %x, %z : vector<6x16xf32>
    %4 = arith.select %3, %x, %z : vector<6x16xi1>, vector<6x16xf32>
    %5 = arith.negf %x : vector<6x16xf32>
    %6 = arith.sitofp %n : vector<6x16xi32> to vector<6x16xf32>
    %7 = arith.extf %h : vector<6x16xf16> to vector<6x16xf32>
    %8 = arith.cmpi slt, %n, %n : vector<6x16xi32>
    %9 = arith.andi %8, %m : vector<6x16xi1>
    %10 = math.exp %x : vector<6x16xf32>
    %11 = math.fma %x, %y, %z : vector<6x16xf32>
    %12 = arith.bitcast %x : vector<6x16xf32> to vector<6x16xi32>
    return
  }
  func.func @tasks(%m: memref<8x16xf32>, %c: index, %f: f32) {
    scf.forall (%i) in (16) {
      %t = memref.alloca() : memref<6x16xf32>
    }
    scf.forall (%i, %j) in (16, %c) {
      %t = arith.addi %i, %j : index
    } {mapping = [#gpu.block<x>, #gpu.block<y>]}
    scf.forall (%i, %j) = (0, %c) to (16, %c) step (4, 1) {
      %t = arith.addi %i, %j : index
    }
    scf.forall (%i, %j) = (0, 0) to (8, 16) step (4, 1) {
      memref.store %f, %m[%i, %j] : memref<8x16xf32>
      scf.forall.in_parallel {
      }
    } {zz.a}
    return
  }
}
