"""Functions of tensors by their modern signatures, most of which take blobs as well."""
