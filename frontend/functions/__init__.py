"""Functions of blobs under `flow` and `flow.math`."""
