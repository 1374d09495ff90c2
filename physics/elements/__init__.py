"""Elements: one file each, with its energy, gradient and Hessian side by side."""
