"""Figure 2. A coil is stretched and turned back until it is straight and untwisted; let go, it winds up in two helices.

They are mirror images, joined by a perversion. Clamped rods that curve by κ at rest do this where their tension falls
below B²κ²/C − 4π²B/L² (Goriely & Tabor 1998, with clamped ends).
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from scipy.linalg import eigh

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 280
COILS, COIL, PITCH, RADIUS = 5, 0.05, 0.006, 0.003  # , m, m, m
LENGTH = COILS * np.hypot(2.0 * np.pi * COIL, PITCH)
STRETCH, LET = (2, 110), (140, 250)  # frames
BESIDE = 6  # places on both sides of the perversion, where one helix goes over into the other
SEED = (0.03, 0.03, 0.0)  # m/s², a little gravity along it and across, to decide which end winds up first
STRAIGHT, SLACK = 0.998, 0.7  # of the length
MOMENTS = {1: "a coil", 110: "straight and flat", 190: "let go", FRAMES: "a perversion between two helices"}
PICTURE = {"size": (720, 200), "columns": 1}


def build(points=120):
    """The scene, ready to bake; returns the coil."""
    scene = studio.empty_scene(FRAMES)
    scene.gravity, scene.tendril.contact = SEED, False
    angle = np.linspace(-COILS * np.pi, COILS * np.pi, points + 1)
    line = np.stack([PITCH * angle / (2.0 * np.pi), COIL * np.sin(angle), COIL * (np.cos(angle) - 1.0)], axis=1)
    coil = studio.polylines("Coil", [line], RADIUS)
    bpy.ops.tendril.add_rod()
    rod = coil.tendril.rod
    rod.young, rod.poisson, rod.density, rod.bend_factor = 0.06, 0.5, 1200.0, 1.0
    rod.internal_damping, rod.shape_memory = 0.04, 1.0
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
    for pin, side in zip(coil.tendril.pins, (-1.0, 1.0), strict=True):
        clamp, drawn = pin.target, side * 0.5 * PITCH * COILS
        away = {STRETCH[0]: drawn, STRETCH[1]: side * 0.5 * STRAIGHT * LENGTH}
        away |= {LET[0]: away[STRETCH[1]], LET[1]: side * 0.5 * SLACK * LENGTH}
        studio.steadily(clamp, "location", 0, away)
        studio.steadily(clamp, "rotation_euler", 0, {STRETCH[0]: 0.0, STRETCH[1]: side * COILS * np.pi})
    coil.data.materials.append(looks.striped_rope("Coil", LENGTH, RADIUS))
    studio.corner(scene, size=0.9, floor=-0.3)
    studio.camera(scene, target=(0.0, 0.0, -0.03), width=1.7)
    return coil


def torsion(x):
    """The angle (n − 3,) [rad] from one osculating plane of a polyline to the next."""
    t = measure.tangents(x)
    b = np.cross(t[:-1], t[1:])
    b /= np.linalg.norm(b, axis=1)[:, None]
    return np.arctan2(np.sum(np.cross(b[:-1], b[1:]) * t[1:-1], axis=1), np.sum(b[:-1] * b[1:], axis=1))


def threshold(rod):
    """The tension [N] at which the physics' own forces let this rod, pulled straight, its twist clamped, buckle.

    Stiffness K across the rod by differences of the forces, one vertex after another; a tension T adds T G, G from
    ½ T Σ |Δx|²/l. It buckles at the largest T at which some way of moving costs nothing, −K v = T G v.
    """
    from dataclasses import replace

    from tendril.physics.assemble import assemble
    from tendril.physics.rods.elastic_forces import elastic_forces
    from tendril.physics.scene import Pin, Scene

    n, edge = len(rod.x) - 1, np.linalg.norm(rod.edges(), axis=1).mean()
    line = edge * np.arange(n + 1)[:, None] * np.array([1.0, 0.0, 0.0])
    turn = 2.0 * np.pi * COILS / n  # as a circle of that many turns
    around, r = turn * np.arange(n + 1), 0.5 * edge / np.sin(0.5 * turn)
    circle = np.stack([r * np.sin(around), r * (1.0 - np.cos(around)), 0.0 * around], axis=1)
    up = np.array([0.0, 0.0, 1.0])
    straight = replace(rod, x=line, m1=up, twist=None, rest_x=circle, rest_m1=up, rest_twist=None)
    pins = tuple(Pin.fixed(straight, end, "TWIST", rod=0) for end in (0, n))
    model, state, work = assemble(Scene((straight,), 1.0, 1, pins=pins, gravity=np.zeros(3), contact=False))
    first, delta = model.rods["first"][0], 1e-5 * edge
    own, inner = slice(first, first + n + 1), np.arange(1, n)

    def force():
        elastic_forces(model, state, work.elastic)
        return work.elastic.f[own][inner, 1:].ravel().copy()

    stiffness = []
    for place in inner:
        for axis in (1, 2):
            state.x[first + place, axis] = delta
            plus = force()
            state.x[first + place, axis] = -delta
            stiffness.append((force() - plus) / (2.0 * delta))
            state.x[first + place, axis] = 0.0
    chain = (2.0 * np.eye(n - 1) - np.eye(n - 1, k=1) - np.eye(n - 1, k=-1)) / edge
    tension = np.kron(chain, np.eye(2))
    stiffness = 0.5 * (np.array(stiffness) + np.array(stiffness).T)
    return eigh(-stiffness, tension, eigvals_only=True)[-1]


def check(coil):
    """One helix has the torsion of the other with the opposite sign, and the threshold is that of the law."""
    x = measure.baked()[0]
    turned = torsion(x[-1])
    turned = turned[len(turned) // 6 : -len(turned) // 6]  # the ends point along the axis
    signs = np.sign(np.convolve(turned, np.ones(7), "same"))
    place = np.flatnonzero(np.diff(signs))
    assert len(place) == 1, signs
    left, right = np.median(turned[: place[0] - BESIDE]), np.median(turned[place[0] + 1 + BESIDE :])
    assert abs(left / right + 1.0) < 0.1, (left, right)  # the pitch of the coil as drawn favours one of them a little
    rod = measure.description().rods[0]
    b, c, kappa = rod.bend_stiffness[0, 0], rod.twist_stiffness[0], 2.0 * np.pi * COILS / LENGTH
    law = b**2 * kappa**2 / c - 4.0 * np.pi**2 * b / LENGTH**2
    found = threshold(rod)
    assert abs(found / law - 1.0) < 0.02, (found, law)
    return (
        f"One helix has {left / right:.3f} times the torsion of the other; pulled straight, the rod buckles below "
        f"{found:.3f} N, the law says {law:.3f} N."
    )


if __name__ == "__main__":
    studio.produce("figure_02_perversion", build, check, MOMENTS, **PICTURE)
