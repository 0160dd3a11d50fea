// RUN: penstock opt %s --verify-diagnostics --split-input-file

func.func @f(%x: f32) -> i32 {
  // expected-error@+1 {{func.return: returns f32 where @f promises i32}}
  return %x : f32
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{func.call: no symbol @h is defined}}
  func.call @h(%x) : (f32) -> ()
  return
}

// -----

func.func private @show(f32)
func.func @f(%x: i32) {
  // expected-error@+1 {{func.call: is used as (i32) -> () and @show is (f32) -> ()}}
  func.call @show(%x) : (i32) -> ()
  return
}

// -----

func.func private @g(f32)
// expected-error@+1 {{symbol @g is defined twice: first at}}
func.func private @g(i32)

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{math.exp: operand 0 is i32: expected a float or a vector of floats}}
  %y = "math.exp"(%x) : (i32) -> f32
  return
}

// -----

func.func @f(%x: f32) -> f32 {
  // expected-error@+1 {{arith.addf: has results of type f64: its operands and attributes give f32}}
  %y = "arith.addf"(%x, %x) : (f32, f32) -> f64
  return %x : f32
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error@+1 {{arith.cmpf: attribute 'predicate' is missing: expected a predicate: one of}}
  %c = "arith.cmpf"(%x, %y) {predicat = 1} : (f32, f32) -> i1
  // expected-error@+1 {{arith.cmpf: attribute 'predicate' is 99 : i64: expected a predicate: one of}}
  %d = "arith.cmpf"(%x, %y) <{predicate = 99 : i64}> : (f32, f32) -> i1
  return
}

// -----

// expected-error@+1 {{func.func: a block in it does not end in a terminator}}
func.func @f(%x: f32) {
  %y = math.exp %x : f32
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{func.return: ends its block, and other ops follow it}}
  "func.return"() : () -> ()
  %y = math.exp %x : f32
  return
}

// -----

func.func @f(%x: f32, %p: i1) {
  // Both findings of one op, and those of the next, are told.
  // expected-error@+2 {{math.fma: has 2 operands: expected 3}}
  // expected-error@+1 {{math.fma: has 0 results: expected 1}}
  "math.fma"(%x, %x) : (f32, f32) -> ()
  // expected-error@+1 {{scf.if: has 1 regions: expected 2}}
  "scf.if"(%p) ({}) : (i1) -> ()
  return
}

// -----

func.func @f(%x: f32) {
  // An op that says where it comes from is not reported here.
  // expected-error@unknown {{math.exp: has 0 operands: expected 1}}
  %y = "math.exp"() : () -> f32 loc("train.py":7:3)
  return
}
