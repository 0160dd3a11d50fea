// RUN: penstock opt %s --pipeline dce | filecheck %s

// A private function that nobody calls goes, with the one that only it called.
// CHECK-NOT: @unused
// CHECK-NOT: @called_by_unused
func.func private @unused() {
  func.call @called_by_unused() : () -> ()
  return
}
func.func private @called_by_unused() {
  return
}

// One that calls itself is still called by nobody.
// CHECK-NOT: @selfish
func.func private @selfish() {
  func.call @selfish() : () -> ()
  return
}

// CHECK: func.func private @external(f32)
func.func private @external(f32)

// CHECK-LABEL: func.func @job(
// CHECK-NEXT: scf.if
// CHECK-NEXT: func.call @external
// CHECK-NEXT: }
// CHECK-NEXT: func.return
func.func @job(%x: f32, %p: i1) {
  %a = math.exp %x : f32
  %b = math.log %a : f32
  scf.if %p {
    %c = math.exp %b : f32
    func.call @external(%x) : (f32) -> ()
  }
  return
}
