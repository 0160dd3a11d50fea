// RUN: penstock opt %s --pipeline canonicalize | filecheck %s
// RUN: penstock opt %s --pipeline canonicalize --fuel 0 | filecheck %s --check-prefix=STARVED

// Constants are computed, through chains.
// CHECK-LABEL: func.func @folded(
// CHECK-NEXT: %[[C:.*]] = arith.constant 14 : index
// CHECK-NEXT: func.return %[[C]] : index
// STARVED: fuel is spent after 0 rewrites
// STARVED-LABEL: func.func @folded(
// STARVED: arith.muli
func.func @folded() -> index {
  %a = arith.constant 2 : index
  %b = arith.constant 5 : index
  %c = arith.addi %a, %b : index
  %d = arith.muli %c, %a : index
  return %d : index
}

// Rounding is that of the type: 0.1 + 0.2 in f32.
// CHECK-LABEL: func.func @rounded(
// CHECK-NEXT: arith.constant 0.3 : f32
func.func @rounded() -> f32 {
  %a = arith.constant 0.1 : f32
  %b = arith.constant 0.2 : f32
  %c = arith.addf %a, %b : f32
  return %c : f32
}

// A division is left for the machine: it may trap.
// CHECK-LABEL: func.func @not_folded(
// CHECK: arith.divsi
func.func @not_folded() -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 0 : i32
  %c = arith.divsi %a, %b : i32
  return %c : i32
}

// Constants go last where the order does not matter, and stay where it does.
// CHECK-LABEL: func.func @constants_last(
// CHECK-SAME: %[[X:[^:]+]]: f32
// CHECK-NEXT: %[[C:.*]] = arith.constant 2.0 : f32
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[X]], %[[C]] : f32
// CHECK-NEXT: arith.subf %[[C]], %[[M]] : f32
func.func @constants_last(%x: f32) -> f32 {
  %c = arith.constant 2.0 : f32
  %m = arith.mulf %c, %x : f32
  %s = arith.subf %c, %m : f32
  return %s : f32
}

// Unused pure ops go, with what only they used; others stay.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT: memref.load
// CHECK-NEXT: func.return
func.func @unused(%m: memref<4xf32>, %i: index) {
  %a = memref.load %m[%i] : memref<4xf32>
  %b = math.exp %a : f32
  %c = math.log %b : f32
  return
}

// A choice that is known, and one that makes no difference.
// CHECK-LABEL: func.func @chosen(
// CHECK-SAME: %[[X:[^:]+]]: f32, %[[Y:[^:]+]]: f32, %{{.*}}: i1
// CHECK-NEXT: func.return %[[Y]], %[[X]] : f32, f32
func.func @chosen(%x: f32, %y: f32, %p: i1) -> (f32, f32) {
  %no = arith.constant false
  %a = arith.select %no, %x, %y : f32
  %b = arith.select %p, %x, %x : f32
  return %a, %b : f32, f32
}

// Bodies are canonicalized, too.
// CHECK-LABEL: func.func @inside(
// CHECK: scf.for
// CHECK-NEXT: %[[SIX:.*]] = arith.constant 6 : index
// CHECK-NEXT: memref.load %{{.*}}[%[[SIX]]]
func.func @inside(%m: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  scf.for %i = %zero to %two step %three {
    %six = arith.muli %two, %three : index
    %x = memref.load %m[%six] : memref<8xf32>
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}
