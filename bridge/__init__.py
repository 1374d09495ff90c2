"""The only place where Blender data meets arrays: the scene read into them, the bake shown from them."""
