// RUN: penstock opt %s -p lower,canonicalize,cse,lift-views --split-input-file --no-locations | filecheck %s
// Channels are told apart in groups before images are padded, along what stays whole.
// CHECK-LABEL: func.func @groups
// CHECK: %[[VIEW:.*]] = tensor.expand_shape %x {{.*}} into tensor<1x2x3x5x5xf32>
// CHECK: linalg.generic {{.*}} -> (d0, d1, d2, d3, d4)>], {{.*}} outs({{.*}} : tensor<1x2x3x7x5xf32>)
// CHECK: tensor.extract %[[VIEW]]
// CHECK-NOT: tensor.expand_shape {{.*}} tensor<1x6x7x5xf32>
func.func @groups(%x: tensor<1x6x5x5xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x5x3xf32> {
  %p = "flow.pad"(%x) {before = array<i64: 0, 0, 1, 0>, after = array<i64: 0, 0, 1, 0>, inside = array<i64: 0, 0, 0, 0>} : (tensor<1x6x5x5xf32>) -> tensor<1x6x7x5xf32>
  %y = "flow.conv"(%p, %w) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, channels_last = false} : (tensor<1x6x7x5xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x5x3xf32>
  return %y : tensor<1x4x5x3xf32>
}

// -----

// What is padded along a dimension that is cut, or has other readers, stays.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: tensor.expand_shape {{.*}} : tensor<{{8|6x8}}xf32>
func.func @others(%x: tensor<6xf32>, %z: tensor<6x6xf32>) -> (tensor<4x2xf32>, tensor<2x3x8xf32>, tensor<6x8xf32>) {
  %p = "flow.pad"(%x) {before = array<i64: 1>, after = array<i64: 1>, inside = array<i64: 0>} : (tensor<6xf32>) -> tensor<8xf32>
  %u = "flow.reshape"(%p) {shape = array<i64: 4, 2>} : (tensor<8xf32>) -> tensor<4x2xf32>
  %q = "flow.pad"(%z) {before = array<i64: 0, 1>, after = array<i64: 0, 1>, inside = array<i64: 0, 0>} : (tensor<6x6xf32>) -> tensor<6x8xf32>
  %v = "flow.reshape"(%q) {shape = array<i64: 2, 3, 8>} : (tensor<6x8xf32>) -> tensor<2x3x8xf32>
  return %u, %v, %q : tensor<4x2xf32>, tensor<2x3x8xf32>, tensor<6x8xf32>
}

// -----

// A part is cut out of the gradient before its groups are joined, and not where these are cut.
// CHECK-LABEL: func.func @parts
// CHECK: %[[PART:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<2x3x8xf32>)
// CHECK: tensor.extract %x
// CHECK: tensor.collapse_shape %[[PART]] {{.*}} : tensor<2x3x8xf32> into tensor<6x8xf32>
// CHECK: %[[WHOLE:.*]] = tensor.collapse_shape %y
// CHECK: tensor.extract %[[WHOLE]]
func.func @parts(%x: tensor<2x3x10xf32>, %y: tensor<2x3xf32>) -> (tensor<6x8xf32>, tensor<4xf32>) {
  %v = "flow.reshape"(%x) {shape = array<i64: 6, 10>} : (tensor<2x3x10xf32>) -> tensor<6x10xf32>
  %z = "flow.slice"(%v) {starts = array<i64: 0, 1>, sizes = array<i64: 6, 8>, steps = array<i64: 1, 1>} : (tensor<6x10xf32>) -> tensor<6x8xf32>
  %u = "flow.reshape"(%y) {shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  %s = "flow.slice"(%u) {starts = array<i64: 1>, sizes = array<i64: 4>, steps = array<i64: 1>} : (tensor<6xf32>) -> tensor<4xf32>
  return %z, %s : tensor<6x8xf32>, tensor<4xf32>
}

// -----

// Of nothing a part is cut alike; what turns its dimensions, or is one number, is no part.
// CHECK-LABEL: func.func @nothing
// CHECK: tensor.extract %x[{{.*}}] : tensor<0x3x4xf32>
// CHECK: tensor.collapse_shape %y
// CHECK: affine_map<(d0, d1) -> (d1, d0)>
// CHECK: tensor.collapse_shape %one
func.func @nothing(%x: tensor<0x3x4xf32>, %y: tensor<2x2x4xf32>, %one: tensor<1x1xf32>) -> (tensor<0x3xf32>, tensor<4x4xf32>, tensor<f32>) {
  %v = tensor.collapse_shape %x [[0, 1], [2]] : tensor<0x3x4xf32> into tensor<0x4xf32>
  %z = "flow.slice"(%v) {starts = array<i64: 0, 1>, sizes = array<i64: 0, 3>, steps = array<i64: 1, 1>} : (tensor<0x4xf32>) -> tensor<0x3xf32>
  %u = tensor.collapse_shape %y [[0, 1], [2]] : tensor<2x2x4xf32> into tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = tensor.extract %u[%i, %j] : tensor<4x4xf32>
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  %n = tensor.collapse_shape %one [] : tensor<1x1xf32> into tensor<f32>
  %f = tensor.empty() : tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%f : tensor<f32>) {
  ^bb0(%o: f32):
    %a = tensor.extract %n[] : tensor<f32>
    linalg.yield %a : f32
  } -> tensor<f32>
  return %z, %t, %s : tensor<0x3xf32>, tensor<4x4xf32>, tensor<f32>
}
