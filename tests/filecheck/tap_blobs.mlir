// RUN: penstock opt %s --pipeline mark-blobs | filecheck %s --check-prefix MARKED
// RUN: penstock opt %s --pipeline mark-blobs,lower,copy-blobs | filecheck %s --check-prefix COPIED
// RUN: penstock opt %s --pipeline mark-blobs,lower,cse,copy-blobs,fuse-elementwise,outline-groups,tap-blobs,dce | filecheck %s --check-prefix TAPPED

// MARKED-LABEL: func.func @job(
// MARKED: %h = "flow.exp"
// MARKED: "job.watchable"(%x) {name = "x"}
// MARKED-NEXT: "job.watchable"(%h) {name = "h"}
// MARKED-NEXT: "job.watchable"(%y) {name = "y"}

// The job goes on without what may be watched; a copy holds it.
// COPIED-LABEL: func.func @job(
// COPIED: %h = linalg.generic
// COPIED: job.number = 0
// COPIED: %y = linalg.generic
// COPIED: job.number = 1
// COPIED-NOT: job.watchable
// COPIED: func.func private @job_blobs(
// COPIED: job.blobs
// COPIED: "job.watchable"(%h) {name = "h"}

// What fusion has left is watched; the rest is computed for whoever listens.
// TAPPED-LABEL: func.func @job(
// TAPPED: "job.watch"(%x) {name = "x"}
// TAPPED: %0 = "job.listening"() {names = ["h"]}
// TAPPED-NEXT: scf.if %0 {
// TAPPED-NEXT: %h = func.call @exp_0(%x)
// TAPPED-NEXT: "job.watch"(%h) {name = "h"}
// TAPPED-NEXT: }
// TAPPED-NEXT: %y = func.call @exp_negative_0(%x)
// TAPPED-NEXT: "job.watch"(%y) {name = "y"}
// TAPPED-NEXT: func.return %y
// TAPPED-NOT: job_blobs
func.func @job(%x: tensor<8xf32> {job.feed = "x"}) -> (tensor<8xf32> {job.fetch = "0"}) {
  %h = "flow.exp"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %y = "flow.negative"(%h) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
