// A job on the CPU and a GPU: each value is copied once, where it is computed, and each device keeps
// its part, with the ends of the copies.
//
// RUN: penstock opt %s --pipeline 'place,box-devices' | filecheck %s --check-prefix=BOTH
// RUN: penstock opt %s --pipeline 'place,box-devices,keep-device{device="cpu 0:0"}' | filecheck %s --check-prefix=HOST
// RUN: penstock opt %s --pipeline 'place,box-devices,keep-device{device="gpu 0:0"}' | filecheck %s --check-prefix=DEVICE

// BOTH:       module @job attributes {job.devices = ["cpu 0:0", "gpu 0:0"]
// BOTH:       %[[H:.*]] = "flow.relu"(%x)
// BOTH-NEXT:  %[[C:.*]] = "sbp.copy_hd"(%[[H]]) {{.*}}source = "cpu 0:0", target = "gpu 0:0"
// BOTH-NEXT:  %[[E:.*]] = "flow.exp"(%x)
// BOTH-NEXT:  %[[Y:.*]] = "flow.add"(%[[C]], %[[C]])
// BOTH-NEXT:  %[[Z:.*]] = "flow.multiply"(%[[Y]], %[[C]])
// BOTH-NEXT:  %[[D:.*]] = "sbp.copy_hd"(%[[Z]]) {{.*}}source = "gpu 0:0", target = "cpu 0:0"
// BOTH-NEXT:  %{{.*}} = "flow.add"(%[[D]], %[[E]])

// HOST:       %[[H:.*]] = "flow.relu"(%x)
// HOST-NEXT:  "sbp.give"(%[[H]]) {number = 0 : i64}
// HOST-NEXT:  %[[E:.*]] = "flow.exp"(%x)
// HOST-NEXT:  %[[D:.*]] = "sbp.take"() {number = 1 : i64}
// HOST-NEXT:  %{{.*}} = "flow.add"(%[[D]], %[[E]])

// DEVICE:        job.device = "gpu 0:0"
// DEVICE:        func.func @job() -> (tensor<4xf32> {job.fetch = "0"})
// DEVICE-NEXT:   %[[C:.*]] = "sbp.take"() {number = 0 : i64}
// DEVICE-NEXT:   %[[Y:.*]] = "flow.add"(%[[C]], %[[C]])
// DEVICE-NEXT:   %[[Z:.*]] = "flow.multiply"(%[[Y]], %[[C]])
// DEVICE-NEXT:   "sbp.give"(%[[Z]]) {number = 1 : i64}
// DEVICE-NEXT:   func.return %[[Y]]
module @job {
  func.func @job(%x: tensor<4xf32> {job.feed = "x"}) -> (tensor<4xf32> {job.fetch = "0"}, tensor<4xf32> {job.fetch = "1"}) {
    %h = "flow.relu"(%x) {job.placement = {device = "cpu", ranks = ["0:0"]}} : (tensor<4xf32>) -> tensor<4xf32>
    %e = "flow.exp"(%x) {job.placement = {device = "cpu", ranks = ["0:0"]}} : (tensor<4xf32>) -> tensor<4xf32>
    %y = "flow.add"(%h, %h) {job.placement = {device = "gpu", ranks = ["0:0"]}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %z = "flow.multiply"(%y, %h) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r = "flow.add"(%z, %e) {job.placement = {device = "cpu", ranks = ["0:0"]}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %y, %r : tensor<4xf32>, tensor<4xf32>
  }
}
