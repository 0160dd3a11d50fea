"""OneFlow's names for what tests use: `automated_test_util` and `test_util`."""
