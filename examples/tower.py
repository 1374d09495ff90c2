"""Tower of ten bricks. It stands for two seconds; then an iron ball that has rolled down a ramp knocks it over, and all
comes to rest. A ball of radius r rolls down a slope of α with 5/7 g (sin α − ρ/r cos α), ρ its rolling resistance.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio
import touching

FRAMES = 168
BRICK, COUNT = (0.2, 0.1, 0.06), 10  # m
BALL, SLOPE, WAY, ROLLING = 0.1, np.radians(20.0), 4.0, 0.01  # m, rad, m along the ramp, m
FOOT, WIDE, THIN = -0.5, 0.5, 0.001  # m: where the ramp meets the floor, its width, how far off it things stay
MOMENTS = {40: "it stands", 54: "struck", 60: "it falls", 168: "at rest"}
PICTURE = {"size": (480, 300), "columns": 2}


def build():
    """The scene, ready to bake; returns the bricks."""
    scene = studio.empty_scene(FRAMES)
    clay = looks.material("Clay", (0.36, 0.10, 0.05), 0.7)
    mesh = looks.crate("Brick", BRICK, clay, frame=0.2)
    bricks = [studio.add(f"Brick {k}", mesh, (0.0, 0.0, (k + 0.5) * BRICK[2])) for k in range(COUNT)]
    for item in bricks:
        studio.rigid_body(item, density=1900.0, shape="BOX")
    along, up = np.array([-np.cos(SLOPE), 0.0, np.sin(SLOPE)]), np.array([np.sin(SLOPE), 0.0, np.cos(SLOPE)])
    look = looks.material("Iron", (0.05, 0.05, 0.055), 0.35, 1.0)
    ball = studio.add("Ball", looks.ball("Ball", BALL, look), [FOOT, 0.0, 0.0] + WAY * along + (BALL + THIN) * up)
    studio.rigid_body(ball, density=7850.0, shape="SPHERE")
    ball.tendril.body.rolling_resistance = ROLLING
    ramp(along)
    scene.tendril.use_floor = True
    studio.corner(scene, size=1.0, floor=0.0, centre=(-0.3, 0.0, 0.3))
    studio.camera(scene, target=(-0.2, 0.0, 0.42), width=2.6, height=0.15)
    return bricks


def ramp(along):
    """A board, a collider, whose lower end lies on the floor."""
    mesh = bpy.data.meshes.new("Ramp")
    ends = [[FOOT, 0.0, 0.0] + d * along for d in (0.0, WAY + 2.0 * BALL)]
    mesh.from_pydata([end + [0.0, y, 0.0] for end in ends for y in (-WIDE / 2, WIDE / 2)], [], [(0, 1, 3, 2)])
    mesh.materials.append(looks.material("Board", (0.36, 0.22, 0.10), 0.6))
    item = studio.add("Ramp", mesh)
    studio.collider(item, THIN)


def check(_bricks):
    """The tower stands until it is struck; the ball rolls as it should; all comes to rest; nothing is in anything."""
    poses, fps = measure.baked()[2][:, :, :3], bpy.context.scene.render.fps
    names = [body.name for body in measure.description().bodies]
    ball, bricks = poses[:, names.index("Ball")], np.delete(poses, names.index("Ball"), axis=1)
    strikes = int(np.argmax(ball[:, 0] > -0.5 * BRICK[0] - BALL))
    sway = np.abs(bricks[: strikes - 1] - bricks[0]).max()
    assert sway < 1e-4, sway
    way = np.linalg.norm(ball[fps] - ball[0])
    law = 0.5 * 5.0 / 7.0 * 9.81 * (np.sin(SLOPE) - ROLLING / BALL * np.cos(SLOPE))
    assert abs(way / law - 1.0) < 0.01, (way, law)
    assert bricks[-1, :, 2].max() < 0.5 * bricks[0, :, 2].max()
    assert np.abs(poses[-1] - poses[-fps]).max() < 1e-5
    deep = touching.deepest()
    assert deep < 0.05, deep
    return (
        f"In its first second the ball rolls {way:.3f} m, the law says {law:.3f} m; until it strikes, the tower sways "
        f"by {1e6 * sway:.1f} µm. Nothing overlaps by more than {deep:.1%}."
    )


if __name__ == "__main__":
    studio.produce("tower", build, check, MOMENTS, **PICTURE)
