"""Windows that slide over data: convolutions and pools, with their gradients."""
