// RUN: penstock opt %s -p lower,fold-parts,canonicalize,cse,dce --split-input-file --no-locations | filecheck %s
// Three tensors that are joined two by two are each written once, where they are in the end.
// CHECK-LABEL: func.func @three
// CHECK: %[[ALL:.*]] = tensor.empty() : tensor<9xf32>
// CHECK: %[[ONE:.*]] = linalg.generic {{.*}} -> (d0 + d1)>]{{.*}} ins(%a, {{.*}} outs(%[[ALL]]
// CHECK: %[[TWO:.*]] = linalg.generic {{.*}} -> (d0 + 2)>]{{.*}} ins(%b : {{.*}} outs(%[[ONE]]
// CHECK: %[[ALL_OF_IT:.*]] = linalg.generic {{.*}} -> (d0 + 5)>]{{.*}} ins(%c : {{.*}} outs(%[[TWO]]
// CHECK-NOT: linalg.generic
func.func @three(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) -> tensor<9xf32> {
  %0 = "flow.concat"(%a, %b) {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = "flow.concat"(%0, %c) {axis = 0 : i64} : (tensor<5xf32>, tensor<4xf32>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}

// -----

// What is read besides stays.
// CHECK-LABEL: func.func @shared
// CHECK: tensor.empty() : tensor<5xf32>
// CHECK: tensor.empty() : tensor<9xf32>
func.func @shared(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) -> (tensor<5xf32>, tensor<9xf32>) {
  %0 = "flow.concat"(%a, %b) {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = "flow.concat"(%0, %c) {axis = 0 : i64} : (tensor<5xf32>, tensor<4xf32>) -> tensor<9xf32>
  return %0, %1 : tensor<5xf32>, tensor<9xf32>
}
