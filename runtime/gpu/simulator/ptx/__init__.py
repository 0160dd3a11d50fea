"""PTX text as data: tokens, instructions, kernels and the layout of their parameters."""
