"""Soft bodies: forces, steps of growing meshes, the paper's falling torus beside the time it shows, putty."""

from dataclasses import replace
from itertools import permutations

import numpy as np
from tendril.physics._jit import entry
from tendril.physics.assemble.solids import assemble_solids, in_force
from tendril.physics.materials import shear_modulus, young_and_poisson
from tendril.physics.scene import Hold, Scene, SoftBody
from tendril.physics.solids.forces import elastic_forces, viscoelastic_forces
from tendril.physics.time_integration.runge_kutta import DORMAND_PRINCE, FEHLBERG, runge_kutta_steps
from tendril.physics.time_integration.velocity_verlet import verlet_steps

from .measure import medians, row

LOOPS = 200
SHOWN = 1.0  # s of the torus
LARGEST, USUAL = 36, 8  # cells across


def rows():
    tasks = {"force": _force(False), "paper": _force(True), "affine": _force(False, "AFFINE"), "viscous": _viscous()}
    for cells in (6, USUAL, LARGEST):
        tasks[f"step {cells}"] = _steps(cells)
    tasks["affine step"] = _steps(USUAL, elements="AFFINE")
    tasks["putty"] = _steps(6, 0.1)
    tasks |= {"verlet": _torus(None, False), "touching": _torus(None, False, contact=True),
              "lumped": _torus(DORMAND_PRINCE, False), "consistent": _torus(DORMAND_PRINCE, True),
              "Fehlberg": _torus(FEHLBERG, False), "paper's": _torus(FEHLBERG, True)}  # fmt: skip
    seconds = medians(tasks, 3)
    metric, goal = "ns per tetrahedron", "this project's goal"
    per = {name: seconds[name] / LOOPS / 5184 * 1e9 for name in ("force", "paper", "affine", "viscous")}
    step = {cells: seconds[f"step {cells}"] / 20 / (6 * cells**3) * 1e9 for cells in (6, USUAL, LARGEST)}
    affine = seconds["affine step"] / 20 / (6 * USUAL**3) * 1e9
    putty = seconds["putty"] / 20 / (6 * 6**3) * 1e9
    real, torus = "s per second shown", "the falling torus of Liesenfeld and Stolfi, 480 tetrahedra, "
    return [
        row("elastic force, polyconvex, 5184 tetrahedra", metric, per["force"], per["affine"], "affine ones"),
        row("elastic force of eq. (16), 5184 tetrahedra", metric, per["paper"], per["affine"], "affine ones"),
        row("elastic force, 5184 affine tetrahedra", metric, per["affine"], 40.0, goal),
        row("elastic and viscous force, 5184 tetrahedra", metric, per["viscous"], per["force"], "without viscosity"),
        row("whole step by Verlet, 3072 tetrahedra", metric, step[USUAL], step[6], "1296 tetrahedra"),
        row("whole step by Verlet, 3072 tetrahedra", metric, step[USUAL], affine, "affine ones"),
        row("whole step by Verlet, 279936 tetrahedra", metric, step[LARGEST], step[6], "1296 tetrahedra"),
        row("whole step of putty, μ/G = .1 s, 1296 tetrahedra", metric, putty, step[6], "the step without viscosity"),
        row(torus + "by Verlet", real, seconds["verlet"] / SHOWN, 0.05, goal),
        row(torus + "by Verlet, where it may touch itself", real, seconds["touching"] / SHOWN, 0.05, goal),
        row(torus + "by Dormand and Prince, lumped", real, seconds["lumped"] / SHOWN, 0.5, goal),
        row(torus + "by Dormand and Prince, consistent", real, seconds["consistent"] / SHOWN, 1.0, goal),
        row(torus + "by Fehlberg, lumped", real, seconds["Fehlberg"] / SHOWN, 0.5, goal),
        row(torus + "by Fehlberg, consistent", real, seconds["paper's"] / SHOWN, 1297.0, "the paper in 1997"),
    ]


def brick(cells, size):
    """(x, tetrahedra) of a brick, each cell divided into six."""
    axes = [np.linspace(0.0, length, count + 1) for length, count in zip(size, cells, strict=True)]
    x = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    corner = np.stack(np.meshgrid(*map(np.arange, cells), indexing="ij"), axis=-1).reshape(-1, 3)
    stride, found = np.array([(cells[1] + 1) * (cells[2] + 1), cells[2] + 1, 1]), []
    for order in permutations(range(3)):
        steps = np.vstack([np.zeros(3, int), np.cumsum(np.eye(3, dtype=int)[list(order)], axis=0)])
        node = np.stack([(corner + step) @ stride for step in steps], axis=1)
        found.append(node if np.linalg.det(steps[1:]) > 0.0 else node[:, [0, 2, 1, 3]])
    return x, np.stack(found, axis=1).reshape(-1, 4)


