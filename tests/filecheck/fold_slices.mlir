// RUN: penstock opt %s -p fold-slices --split-input-file --no-locations | filecheck %s
// A sum of which every other element from the first on is kept.
// CHECK-LABEL: func.func @part
// CHECK: %[[FILL:.*]] = linalg.generic {{.*}}outs({{.*}} : tensor<4xf32>)
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + d1 + 1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]
// CHECK-SAME: outs(%[[FILL]] : tensor<4xf32>)
// CHECK-NOT: tensor.extract
func.func @part(%x: tensor<10xf32>, %w: tensor<2xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<9xf32>) {
  ^bb0(%o: f32):
    %c = arith.constant 0.0 : f32
    linalg.yield %c : f32
  } -> tensor<9xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<10xf32>, tensor<2xf32>) outs(%zeros : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = math.fma %a, %b, %sum : f32
    linalg.yield %p : f32
  } -> tensor<9xf32>
  %f = tensor.empty() : tensor<4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%f : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    %m = arith.muli %i, %two : index
    %place = arith.addi %m, %one : index
    %v = tensor.extract %y[%place] : tensor<9xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// What somebody else reads stays.
// CHECK-LABEL: func.func @shared
// CHECK: tensor.extract
func.func @shared(%x: tensor<10xf32>, %w: tensor<2xf32>) -> (tensor<9xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<9xf32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<9xf32>) {
  ^bb0(%o: f32):
    %c = arith.constant 0.0 : f32
    linalg.yield %c : f32
  } -> tensor<9xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<10xf32>, tensor<2xf32>) outs(%zeros : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = math.fma %a, %b, %sum : f32
    linalg.yield %p : f32
  } -> tensor<9xf32>
  %f = tensor.empty() : tensor<4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%f : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %y[%i] : tensor<9xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y, %z : tensor<9xf32>, tensor<4xf32>
}

// -----

// %x says how long d0 is, and %z keeps less of it.
// CHECK-LABEL: func.func @cut_at_the_end
// CHECK: tensor.extract
func.func @cut_at_the_end(%x: tensor<3x2xf32>) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
  ^bb0(%o: f32):
    %c = arith.constant 0.0 : f32
    linalg.yield %c : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x2xf32>) outs(%zeros : tensor<3xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %p = arith.addf %sum, %a : f32
    linalg.yield %p : f32
  } -> tensor<3xf32>
  %f = tensor.empty() : tensor<2xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%f : tensor<2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %y[%i] : tensor<3xf32>
    linalg.yield %v : f32
  } -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

// A body that asks for its position has that of what is kept.
// CHECK-LABEL: func.func @asks
// CHECK: linalg.generic {{.*}} ins(%x : tensor<3xf32>) outs({{.*}} : tensor<4xf32>)
// CHECK: %[[HERE:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = arith.addi %[[HERE]]
// CHECK: arith.index_cast %[[AT]]
// CHECK-NOT: tensor.extract
func.func @asks(%x: tensor<3xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<9xf32>) {
  ^bb0(%o: f32):
    %c = arith.constant 0.0 : f32
    linalg.yield %c : f32
  } -> tensor<9xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3xf32>) outs(%zeros : tensor<9xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %p = math.fma %a, %f, %sum : f32
    linalg.yield %p : f32
  } -> tensor<9xf32>
  %f = tensor.empty() : tensor<4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%f : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %one = arith.constant 1 : index
    %place = arith.addi %i, %one : index
    %v = tensor.extract %y[%place] : tensor<9xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// What rounds a value of its own, and none that comes in, rounds no sum.
// CHECK-LABEL: func.func @rounds_its_own
// CHECK: arith.truncf {{.*}} : f64 to f32
// CHECK: tensor.extract
func.func @rounds_its_own() -> tensor<2xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
  ^bb0(%o: f32):
    %c = arith.constant 0.7427293051210718 : f64
    %n = arith.truncf %c : f64 to f32
    linalg.yield %n : f32
  } -> tensor<3xf32>
  %f = tensor.empty() : tensor<2xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%f : tensor<2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %y[%i] : tensor<3xf32>
    linalg.yield %v : f32
  } -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

// A cast to wider floats comes behind the slice, and stays where somebody else reads it.
// CHECK-LABEL: func.func @widened
// CHECK: arith.extf
// CHECK: %[[PART:.*]] = linalg.generic {{.*}}outs({{.*}} : tensor<5xbf16>)
// CHECK: tensor.extract %x[{{.*}}] : tensor<10xbf16>
// CHECK: linalg.generic {{.*}}ins(%[[PART]] : tensor<5xbf16>) outs({{.*}} : tensor<5xf32>)
// CHECK: arith.extf
// CHECK-NOT: tensor.extract
func.func @widened(%x: tensor<10xbf16>) -> (tensor<10xf32>, tensor<5xf32>) {
  %e = tensor.empty() : tensor<10xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<10xbf16>) outs(%e : tensor<10xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %w = arith.extf %a : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<10xf32>
  %f = tensor.empty() : tensor<5xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%f : tensor<5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %two = arith.constant 2 : index
    %place = arith.muli %i, %two : index
    %v = tensor.extract %y[%place] : tensor<10xf32>
    linalg.yield %v : f32
  } -> tensor<5xf32>
  return %y, %z : tensor<10xf32>, tensor<5xf32>
}
