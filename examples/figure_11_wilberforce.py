"""Figure 11. Wilberforce's pendulum: a weight on a helical spring, tuned so that it bobs as fast as it twists.

Stretching a spring turns its end a little: the bobbing weight begins to twist, stands still but for that, and bobs
again, with the beat ω_B = ε/ω√(mI) (Berg & Marshall 1991, whose ε is twice the off-diagonal of Love's spring matrix).
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from scipy.optimize import least_squares

sys.path.append(str(Path(__file__).parent))
import graph
import looks
import measure
import studio

FPS, FRAMES = 120, 180
COILS, COIL, PITCH, WIRE = 3, 0.05, 0.05, 0.0025  # , m, m, m
YOUNG, POISSON, DENSITY, TWIST = 100e9, 0.35, 8500.0, 0.6  # a wire that twists easily
MASS, THICK = 0.4, 0.03  # kg, m, of the weight
LENGTH = COILS * np.hypot(PITCH, 2.0 * np.pi * COIL)  # m, of the wire
OWN = np.pi * WIRE**2 * LENGTH * DENSITY  # kg
BOBBING, TWISTING = (0.95, 0.6, 0.15), (0.15, 0.5, 0.95)


def spring():
    """The matrix [[K_zz, K_zφ], [K_zφ, K_φφ]] of the spring about its hung state.

    A helix of height z and angle φ has the curvature φ√(1 − z²/l²)/l and the torsion φz/l²; its energy is half their
    deviations squared, times B l and C l (Love §271). Here are its second derivatives where it carries the weight.
    """
    b = YOUNG * 0.25 * np.pi * WIRE**4
    c = TWIST * b / (1.0 + POISSON)
    drawn = np.array([COILS * PITCH, COILS * 2.0 * np.pi])

    def strain(z, turned):
        return np.array([turned * np.sqrt(1.0 - (z / LENGTH) ** 2), turned * z / LENGTH]) / LENGTH

    def energy(place):
        return 0.5 * LENGTH * np.dot([b, c], (strain(*place) - strain(*drawn)) ** 2)

    d = 1e-4 * np.diag(drawn)
    hung = drawn
    for _ in range(10):
        slope = np.array([energy(hung + e) - energy(hung - e) for e in d]) / (2e-4 * drawn)
        matrix = [[energy(hung + e + f) - energy(hung + e - f) - energy(hung - e + f) + energy(hung - e - f)
                   for f in d] for e in d] / np.outer(2e-4 * drawn, 2e-4 * drawn)  # fmt: skip
        hung = hung - np.linalg.solve(matrix, slope - [(MASS + 0.5 * OWN) * 9.81, 0.0])
    return matrix


def tuned():
    """(ω [rad/s], I [kg m²] of the weight, beat period [s]): m + m_s/3 and I + I_s/3 swing as fast."""
    (along, both), (_, around) = spring()
    omega = np.sqrt(along / (MASS + OWN / 3.0))
    beat = abs(both) / (omega * np.sqrt(along * around) / omega**2)
    return omega, around / omega**2 - OWN * COIL**2 / 3.0, 2.0 * np.pi / beat


def build(points=84):
    """The scene, ready to bake; returns the spring and the weight."""
    scene = studio.empty_scene(FRAMES, FPS)
    scene.tendril.air_density, scene.tendril.contact = 0.0, False
    scene.tendril.solver = "EXPLICIT"  # implicit steps of Good swing .7 % slower, and the beat is a small difference
    angle = 2.0 * np.pi * COILS * np.linspace(0.0, 1.0, points + 1)
    line = np.stack([COIL * np.cos(angle), COIL * np.sin(angle), -PITCH * angle / (2.0 * np.pi)], axis=1)
    wire = studio.polylines("Spring", [line], WIRE)
    bpy.ops.tendril.add_rod()
    rod = wire.tendril.rod
    rod.young, rod.poisson, rod.density, rod.bend_factor = YOUNG / 1e9, POISSON, DENSITY, 1.0
    rod.twist_factor = TWIST
    rod.internal_damping, rod.shape_memory = 0.0, 1.0
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="EMPTY", mode="TWIST")
    wire.data.materials.append(looks.brass())
    weight = hang(wire, -COILS * PITCH)
    studio.corner(scene, size=0.5, floor=-0.6, centre=(0.0, 0.0, -0.12))
    studio.camera(scene, target=(0.02, 0.0, -0.2), width=0.44, height=0.5)
    return wire, weight


def hang(wire, height):
    """A disc with the tuned moment of inertia, tied to the spring's lower end."""
    radius = np.sqrt(2.0 * tuned()[1] / MASS)
    steel = looks.material("Steel", (0.5, 0.52, 0.55), 0.3, 1.0)
    weight = studio.add("Weight", looks.prism("Weight", 96, radius, THICK, steel), (0.0, 0.0, height - 0.5 * THICK))
    red = looks.material("Red", (0.7, 0.05, 0.02))
    mark = studio.add("Mark", looks.prism("Mark", 4, 0.006, 1.9 * radius, red), (0.0, 0.0, 0.5 * THICK), weight)
    mark.rotation_euler.y = 0.5 * np.pi
    bpy.context.view_layer.objects.active = weight
    wire.select_set(False)
    weight.select_set(True)
    bpy.ops.tendril.add_body()
    weight.tendril.body.mass, weight.tendril.body.collide = MASS, False
    wire.select_set(True)
    bpy.ops.tendril.tie(mode="TWIST")
    inertia = measure.description().bodies[0].inertia[2, 2]
    weight.scale[:2] = [np.sqrt(tuned()[1] / inertia)] * 2
    return weight


