"""A trefoil knot in a rope of a metre, its ends drawn apart by ½ B/r² over two seconds: what a simulated second takes
by implicit steps, of Kirchhoff's rod and of Cosserat's, and by explicit ones; an overhand knot drawn without overlap,
of rubber and as stiff as steel; and by Preview, over a third of what Good takes, whole bakes without their files.
"""

from dataclasses import replace
from time import process_time

import numpy as np
from tendril.knots.catalogue import TORUS, knot
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Rod, Scene

from .measure import row

RADIUS, FAR = 0.005, 0.3  # m, the latter by which each end is drawn away
FPS, SECONDS = 25, 2.0
GOALS = {100: 0.2, 320: 1.2}  # edges: s per s
FASTER = 3.0  # times as fast as Good, Preview
TWICE = 2.0  # as long as a Kirchhoff rod a Cosserat rod may take
RUBBER, STEEL, SHARE = 5e6, 2e11, 1.5  # Pa, and times as long as the stiffer may take


def rows():
    found, took = [], {}
    for edges, goal in GOALS.items():
        took[edges] = _seconds(replace(pulled(edges), solver="IMPLICIT"))
        found.append(
            row(f"implicit: a knot of {edges} edges, pulled", "s per s", took[edges], goal, "this project's goal")
        )
    for edges in GOALS:
        bare, spinning = in_turns(replace(pulled(edges), solver="IMPLICIT"))
        what = f"implicit: that of {edges} edges, a Cosserat rod"
        found.append(row(what, "s per s", spinning, TWICE * bare, "twice Kirchhoff's rod"))
    explicit = _seconds(replace(pulled(100), frame_count=1 + FPS // 2))
    found.append(row("the same of 100 edges by explicit steps", "s per s", explicit, took[100], "by implicit ones"))
    for edges in GOALS:
        soft, stiff = (_seconds(overhand(edges, young)) for young in (RUBBER, STEEL))
        what = f"implicit: an overhand knot of {edges} edges as stiff as steel"
        found.append(row(what, "s per s", stiff, SHARE * soft, "1.5 times that of rubber"))
    for edges in GOALS:
        for name, young in (("rubber", RUBBER), ("steel", STEEL)):
            good, preview = by_quality(overhand(edges, young))
            what = f"implicit: that of {edges} edges of {name}, Preview"
            found.append(row(what, "s per s", preview, good / FASTER, "a third of what Good takes"))
    return found


def trefoil(t):
    """A trefoil whose ends go straight on, as t (n,) goes from about −2.4 to 2.4 (Shastri 1992): (n, 3)."""
    return np.stack([t**3 - 3.0 * t, t**4 - 4.0 * t**2, t**5 / 5.0 - 2.0 * t], axis=1)


def pulled(edges):
    """The scene: a metre of it, all edges as long as each other."""
    x = trefoil(np.linspace(-2.4, 2.4, 2000))
    for _ in range(30):
        arc = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1)))
        x = np.stack([np.interp(np.linspace(0.0, arc[-1], edges + 1), arc, x[:, k]) for k in range(3)], axis=1)
    x /= np.linalg.norm(np.diff(x, axis=0), axis=1).sum()
    return drawn_apart(x, RUBBER)


def overhand(edges, young):
    """The scene with an overhand knot that nowhere overlaps, of about so many edges."""
    drawn = knot("overhand", TORUS).scaled(RADIUS)
    tied = np.linalg.norm(np.diff(drawn.ropes[0], axis=0), axis=1).sum()
    return replace(drawn_apart(drawn.spaced(1.0 / edges, 0.5 - 0.5 * tied).ropes[0], young), solver="IMPLICIT")


def drawn_apart(x, young):
    """The scene of a rope along x (n, 3) and of that Young's modulus [Pa]."""
    rope = Material(young, 0.5, 1000.0, friction=0.3, internal_damping=0.002)
    rod = Rod.from_material("Rope", x, RADIUS, rope, shape_memory=0.0)
    axis, times = (x[-1] - x[0]) / np.linalg.norm(x[-1] - x[0]), np.linspace(0.0, SECONDS, 201)
    drawn, force = (times / SECONDS)[:, None], 0.5 * rod.bend_stiffness[0, 0] / RADIUS**2
    pins = tuple(
        Pin(f"End {vertex}", 0, vertex, "TWIST", times, x[vertex] + side * FAR * axis * drawn, max_force=force)
        for vertex, side in ((0, -1.0), (len(x) - 1, 1.0))
    )
    return Scene((rod,), 1.0 / FPS, 1 + round(SECONDS * FPS), pins=pins, gravity=np.zeros(3))


def by_quality(scene, rounds=3):
    """(by Good, by Preview), processor time [s] of a simulated second, medians of runs that take turns."""
    taken = [[_seconds(replace(scene, quality=quality)) for quality in ("GOOD", "PREVIEW")] for _ in range(rounds)]
    return tuple(np.median(taken, axis=0))


def in_turns(scene, rounds=3):
    """(as it is, of Cosserat rods), the same of two models."""
    spinning = replace(scene, rods=tuple(replace(rod, model="cosserat") for rod in scene.rods))
    taken = [[_seconds(scene), _seconds(spinning)] for _ in range(rounds)]
    return tuple(np.median(taken, axis=0))


def _seconds(scene):
    """Processor time [s] of a simulated second, kernels compiled."""
    list(simulate(replace(scene, frame_count=2)))
    begin = process_time()
    frames = sum(1 for _ in simulate(scene))
    return (process_time() - begin) / ((frames - 1) * scene.frame_duration)
