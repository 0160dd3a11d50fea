// RUN: penstock opt %s --pipeline cse | filecheck %s

// CHECK-LABEL: func.func @equal(
// CHECK-NEXT: %[[E:.*]] = math.exp %{{.*}} : f32
// CHECK-NEXT: arith.addf %[[E]], %[[E]] : f32
func.func @equal(%x: f32) -> f32 {
  %a = math.exp %x : f32
  %b = math.exp %x : f32
  %c = arith.addf %a, %b : f32
  return %c : f32
}

// Where both came from is kept.
// CHECK-LABEL: func.func @located(
// CHECK-NEXT: math.exp %{{.*}} : f32 loc(fused["train.py":3:1, "train.py":4:1])
// CHECK-NOT: math.exp
func.func @located(%x: f32) -> f32 {
  %a = math.exp %x : f32 loc("train.py":3:1)
  %b = math.exp %x : f32 loc("train.py":4:1)
  %c = arith.addf %a, %b : f32
  return %c : f32
}

// In any order where that does not matter; a difference is another matter, and so is an attribute.
// CHECK-LABEL: func.func @order(
// CHECK-COUNT-1: arith.addf
// CHECK-COUNT-2: arith.subf
// CHECK-COUNT-2: arith.cmpf
// CHECK-NEXT: func.return
func.func @order(%x: f32, %y: f32) -> (f32, f32, f32, f32, i1, i1) {
  %a = arith.addf %x, %y : f32
  %b = arith.addf %y, %x : f32
  %c = arith.subf %x, %y : f32
  %d = arith.subf %y, %x : f32
  %e = arith.cmpf olt, %x, %y : f32
  %f = arith.cmpf ogt, %x, %y : f32
  return %a, %b, %c, %d, %e, %f : f32, f32, f32, f32, i1, i1
}

// Loads may differ each time.
// CHECK-LABEL: func.func @loads(
// CHECK-COUNT-2: memref.load
func.func @loads(%m: memref<4xf32>, %i: index) -> (f32, f32) {
  %a = memref.load %m[%i] : memref<4xf32>
  %b = memref.load %m[%i] : memref<4xf32>
  return %a, %b : f32, f32
}

// What stands before a loop serves it; what stands in one branch does not serve the other.
// CHECK-LABEL: func.func @scopes(
// CHECK: %[[E:.*]] = math.exp
// CHECK: scf.if
// CHECK-NEXT: memref.store %[[E]]
// CHECK-NEXT: math.log
// CHECK: else
// CHECK: math.log
func.func @scopes(%x: f32, %p: i1, %m: memref<f32>) {
  %e = math.exp %x : f32
  memref.store %e, %m[] : memref<f32>
  scf.if %p {
    %f = math.exp %x : f32
    memref.store %f, %m[] : memref<f32>
    %g = math.log %x : f32
    memref.store %g, %m[] : memref<f32>
  } else {
    %g = math.log %x : f32
    memref.store %g, %m[] : memref<f32>
  }
  return
}

// Structured ops are equal when their bodies are, whatever the names.
// CHECK-LABEL: func.func @bodies(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: func.return %[[A:.*]], %[[A]], %{{.*}} :
func.func @bodies(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %empty = tensor.empty() : tensor<4xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%element: f32, %before: f32):
    %z = math.exp %element : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.log %in : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A body makes its own constants: nothing from outside is brought into it.
// CHECK-LABEL: func.func @self_contained(
// CHECK: arith.constant 2.0
// CHECK: linalg.generic
// CHECK: arith.constant 2.0
func.func @self_contained() -> (f32, tensor<4xf32>) {
  %two = arith.constant 2.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%empty : tensor<4xf32>) {
  ^bb0(%out: f32):
    %c = arith.constant 2.0 : f32
    linalg.yield %c : f32
  } -> tensor<4xf32>
  return %two, %a : f32, tensor<4xf32>
}
