"""The base of blobs: to type checkers `Tensor`, as `base.pyi` says, since functions of tensors take
blobs too."""

Base = object
