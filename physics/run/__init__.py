"""A simulation under way, from frame to frame.

simulate turns a Scene into frames. parts are what holds together; islands are parts that may meet (meeting), joined by
joining and each run in its thread (part_run): driver goes to a time by steps, and says what is tried when that fails,
failure and lagging what an artist is told, yielding how colliders make room. checkpoint keeps all of it (kept),
taking_over goes on from it with other settings. cables are at rest in each frame. compile does beforehand what numba
takes long for.
"""
