// RUN: penstock opt %s -p 'lower,canonicalize,cse,lift-views,fold-slices,fold-parts,split-phases,drop-unit-dims,interchange-sums,fuse-elementwise,outline-groups,canonicalize,cse,dce,schedule' --split-input-file --no-locations | filecheck %s
// One warp has a row: its maximum, its exponentials and their sum, in one kernel.
// CHECK: linalg.generic {{.*}} flow.schedule = {block = 128 : i64, grid = 2 : i64, kernel = 0 : i64, kind = "rows", lanes = 32 : i64, rows = [0]}
// CHECK: linalg.generic {{.*}} flow.schedule = {block = 128 : i64, grid = 2 : i64, kernel = 0 : i64, kind = "rows", lanes = 32 : i64, rows = [0]}
// CHECK: linalg.generic {{.*}} flow.schedule = {block = 128 : i64, grid = 2 : i64, kernel = 0 : i64, kind = "rows", lanes = 32 : i64, rows = [0]}
// CHECK: linalg.generic {{.*}} flow.schedule = {block = 128 : i64, grid = 2 : i64, kernel = 0 : i64, kind = "rows", lanes = 32 : i64, rows = [0]}
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<6x96xf32> {job.feed = "a0"}) -> (tensor<6x96xf32> {job.fetch = "0"}) {
    %y = "flow.softmax"(%a0) {axis = 1 : i64} : (tensor<6x96xf32>) -> tensor<6x96xf32>
    func.return %y : tensor<6x96xf32>
  }
}

// -----

// Neighbouring threads have neighbouring columns.
// CHECK: linalg.generic {{.*}} flow.schedule = {across = true, block = 512 : i64, grid = 2 : i64, kernel = 0 : i64, kind = "rows", lanes = 16 : i64, rows = [1]}
// CHECK: linalg.generic {{.*}} flow.schedule = {across = true, block = 512 : i64, grid = 2 : i64, kernel = 0 : i64, kind = "rows", lanes = 16 : i64, rows = [0]}
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<200x64xf32> {job.feed = "a0"}) -> (tensor<64xf32> {job.fetch = "0"}) {
    %y = "flow.reduce_sum"(%a0) {axes = array<i64: 0>, keepdims = false} : (tensor<200x64xf32>) -> tensor<64xf32>
    func.return %y : tensor<64xf32>
  }
}

// -----

// A matmul in tiles; bias and relu are its epilogue.
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} flow.schedule = {block = 256 : i64, depth = 16 : i64, grid = 6 : i64, kernel = 0 : i64, kind = "tile", thread = [1, 1], tile = [16, 16]}
// CHECK: linalg.generic {{.*}} flow.schedule = {block = 256 : i64, grid = 6 : i64, kernel = 0 : i64, kind = "epilogue"}
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<24x40xf32> {job.feed = "a0"}, %a1: tensor<40x48xf32> {job.feed = "a1"}, %a2: tensor<48xf32> {job.feed = "a2"}) -> (tensor<24x48xf32> {job.fetch = "0"}) {
    %m = "flow.matmul"(%a0, %a1) : (tensor<24x40xf32>, tensor<40x48xf32>) -> tensor<24x48xf32>
    %s = "flow.add"(%m, %a2) : (tensor<24x48xf32>, tensor<48xf32>) -> tensor<24x48xf32>
    %y = "flow.relu"(%s) : (tensor<24x48xf32>) -> tensor<24x48xf32>
    func.return %y : tensor<24x48xf32>
  }
}

// -----

// A convolution is an implicit GEMM, and computes its padding where it reads it.
// CHECK: linalg.generic {{.*}}"pad"{{.*}} kind = "inline"}
// CHECK: linalg.generic {{.*}}"conv"{{.*}} kind = "tile", thread = [1, 1], tile = [16, 16]}
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<2x3x8x8xf32> {job.feed = "a0"}, %a1: tensor<4x3x3x3xf32> {job.feed = "a1"}) -> (tensor<2x4x8x8xf32> {job.fetch = "0"}) {
    %p = "flow.pad"(%a0) {after = array<i64: 0, 0, 1, 1>, before = array<i64: 0, 0, 1, 1>, inside = array<i64: 0, 0, 0, 0>, value = 0.0 : f64} : (tensor<2x3x8x8xf32>) -> tensor<2x3x10x10xf32>
    %y = "flow.conv"(%p, %a1) {channels_last = false, dilations = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x3x10x10xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
    func.return %y : tensor<2x4x8x8xf32>
  }
}

// -----

// An op that writes its own loops has a thread for each task of these.
// CHECK: "flow.sort"{{.*}} flow.schedule = {block = 128 : i64, grid = 108 : i64, kernel = 0 : i64, kind = "tasks"}
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<3x20xf32> {job.feed = "a0"}) -> (tensor<3x20xf32> {job.fetch = "0"}) {
    %y, %i = "flow.sort"(%a0) {axis = 1 : i64, descending = false} : (tensor<3x20xf32>) -> (tensor<3x20xf32>, tensor<3x20xi32>)
    func.return %y : tensor<3x20xf32>
  }
}

// -----

// What overlapping windows add up is gathered.
// CHECK: linalg.generic {{.*}} kind = "gather"}
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a0: tensor<2x3x4x4xf32> {job.feed = "a0"}) -> (tensor<2x3x9x9xf32> {job.fetch = "0"}) {
    %y = "flow.sum_pool_grad"(%a0) {channels_last = false, shape = array<i64: 2, 3, 9, 9>, strides = array<i64: 2, 2>, window = array<i64: 3, 3>} : (tensor<2x3x4x4xf32>) -> tensor<2x3x9x9xf32>
    func.return %y : tensor<2x3x9x9xf32>
  }
}
