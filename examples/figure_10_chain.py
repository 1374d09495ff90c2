"""Figure 10. A chain of open links, curved at rest, hangs from its two ends, which draw apart until links part.

A link is a wire of 1.2 turns, as a key ring is, its ends free.
"""

import sys
from itertools import combinations, pairwise
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 150
FIRM = 1e4  # N, more than a link bears
LINKS, RADIUS, THICK = 9, 0.1, 0.009  # , m, m
PITCH, SAG = 0.165, 0.2  # m from link to link; m
PULL, APART = (48, 140), 1.2  # frames, m for each end
MOMENTS = {1: "let go", 46: "hanging", 90: "drawn apart", 114: "parted"}
PICTURE = {"size": (400, 250), "columns": 2}
WINDOW, CLEAR, FLOOR = 5, 0.04, -1.2  # frames, m between points, which are .02 apart, m


def link(number, points):
    """Points (k, 3) [m] of link number 0 … LINKS − 1: every other one is turned by a right angle."""
    angle = np.linspace(-1.2 * np.pi, 1.2 * np.pi, points + 1)
    along, up = RADIUS * np.sin(angle), -RADIUS * np.cos(angle)
    across = 1.15 * THICK * angle / np.pi
    middle = number - 0.5 * (LINKS - 1)
    share = 2.0 * middle / (LINKS - 1)
    slope = np.arctan(4.0 * SAG * share / (PITCH * (LINKS - 1)))
    flat = np.stack([along, across, up] if number % 2 else [along, up, across], axis=1)
    turn = np.array([[np.cos(slope), 0.0, -np.sin(slope)], [0.0, 1.0, 0.0], [np.sin(slope), 0.0, np.cos(slope)]])
    return flat @ turn.T + np.array([PITCH * middle * 0.93, 0.0, SAG * (share**2 - 1.0)])


def build(points=31):
    """The scene, ready to bake; returns the links."""
    scene = studio.empty_scene(FRAMES)
    scene.tendril.air_density = 0.0
    scene.tendril.solver = "EXPLICIT"  # alike from both ends; by implicit steps chance has another link part first
    steel = looks.material("Steel", (0.75, 0.77, 0.8), 0.4)
    copper = looks.material("Copper", (0.85, 0.22, 0.05), 0.4)
    links = []
    for number in range(LINKS):
        item = studio.polylines(f"Link {number}", [link(number, points)], THICK)
        bpy.ops.tendril.add_rod()
        rod = item.tendril.rod
        rod.young, rod.poisson, rod.density, rod.bend_factor = 0.12, 0.4, 1500.0, 1.0
        rod.internal_damping, rod.shape_memory, rod.friction = 0.01, 1.0, 0.2
        if number in (0, LINKS - 1):
            hold(item, 1.0 if number else -1.0)
        item.data.materials.append(copper if number % 2 else steel)
        item.select_set(False)
        links.append(item)
    studio.corner(scene, size=1.2, floor=FLOOR, centre=(0.0, 0.0, -0.2))
    studio.camera(scene, target=(0.0, 0.0, -0.2), width=3.0, height=0.05)
    return links


def hold(item, side):
    """An empty holds the link at its outermost point and draws it away."""
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.5 + side * 0.25 / 1.2, holder="EMPTY", mode="POSITION")
    pin = item.tendril.pins[0]
    pin.max_force = FIRM
    x = pin.target.location.x
    studio.steadily(pin.target, "location", 0, {PULL[0]: x, PULL[1]: x + side * APART})


def joined(links):
    """Whether each of the links (k, n, 3), closed by a straight line, is linked with the next (k − 1,)."""
    rings = [np.vstack([x, x[:1]]) for x in links]
    return np.array([abs(measure.winding(a, b)) > 0.5 for a, b in pairwise(rings)])


def free(held):
    """(FRAMES, LINKS) whether a link hangs from neither end: chance has it which are set free."""
    first = np.ones((FRAMES, 1), bool)
    left = np.cumprod(np.hstack([first, held]), axis=1)
    right = np.cumprod(np.hstack([first, held[:, ::-1]]), axis=1)[:, ::-1]
    return left + right == 0


def falls(x, loose):
    """Accelerations (k,) [m/s²] of the middle of all links that are loose, as long as these are the same ones for
    WINDOW frames, and further than CLEAR [m] from what hangs: whether they meet each other is all one.
    """
    gap = np.full(FRAMES, np.inf)
    for one, other in combinations(range(LINKS), 2):
        between = np.linalg.norm(x[:, one, :, None] - x[:, other, None], axis=3).min(axis=(1, 2))
        gap = np.where(loose[:, one] != loose[:, other], np.minimum(gap, between), gap)
    clear = loose.any(axis=1) & (gap > CLEAR)
    height = (0.5 * (x[:, :, 1:] + x[:, :, :-1]))[..., 2].mean(axis=2)  # of centres of mass
    times, found = np.arange(WINDOW) / bpy.context.scene.render.fps, []
    for k in range(FRAMES - WINDOW + 1):
        now = slice(k, k + WINDOW)
        if clear[now].all() and (loose[now] == loose[k]).all():
            found.append(-2.0 * np.polyfit(times, height[now][:, loose[k]].mean(axis=1), 2)[0])
    return np.array(found)


def check(links):
    """All links hold while the chain hangs; pulled, it parts, and what is free falls like a stone."""
    x = measure.baked()[0].reshape(FRAMES, LINKS, -1, 3)
    held = np.array([joined(now) for now in x])
    assert held[: PULL[0]].all(), held[: PULL[0]].all(axis=0)
    whole = held.all(axis=1)
    parts = int(np.argmin(whole))
    assert parts > PULL[0], parts
    drawn = np.linalg.norm(x[parts, 0].mean(axis=0) - x[parts, -1].mean(axis=0))
    loose = free(held)
    found = falls(x, loose)
    assert len(found) or not loose.any(), loose.sum(axis=1)  # where it parts at one place, all hangs
    assert np.abs(found / 9.81 - 1.0).max(initial=0.0) < 2e-3, found
    falling = f"those set free fall with {np.median(found):.2f} m/s²" if len(found) else "both ends go on hanging"
    return f"Nine links hold until they are drawn {drawn:.2f} m apart; {falling}."


if __name__ == "__main__":
    studio.produce("figure_10_chain", build, check, MOMENTS, **PICTURE)
