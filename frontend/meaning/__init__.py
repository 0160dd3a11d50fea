"""What a module computes at each stage, within which rounding, and the pass that changes it."""
