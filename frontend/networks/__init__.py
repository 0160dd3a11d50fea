"""Neural networks: convolutions, pools, norms, losses, layers and learning rates."""
