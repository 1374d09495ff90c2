"""The bake: a Scene as files, a worker process that turns it into frames, and the cache that keeps them. No bpy.

Blender's process uses `job`, `cache`, `folder` and `process`; only the worker's side (`baking`, `worker`, `__main__`)
ever imports a kernel.
"""
