// RUN: penstock opt %s -p lower,interchange-sums --split-input-file --no-locations | filecheck %s
// Channels ahead of padded images are summed last, where there are many and the window is short.
// CHECK-LABEL: func.func @channels_first
// CHECK: iterator_types = {{.*}}"parallel"]}
// CHECK: linalg.generic {{.*}} -> (d0, d6, d2 + d4, d3 + d5)>, {{.*}} -> (d1, d6, d4, d5)>, {{.*}} -> (d0, d1, d2, d3)>]
func.func @channels_first(%x: tensor<1x16x5x5xf32>, %w: tensor<29x16x3x3xf32>) -> tensor<1x29x5x5xf32> {
  %p = "flow.pad"(%x) {before = array<i64: 0, 0, 1, 1>, after = array<i64: 0, 0, 1, 1>, inside = array<i64: 0, 0, 0, 0>} : (tensor<1x16x5x5xf32>) -> tensor<1x16x7x7xf32>
  %y = "flow.conv"(%p, %w) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, channels_last = false} : (tensor<1x16x7x7xf32>, tensor<29x16x3x3xf32>) -> tensor<1x29x5x5xf32>
  return %y : tensor<1x29x5x5xf32>
}

// -----

// Of few channels, and in the gradient by the weights, which sums over positions, they stay.
// CHECK-LABEL: func.func @few_channels
// CHECK: linalg.generic {{.*}} -> (d0, d4, d2 + d5, d3 + d6)>, {{.*}} -> (d1, d4, d5, d6)>
func.func @few_channels(%x: tensor<1x3x5x5xf32>, %w: tensor<29x3x3x3xf32>) -> tensor<1x29x5x5xf32> {
  %p = "flow.pad"(%x) {before = array<i64: 0, 0, 1, 1>, after = array<i64: 0, 0, 1, 1>, inside = array<i64: 0, 0, 0, 0>} : (tensor<1x3x5x5xf32>) -> tensor<1x3x7x7xf32>
  %y = "flow.conv"(%p, %w) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, channels_last = false} : (tensor<1x3x7x7xf32>, tensor<29x3x3x3xf32>) -> tensor<1x29x5x5xf32>
  return %y : tensor<1x29x5x5xf32>
}

// -----

// CHECK-LABEL: func.func @weights
// CHECK: linalg.generic {{.*}} -> (d4, d1, d2 + d5, d3 + d6)>, {{.*}} -> (d4, d0, d5, d6)>
func.func @weights(%x: tensor<16x3x7x7xf32>, %y: tensor<16x29x7x7xf32>) -> tensor<29x3x5x5xf32> {
  %p = "flow.pad"(%x) {before = array<i64: 0, 0, 2, 2>, after = array<i64: 0, 0, 2, 2>, inside = array<i64: 0, 0, 0, 0>} : (tensor<16x3x7x7xf32>) -> tensor<16x3x11x11xf32>
  %w = "flow.conv_weight_grad"(%p, %y) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, channels_last = false, shape = array<i64: 29, 3, 5, 5>} : (tensor<16x3x11x11xf32>, tensor<16x29x7x7xf32>) -> tensor<29x3x5x5xf32>
  return %w : tensor<29x3x5x5xf32>
}

// -----

// Of images that are not padded, a copy is read; but not where windows have a single element.
// CHECK-LABEL: func.func @not_padded
// CHECK: tensor.extract %x
// CHECK: linalg.generic {{.*}} -> (d0, d6, d2 * 2 + d4, d3 * 2 + d5)>, {{.*}} ins(%{{[0-9]+}}, %w :
func.func @not_padded(%x: tensor<1x16x8x8xf32>, %w: tensor<67x16x2x2xf32>) -> tensor<1x67x4x4xf32> {
  %y = "flow.conv"(%x, %w) {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, channels_last = false} : (tensor<1x16x8x8xf32>, tensor<67x16x2x2xf32>) -> tensor<1x67x4x4xf32>
  return %y : tensor<1x67x4x4xf32>
}

// CHECK-LABEL: func.func @single
// CHECK-NOT: tensor.extract
func.func @single(%x: tensor<1x16x8x8xf32>, %w: tensor<299x16x1x1xf32>) -> tensor<1x299x8x8xf32> {
  %y = "flow.conv"(%x, %w) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, channels_last = false} : (tensor<1x16x8x8xf32>, tensor<299x16x1x1xf32>) -> tensor<1x299x8x8xf32>
  return %y : tensor<1x299x8x8xf32>
}

// -----

// A sum over two dimensions that reads a single number as well has no columns of it.
// CHECK-LABEL: func.func @number
// CHECK: linalg.generic {{.*}} -> ()>, affine_map<(d0, d1) -> ()>]
func.func @number(%x: tensor<2x3xf32>, %most: tensor<f32>, %zero: tensor<f32>) -> tensor<f32> {
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x, %most : tensor<2x3xf32>, tensor<f32>) outs(%zero : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %e = arith.addf %c, %d : f32
    linalg.yield %e : f32
  } -> tensor<f32>
  return %y : tensor<f32>
}
