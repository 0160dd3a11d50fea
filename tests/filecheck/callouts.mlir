// Ops around a call-out are shared and removed as usual. It stays, although nothing reads its result;
// a pure one that nothing reads is removed, and equal ones are one.
//
// RUN: penstock opt %s --pipeline 'canonicalize,cse,dce' | filecheck %s

// CHECK-LABEL: @job
// CHECK-NEXT:    %[[Y:.*]] = "flow.relu"(%x)
// CHECK-NEXT:    %{{.*}} = "job.callout"(%[[Y]]) {name = "seen"}
// CHECK-NEXT:    %[[Z:.*]] = "job.pure_callout"(%[[Y]]) {name = "ranks"}
// CHECK-NEXT:    %[[S:.*]] = "flow.add"(%[[Z]], %[[Z]])
// CHECK-NEXT:    func.return %[[S]]
func.func @job(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "flow.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %again = "flow.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %seen = "job.callout"(%again) {name = "seen"} : (tensor<4xf32>) -> tensor<4xf32>
  %unused = "job.pure_callout"(%y) {name = "unused"} : (tensor<4xf32>) -> tensor<4xf32>
  %a = "job.pure_callout"(%y) {name = "ranks"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "job.pure_callout"(%again) {name = "ranks"} : (tensor<4xf32>) -> tensor<4xf32>
  %s = "flow.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}
