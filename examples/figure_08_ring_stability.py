"""Figure 8. Michell's instability: a rod closed to a ring with a twist θ writhes out of its plane above θ = 2π√3 B/C.

36 rings are baked at once, each barely bent out of its plane: those beneath the line calm down, those above it writhe.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 72
RADIUS, THICK = 0.1, 0.003  # m, of a ring and of its rod
APART = 0.27  # m, from ring to ring
RATIOS = (0.4, 0.7, 1.0, 1.3, 1.6, 1.9)  # B/C, one for each column
TURNS = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5)  # θ/2π, one for each row
NUDGE = 2e-4  # m, out of the plane
POISSON = 0.5
MOMENTS = {9: ""}  # a third of a second later
PICTURE = {"size": (600, 560), "columns": 1}


def ring(edges, column, row):
    """Points (k, 3) [m]: ends meet in the middle of an edge of a regular polygon."""
    corner = np.pi * (2.0 * np.arange(edges) + 1.0) / edges
    angle = np.concatenate([[0.0], corner, [2.0 * np.pi]])
    reach = np.full(edges + 2, RADIUS * (np.pi / edges) / np.sin(np.pi / edges))
    reach[[0, -1]] *= np.cos(np.pi / edges)
    out = NUDGE * np.sin(angle) * (1.0 - np.cos(angle))
    centre = np.array([column * APART, 0.0, row * APART])
    return centre + np.stack([reach * np.sin(angle), out, -reach * np.cos(angle)], axis=1)


def build(edges=50):
    """The scene, ready to bake; returns the rods, a column of rings each."""
    scene = studio.empty_scene(FRAMES)
    scene.use_gravity, scene.tendril.air_density, scene.tendril.contact = False, 0.0, False
    scene.tendril.solver = "EXPLICIT"  # next to the line a ring calms too slowly for implicit steps of Good to tell
    stripes = looks.striped_rope("Ring", 2.0 * np.pi * RADIUS, THICK)
    columns = []
    for column, ratio in enumerate(RATIOS):
        lines = [ring(edges, column, row) for row in range(len(TURNS))]
        share = np.concatenate([[0.0], np.linspace(0.0, 1.0, edges), [1.0]])
        tilts = [2.0 * np.pi * turns * share for turns in TURNS]
        rings = studio.polylines(f"B/C {ratio}", lines, THICK, tilts)
        bpy.ops.tendril.add_rod()
        rod = rings.tendril.rod
        rod.young, rod.poisson, rod.density, rod.bend_factor = 0.01, POISSON, 1000.0, 1.0
        rod.twist_factor, rod.shape_memory, rod.internal_damping = (1.0 + POISSON) / ratio, 0.0, 0.05
        bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
        rings.data.materials.append(stripes)
        rings.select_set(False)
        columns.append(rings)
    law()
    middle = 0.5 * APART * (len(RATIOS) - 1)
    studio.corner(scene, size=1.6, floor=-0.35, centre=(middle, 0.0, middle))
    studio.camera(scene, target=(middle - 0.05, 0.0, middle - 0.02), width=2.0, height=0.0)
    return columns


def law():
    """The line θ = 2π√3 B/C between the rings, behind them, and what the axes are."""
    ratio = np.array([0.25, 2.05])
    x = (ratio - RATIOS[0]) / (RATIOS[1] - RATIOS[0]) * APART
    z = (np.sqrt(3.0) * ratio - TURNS[0]) / (TURNS[1] - TURNS[0]) * APART
    line = studio.polylines("Line", [np.stack([x, 0.0 * x + 0.12, z], axis=1)], 0.004)
    line.data.materials.append(looks.glow("Line", (0.3, 0.75, 1.0)))
    line.select_set(False)
    for column, ratio in enumerate(RATIOS):
        studio.label(f"{ratio:g}", (column * APART, 0.0, -0.16))
    for row, turns in enumerate(TURNS):
        studio.label(f"{turns:g}", (-0.16, 0.0, row * APART))
    studio.label("B/C", (0.5 * APART * (len(RATIOS) - 1), 0.0, -0.22))
    studio.label("turns", (-0.16, 0.0, (len(TURNS) - 0.45) * APART))


def out_of_plane(x):
    """How far (…) [m] rings (…, n, 3) are from a plane, root mean square."""
    return np.linalg.svd(x - x.mean(axis=-2, keepdims=True), compute_uv=False)[..., 2] / np.sqrt(x.shape[-2])


def check(columns):
    """Rings beneath the line stay flat, those above it leave their plane; within 3 % of it either may happen."""
    x = measure.baked()[0]
    flat = out_of_plane(x.reshape(len(x), len(RATIOS), len(TURNS), -1, 3))
    early, late, flat = flat[: FRAMES // 2].max(axis=0), flat[-FRAMES // 3 :].max(axis=0), flat.max(axis=0)
    writhes = flat > 0.1 * RADIUS
    beyond = np.array(TURNS) / (np.sqrt(3.0) * np.array(RATIOS)[:, None])  # θ/θ_c
    counted = np.abs(beyond - 1.0) > 0.03
    assert counted.sum() >= 36, beyond
    assert np.array_equal(writhes[counted], beyond[counted] > 1.0), flat / NUDGE
    assert np.all(late[~writhes] < early[~writhes]), late / early  # they calm down
    near = beyond[~writhes].max(), beyond[writhes].min()
    return (
        f"All {beyond.size} rings are on their side of the line: the nearest stay calm at {near[0]:.2f} of the "
        f"critical twist and writhe at {near[1]:.2f}."
    )


if __name__ == "__main__":
    studio.produce("figure_08_ring_stability", build, check, MOMENTS, **PICTURE)
