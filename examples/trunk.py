"""Trunk of 100 pieces. A bamboo is pulled aside and let go, as foresters try how a tree stands. It sways with the
least frequency of Rayleigh's quotient, ω² = ∫(EI w″² − N w′²) dz / ∫w² dm, of all ways w(z) to bend, N the weight
above; branches go with their trunk.
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from scipy.linalg import eigh

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import sapling
import studio
import tree
from sapling import UP, Branch

FRAMES = 160
HEIGHT, THICK, TOP = 12.0, 0.045, 0.009  # m: of the trunk, its radius at the foot and at the top
WHORLS, IN_WHORL, LONGEST = 10, 3, 1.5  # , , m
PULLED, FROM, TO, LET_GO = 1.0, 4, 40, 46  # m, frames
ROPE = 0.6  # of the height: there it is pulled
G = 9.81  # m/s²
WAYS = 7  # to bend
MOMENTS = {1: "standing", 44: "pulled", 57: "let go", 68: "and over"}
PICTURE = {"size": (240, 480), "columns": 4}


def build(pieces=100):
    """The scene, ready to bake; returns the tree. Made as an artist would."""
    scene = studio.empty_scene(FRAMES)
    drawn = branches()
    culm = sapling.tree("Bamboo", drawn)
    leaves = sapling.leaves("Leaves", culm, drawn[1:], spacing=0.02, size=0.3)
    bpy.ops.tendril.add_tree()
    bpy.ops.tendril.apply_preset(preset="bamboo")
    culm.tendril.tree.pieces = pieces
    scene.tendril.solver, scene.tendril.contact = "IMPLICIT", False
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=ROPE, holder="EMPTY", mode="POSITION")
    pull = culm.tendril.pins[-1]
    share = np.linspace(0.0, 1.0, TO - FROM + 1)
    down = 0.62 * PULLED**2 / (ROPE * HEIGHT)  # ½∫w′² of w ∝ z^1.8
    for axis, way in ((0, PULLED * share), (2, ROPE * HEIGHT - down * share**2)):
        studio.steadily(pull.target, "location", axis, dict(enumerate(way, start=FROM)))
    for frame, influence in ((FROM - 1, 0.0), (FROM, 1.0), (LET_GO, 1.0), (LET_GO + 1, 0.0)):
        pull.influence = influence
        pull.keyframe_insert("influence", frame=frame)
    culm.data.materials.append(looks.material("Culm", (0.25, 0.3, 0.06), 0.5))
    leaves.data.materials.append(tree.leaf())
    tree.outdoors(scene, target=(0.0, 0.0, 5.7), width=6.6)
    return culm


def branches():
    """The trunk and its whorls."""
    share = np.linspace(0.0, 1.0, 9)
    trunk = Branch(share[:, None] * HEIGHT * UP, THICK + (TOP - THICK) * share, 0)
    found = [trunk]
    for whorl, at in enumerate(np.linspace(0.3, 0.96, WHORLS)):
        place, _, thick = trunk.at(at)
        length = LONGEST * (1.15 - at)
        for turn in 2.0 * np.pi * (np.arange(IN_WHORL) + 0.5 * (whorl % 2)) / IN_WHORL:
            away = np.array([np.cos(turn), np.sin(turn), 0.35])
            points = place + np.linspace(0.0, length, 4)[:, None] * away / np.linalg.norm(away)
            found.append(Branch(points, 0.35 * thick * np.linspace(1.0, 0.3, 4), 1))
    return found


def check(_culm):
    """It stands as drawn until it is pulled, holds together, and sways as the law says."""
    scene, (x, _, _) = measure.description(), measure.baked()
    tip = len(scene.rods[0].x) - 1
    assert tip == 100, tip
    assert np.abs(x[: FROM - 1] - x[0]).max() < 1e-4
    length = np.linalg.norm(np.diff(x[:, : tip + 1], axis=1), axis=2)
    assert np.abs(length / length[0] - 1.0).max() < 1e-5
    away = x[LET_GO + 6 :, tip, 0] - x[0, tip, 0]
    crossings = np.flatnonzero(np.diff(np.sign(away)) != 0)
    times = crossings + away[crossings] / (away[crossings] - away[crossings + 1])
    found = 0.5 * bpy.context.scene.render.fps / np.polyfit(np.arange(len(times)), times, 1)[0]
    law = swaying(scene)
    assert abs(found / law - 1.0) < 0.01, (found, law)
    return f"{x.shape[1]} points, {tip} pieces in the culm: it sways with {found:.3f} Hz, the law says {law:.3f}."


def swaying(scene):
    """The least frequency [Hz] of all ways to bend that are polynomials."""
    trunk, *others = scene.rods
    z = trunk.x[:, 2]
    middle, length = 0.5 * (z[1:] + z[:-1]), np.diff(z)
    bend, lean = way(middle, 2), way(middle, 1)
    stiffness = bend.T @ (bend * (trunk.bend_stiffness[:, :1] * length[:, None]))
    mass = way(z).T @ (way(z) * trunk.mass[:, None])
    above = np.array([trunk.mass[z > height].sum() for height in middle])
    for rod in others:
        foot, away = rod.x[0, 2], rod.x - rod.x[0]
        aside, down = way(foot) + away[:, 2:] * way(foot, 1), away[:, :1] * way(foot, 1)
        mass += aside.T @ (aside * rod.mass[:, None]) + down.T @ (down * rod.mass[:, None])
        stiffness -= G * (rod.mass @ away[:, 2]) * way(foot, 1).T @ way(foot, 1)
        above += rod.mass.sum() * (middle < foot)
    stiffness -= lean.T @ (lean * (G * above * length)[:, None])
    return np.sqrt(eigh(stiffness, mass, eigvals_only=True)[0]) / (2.0 * np.pi)


def way(z, order=0):
    """(z/H)^k, k = 2, 3 …, or a derivative of that: (len(z), WAYS)."""
    power = np.arange(2, 2 + WAYS)
    factor = np.prod([power - k for k in range(order)], axis=0) / HEIGHT**order
    return factor * (np.atleast_1d(z)[:, None] / HEIGHT) ** (power - order)


if __name__ == "__main__":
    studio.produce("trunk", build, check, MOMENTS, **PICTURE)
