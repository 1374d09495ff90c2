"""The implicit step's equations: of a rod's vertices, tensions and material frames together, solved by Newton."""
