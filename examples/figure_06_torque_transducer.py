"""Figure 6. Torque transducer: a rod carries energy to and fro between a light body that spins and a heavy one.

Nothing holds them, so momentum and angular momentum stay; the energies of the bodies and of the rod add up to one sum.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import graph
import looks
import measure
import studio

FPS, FRAMES = 240, 280
LENGTH, RADIUS, BOW = 0.8, 0.008, 0.01  # m
LIGHT, HEAVY = 0.5, 3.0  # kg
SPIN = 75.0  # rad/s
COLORS = {"light": (0.9, 0.55, 0.08), "heavy": (0.1, 0.4, 0.9), "rod": (0.85, 0.12, 0.05), "sum": (0.75, 0.75, 0.72)}


def build(points=40):
    """The scene, ready to bake; returns the rod and its two bodies."""
    scene = studio.empty_scene(FRAMES, FPS)
    scene.use_gravity, scene.tendril.air_density, scene.tendril.contact = False, 0.0, False
    s = np.linspace(-0.5, 0.5, 17)
    rod = studio.curve("Rod", np.stack([LENGTH * s, 0.0 * s, BOW * np.cos(np.pi * s) ** 2], axis=1), RADIUS)
    bpy.ops.tendril.add_rod()
    settings = rod.tendril.rod
    settings.young, settings.poisson, settings.density, settings.bend_factor = 0.02, 0.45, 1000.0, 1.0
    settings.points, settings.shape_memory, settings.internal_damping = points, 0.0, 0.0
    rod.data.materials.append(looks.striped_rope("Rod", LENGTH, RADIUS))
    rod.select_set(False)
    bodies = [wheel(rod, *of) for of in (("Light", -1.0, 0.09, LIGHT, SPIN), ("Heavy", 1.0, 0.14, HEAVY, 0.0))]
    studio.corner(scene, size=0.8, floor=-0.6)
    studio.camera(scene, target=(0.0, 0.0, -0.14), width=1.4, height=0.05)
    return rod, bodies


def wheel(rod, name, side, radius, mass, spin):
    """A disc across the rod's end, with a bar that shows how it turns."""
    paint = looks.material(name, COLORS[name.lower()], 0.35)
    disc = studio.add(name, looks.prism(name, 8, radius, 0.05, paint), (side * (0.5 * LENGTH + 0.025), 0.0, 0.0))
    steel = looks.material("Steel", (0.5, 0.52, 0.55), 0.3, 1.0)
    studio.add("Bar", looks.prism("Bar", 16, 0.012, 2.3 * radius, steel), parent=disc).rotation_euler.y = 0.5 * np.pi
    disc.rotation_euler.y = 0.5 * np.pi
    bpy.context.view_layer.objects.active = disc
    disc.select_set(True)
    bpy.ops.tendril.add_body()
    disc.tendril.body.mass, disc.tendril.body.spin = mass, (spin, 0.0, 0.0)
    disc.tendril.body.collide = False
    rod.select_set(True)
    bpy.ops.tendril.tie(mode="TWIST")
    rod.select_set(False)
    disc.select_set(False)
    return disc


def energies():
    """[J] at the inner frames: of the light body, the heavy one, and the rod (strained, and moving)."""
    x, m1, placed = measure.baked()
    scene, h = measure.description(), 1.0 / FPS
    rod, length = scene.rods[0], np.linalg.norm(scene.rods[0].edges(), axis=1).mean()
    parts = [body_energy(body, placed[:, k], h) for k, body in enumerate(scene.bodies)]
    t = measure.tangents(x)
    kb = 2.0 * np.cross(t[:, :-1], t[:, 1:]) / (1.0 + np.sum(t[:, :-1] * t[:, 1:], axis=2))[..., None]
    strained = 0.5 * rod.bend_stiffness[0, 0] * np.sum(kb**2, axis=(1, 2)) / length
    rate = measure.twist(x, m1).mean(axis=1) / length  # even along a round rod
    strained += 0.5 * rod.twist_stiffness[0] * rate**2 * length * t.shape[1]
    moving = 0.5 * np.sum(rod.mass[:, None] * ((x[2:] - x[:-2]) / (2.0 * h)) ** 2, axis=(1, 2))
    return np.array([*parts, strained[1:-1] + moving])


def body_energy(body, placed, h):
    """½ m v² + ½ ω I ω [J] at the inner frames of a body's poses (F, 7), by central differences."""
    v = (placed[2:, :3] - placed[:-2, :3]) / (2.0 * h)
    before, now, after = placed[:-2, 3:], placed[1:-1, 3:], placed[2:, 3:]
    after = after * np.sign(np.sum(after * before, axis=1))[:, None]
    omega = rotation_vector(before, after) / (2.0 * h)  # world axes
    turn = matrices(now)
    own = np.einsum("kji,kj->ki", turn, omega)  # in the axes of the start, where the inertia is given
    return 0.5 * body.mass * np.sum(v**2, axis=1) + 0.5 * np.einsum("ki,ij,kj->k", own, body.inertia, own)


def rotation_vector(a, b):
    """The turn (k, 3) [rad] in world axes from unit quaternions a to b (k, 4)."""
    scalar = np.sum(a * b, axis=1)
    vector = a[:, :1] * b[:, 1:] - b[:, :1] * a[:, 1:] - np.cross(b[:, 1:], a[:, 1:])
    size = np.linalg.norm(vector, axis=1)
    return vector * (2.0 * np.arctan2(size, scalar) / np.maximum(size, 1e-12))[:, None]


def matrices(q):
    """Rotation matrices (k, 3, 3) of unit quaternions (k, 4)."""
    w, x, y, z = q.T
    return np.moveaxis(np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]), 2, 0)  # fmt: skip


def check(bodies):
    """The sum of the energies keeps to 2 %, and much of it goes into the rod and on into the heavy body."""
    light, heavy, rod = energies()
    total = light + heavy + rod
    off = np.abs(total / total[0] - 1.0).max()
    assert off < 0.02, off
    shares = [(part / total).max() for part in (heavy, rod)]
    assert min(shares) > 0.1, shares
    assert (light / total).min() < 0.4, light / total
    return (
        f"The energies' sum keeps to {100 * off:.1f} %; up to {100 * shares[1]:.0f} % of it is in the rod, "
        f"{100 * shares[0]:.0f} % in the heavy body."
    )


def draw(_bodies):
    """The energies over time, under the rod."""
    light, heavy, rod = energies()
    parts = {"light": light, "rod": rod, "heavy": heavy, "sum": light + heavy + rod}
    lines = {name: (part, COLORS[name]) for name, part in parts.items()}
    graph.draw(lines, (-0.5, 0.0, -0.385), (0.95, 0.19), FRAMES, text=0.04, span=(0.0, parts["sum"].max()))


def moments(_bodies):
    """When most of the energy is in the light body, in the rod, and in the heavy body."""
    _, heavy, rod = energies()
    twisted = int(rod.argmax())
    return {1: "the light body spins", twisted + 2: "the rod has it", int(heavy.argmax()) + 2: "the heavy body turns"}


MOMENTS = moments
PICTURE = {"size": (640, 330), "columns": 1, "draw": draw}

if __name__ == "__main__":
    studio.produce("figure_06_torque_transducer", build, check, MOMENTS, **PICTURE)
