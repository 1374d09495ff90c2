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

from ..arithmetic.fixed_order import norm
from ..implicit.calming import CALM
from ..scene import QUALITIES, THIRD_DIFFERENCE, Pin, Rod, Scene, Weld
from . import coupled, implicit_beside, loads, longest_step, slowest_sway, soft_step

BENDING = {  # c of a uniform beam, by what its ends are; the swing of a rod on a nail needs no bending
    ("FREE", "FREE"): 22.373, ("CLAMP", "FREE"): 3.5160, ("FREE", "POSITION"): 0.0,
    ("POSITION", "POSITION"): 9.8696, ("CLAMP", "POSITION"): 15.418, ("CLAMP", "CLAMP"): 22.373,
    ("RING", "RING"): 6.0 / np.sqrt(5.0) * (2.0 * np.pi) ** 2,  # which becomes an oval
}  # fmt: skip
CHAIN = (0.5 * 2.4048) ** 2
BODY = 4.0  # how much of a body's mass sways, against that of the rod it hangs on: of a cantilever, at its tip
AMPLITUDE = 0.1  # of the length
NEWTON = 8  # iterations, from the root without a third difference
BENT = 0.98  # of its length: ends no further apart are those of a bent rod
RINGS = 1.0  # s, in which what rings keeps
STILL = np.exp(-4.0)  # of its energy, a seventh of its amplitude
FLICK, TOLD = 1.0, 0.01  # [m/s], by which a tip goes so large a part of its rod's size aside, or one sees no swing
LOST = 0.01  # of the energy in a period, below which nobody sees it: half is left after 69


def energy_lost(omega: np.ndarray, step: float, third: float = 0.0) -> np.ndarray:
    """Part of its energy that an oscillation omega (…) [rad/s] loses in each period to steps [s]: (…). third: weight of
    the third difference.
    """
    angle = np.maximum(omega * step, 1e-12)
    nabla = np.sqrt(1.0 + 2.0j * angle) - 1.0
    for _ in range(NEWTON):
        left = nabla + nabla**2 / 2.0 + third * nabla**3 / 3.0 - 1.0j * angle
        nabla = nabla - left / (1.0 + nabla + third * nabla**2)
    return 1.0 - np.abs(1.0 - nabla) ** (-4.0 * np.pi / angle)


def slowest_motions(scene: Scene) -> np.ndarray:
    """(R,) [rad/s] of each rod's slowest oscillation; 0: it has none."""
    gravity, squares = float(norm(scene.gravity)), np.full(len(scene.rods), np.inf)
    bent: dict[int, list[tuple[int, tuple[np.ndarray, ...]]]] = {}  # by how many edges they have
    for number, (rod, own, load) in enumerate(zip(scene.rods, _held(scene), loads(scene), strict=True)):
        squares[number], pieces = _slowest(rod, _places(rod, own), load, gravity)
        for piece in pieces:
            bent.setdefault(len(piece[2]), []).append((number, piece))
    for found in bent.values():
        numbers, pieces = zip(*found, strict=True)
        x, mass, lengths, bend, twist = (np.stack(arrays) for arrays in zip(*pieces, strict=True))
        sways = slowest_sway(x, mass, lengths, bend, twist) + CHAIN * gravity / lengths.sum(axis=1)
        np.minimum.at(squares, np.array(numbers), sways)
    slowest: np.ndarray = np.sqrt(squares)
    return slowest


def _held(scene: Scene) -> list[dict[int, str]]:
    """Of each rod the vertices that are held, and how: POSITION or CLAMP."""
    held: list[dict[int, str]] = [{} for _ in scene.rods]
    holds: list[Pin | Weld] = [*scene.pins, *(weld for weld in scene.welds if scene.bodies[weld.body].kinematic)]
    for hold in holds:
        if held[hold.rod].get(hold.vertex) != "CLAMP":
            held[hold.rod][hold.vertex] = "POSITION" if hold.mode == "POSITION" else "CLAMP"
    return held


def seen(scene: Scene) -> np.ndarray:
    """(R,) the energy that each rod's slowest motion loses in a period to implicit steps where frames show the motion
    and neither bending nor the air takes more; else 0.
    """
    if coupled(scene):
        omega = slowest_motions(replace(scene, gravity=np.zeros(3))) * implicit_beside(scene)
        lost = 1.0 - np.exp(-2.0 * np.pi * CALM * omega * min(soft_step(scene, solid) for solid in scene.solids))
    else:
        omega, step = slowest_motions(scene), longest_step(scene)
        lost = energy_lost(omega, step, scene.third_difference)
    own = np.array([_own_loss(scene, rod, w) for rod, w in zip(scene.rods, omega, strict=True)])
    shown = omega * scene.frame_duration <= np.pi  # two frames a period, or more
    return np.where(shown & (lost > np.maximum(own, LOST)), lost, 0.0)


