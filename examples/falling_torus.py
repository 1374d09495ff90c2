"""Falling torus with one fixed vertex. Figures 3 and 4 of Liesenfeld & Stolfi 1997: a rubber torus of 480 tetrahedra,
relaxed and at rest in an almost vertical plane, is let go and swings about one vertex inside it for ten seconds; its
energy goes to and fro between its kinds, and their sum stays.
"""

import sys
from functools import cache
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent))
import graph
import measure
import soft_torus
import studio

FRAMES, FPS = 241, 24
LEAN = np.radians(5.0)  # from upright
KINDS = {"gravity": (0.10, 0.35, 0.75), "motion": (0.75, 0.16, 0.03), "strain": (0.20, 0.55, 0.10)}
SUM = 0.7, 0.7, 0.66
MOMENTS = {1: "let go", 9: "falling over", 14: "turned over", 22: "swinging up", 34: "and back", 90: "on and on"}


def build():
    """The scene, ready to bake; returns the torus."""
    scene = studio.empty_scene(FRAMES, FPS)
    x, node = soft_torus.torus()
    turn = np.array([[1.0, 0.0, 0.0], [0.0, np.cos(LEAN), -np.sin(LEAN)], [0.0, np.sin(LEAN), np.cos(LEAN)]])
    ring = soft_torus.ring("Torus", (x - x[0]) @ turn.T, node, (0.65, 0.10, 0.02))
    soft_torus.held(ring, "Nail", [0], studio.add("Nail", None))
    scene.tendril.contact, scene.tendril.air_density = False, 0.0
    studio.corner(scene, size=1.4, floor=-1.05, centre=(0.0, 0.0, -0.2))
    studio.camera(scene, target=(0.0, 0.0, -0.32), width=1.75, height=0.12)
    return ring


@cache
def energies():
    """(the largest way [m] from what was baked, energies {kind: (F,)} [J]) of the scene, simulated once more."""
    from tendril.physics.assemble.solids import assemble_solids, node_order
    from tendril.physics.diagnostics.soft_bodies import soft_energies
    from tendril.physics.scene import FRACTIONS
    from tendril.physics.time_integration.velocity_verlet import verlet_steps

    scene, x = measure.description(), measure.baked()[0]
    (model, state, work), order = assemble_solids(scene), node_order(scene)
    found, away = [soft_energies(model, state)], 0.0
    for frame in range(1, FRAMES):
        verlet_steps(model, state, work, False, 1.0 / FPS, FRACTIONS[scene.quality], np.inf)
        found.append(soft_energies(model, state))
        away = max(away, np.abs(state.x - x[frame][order]).max())
    kinds = zip(("gravity", "motion", "strain"), ("potential", "kinetic", "elastic"), strict=True)
    return away, {name: np.array([getattr(one, kind) for one in found]) for name, kind in kinds}


def check(_ring):
    """All frames are those of the simulation whose energies are measured, and their sum stays what it was."""
    away, found = energies()
    assert away < 1e-6, away
    total = sum(found.values())
    error = np.abs(total - total[0]).max() / found["motion"].max()
    assert error < 1e-4, error
    strain = found["strain"].max() / found["motion"].max()
    assert strain > 0.05, strain
    return f"In ten seconds the energy strays by {error:.0e} of the largest kinetic energy."


def draw(_ring):
    """The energies over time, in the paper's figure 4."""
    found = energies()[1]
    found["gravity"] = found["gravity"] - found["gravity"].min()
    lines = {name: (found[name], color) for name, color in KINDS.items()}
    graph.draw(lines | {"sum": (sum(found.values()), SUM)}, (-0.75, 0.0, -0.92), (1.2, 0.28), FRAMES, text=0.05)


PICTURE = {"size": (440, 400), "columns": 3, "draw": draw}

if __name__ == "__main__":
    studio.produce("falling_torus", build, check, MOMENTS, **PICTURE)
