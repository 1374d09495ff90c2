"""A simulated second of a soft beam let go, 5184 tetrahedra, beside another solver's in the same run: mujoco's flex of
three dimensions, by its explicit steps: affine elements, as ours are beside the smoothed ones, which do not lock. Each
takes its own largest stable step, found by search; nothing touches.
"""

from functools import partial
from importlib.util import find_spec
from time import process_time

import numpy as np
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.scene import ELEMENTS, Hold, Scene, SoftBody
from tendril.physics.time_integration.velocity_verlet import verlet_steps

from .measure import row
from .soft_bodies import brick

CELLS, SIZE = (24, 6, 6), (1.0, 0.2, 0.2)  # m
YOUNG, POISSON, DENSITY = 1e6, 0.3, 1000.0
ROUNDS = 3
SHORT, LONGER = 4.5e-4, 1.05  # s: a step that is stable, and what the search lengthens it by
FAR = 2.0  # m: the tip of none that is stable goes so far
FRAMES = 24
MISSING = "The peer is not here: install it by .venv/bin/python -m pip install '.[peers]' to measure beside it."


def rows():
    if find_spec("mujoco") is None:
        print(MISSING)
        return []
    runs = {"mujoco": _mujoco} | {elements: partial(_ours, elements) for elements in ELEMENTS}
    step = {name: _largest_step(run) for name, run in runs.items()}
    all_of_them = [[run(step[name]) for name, run in runs.items()] for _ in range(ROUNDS)]
    least = {name: min(each) for name, each in zip(runs, zip(*all_of_them, strict=True), strict=True)}
    (other, others), found = least["mujoco"], []
    name = f"mujoco 4.0 flex, {others:.4f} m"
    for elements in ELEMENTS:
        took, tip = least[elements]
        beam = f"a soft beam of 5184 {elements.lower()} tetrahedra let go, its tip down to {tip:.4f} m"
        each = [1e6 * seconds * step[of] for seconds, of in ((took, elements), (other, "mujoco"))]
        found += [
            row(f"{beam}, steps of {1e6 * step[elements]:.0f} µs", "s per s", took, other,
                f"{name}, of {1e6 * step['mujoco']:.0f} µs"),
            row(beam, "µs per step", *each, name),
        ]  # fmt: skip
    return found


def _largest_step(run):
    """[s] the last one of those that grow from SHORT on in which a run stays stable."""
    step = SHORT
    while run(LONGER * step) is not None:
        step *= LONGER
    return step


def _ours(elements, step):
    """(processor time [s] of a second in even steps, the tip's lowest height [m] at a frame), None: not stable."""
    x, node = brick(CELLS, SIZE)
    body = SoftBody("beam", x, node, DENSITY, YOUNG, POISSON, elements=elements)
    holds = tuple(Hold(f"wall {i}", "POINT", 0, int(i)) for i in np.flatnonzero(x[:, 0] == 0.0))
    scene = Scene((), 1.0 / FRAMES, 2, solids=(body,), holds=holds, contact=False)
    model, state, work = assemble_solids(scene)
    place = np.array([SIZE[0], 0.5 * SIZE[1], 0.5 * SIZE[2]])
    tip, took, lowest = np.argmin(np.linalg.norm(state.x - place, axis=1)), 0.0, 0.0
    for _ in range(FRAMES):
        count = np.ceil(1.0 / FRAMES / step)
        start = process_time()
        status, taken, _ = verlet_steps(model, state, work, False, 1.0 / FRAMES, np.inf, step)
        took += process_time() - start
        lowest = min(lowest, float(state.x[tip, 2] - place[2]))
        if status != 0 or taken > count:  # it was halved: it did not hold by itself
            return None
    return took, lowest


def _mujoco(step):
    """The same of mujoco, whose masses are the same at all vertices."""
    import mujoco

    points = np.add(CELLS, 1)
    spacing = np.divide(SIZE, CELLS)
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{step}" integrator="Euler"><flag contact="disable"/></option><worldbody>
        <flexcomp name="beam" type="grid" dim="3" count="{points[0]} {points[1]} {points[2]}" radius="1e-3"
         spacing="{spacing[0]} {spacing[1]} {spacing[2]}" mass="{DENSITY * np.prod(SIZE)}" pos="{SIZE[0] / 2} 0 0">
        <elasticity young="{YOUNG}" poisson="{POISSON}"/><contact selfcollide="none"/>
        <pin gridrange="0 0 0 0 {CELLS[1]} {CELLS[2]}"/></flexcomp></worldbody></mujoco>"""
    )
    state = mujoco.MjData(model)
    mujoco.mj_forward(model, state)
    tip, took, lowest = np.argmin(np.linalg.norm(state.flexvert_xpos - [SIZE[0], 0.0, 0.0], axis=1)), 0.0, 0.0
    for _ in range(FRAMES):
        start = process_time()
        mujoco.mj_step(model, state, round(1.0 / FRAMES / step))
        took += process_time() - start
        height = float(state.flexvert_xpos[tip, 2])
        lowest = min(lowest, height)
        if any(warning.number for warning in state.warning) or not abs(height) < FAR:
            return None
    return took, lowest
