"""What is made of a whole job: native code and its description."""
