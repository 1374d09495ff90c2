"""What implicit steps take from a motion that would go on, against what calms it anyway. numpy only.

BDF2 (Curtiss & Hirschfelder 1952) makes of x'' = −ω²x in steps of h an oscillation that goes as |ζ|ᵏ over k steps,
with weight ϑ of the third difference (see time_integration/bdf2)

    ∇ + ½ ∇² + ⅓ ϑ ∇³ = iωh ,  ∇ = 1 − 1/ζ ,

so that in each period T it loses 1 − |ζ|^(2T/h) ≈ 8π⁴ (1 − 2ϑ) (h/T)³ of its energy. Of a rod the slowest motion
counts, which has most of the energy and is what one sees: on the piece of length L between two of its holds, or a hold
and a free end, that of a uniform beam (Rayleigh, *The Theory of Sound*, ch. VIII) and of a hanging chain (D.
Bernoulli), together by Southwell's rule:

    ω² = c² B / L³m + [one end free] (j/2)² g/L ,  j = 2.4048 .

Beside soft bodies implicit steps take what bends alone (see implicit/calming), 1 − exp(−2π γ ω h) in their steps.

By itself it loses 1 − exp(−2πωτ) in each period to Kelvin–Voigt damping, and at an amplitude a about 8 ρ c_d d a / 3μ
to the air.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from .cost import coupled, implicit_beside, loads, soft_step
from .implicit.calming import CALM
from .scene import LONGEST_STEPS, Pin, Rod, Scene, Weld

BENDING = {  # c of a uniform beam, by what its ends are; the swing of a rod on a nail needs no bending
    ("FREE", "FREE"): 22.373, ("CLAMP", "FREE"): 3.5160, ("FREE", "POSITION"): 0.0,
    ("POSITION", "POSITION"): 9.8696, ("CLAMP", "POSITION"): 15.418, ("CLAMP", "CLAMP"): 22.373,
    ("RING", "RING"): 6.0 / np.sqrt(5.0) * (2.0 * np.pi) ** 2,  # which becomes an oval
}  # fmt: skip
CHAIN = (0.5 * 2.4048) ** 2
BODY = 4.0  # how much of a body's mass sways, against that of the rod it hangs on: of a cantilever, at its tip
AMPLITUDE = 0.1  # of the length
NEWTON = 8  # iterations, from the root without a third difference
LOST = 0.01  # of the energy in a period, below which nobody sees it: half is left after 69


def energy_lost(omega: np.ndarray | float, step: float, third: float = 0.0) -> np.ndarray:
    """Part of its energy that an oscillation omega (…) [rad/s] loses in each period to steps [s]: (…). third: weight of
    the third difference.
    """
    angle = np.maximum(np.asarray(omega, dtype=np.float64) * step, 1e-12)
    nabla = np.sqrt(1.0 + 2.0j * angle) - 1.0
    for _ in range(NEWTON):
        left = nabla + nabla**2 / 2.0 + third * nabla**3 / 3.0 - 1.0j * angle
        nabla = nabla - left / (1.0 + nabla + third * nabla**2)
    return 1.0 - np.abs(1.0 - nabla) ** (-4.0 * np.pi / angle)


def slowest_motions(scene: Scene) -> np.ndarray:
    """(R,) [rad/s] of each rod's slowest oscillation; 0: it has none."""
    held: list[dict[int, str]] = [{} for _ in scene.rods]
    holds: list[Pin | Weld] = [*scene.pins, *(weld for weld in scene.welds if scene.bodies[weld.body].led)]
    for hold in holds:
        if held[hold.rod].get(hold.vertex) != "CLAMP":
            held[hold.rod][hold.vertex] = "POSITION" if hold.mode == "POSITION" else "CLAMP"
    gravity = float(np.linalg.norm(scene.gravity))
    each = zip(scene.rods, held, loads(scene), strict=True)
    return np.array([_slowest(rod, _places(rod, own), load, gravity) for rod, own, load in each])


def damped(scene: Scene) -> tuple[Rod, float] | None:
    """(the Rod whose slowest motion implicit steps would damp most, the energy it loses to them in a period), of those
    where one would see it: where frames show the motion and neither bending nor the air takes more. None: of no rod.
    """
    if coupled(scene):
        omega = slowest_motions(replace(scene, gravity=np.zeros(3))) * implicit_beside(scene)
        lost = 1.0 - np.exp(-2.0 * np.pi * CALM * omega * min(soft_step(scene, solid) for solid in scene.solids))
    else:
        omega = slowest_motions(scene)
        step = min(LONGEST_STEPS[scene.quality], scene.max_step, scene.frame_duration)
        lost = energy_lost(omega, step, scene.third_difference)
    own = np.array([_own_loss(scene, rod, w) for rod, w in zip(scene.rods, omega, strict=True)])
    shown = omega * scene.frame_duration <= np.pi  # two frames a period, or more
    seen = np.where(shown & (lost > np.maximum(own, LOST)), lost, 0.0)
    worst = int(seen.argmax())
    return (scene.rods[worst], float(seen[worst])) if seen[worst] > 0.0 else None


def _places(rod: Rod, held: dict[int, str]) -> list[tuple[int, str]]:
    """(vertex, what is there) of holds and free ends along a rod; a ring's last place is its first one again."""
    n = len(rod.x)
    if rod.closed:
        places = sorted(held.items()) or [(0, "RING")]
        return [*places, (places[0][0] + n, places[0][1])]
    return sorted(({0: "FREE", n - 1: "FREE"} | held).items())


def _slowest(rod: Rod, places: list[tuple[int, str]], load: float, gravity: float) -> float:
    """[rad/s] of the slowest oscillation of a rod between its places under gravity [m/s²], with a load [kg]."""
    lengths = np.linalg.norm(rod.edges(), axis=1) * rod.rest_length_factor
    compliance, density = lengths / rod.bend_stiffness.min(axis=1), rod.mass.sum() / lengths.sum()
    found = []
    for (first, one), (last, other) in pairwise(places):
        edges = np.arange(first, last) % len(lengths)
        length, ends = lengths[edges].sum(), (min(one, other), max(one, other))
        stiffness = length / compliance[edges].sum()
        square = BENDING[ends] ** 2 * stiffness / (length**3 * (density * length + BODY * load))
        if ends.count("FREE") == 1:
            square += CHAIN * gravity / length
        found.append(np.sqrt(square))
    return float(min(found))


def _own_loss(scene: Scene, rod: Rod, omega: float) -> float:
    """Part of its energy that an oscillation omega [rad/s] of the rod loses in each period to bending and the air."""
    length = np.linalg.norm(rod.edges(), axis=1).sum()
    area = 2.0 * rod.radius.mean() * rod.drag_coefficient  # by length
    air = 8.0 / 3.0 * scene.air_density * area * AMPLITUDE * length**2 / rod.mass.sum()
    return float(1.0 - np.exp(-2.0 * np.pi * omega * rod.internal_damping - air))
