"""Table 1 of Spillmann & Teschner 2007: forces and integration of a free rope of 50, 100 and 1000 elements, by the
elements alone, and as a scene takes such a step and verifies it. The paper's forces have those of internal friction.

And an implicit step of a cantilever that is let go, beside one of Kirchhoff's rod whose edges stretch and whose frames
spin.
"""

import numpy as np
from tendril.physics._jit import entry
from tendril.physics.assemble import assemble
from tendril.physics.elements.bending_and_torsion import bend_and_twist
from tendril.physics.elements.rod_dissipation import damp_bending, damp_stretching
from tendril.physics.elements.spinning_segment import stretch_and_align
from tendril.physics.materials import Material
from tendril.physics.rods.director_inertia import kick_directors, turn_directors
from tendril.physics.rods.scratch import elastic_scratch
from tendril.physics.scene import Pin, Rod, Scene
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.implicit_steps import implicit_steps

from .measure import medians, row
from .states import fresh, with_room

PAPER = {50: 69.0, 100: 131.0, 1000: 1240.0}  # µs on a Xeon of 3.8 GHz
TABLE = "CORDE (2007), Table 1"
CASES = {True: "with internal friction", False: "without", "scene": "with it, in a scene"}
STEPS = 200_000  # elements and steps
IMPLICIT = 1.0 / 240.0  # [s] a step
TIMES = 1.6  # what Kirchhoff's rod takes
RADIUS, DENSITY, YOUNG, STRETCH = 0.01, 1300.0, 5e5, 2e7  # the paper's rope
DAMPING, STEP = 1e-6, 1e-6  # s


def rope(count):
    """(Model, State) of a free rope, a little bent."""
    x = np.zeros((count + 1, 3))
    along = np.linspace(0.0, 1.0, count + 1)
    x[:, 0], x[:, 2] = 10.0 * along, np.sin(np.pi * along)
    area, second = np.pi * RADIUS**2, 0.25 * np.pi * RADIUS**4
    mass = np.full(count + 1, DENSITY * area * 10.0 / count)
    mass[[0, -1]] *= 0.5
    bend, twist = np.full((count, 2), YOUNG * second), np.full(count + 1, 2.0 * YOUNG * second)
    own = Rod(
        "rope", x, np.full(count + 1, RADIUS), mass, bend, twist, np.full(count, STRETCH * area), model="cosserat",
        internal_damping=DAMPING,
    )  # fmt: skip
    model, state, _ = assemble(Scene((own,), 0.04, 1, gravity=np.zeros(3), contact=False))
    return model, state


@entry
def steps(model, state, work, h, count, rubs):
    """Semi-implicit Euler by the elements alone, with internal friction or without."""
    x, v, w, q, omega = state.x, state.v, state.w, state.q, state.omega
    f, torque, mobility = work.f, work.torque, model.mobility
    m = len(x) - 1
    for _ in range(count):
        if rubs:
            damp_stretching(x, w, model.segments[1 : m + 1], False, h, h, work.stretched[:, 1 : m + 1], v)
        f[:] = 0.0
        torque[:] = 0.0
        stretch_and_align(x, q[1 : m + 1], model.segments[1 : m + 1], f, torque[1 : m + 1], work.segments[0])
        bend_and_twist(q, model.bends[1:m], torque, work.joints[0])
        for i in range(m + 1):
            for c in range(3):
                v[i, c] += h * w[i] * f[i, c]
                x[i, c] += h * v[i, c]
        kick_directors(torque[1 : m + 1], mobility[1 : m + 1], h, omega[1 : m + 1])
        if rubs:
            damp_bending(q, mobility, model.bends[1:m], False, h, work.gain, omega)
        turn_directors(q[1 : m + 1], omega[1 : m + 1], mobility[1 : m + 1], h, work.directors[0])


def rows():
    tasks = {}
    for count in PAPER:
        model, state = rope(count)
        for rubs in (True, False):
            run = (model, state, elastic_scratch(model), STEP, STEPS // count, rubs)
            tasks[count, rubs] = lambda run=run: run, steps
        tasks[count, "scene"] = _in_a_scene(model, state, STEPS // count)
    found = {case: seconds / (STEPS // case[0]) * 1e6 for case, seconds in medians(tasks).items()}
    table = [
        row(f"a step of a Cosserat rod of {count} elements, {what}", "µs", found[count, case], paper, TABLE)
        for case, what in CASES.items()
        for count, paper in PAPER.items()
    ]
    goal = row("an element of it and step, without internal friction", "ns", found[1000, False], 40.0, "our goal")
    return [*table, goal, *_implicit()]


def _in_a_scene(model, state, count):
    """The same steps as a bake takes them."""

    def run(model, state, work):
        assert take_steps(model, state, work, STEP, count)[0] == 0

    state = with_room(run, model, state)
    return lambda: fresh(model, state), run


def _implicit():
    """What an implicit step takes of a Cosserat rod and of Kirchhoff's, in turns."""
    models = {"cosserat": {"model": "cosserat"}, "kirchhoff": {"stretchable": True, "rolls": True}, "bare": {}}
    tasks = {}
    for name, options in models.items():
        x = np.linspace((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 101)
        own = Rod.from_material("cantilever", x, 0.005, Material(1e7, 0.4, 1000.0), **options)
        pins = (Pin.fixed(own, 0, "TWIST"),)
        scene = Scene((own,), 1.0, 2, pins=pins, contact=False, solver="IMPLICIT")
        tasks[name] = lambda scene=scene: (*assemble(scene), 1.0, IMPLICIT), implicit_steps
    found = {name: seconds * IMPLICIT * 1e6 for name, seconds in medians(tasks).items()}
    what = "an implicit step of a Cosserat rod of 100 elements"
    return [
        row(what, "µs", found["cosserat"], TIMES * found["kirchhoff"], "1.6 times Kirchhoff's rod that stretches"),
        row(what, "µs", found["cosserat"], TIMES * found["bare"], "1.6 times Kirchhoff's rod without frames"),
    ]
