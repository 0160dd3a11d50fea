"""How numbers, matrices and tensors are laid out: rounding, fragments, descriptors, tensor maps."""