def stilled(scene: Scene, implicit: np.ndarray) -> tuple[Rod, str] | None:
    """(the Rod that implicit steps, of those for which implicit (R,) bool, bring to rest soonest, a sentence about it),
    of those that would ring on for a second though frames do not show each swing. None: of no rod.
    """
    if coupled(scene) or not implicit.any():
        return None
    omega = np.where(implicit, slowest_motions(scene), 0.0)
    turns, size = omega / (2.0 * np.pi), np.array([float(norm(np.ptp(rod.x, axis=0))) for rod in scene.rods])
    own = np.array([_own_loss(scene, rod, w) for rod, w in zip(scene.rods, omega, strict=True)])

    def left(quality: str, keep: bool) -> np.ndarray:
        """(R,) of its energy, after a second of such steps."""
        third, step = THIRD_DIFFERENCE if keep else 0.0, longest_step(replace(scene, quality=quality))
        kept: np.ndarray = (1.0 - energy_lost(omega, step, third)) ** (RINGS * turns)
        return kept

    rings = (omega > 0.0) & ((1.0 - own) ** (RINGS * turns) > STILL) & (omega * size * TOLD < FLICK)
    after = np.where(rings, left(scene.quality, scene.keep_swing), 1.0)
    worst = int(after.argmin())
    if after[worst] >= STILL:
        return None
    finer = list(QUALITIES)[list(QUALITIES).index(scene.quality) :]
    choices = ((quality, keep) for quality in finer for keep in (False, True) if keep or not scene.keep_swing)
    found = next((choice for choice in choices if left(*choice)[worst] >= STILL), None)
    wanted = ["choose the solver Explicit"]
    if found is not None:
        wanted = [f"choose the quality {found[0].capitalize()}"] * (found[0] != scene.quality)
        wanted += ["turn on Keep Swing"] * (found[1] and not scene.keep_swing)
    seconds = RINGS * np.log(STILL) / np.log(max(after[worst], 1e-300))
    rod = scene.rods[worst]
    return rod, (
        f"'{rod.name}' rings {turns[worst]:.0f} times a second, which implicit steps still within {seconds:.1g} s: to "
        f"let it ring, {' and '.join(wanted)}."
    )


def _places(rod: Rod, held: dict[int, str]) -> list[tuple[int, str]]:
    """(vertex, what is there) of holds and free ends along a rod; a ring's last place is its first one again."""
    n = len(rod.x)
    if rod.closed:
        places = sorted(held.items()) or [(0, "RING")]
        return [*places, (places[0][0] + n, places[0][1])]
    return sorted(({0: "FREE", n - 1: "FREE"} | held).items())


def _slowest(
    rod: Rod, places: list[tuple[int, str]], load: float, gravity: float
) -> tuple[float, list[tuple[np.ndarray, ...]]]:
    """(ω² [1/s²] of the slowest oscillation of a rod between its places under gravity [m/s²], with a load [kg], where
    it is not bent from a clamp to a free end; what `slowest_sway` takes of each piece that is).
    """
    lengths = np.linalg.norm(rod.edges(), axis=1) * rod.rest_length_factor
    compliance, density = lengths / rod.bend_stiffness.min(axis=1), rod.mass.sum() / lengths.sum()
    least, bent = np.inf, []
    for (first, one), (last, other) in pairwise(places):
        edges = np.arange(first, last) % len(lengths)
        length, ends = lengths[edges].sum(), (min(one, other), max(one, other))
        if ends == ("CLAMP", "FREE") and norm(rod.x[last] - rod.x[first]) < BENT * length:
            bent.append(_clamped(rod, edges if one == "CLAMP" else edges[::-1], lengths, load))
            continue
        stiffness = length / compliance[edges].sum()
        square = BENDING[ends] ** 2 * stiffness / (length**3 * (density * length + BODY * load))
        if ends.count("FREE") == 1:
            square += CHAIN * gravity / length
        least = min(least, square)
    return least, bent


def _clamped(rod: Rod, edges: np.ndarray, lengths: np.ndarray, load: float) -> tuple[np.ndarray, ...]:
    """What `slowest_sway` takes of a rod's edges from a clamp to a free end, that bears the load [kg]."""
    vertices = np.append(edges, edges[-1] + 1) if edges[-1] >= edges[0] else np.append(edges + 1, edges[-1])
    mass, bend = rod.mass[vertices], rod.bend_stiffness.min(axis=1)[edges]
    mass[-1] += load
    return rod.x[vertices], mass, lengths[edges], bend, rod.twist_stiffness[edges]


def _own_loss(scene: Scene, rod: Rod, omega: float) -> float:
    """Part of its energy that an oscillation omega [rad/s] of the rod loses in each period to bending and the air."""
    length = np.linalg.norm(rod.edges(), axis=1).sum()
    area = 2.0 * rod.radius.mean() * rod.drag_coefficient  # by length
    air = 8.0 / 3.0 * scene.air_density * area * AMPLITUDE * length**2 / rod.mass.sum()
    return float(1.0 - np.exp(-2.0 * np.pi * omega * rod.internal_damping - air))
