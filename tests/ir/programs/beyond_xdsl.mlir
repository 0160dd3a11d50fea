// What xDSL 0.74 does not read and MLIR does.
#map = affine_map<(i, j)[s, t] -> (i * s + j, j floordiv t, 3 - i * 2)>
module {
  "zz.maps"() {map = #map, strided = memref<4xf32, affine_map<(d0)[s0] -> (d0 * s0)>>} : () -> ()
  "zz.range"() : () -> () loc("a.py":1:2 to 3:4)
  "zz.line"() : () -> () loc("a.py":1:2 to :9)
  "zz.fused"() : () -> () loc(fused<{pass = "cse"}>["a.py":1:2, fused["b.py":3:4, "name"]])
  "zz.late"() {a = #zz.opaque<(x + y) -> [z]>} : () -> () loc(#late)
  "zz.array"() {f = array<f32: 1.5, 0x7FC00001>, n = array<i8: -1, 2>} : () -> ()
  memref.global @visible : memref<2x2xi32> = uninitialized
  memref.global "private" @elsewhere : memref<f32>
  func.func @vectors(%v: vector<4xf32>) {
    %c = arith.cmpf uno, %v, %v : vector<4xf32>
    %s = arith.select %c, %v, %v : vector<4xi1>, vector<4xf32>
    %t = arith.select %c, %c, %c {zz.a} : vector<4xi1>, vector<4xi1>
    return
  }
  func.func @layouts(%n: index) {
    %b = memref.alloc(%n)[%n, %n] : memref<?x4xf32, strided<[?, 1], offset: ?>, 1>
    %c = memref.cast %b : memref<?x4xf32, strided<[?, 1], offset: ?>, 1> to memref<*xf32, 1>
    %d = memref.alloc() : memref<4xvector<4xf32>, "near">
    return
  }
  func.func @symbols(%n: index) {
    %a = memref.alloc(%n)[%n] : memref<?xf32, affine_map<(d0)[s0] -> (d0 * s0)>>
    return
  }
}
#late = loc("late.py":1:1)
