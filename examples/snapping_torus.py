"""Torus dragged over a post. After figure 5 of Liesenfeld & Stolfi 1997: a rubber torus floats around one post, is
dragged by a section over another, down behind it, and let go. It snaps back and stays, tight around both. The posts are
rigid here; theirs were of rubber too, and gave way, so that the two are not to be compared.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import soft_torus
import studio

FRAMES, FPS = 144, 24
POST, APART = 0.05, 0.46  # m: radius of the posts, and between their axes
HEIGHTS = 0.5, 0.3  # m
START = 0.16  # m above the platform
WAY = {1: (0.0, 0.0), 12: (0.0, 0.0), 32: (0.06, 0.28), 50: (0.40, 0.32), 62: (0.48, 0.16), 76: (0.46, -0.06)}
LET_GO = 84  # frame
MOMENTS = {
    14: "around one post",
    34: "dragged up",
    52: "over the other",
    78: "down behind it",
    87: "let go",
    144: "still",
}
PICTURE = {"size": (440, 380), "columns": 3}


def build():
    """The scene, ready to bake; returns the torus."""
    scene = studio.empty_scene(FRAMES, FPS)
    for number in range(2):
        post(f"Post {number + 1}", number * APART, HEIGHTS[number])
    x, node = soft_torus.torus()
    x = 0.72 * x[:, [0, 2, 1]] * [1.0, -1.0, 1.0] + [0.0, 0.0, START]
    ring = soft_torus.ring("Torus", x, node, (0.65, 0.10, 0.02))
    ring.tendril.soft.relaxation, ring.tendril.soft.friction = 0.004, 0.3
    hand = studio.add("Hand", None)
    for frame, (right, up) in WAY.items():
        hand.location = right, 0.0, up
        hand.keyframe_insert("location", frame=frame)
    pin = soft_torus.held(ring, "Section", list(range(soft_torus.RIM + 1)), hand)
    pin.use_release, pin.release = True, LET_GO
    scene.tendril.use_floor, scene.tendril.floor_friction = True, 0.4
    studio.corner(scene, size=1.2, floor=0.0, centre=(0.24, 0.0, 0.2))
    studio.camera(scene, target=(0.24, 0.0, 0.27), width=1.35, height=0.35)
    return ring


def post(name, place, high):
    """A round post with a rounded top, a collider."""
    profile = [(POST, -0.05), (POST, high - 0.02), (0.7 * POST, high)]
    sides = 32
    turns = 2.0 * np.pi * np.arange(sides) / sides
    corners = [(r * np.cos(a), r * np.sin(a), z) for r, z in profile for a in turns]
    faces = [
        (k * sides + i, k * sides + (i + 1) % sides, (k + 1) * sides + (i + 1) % sides, (k + 1) * sides + i)
        for k in range(2)
        for i in range(sides)
    ]
    faces += [tuple(range(2 * sides, 3 * sides)), tuple(range(sides))[::-1]]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    mesh.materials.append(looks.material("Post", (0.35, 0.34, 0.30), 0.4))
    item = studio.add(name, mesh, (place, 0.0, 0.0))
    studio.collider(item, 0.001)


def check(_ring):
    """The ring goes once around both posts and lies still; no node is in a post, no tetrahedron inside out."""
    from tendril.physics.elements.tetrahedra import volumes

    scene, x = measure.description(), measure.baked()[0]
    (solid,) = scene.solids
    least = min((volumes(frame[solid.tetrahedra]) / volumes(solid.x[solid.tetrahedra])).min() for frame in x)
    assert least > 0.1, least
    middle = x[:, :: soft_torus.RIM + 1]
    for number in range(2):
        away = middle[-1, :, :2] - [number * APART, 0.0]
        turn = np.angle(np.exp(1j * np.diff(np.arctan2(away[:, 1], away[:, 0]), append=np.arctan2(*away[0, ::-1]))))
        assert abs(round(turn.sum() / (2.0 * np.pi))) == 1, (number, turn.sum())
    right = middle[-1][middle[-1, :, 0] > 0.5 * APART]
    assert right[:, 2].max() < HEIGHTS[1], right
    deep = max(
        (POST - np.linalg.norm(x[..., :2] - [number * APART, 0.0], axis=-1))[x[..., 2] < high - 0.03].max()
        for number, high in enumerate(HEIGHTS)
    )
    assert deep < 0.002, deep
    speed = np.linalg.norm(x[-1] - x[-2], axis=1).max() * FPS
    assert speed < 0.02, speed
    long = [np.linalg.norm(np.diff(one, axis=0, append=one[:1]), axis=1).sum() for one in (middle[0], middle[-1])]
    return (
        f"It stays around both posts, {long[1] / long[0]:.2f} times as long as it was, moves by less than "
        f"{max(1e3 * speed, 0.1):.1f} mm/s, and was never deeper in a post than {max(1e3 * deep, 0.0):.1f} mm."
    )


if __name__ == "__main__":
    studio.produce("snapping_torus", build, check, MOMENTS, **PICTURE)
