"""A program of its own: the frames of small scenes, from kernels that are compiled in an order of its choice.

    python frames_of.py FOLDER_OF_TENDRIL FRAMES.npz KERNELS_FIRST SCENE...

KERNELS_FIRST, yes or no: whether Python calls kernels that others put into themselves before any scene does.
"""

import sys
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numba
import numpy as np

FRAMES = 16


def scenes():
    """Scenes by name; things hit each other in them, so that what is rounded otherwise is seen a few frames later."""
    from tendril.physics.materials import Material
    from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Shape, SoftBody, Weld

    rubber, wire = Material(2e6, 0.5, 1100.0), Material(1e9, 0.3, 1500.0)
    side, floor = np.linspace(0.0, 1.0, 17), Floor(0.0)

    def rod(name, begin, end, material, **options):
        x = np.array(begin) + side[:, None] * (np.array(end) - begin)
        x[:, 2] += 0.01 * np.sin(7.0 * side)
        return Rod.from_material(name, x, 0.005, material, friction=0.4, **options)

    def cube(at, **options):
        x = np.array([[i, j, k] for i in range(3) for j in range(3) for k in range(3)], float) * 0.05 + at
        node = []
        for corner in np.ndindex(2, 2, 2):
            for order in permutations(range(3)):
                steps = np.vstack([np.zeros(3, int), np.cumsum(np.eye(3, dtype=int)[list(order)], axis=0)])
                own = ((steps + corner) @ [9, 3, 1]).tolist()
                even = sum(order[i] > order[k] for i in range(3) for k in range(i, 3)) % 2 == 0
                node.append(own if even else [own[0], own[2], own[1], own[3]])
        return SoftBody("jelly", x, np.array(node), 1000.0, 3e4, 0.4, mu=20.0, friction=0.4, **options)

    def box(name, at, turn, size=0.05):
        angle = np.array([np.cos(0.5 * turn), 0.6 * np.sin(0.5 * turn), 0.8 * np.sin(0.5 * turn), 0.0])
        corners = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], float) * size + at
        faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6],
                 [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip
        shape = Shape(corners, np.array(faces), 0.002)
        inertia = np.diag([1.0, 2.0, 2.5]) * 1e-4 + 1e-5
        return RigidBody(name, np.array(at, float), 0.3, inertia, omega=3.0 * angle[1:], shape=shape, friction=0.4)

    low = rod("low", [-0.2, 0.0, 0.06], [0.2, 0.03, 0.06], rubber)
    high = rod("high", [0.02, -0.2, 0.12], [0.0, 0.2, 0.10], rubber, v=np.tile([0.0, 0.0, -1.0], (17, 1)))
    thin = rod("wire", [-0.03, 0.05, 0.15], [0.16, 0.06, 0.16], wire)
    scene = Scene((low,), 1.0 / 24.0, FRAMES, pins=(Pin.fixed(low, 0),), floor=floor, solver="EXPLICIT")
    stiff = rod("stiff", [-0.2, 0.0, 0.06], [0.2, 0.03, 0.06], wire)
    round_about = 2.0 * np.pi * side[:-1]
    ring = 0.1 * np.stack([np.cos(round_about), np.sin(round_about), 1.0 + 0.2 * np.cos(3.0 * round_about)], axis=1)
    closed = Rod.from_material("ring", ring, 0.005, wire, closed=True, friction=0.4)
    ball = RigidBody("ball", thin.x[-1] + [0.01, 0.0, 0.0], 0.02, 1e-6 * np.eye(3) + 1e-7)
    still = Scene((), 1.0 / 24.0, FRAMES, floor=floor)
    fork = RigidBody("fork", low.x[8], 0.01, 1e-6 * np.eye(3))
    ways = [[0.0, 0.15, 0.16], [0.0, -0.15, 0.14]]
    twigs = tuple(rod(f"twig {k}", low.x[8], way, rubber, shape_memory=1.0) for k, way in enumerate(ways))
    forks = tuple(Weld(f"fork {r}", 0, r, v) for r, v in ((0, 8), (1, 0), (2, 0)))
    return {
        "an explicit rod": scene,
        "a Cosserat rod": replace(scene, rods=(replace(low, model="cosserat", internal_damping=1e-3),)),
        "a tree": replace(scene, rods=(low, *twigs), bodies=(fork,), welds=forks, contact=False),
        "implicit rods with contact": replace(scene, rods=(stiff, closed), pins=(), solver="IMPLICIT"),
        "rods that touch": replace(scene, rods=(low, high)),
        "a soft body": replace(still, solids=(cube([0.0, 0.0, 0.02]),)),
        "a soft body with rods": replace(
            still, rods=(thin,), solids=(cube([0.0, 0.0, 0.02]),), bodies=(ball,), solver="IMPLICIT",
            welds=(Weld("weld", 0, 0, 16),),
        ),
        "bodies that touch": replace(
            still, bodies=(box("one", [0.0, 0.0, 0.06], 0.7), box("two", [0.03, 0.02, 0.2], 1.1)),
        ),
    }  # fmt: skip


def another_users(a, n, x):
    """What kernels do too, to be compiled with numba's own options."""
    x[1:] = min(a**n, max(a, x[0])) + np.sqrt(a) * np.sin(a) + abs(int(a)) * (n in (1, 2, 3))
    return x[:n].sum() + len(x) // n + n % 2 + n**2


def main(folder, out, kernels_first, *names):
    """See above."""
    sys.path.insert(0, folder)
    import tendril

    assert Path(tendril.__file__).is_relative_to(folder), tendril.__file__
    from tendril.physics.contact.segment_distance import distance_of
    from tendril.physics.run.simulate import simulate

    if kernels_first == "yes":
        numba.njit(another_users)(2.0, 3, np.ones(3))
        distance_of((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 1.0), (1.0, 1.0, 2.0))
    frames = {}
    for name in names:
        for frame in simulate(scenes()[name]):
            for what in ("x", "m1", "bodies"):
                frames[f"{name}, {what} of frame {frame.index}"] = getattr(frame, what)
    np.savez(out, **frames)


if __name__ == "__main__":
    main(*sys.argv[1:])
