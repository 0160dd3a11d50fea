"""Functions of tensors with modern signatures; most of them also take blobs."""
