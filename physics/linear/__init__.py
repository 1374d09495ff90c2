"""Linear algebra by itself, which knows nothing of rods."""
