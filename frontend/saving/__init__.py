"""`flow.save` and `flow.load`: nests (nested containers) of tensors in one file."""
