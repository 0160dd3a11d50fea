// RUN: penstock opt %s -p 'lower,canonicalize,cse,lift-views,fold-slices,fold-parts,split-phases,drop-unit-dims,interchange-sums,fuse-elementwise,outline-groups,canonicalize,cse,dce,schedule,bufferize{target=sm_80}' --split-input-file --no-locations | filecheck %s
// An optimizer's kernel reads and writes variables in place: they are its only operands but the
// gradient and the rate, each element is loaded before it is stored, and nothing is copied.
// CHECK: gpu.func @adam_0.0(
// CHECK-NEXT: %[[W:.*]]: memref<64x32xf32>
// CHECK-NEXT: %g: memref<64x32xf32>
// CHECK-NEXT: %r: memref<f32>
// CHECK-NEXT: %[[M:.*]]: memref<64x32xf32>
// CHECK-NEXT: %[[V:.*]]: memref<64x32xf32> {llvm.noalias}) kernel
// CHECK: memref.load %[[W]][%[[ROW:.*]], %[[COLUMN:.*]]]
// CHECK: memref.store {{.*}} %[[W]][%[[ROW]], %[[COLUMN]]]
// CHECK: memref.store {{.*}} %[[M]][%[[ROW]], %[[COLUMN]]]
// CHECK: memref.store {{.*}} %[[V]][%[[ROW]], %[[COLUMN]]]
// CHECK-LABEL: func.func @job
// CHECK: %arena: memref<?xi8> {job.arena = 0 : i64
// CHECK: %w: memref<64x32xf32> {{{.*}}job.updated
// CHECK-NOT: memref.copy
// CHECK: func.call @adam_0(%g, %r, %w, %m, %v)
// CHECK-NEXT: func.return
module @job attributes {job.type = "train", sbp.ranks = 1 : i64} {
  func.func @job(%g: tensor<64x32xf32> {job.feed = "g"}, %r: tensor<f32> {job.feed = "r"}, %w: tensor<64x32xf32> {job.initializer = {kind = "constant", value = 1.0 : f64}, job.trainable = true, job.variable = "w"}, %m: tensor<64x32xf32> {job.initializer = {kind = "constant", value = 0.0 : f64}, job.trainable = false, job.variable = "m"}, %v: tensor<64x32xf32> {job.initializer = {kind = "constant", value = 0.0 : f64}, job.trainable = false, job.variable = "v"}) -> (tensor<64x32xf32> {job.update = "w"}, tensor<64x32xf32> {job.update = "m"}, tensor<64x32xf32> {job.update = "v"}) {
    %8:3 = "job.adam"(%w, %g, %r, %m, %v) {beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-08 : f64, weight_decay = 0.0 : f64} : (tensor<64x32xf32>, tensor<64x32xf32>, tensor<f32>, tensor<64x32xf32>, tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>)
    func.return %8#0, %8#1, %8#2 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>
  }
}

// -----

// A variable that is returned as it was before the step is copied ahead of its update.
// CHECK-LABEL: func.func @job
// CHECK: memref.copy %w, %w_0 : memref<64x32xf32> to memref<64x32xf32>
// CHECK-NEXT: func.call @{{.*}}(%g, %w)
// CHECK-NOT: memref.copy
// CHECK: func.func private
module @job attributes {job.type = "train", sbp.ranks = 1 : i64} {
  func.func @job(%g: tensor<64x32xf32> {job.feed = "g"}, %w: tensor<64x32xf32> {job.initializer = {kind = "constant", value = 1.0 : f64}, job.trainable = true, job.variable = "w"}) -> (tensor<64x32xf32> {job.fetch = "0"}, tensor<64x32xf32> {job.update = "w"}) {
    %y = "flow.subtract"(%w, %g) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    func.return %w, %y : tensor<64x32xf32>, tensor<64x32xf32>
  }
}

// -----

// A watched blob has a buffer in the arena, which the kernel that needs it anyway writes; the host
// copies it if its flag is set, and no kernel does.
// CHECK-LABEL: func.func @job
// CHECK: %[[H:.*]] = memref.view %arena
// CHECK: func.call @exp_reduce_max_0(%x, %[[H]], %y)
// CHECK-NEXT: %[[FLAG:[0-9]+]] = memref.load %taps
// CHECK-NEXT: %[[SET:[0-9]+]] = arith.cmpi ne, %[[FLAG]]
// CHECK-NEXT: scf.if %[[SET]] {
// CHECK-NEXT: %[[ANY:[0-9]+]] = memref.cast %[[H]]
// CHECK-NEXT: func.call @penstock_tap_f32(%{{.*}}, %[[ANY]])
// CHECK-NEXT: }
// CHECK-NEXT: func.return
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%x: tensor<6x96xf32> {job.feed = "x"}) -> (tensor<6xf32> {job.fetch = "0"}) {
    %h = "flow.exp"(%x) : (tensor<6x96xf32>) -> tensor<6x96xf32>
    "job.watch"(%h) {name = "h"} : (tensor<6x96xf32>) -> ()
    %y = "flow.reduce_max"(%h) {axes = array<i64: 1>, keepdims = false} : (tensor<6x96xf32>) -> tensor<6xf32>
    func.return %y : tensor<6xf32>
  }
}
