// RUN: penstock opt %s -p lower,split-phases,canonicalize,cse,dce --split-input-file --no-locations | filecheck %s
// A window of three that moves by two: every other place is seen by two taps, the rest by one.
// CHECK-LABEL: func.func @gradient
// CHECK: %[[ALL:.*]] = tensor.empty() : tensor<1x1x9xf32>
// CHECK: %[[EVEN:.*]] = linalg.generic {{.*}} -> (d0, d3, d2 - d4 + 1)>, {{.*}} -> (d3, d1, d4 * 2)>, {{.*}} ins({{.*}} : tensor<1x1x6xf32>, tensor<1x1x3xf32>, tensor<2xf32>)
// CHECK: %[[HALF:.*]] = linalg.generic {{.*}} -> (d0, d1, d2 * 2)>{{.*}} ins(%[[EVEN]] : tensor<1x1x5xf32>) outs(%[[ALL]]
// CHECK: %[[ODD:.*]] = linalg.generic {{.*}} -> (d0, d3, d2 - d4)>, {{.*}} -> (d3, d1, d4 * 2 + 1)>, {{.*}} ins(%y, %w, {{.*}} : tensor<1x1x4xf32>, tensor<1x1x3xf32>, tensor<1xf32>)
// CHECK: linalg.generic {{.*}} -> (d0, d1, d2 * 2 + 1)>{{.*}} ins(%[[ODD]] : tensor<1x1x4xf32>) outs(%[[HALF]]
func.func @gradient(%y: tensor<1x1x4xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x9xf32> {
  %x = "flow.conv_data_grad"(%y, %w) {strides = array<i64: 2>, dilations = array<i64: 1>, channels_last = false, shape = array<i64: 1, 1, 9>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x9xf32>
  return %x : tensor<1x1x9xf32>
}

// -----

// One tap for each of the first three places of four: these are one sum, and the fourth is zero.
// CHECK-LABEL: func.func @unseen
// CHECK: %[[ZEROS:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<1x1x8xf32>)
// CHECK: %[[SEEN:.*]] = linalg.generic {{.*}} -> (d0, d4, d3 - d5)>, {{.*}} -> (d4, d1, d5 * 4 + d2)>
// CHECK: linalg.generic {{.*}} -> (d0, d1, d3 * 4 + d2)>{{.*}} ins(%[[SEEN]] : tensor<1x1x3x2xf32>) outs(%[[ZEROS]]
// CHECK-NOT: linalg.generic
func.func @unseen(%y: tensor<1x1x2xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x8xf32> {
  %x = "flow.conv_data_grad"(%y, %w) {strides = array<i64: 4>, dilations = array<i64: 1>, channels_last = false, shape = array<i64: 1, 1, 8>} : (tensor<1x1x2xf32>, tensor<1x1x3xf32>) -> tensor<1x1x8xf32>
  return %x : tensor<1x1x8xf32>
}
