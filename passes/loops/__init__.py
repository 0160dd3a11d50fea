"""Groups of generics, and kernels, as functions of loops on buffers."""