def _body(cells, size, relaxation=0.0, **options):
    x, node = brick(cells, size)
    viscosity = relaxation * shear_modulus(1e6, 0.3)
    return SoftBody("body", x, node, 1000.0, 1e6, 0.3, zeta=viscosity, mu=viscosity, **options)


@entry
def _elastic_loop(solids, x, f, jacobian, loops):
    for _ in range(loops):
        elastic_forces(solids, x, f, jacobian)


@entry
def _viscous_loop(solids, x, f, jacobian, loops):
    for _ in range(loops):
        viscoelastic_forces(solids, x, x, f, jacobian)


def _force(paper, elements="SMOOTHED"):
    energy = "LIESENFELD" if paper else "POLYCONVEX"
    arguments = _for_loops(_body((24, 6, 6), (1.0, 0.2, 0.2), energy=energy, elements=elements))
    return lambda: arguments, _elastic_loop


def _viscous():
    arguments = _for_loops(_body((24, 6, 6), (1.0, 0.2, 0.2), 1e-3))
    return lambda: arguments, _viscous_loop


def _for_loops(body):
    model, state, _ = assemble_solids(Scene((), 1 / 24, 2, solids=(body,)))
    x = state.x + 1e-3 * np.random.default_rng(1).normal(size=state.x.shape)
    return model.solids, x, np.zeros_like(x), np.zeros(len(model.solids.tetrahedra)), LOOPS


def _steps(cells, relaxation=0.0, elements="SMOOTHED"):
    """Twenty steps, at .7 of the critical one, of a block that falls and wobbles."""
    body = _body((cells,) * 3, (0.4,) * 3, relaxation, elements=elements)
    scene = Scene((), 1 / 24, 2, solids=(body,), holds=(Hold("nail", "POINT", 0, 0),))
    model, begun, work = assemble_solids(scene)
    viscous = relaxation > 0.0
    verlet_steps(model, begun, work, viscous, 1e-3, 0.7, np.inf)  # finds the fastest vibration
    h = 0.4 / cells / 65.0

    def prepare():
        state = begun._replace(**{name: getattr(begun, name).copy() for name in ("x", "v", "clock", "mode")})
        return model, state, work, viscous, 20 * h, 1.0, h

    return prepare, verlet_steps


def _torus(pair, consistent, contact=False):
    scene = replace(_falling_torus(), contact=contact)
    model, begun, work = assemble_solids(scene)
    model = in_force(model, begun, consistent)

    def prepare():
        return (begun._replace(**{name: getattr(begun, name).copy() for name in ("x", "v", "clock", "mode")}),)

    def run(state):
        for _ in range(round(24 * SHOWN)):
            if pair is None:
                verlet_steps(model, state, work, False, 1 / 24, 0.7, np.inf)
            else:
                runge_kutta_steps(model, state, work, pair, False, 1 / 24, 1e-5, np.inf)

    return prepare, run


def _falling_torus(around=20, rim=8):
    """Its axis nearly level, R = .25 m, r = .08 m; the middle of its first section is fixed."""
    u, v = 2.0 * np.pi * np.arange(around) / around, 2.0 * np.pi * np.arange(rim) / rim
    out, up = np.concatenate([[0.0], 0.08 * np.cos(v)]), np.concatenate([[0.0], 0.08 * np.sin(v)])
    far = 0.25 + out[None]
    x = np.stack([far * np.cos(u)[:, None], up + 0.1 * far * np.sin(u)[:, None], far * np.sin(u)[:, None]], axis=-1)
    section = np.array([[0, 1 + k, 1 + (k + 1) % rim] for k in range(rim)])
    here = (rim + 1) * np.arange(around)[:, None, None] + section
    here = np.sort(here, axis=-1)
    behind = (here + rim + 1) % (around * (rim + 1))
    a, b, c = np.moveaxis(here, -1, 0)
    d, e, f = np.moveaxis(behind, -1, 0)
    node = np.stack([np.stack(four, axis=-1) for four in ((a, b, c, f), (a, b, e, f), (a, d, e, f))], axis=2)
    node, x = node.reshape(-1, 4), x.reshape(-1, 3)
    wrong = np.linalg.det(x[node[:, 1:]] - x[node[:, :1]]) < 0.0
    node[wrong] = node[wrong][:, [0, 2, 1, 3]]
    body = SoftBody("torus", x, node, 1000.0, *young_and_poisson(5e5, 1e5), elements="AFFINE")
    return Scene((), 1 / 24, 2, solids=(body,), holds=(Hold("nail", "POINT", 0, 0),))
