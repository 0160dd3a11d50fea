// Nesting, names, regions and blocks of ops that nobody defined, with locations of every kind.
#layout = affine_map<(i, j)[s] -> (i floordiv 4, j - i * 2 + s, i mod 4)>
!buffer = memref<8x8xf32, #layout>
#where = loc("here.py":70:1)
module @"odd name" attributes {job.unit} {
  "zz.empty"() {"quoted key" = @"also odd"::@inner} : () -> () loc(unknown)
  "zz.regions"() ({
  }, {
  ^bb0:
  }, {
  ^bb0(%x: f32 loc("train.py":3:4), %y: !buffer):
    "zz.use"(%x, %y) : (f32, !buffer) -> ()
  }, {
    "zz.first"() : () -> ()
  ^bb1(%z: index):
    "zz.second"(%z) : (index) -> ()
  ^bb2:
    "zz.third"() : () -> ()
  }) {a} : () -> ()
  %many:3 = "zz.many"() {nested = [[], {b = [1 : i8, "x"]}, unit]} : () -> (f32, i1, index)
  %first, %rest:2 = "zz.split"(%many#2, %many#0) : (index, f32) -> (f32, f32, !zz.opaque<"a > b">)
  %a-b.c$d = "zz.named"(%rest#1) : (!zz.opaque<"a > b">) -> (() -> (f32, i1))
  %0 = "zz.numbered"(%a-b.c$d) : (() -> (f32, i1)) -> ((i1) -> ())
  "zz.outer"() ({
    %inner = "zz.inner"(%0) : ((i1) -> ()) -> f32
    "zz.deeper"() ({
      "zz.deepest"(%inner, %first) : (f32, f32) -> ()
    }) : () -> ()
  }) : () -> ()
  func.func private @external(f32 {zz.a = 1 : i64}, !buffer) -> (f32 {zz.b = "r"}, i1)
  func.func @"0 quoted \22name\22\0A"(%x: f32 loc("arg"), %x_0: f32 loc("a.py":1:2)) -> f32 {
    %y:2 = func.call @external2(%x, %x_0) : (f32, f32) -> (f32, f32) loc(callsite("f"("a.py":1:2) at "b.py":3:4))
    return %y#1 : f32 loc(fused["a.py":1:2, "b\22.py":3:4])
  } loc("layer"(#where))
  func.func private @external2(f32, f32) -> (f32, f32) loc("here.py":1:2)
  "zz.fused"() : () -> () loc(fused["a.py":1:2, "name"])
} loc(#late)
#late = loc("late"(#where))
