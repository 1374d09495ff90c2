"""Stick and slip of a strip that is clamped askew and pressed on a plane (Romero et al. 2021, *Physical validation of
simulators in computer graphics*): its tip holds while the plane rises, until the pull along the plane is μ times what
presses.

With θ(s) the tangent's angle from the vertical, T and N the plane's forces on the tip,

    B θ'' + T cos θ + N sin θ = 0,   θ(0) = β,   θ'(L) = 0,   the tip where it was drawn against a clamp lower by d.

A straight strip that cannot be pressed together buckles at once, to either side: by implicit steps a change of 1e-12
made it one or the other. So it is drawn bent outwards by a thousandth of its length.
"""

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Pin, Rod, Scene

LENGTH, RADIUS, TILT = 0.2, 0.002, np.radians(25.0)
RISE = 0.06  # of the length
FRAMES, BENT = 72, 16  # of the rise, and after which it has bent and come to rest
SLIPPED = 1e-3  # of the length
BOW = 1e-3  # of the length


def pull_over_pressure(rises):
    """|T|/N while the tip holds, for each rise of the plane, in lengths: of the strip that bends outwards."""
    s, x, forces, found = np.linspace(0.0, 1.0, 100), None, np.array([-8.5, 18.1]), []
    for rise in rises:
        tip = np.sin(TILT), rise - np.cos(TILT)
        if x is None:
            angle = TILT - 2.0 * np.sqrt(rise) * (np.cos(4.493 * s) - 1.0)
            x = np.stack([angle, np.gradient(angle, s), s * tip[0], s * tip[1]])
        solution = solve_bvp(
            lambda s, y, p: np.stack([y[1], -np.cos(y[0]) * p[0] - np.sin(y[0]) * p[1], np.sin(y[0]), -np.cos(y[0])]),
            lambda a, b, p, tip=tip: np.array([a[0] - TILT, a[2], a[3], b[1], b[2] - tip[0], b[3] - tip[1]]),
            s, x, p=forces, tol=1e-7,
        )  # fmt: skip
        assert solution.status == 0
        s, x, forces = solution.x, solution.y, solution.p
        found.append(abs(forces[0]) / forces[1])
    return np.array(found)


def slips_at(friction, solver):
    """The plane's rise, in lengths, at the first frame where the tip has slipped."""
    s = np.linspace(0.0, 1.0, 31)[:, None]
    x = LENGTH * s * np.array([np.sin(TILT), 0.0, -np.cos(TILT)])
    x -= BOW * LENGTH * np.sin(np.pi * s) * np.array([np.cos(TILT), 0.0, np.sin(TILT)])
    strip = Rod.from_material("strip", x, RADIUS, Material(1e7, 0.4, 1000.0, internal_damping=0.02, friction=friction))
    low = x[-1, 2] - RADIUS
    corners = np.array([[-1.0, -1.0, low], [1.0, -1.0, low], [1.0, 1.0, low], [-1.0, 1.0, low]])
    up = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, RISE * LENGTH]])[:, None]
    plane = Collider("plane", np.array([[0, 1, 2], [0, 2, 3]]), np.array([0.0, 3.0]), corners + up, 0.0, friction)
    clamp = Pin.fixed(strip, 0, "DIRECTION", rod=0)
    scene = Scene((strip,), 1.0 / 24.0, FRAMES + 1, (clamp,), gravity=np.zeros(3), colliders=(plane,), solver=solver)
    tips = np.array([item.x[-1, 0] for item in simulate(scene)])
    slipped = np.abs(tips[BENT:] - tips[BENT]) > SLIPPED * LENGTH
    return RISE * (BENT + np.argmax(slipped)) / FRAMES if slipped.any() else np.inf


@pytest.mark.parametrize("friction", [0.55, 0.6, 0.8])
def test_a_strip_holds_until_its_pull_is_too_much(friction, solver):
    rises = np.linspace(0.005, RISE, 12)
    ratio = pull_over_pressure(rises)
    rise = slips_at(friction, solver)
    if friction > ratio.max():
        assert rise == np.inf
    else:
        assert np.interp(rise, rises, ratio) == pytest.approx(friction, rel=0.02)
