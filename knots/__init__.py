"""Knots as an artist orders them: drawn as in a book of knots, or by a formula. Numpy only, no bpy."""