def modes(signals, times, guess):
    """(the two frequencies (2,) [rad/s], those oscillations (k, 2) of signals (k, 2)) that fit best."""

    def waves(omega):
        phase = np.outer(times, omega)
        return np.column_stack([np.cos(phase), np.sin(phase), np.ones_like(times)])

    scale = signals.std(axis=0)

    def miss(omega):
        basis = waves(omega)
        return ((basis @ np.linalg.lstsq(basis, signals, rcond=None)[0] - signals) / scale).ravel()

    omega = least_squares(miss, guess).x
    assert np.sqrt(np.mean(miss(omega) ** 2)) < 0.1
    return omega, signals - np.linalg.lstsq(waves(omega), signals, rcond=None)[0][-1]


def check(pendulum):
    """The beat is the closed form's, and once in it nearly all energy is in the twisting, then in the bobbing again."""
    bodies = measure.baked()[2][:, 0]
    turned = np.unwrap(2.0 * np.arctan2(bodies[:, 6], bodies[:, 3]))
    omega, _, expected = tuned()
    times = np.arange(len(bodies)) / FPS
    apart = np.pi / expected * np.array([-1.0, 1.0])
    found, motion = modes(np.column_stack([bodies[:, 2], turned]), times, omega + apart)
    beat = 2.0 * np.pi / abs(found[1] - found[0])
    assert abs(beat / expected - 1.0) < 0.05, (beat, expected)
    (along, _), (_, around) = spring()
    energy = np.array([along, around]) * (motion**2 + np.gradient(motion, times, axis=0) ** 2 / omega**2)
    share = energy[:, 1] / energy.sum(axis=1)
    half = int(0.5 * beat * FPS)
    assert share[: half + 10].max() > 0.95, share
    assert share[2 * half - 10 : 2 * half + 10].min() < 0.05, share
    return (
        f"The energy beats with a period of {beat:.2f} s where theory asks for {expected:.2f} s, and "
        f"{100 * share.max():.0f} % of it goes over."
    )


def swings():
    """How far from the mean the weight is: height (F,) [m] and turn (F,) [rad]."""
    bodies = measure.baked()[2][:, 0]
    turned = np.unwrap(2.0 * np.arctan2(bodies[:, 6], bodies[:, 3]))
    return [value - value.mean() for value in (bodies[:, 2], turned)]


def draw(_pendulum):
    """Height and turn over time, each on a scale of its own, under the pendulum."""
    lines = {"up": (None, BOBBING), "turned": (None, TWISTING)}
    lines = {name: (value / np.abs(value).max(), lines[name][1]) for name, value in zip(lines, swings(), strict=True)}
    graph.draw(lines, (-0.15, 0.0, -0.36), (0.3, 0.09), FRAMES, text=0.018)


def moments(_pendulum):
    """The lowest and the highest place while it bobs, and both ends of its widest turn."""
    height, turned = swings()
    early = slice(FRAMES // 4)
    lowest, highest = height[early].argmin(), height[early].argmax()
    left, right = turned.argmax(), turned.argmin()
    return {
        int(frame) + 1: text
        for frame, text in sorted([(highest, "bobbing: up"), (lowest, "bobbing: down"), (left, "twisting: to the left"),
                                   (right, "twisting: to the right")])
    }  # fmt: skip


MOMENTS = moments
PICTURE = {"size": (440, 400), "columns": 2, "draw": draw}

if __name__ == "__main__":
    studio.produce("figure_11_wilberforce", build, check, MOMENTS, **PICTURE)
