// Every op of the dialects that are upstream's, in each of its custom forms.
module @m attributes {job.type = "train"} {
  memref.global "private" constant @g : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
  memref.global "private" @u : memref<2x2xi32> = uninitialized {alignment = 64 : i64}
  memref.global "public" @h : memref<f32> = dense<1.0>
  func.func private @ext1(f32, i32) -> (f32 {job.fetch = "0"})
  func.func private @ext2()
  func.func private @ext3(f32 {a.b}) -> f32
  func.func @"odd name"(%x: f32) { return }
  func.func @two(%x: f32 {job.feed = "a"}, %y: f32) -> (f32, f32 {job.fetch = "b"}) attributes {no_inline} { return %x, %y : f32, f32 }
  func.func @arith(%f: f32, %g: f32, %i: i32, %j: i32, %x: index, %d: f64, %h: f16, %v: vector<4xf32>, %t: tensor<4xf32>) {
    %0 = arith.addf %f, %g : f32
    %1 = arith.subf %f, %g : f32
    %2 = arith.mulf %v, %v : vector<4xf32>
    %4 = arith.remf %f, %g : f32
    %5 = arith.maximumf %f, %g : f32
    %6 = arith.minimumf %f, %g {zz.a = 1 : i64} : f32
    %7 = arith.addi %i, %j : i32
    %8 = arith.subi %i, %j : i32
    %9 = arith.muli %x, %x : index
    %10 = arith.divsi %i, %j : i32
    %11 = arith.floordivsi %i, %j : i32
    %12 = arith.remsi %i, %j : i32
    %13 = arith.maxsi %i, %j : i32
    %14 = arith.minsi %i, %j : i32
    %15 = arith.andi %i, %j : i32
    %16 = arith.ori %i, %j : i32
    %17 = arith.xori %i, %j : i32
    %18 = arith.cmpf oge, %f, %g : f32
    %19 = arith.cmpi slt, %i, %j : i32
    %21 = arith.select %18, %f, %g : f32
    %22 = arith.select %18, %v, %v : vector<4xf32>
    %b22 = arith.select %18, %18, %18 : i1
    %23 = arith.negf %f : f32
    %24 = arith.index_cast %x : index to i32
    %25 = arith.sitofp %i : i32 to f32
    %26 = arith.uitofp %i : i32 to f32
    %27 = arith.fptosi %f : f32 to i32
    %28 = arith.fptoui %f : f32 to i32
    %29 = arith.extf %h : f16 to f32
    %30 = arith.truncf %f : f32 to f16
    %31 = arith.extsi %i : i32 to i64
    %32 = arith.extui %i : i32 to i64
    %33 = arith.trunci %i : i32 to i8
    %34 = arith.bitcast %f : f32 to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1.5 : f32
    %c2 = arith.constant dense<1> : tensor<4xi32>
    %c3 = arith.constant true
    %c4 = arith.constant {zz.a = 1 : i64} 5 : i64
    %c5 = arith.constant dense<1.0> : vector<4xf32>
    %40 = math.absf %f : f32
    %41 = math.sqrt %f : f32
    %42 = math.rsqrt %f : f32
    %43 = math.exp %v : vector<4xf32>
    %44 = math.expm1 %f : f32
    %45 = math.log %f : f32
    %46 = math.log1p %f : f32
    %47 = math.tanh %f : f32
    %48 = math.sin %f : f32
    %49 = math.cos %f : f32
    %50 = math.erf %f : f32
    %51 = math.floor %f : f32
    %52 = math.ceil %f : f32
    %53 = math.roundeven %f : f32
    %54 = math.powf %f, %g : f32
    %55 = math.fma %f, %g, %f : f32
    return
  }
  func.func @tensors(%t: tensor<4x6xf32>, %n: index, %s: tensor<2x3xf32>, %dy: tensor<?x?xf32>) -> tensor<4x6xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %e2 = tensor.empty(%n) : tensor<?x4xf32>
    %e3 = tensor.empty(%n, %n) : tensor<?x?xf32>
    %x = tensor.extract %t[%n, %n] : tensor<4x6xf32>
    %c = tensor.collapse_shape %t [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
    %p = tensor.expand_shape %c [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
    %q = tensor.expand_shape %dy [[0, 1], [2]] output_shape [%n, 2, %n] : tensor<?x?xf32> into tensor<?x2x?xf32>
    %a = tensor.extract_slice %t[0, %n] [2, 3] [1, 1] : tensor<4x6xf32> to tensor<2x3xf32>
    %b = tensor.extract_slice %t[%n, %n] [%n, 3] [1, %n] : tensor<4x6xf32> to tensor<?x3xf32>
    %k = tensor.insert_slice %s into %t[0, %n] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x6xf32>
    %w = tensor.insert_slice %s into %t[%n, 0] [2, 3] [1, 1] {zz.a} : tensor<2x3xf32> into tensor<4x6xf32>
    return %k : tensor<4x6xf32>
  }
  func.func @memrefs(%m: memref<4x6xf32>, %n: index, %b: memref<?xi8>, %f: f32) {
    %a = memref.alloc() : memref<4xf32>
    %a2 = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
    memref.dealloc %a : memref<4xf32>
    %l = memref.load %m[%n, %n] : memref<4x6xf32>
    memref.store %f, %m[%n, %n] : memref<4x6xf32>
    memref.copy %m, %m : memref<4x6xf32> to memref<4x6xf32>
    memref.prefetch %m[%n, %n], read, locality<2>, data : memref<4x6xf32>
    memref.prefetch %m[%n, %n], write, locality<0>, instr : memref<4x6xf32>
    memref.prefetch %a[%n], read, locality<3>, data : memref<4xf32>
    %c = memref.cast %m : memref<4x6xf32> to memref<*xf32>
    %address = memref.extract_aligned_pointer_as_index %b : memref<?xi8> -> index
    %v = memref.view %b[%n][] : memref<?xi8> to memref<4xf32>
    %v2 = memref.view %b[%n][%n, %n] : memref<?xi8> to memref<?x4x?xf32>
    %s = memref.subview %m[0, %n] [2, 3] [1, 1] : memref<4x6xf32> to memref<2x3xf32, strided<[6, 1], offset: ?>>
    %s2 = memref.subview %m[1, 2] [2, 3] [1, 1] : memref<4x6xf32> to memref<2x3xf32, strided<[6, 1], offset: 8>>
    %k = memref.collapse_shape %m [[0, 1]] : memref<4x6xf32> into memref<24xf32>
    %x = memref.expand_shape %k [[0, 1]] output_shape [4, 6] : memref<24xf32> into memref<4x6xf32>
    %g = memref.get_global @g : memref<4xf32>
    %r = memref.alloc() : memref<f32>
    %z = memref.load %r[] : memref<f32>
    memref.store %z, %r[] : memref<f32>
    return
  }
  func.func @loops(%n: index, %f: f32, %c: i1, %m: memref<4xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    scf.for %i = %c0 to %n step %n {
      memref.store %f, %m[%i] : memref<4xf32>
    }
    scf.for %i = %c0 to %n step %n {
    }
    %r:2 = scf.for %i = %c0 to %n step %n iter_args(%a = %f, %b = %n) -> (f32, index) {
      %s = arith.addf %a, %f : f32
      scf.yield %s, %i : f32, index
    }
    %q = scf.for %i = %c0 to %n step %n iter_args(%a = %f) -> (f32) {
      scf.yield %a : f32
    } {zz.a = 1 : i64}
    scf.if %c {
      memref.store %f, %m[%n] : memref<4xf32>
    }
    scf.if %c {
    } else {
      memref.store %f, %m[%n] : memref<4xf32>
    }
    %t = scf.if %c -> (f32) {
      scf.yield %f : f32
    } else {
      scf.yield %q : f32
    }
    %tt:2 = scf.if %c -> (f32, index) {
      scf.yield %f, %n : f32, index
    } else {
      scf.yield %q, %n : f32, index
    } {zz.b}
    func.call @ext2() : () -> ()
    %k = arith.constant 1 : i32
    %cc = func.call @ext1(%f, %k) : (f32, i32) -> f32
    return %t : f32
  }
  func.func @structured(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %o: tensor<4x8xf32>, %r: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%o : tensor<4x8xf32>) attrs = {flow.op = "add"} {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %i = linalg.index 0 : index
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %1:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%o, %r : tensor<4x8xf32>, tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %z : f32
      linalg.yield %s, %s : f32, f32
    } -> (tensor<4x8xf32>, tensor<4xf32>)
    %2 = linalg.generic {doc = "d", library_call = "lib", indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x8xf32>) {
    ^bb0(%z: f32):
      linalg.yield %z : f32
    } -> tensor<4x8xf32>
    return %0, %1#1 : tensor<4x8xf32>, tensor<4xf32>
  }
  func.func @located(%n: index, %f: f32, %c: i1) {
    %r = "scf.for"(%n, %n, %n, %f) ({
    ^bb0(%i: index loc("i"("a.py":1:1)), %x: f32 loc("a.py":1:2)):
      scf.yield %x : f32 loc("a.py":2:3)
    }) : (index, index, index, f32) -> f32 loc("a.py":1:4)
    scf.for %i = %n to %n step %n {
      scf.yield loc("elsewhere.py":2:3)
    } {zz.unrolled} loc("a.py":5:4)
    scf.if %c {
      %e = math.exp %f : f32 loc("a.py":7:4)
      scf.yield loc("a.py":8:4)
    } else {
      scf.yield loc("a.py":9:4)
    } loc("a.py":6:4)
    return loc("a.py":10:4)
  } loc("a.py":1:0)
}
