"""`flow.save` and `flow.load`: nests of tensors in one file, and what a nest is."""
