// RUN: penstock opt %s --verify-diagnostics --split-input-file

func.func @f(%x: f32) -> f32 {
  // expected-error@+1 {{%y is used before it is defined}}
  return %y : f32
}

// -----

func.func @f(%x: f32) -> f32 {
  // expected-error@below {{unknown operation 'math.exq': did you mean math.exp?}}
  %y = math.exq %x : f32
  return %y : f32
}

// -----

func.func @f(%x: f32) -> f32 {
  %x = math.exp %x : f32 // expected-error {{%x is defined twice}}
  return %x : f32
}

// -----

func.func @f() {
  %s = arith.constant "abc
  // expected-error@-1 {{the string that begins here is not closed on its line}}
  return
}
