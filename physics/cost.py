"""How long a bake will take, before it starts: the straight rod's stable step and measured costs. numpy only."""

import numpy as np

from .scene import QUALITIES

PER_VERTEX = {"isotropic": 90e-9, "general": 110e-9}  # [s] of a step, contact and drag included
PER_STEP = 1.0e-6  # [s]
PER_WELD = 0.3e-6  # [s] of a step, with its part in the projection


def linear_step(rod):
    """Largest stable step [s] of the straight rod: l²/2·√(ρA/B), with each vertex's own mass; stretching too when it
    stretches.
    """
    length = np.linalg.norm(rod.edges(), axis=1) * rod.rest_length_factor
    n, m = len(rod.x), rod.edge_count
    tail, head = np.arange(m), (np.arange(m) + 1) % n
    mass = np.minimum(rod.mass[tail], rod.mass[head])
    mass[[0, -1]] = np.minimum(mass[[0, -1]] if rod.closed else 2.0 * mass[[0, -1]], mass.max())
    square = 16.0 * np.max(rod.bend_stiffness.max(axis=1) / (length**3 * mass))
    if rod.stretchable:
        square += 4.0 * np.max(rod.stretch_stiffness / (length * mass))
    return 2.0 / np.sqrt(square)


def hanging_step(rod, gravity, load=0.0):
    """Largest stable step [s] of the rod when its own weight and a load [kg] pull at it: ω² grows by 4T/lm."""
    shortest = np.linalg.norm(rod.edges(), axis=1).min() * rod.rest_length_factor
    weight = (rod.mass.sum() + load) * gravity
    return 2.0 / np.sqrt((2.0 / linear_step(rod)) ** 2 + 4.0 * weight / (shortest * rod.mass.min()))


def largest_step(scene):
    """Largest step [s] to expect, everything hanging."""
    return min(*rod_steps(scene), scene.frame_duration, scene.max_step)


def rod_steps(scene):
    """Largest step [s] each rod allows by itself, everything hanging: a list (R,)."""
    gravity = float(np.linalg.norm(scene.gravity))
    hanging = zip(scene.rods, loads(scene), strict=True)
    return [QUALITIES[scene.quality] * hanging_step(rod, gravity, load) for rod, load in hanging]


def loads(scene):
    """Mass [kg] of the bodies on each rod; rods that share one carry equal parts."""
    found = np.zeros(len(scene.rods))
    rods = {}
    for weld in scene.welds:
        rods.setdefault(weld.body, set()).add(weld.rod)
    for body, own in rods.items():
        if not scene.bodies[body].led:
            found[list(own)] += scene.bodies[body].mass / len(own)
    return found


def estimate(scene):
    """Seconds a bake will take with compiled kernels; knots and impacts take longer."""
    steps = np.ceil(scene.frame_duration / largest_step(scene)) * max(scene.frame_count - 1, 0)
    vertices = len(scene.welds) * PER_WELD
    for rod in scene.rods:
        general = np.ptp(rod.bend_stiffness, axis=1).max() > 1e-9 * rod.bend_stiffness.max() or rod.shape_memory > 0.0
        vertices += len(rod.x) * PER_VERTEX["general" if general else "isotropic"]
    return float(steps * (PER_STEP + vertices))
