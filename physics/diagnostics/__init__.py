"""What a state amounts to, worked out anew by other means than the kernels use: for tests and plots."""
