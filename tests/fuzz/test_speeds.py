"""Fast things: thrown, whipped, pulled, led and twisted rods stay apart at every frame, or one sentence ends the bake,
by either treatment of contact.

Two measures of our own, of all pairs of edges by brute force: how deep they overlap, in radii of the thinner one, and
whether their centre lines have passed through each other: between two frames while the frames are short, and by the
linking number where rods are closed, or closed behind the pins that hold both ends.
"""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import TREATMENTS, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.validate import SimulationError

CASES = 480
ALLOWED = 0.05  # of the thinner radius
FRAME = 1.0 / 24.0  # s
SHORT = 0.2  # of a radius: how far things fly in a short frame
AHEAD, ASIDE, UP = np.eye(3)


def straight(name, middle, along, length, edges, radius, material, **options):
    s = np.linspace(-0.5, 0.5, edges + 1)[:, None] * length
    return Rod.from_material(name, middle + s * along, radius, material, **options)


def material(rng):
    """Limp to stiff, smooth to rough."""
    young, friction = 10.0 ** rng.uniform(4.5, 8.0), rng.choice([0.0, 0.3, 1.0])
    return Material(young, 0.45, 1000.0, friction=friction, internal_damping=0.01)


def direction(rng, across=None):
    """A unit vector, across another one if given."""
    d = rng.normal(size=3)
    if across is not None:
        d -= (d @ across) * across
    return d / np.linalg.norm(d)


def yielding(rod, number, vertex):
    """A pin that holds a vertex with the force it chooses."""
    return replace(Pin.fixed(rod, vertex, rod=number), max_force=None)


def thrown(rng, others=1):
    """A rod, and one or more that come at it with 10 to 1000 of the thinnest radii a frame."""
    thick = 0.01
    thin = thick * 10.0 ** rng.uniform(-1.0, 0.0)
    if rng.random() < 0.5:
        thick, thin = thin, thick
    speed = 10.0 ** rng.uniform(1.0, 3.0) * min(thick, thin) / FRAME
    ahead = direction(rng)
    aside = direction(rng, ahead)
    edge = rng.uniform(2.0, 8.0) * thick
    rods = [straight("target", np.zeros(3), aside, 12 * edge, 12, thick, material(rng))]
    for k in range(others):
        along = direction(rng, ahead)
        edge = rng.uniform(2.0, 8.0) * thin
        middle = -ahead * (1.2 * (thick + thin) + 2.2 * k * thin) + rng.uniform(-0.3, 0.3) * 12 * edge * along
        v = np.tile(speed * (ahead + 0.2 * direction(rng)), (13, 1))
        rods.append(straight(f"thrown {k}", middle, along, 12 * edge, 12, thin, material(rng), v=v))
    short = rng.random() < 0.6  # short frames show every crossing, long ones leave the steps alone
    frame = SHORT * min(thick, thin) / speed if short else FRAME
    return Scene(tuple(rods), frame, 160 if short else 5, gravity=np.zeros(3))


def bundle(rng):
    return thrown(rng, others=int(rng.integers(2, 5)))


def whip(rng):
    """A rope whose end is cracked to and fro beside a rope that hangs between two points."""
    r = 0.005
    edge = rng.uniform(2.0, 6.0) * r
    rope = straight("whip", np.array([0.0, 0.0, -8 * edge]), -UP, 16 * edge, 16, r, material(rng))
    s = np.linspace(-1.0, 1.0, 13)[:, None]
    x = np.array([4.0 * r, 0.0, -rng.uniform(3.0, 14.0) * edge]) + 6 * edge * (0.9 * s * ASIDE - 0.4 * (1 - s * s) * UP)
    hung = Rod.from_material("rope", x, r, material(rng))
    times = np.linspace(0.0, 6 * FRAME, 25)
    reach = rng.uniform(4.0, 12.0) * edge
    turns = rng.uniform(1.0, 6.0)
    position = rope.x[0] + reach * np.sin(2.0 * np.pi * turns * times / times[-1])[:, None] * AHEAD
    force = None if rng.random() < 0.7 else np.inf
    hand = Pin("hand", 0, 0, "POSITION", times, position, max_force=force)
    pins = (hand, yielding(hung, 1, 0), yielding(hung, 1, 12))
    return Scene((rope, hung), FRAME, 7, pins=pins)


def pulled(rng, force=None):
    """Two ropes side by side across each other, drawn through one another by all four ends."""
    r = 0.01
    edge = 3.0 * r
    rods, pins = [], []
    times = np.linspace(0.0, 8 * FRAME, 9)
    far, angle = rng.uniform(0.5, 1.0), rng.uniform(0.3, 0.5) * np.pi
    for k, (turn, side) in enumerate(((0.0, 1.0), (angle, -1.0))):
        along = np.array([np.cos(turn), np.sin(turn), 0.0])
        rod = straight(f"rope {k}", side * 1.1 * r * UP, along, 12 * edge, 12, r, material(rng))
        rods.append(rod)
        for end in (0, 12):
            path = rod.x[end] - side * far * 12 * edge * (times / times[-1])[:, None] * UP
            pins.append(Pin(f"{k} {end}", k, end, "POSITION", times, path, max_force=force))
    return Scene(tuple(rods), FRAME, 9, pins=tuple(pins))


def forced(rng):
    return pulled(rng, force=10.0 ** rng.uniform(4.0, 7.0))


def arm(rng):
    """A kinematic body swings a bar into a hanging rope."""
    r = 0.005
    edge = 4.0 * r
    stuff = Material(10.0 ** rng.uniform(7.0, 9.0), 0.4, 1000.0, internal_damping=0.01)
    bar = straight("bar", 6 * edge * AHEAD, AHEAD, 12 * edge, 12, r, stuff)
    thin = r * 10.0 ** rng.uniform(-0.7, 0.0)
    where = rng.uniform(0.2, 1.5)  # rad that the bar turns before it meets the rope
    place = rng.uniform(3.0, 11.0) * edge * np.array([np.cos(where), np.sin(where), 0.0])
    s = np.linspace(-1.0, 1.0, 13)[:, None]
    x = place + 30.0 * thin * (s * UP + 0.3 * (1.0 - s * s) * ASIDE)
    rope = Rod.from_material("rope", x, thin, material(rng))
    times = np.linspace(0.0, 5 * FRAME, 21)
    angle = rng.uniform(0.5, 4.0) * np.pi * (1.0 - np.cos(np.pi * times / times[-1]))
    if rng.random() < 0.3:
        angle = angle[-1] * times / times[-1]  # it starts at once
    turn = np.column_stack([np.cos(0.5 * angle), 0.0 * angle, 0.0 * angle, np.sin(0.5 * angle)])
    hub = RigidBody("hub", np.zeros(3), 1.0, np.eye(3), times=times, track=np.zeros((21, 3)), turn=turn)
    pins = (yielding(rope, 1, 0), yielding(rope, 1, 12)) if rng.random() < 0.7 else ()
    return Scene((bar, rope), FRAME, 6, pins=pins, bodies=(hub,), welds=(Weld("grip", 0, 0, 0),))


def twisted(rng):
    """A slack rope between clamps, one of which turns hundreds of times a second."""
    r = 0.004
    n = 24
    s = np.linspace(-1.0, 1.0, n + 1)
    edge = rng.uniform(2.5, 5.0) * r
    x = 0.5 * n * edge * np.stack([0.9 * s, 0.0 * s, 0.4 * s * s], axis=1)
    rope = Rod.from_material("rope", x, r, material(rng), shape_memory=rng.choice([0.0, 1.0]))
    rate = rng.uniform(50.0, 400.0) * rng.choice([-1.0, 1.0])  # turns a second
    times = np.linspace(0.0, 4 * FRAME, 1 + int(np.ceil(8 * 4 * FRAME * abs(rate))))
    half = np.pi * rate * times
    axis = rope.edges()[-1] / np.linalg.norm(rope.edges()[-1])
    turn = np.column_stack([np.cos(half), np.sin(half)[:, None] * axis])
    hand = Pin("hand", 0, n, "TWIST", times, np.tile(x[-1], (len(times), 1)), turn, max_force=None)
    return Scene((rope,), FRAME, 8, pins=(Pin.fixed(rope, 0, "TWIST"), hand), gravity=np.zeros(3))


def rings(rng):
    """Two rings, linked or not, thrown at each other."""
    r = 0.005
    around = 2.0 * np.pi * np.arange(16) / 16
    flat = 0.06 * np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)
    upright = 0.06 * np.stack([np.cos(around), 0.0 * around, np.sin(around)], axis=1)
    place = np.array([0.06, 0.0, 0.0]) if rng.random() < 0.5 else np.array([0.12 + 3.0 * r, 0.0, 0.0])
    speed = 10.0 ** rng.uniform(1.0, 3.0) * r / FRAME
    v = np.tile(speed * direction(rng), (16, 1)) if place[0] < 0.1 else np.tile([-speed, 0.0, 0.0], (16, 1))
    rods = (
        Rod.from_material("still", flat, r, material(rng), closed=True),
        Rod.from_material("thrown", place + upright, r * rng.uniform(0.3, 1.0), material(rng), closed=True, v=v),
    )
    return Scene(rods, FRAME, 6, gravity=np.zeros(3))


KINDS = (thrown, bundle, whip, pulled, forced, arm, twisted, rings)


def case(number):
    """(the kind, the Scene) of a case."""
    kind = KINDS[number % len(KINDS)]
    return kind.__name__, kind(np.random.default_rng([7, number]))


class Edges:
    """All pairs of edges that are not neighbours along a rod; of one rod, half a turn of its radius apart."""

    def __init__(self, rods):
        tail, head, rod, arc, radius, first = [], [], [], [], [], 0
        for r, each in enumerate(rods):
            m, size = each.edge_count, np.linalg.norm(each.edges(), axis=1)
            tail += list(first + np.arange(m))
            head += list(first + (np.arange(m) + 1) % len(each.x))
            rod += [r] * m
            arc += list(np.cumsum(size) - 0.5 * size)
            radius += [each.radius[0]] * m
            first += len(each.x)
        tail, head, rod, arc, radius = map(np.array, (tail, head, rod, arc, radius))
        around = np.array([np.linalg.norm(e.edges(), axis=1).sum() if e.closed else np.inf for e in rods])[rod]
        i, j = np.triu_indices(len(tail), 1)
        along = np.abs(arc[i] - arc[j])
        along = np.minimum(along, around[i] - along)
        size = np.array([np.linalg.norm(e.edges(), axis=1).max() for e in rods])[rod]
        keep = (rod[i] != rod[j]) | (along >= np.maximum(np.pi * radius[i], 1.01 * size[i]) + size[i])
        self.a, self.b, self.c, self.d = tail[i[keep]], head[i[keep]], tail[j[keep]], head[j[keep]]
        self.reach, self.thin = (radius[i] + radius[j])[keep], np.minimum(radius[i], radius[j])[keep]

    def nearest(self, x):
        """(vectors between the nearest points of each pair (p, 3), whether both lie inside their edges (p,))."""
        p, q, u, v = x[self.a], x[self.c], x[self.b] - x[self.a], x[self.d] - x[self.c]
        w = p - q
        uu, vv, uv, uw, vw = (np.einsum("pi,pi->p", f, g) for f, g in ((u, u), (v, v), (u, v), (u, w), (v, w)))
        best = None
        with np.errstate(divide="ignore", invalid="ignore"):
            inner_s, inner_t = (uv * vw - vv * uw) / (uu * vv - uv * uv), (uu * vw - uv * uw) / (uu * vv - uv * uv)
        inside = (inner_s > 0.0) & (inner_s < 1.0) & (inner_t > 0.0) & (inner_t < 1.0)
        for s, t in (
            (0.0 * uu, np.clip(vw / vv, 0.0, 1.0)),
            (0.0 * uu + 1.0, np.clip((vw + uv) / vv, 0.0, 1.0)),
            (np.clip(-uw / uu, 0.0, 1.0), 0.0 * uu),
            (np.clip((uv - uw) / uu, 0.0, 1.0), 0.0 * uu + 1.0),
        ):
            gap = w + s[:, None] * u - t[:, None] * v
            nearer = True if best is None else np.linalg.norm(gap, axis=1) < np.linalg.norm(best, axis=1)
            best = gap if best is None else np.where(nearer[:, None], gap, best)
        gap = w + np.where(inside, inner_s, 0.0)[:, None] * u - np.where(inside, inner_t, 0.0)[:, None] * v
        return np.where(inside[:, None], gap, best), inside

    def overlap(self, x):
        """The deepest overlap, in radii of the thinner one."""
        gap, _ = self.nearest(x)
        return float(((self.reach - np.linalg.norm(gap, axis=1)) / self.thin).max())

    def crossed(self, before, after):
        """Whether two centre lines have passed through each other since a moment before."""
        (p, inside), (q, still) = self.nearest(before), self.nearest(after)
        return bool((inside & still & (np.einsum("pi,pi->p", p, q) < 0.0)).any())


def linking(p, q):
    """Linking number of two closed polylines (Gauss's integral, solid angles of pairs of edges: Banchoff 1976)."""
    a, b = p[:, None], np.roll(p, -1, axis=0)[:, None]
    c, d = q[None], np.roll(q, -1, axis=0)[None]
    corners = [v / np.linalg.norm(v, axis=2)[..., None] for v in (c - a, d - a, d - b, c - b)]
    total = np.zeros(corners[0].shape[:2])
    for i, j, k in ((0, 1, 2), (2, 3, 0)):
        u, v, w = corners[i], corners[j], corners[k]
        volume = np.einsum("pqi,pqi->pq", u, np.cross(v, w))
        scale = 1.0 + np.einsum("pqi,pqi->pq", u, v) + np.einsum("pqi,pqi->pq", v, w) + np.einsum("pqi,pqi->pq", w, u)
        total += 2.0 * np.arctan2(volume, scale)
    return round(total.sum() / (4.0 * np.pi))


def links(scene, x):
    """Linking number of the first two rods where it means something: rings, and ropes closed behind their four pins."""
    n = len(scene.rods[0].x)
    p, q = x[:n], x[n : n + len(scene.rods[1].x)] if len(scene.rods) > 1 else None
    if scene.rods[0].closed:
        return linking(p, q)
    if len(scene.pins) == 4 and len(scene.rods) == 2:
        return linking(*(np.vstack([c, c[-1] + [0, 0, z], c[0] + [0, 0, z]]) for c, z in ((p, 100.0), (q, -100.0))))
    return 0


def frames(scene):
    """The vertices of each frame, to the end or to the sentence that ends the bake, which names its object."""
    done = simulate(scene)
    while True:
        try:
            item = next(done, None)
        except SimulationError as error:
            if f"'{error.object}'" not in str(error):
                raise
            return
        if item is None:
            return
        yield item.x


@pytest.mark.parametrize("treatment", TREATMENTS)
def test_nothing_passes_through_at_any_speed(treatment, random_case):
    scene = replace(case(random_case)[1], treatment=treatment)
    edges, before, linked = Edges(scene.rods), None, links(scene, np.concatenate([rod.x for rod in scene.rods]))
    for x in frames(scene):
        assert np.isfinite(x).all()
        assert edges.overlap(x) <= ALLOWED
        assert links(scene, x) == linked
        if before is not None and scene.frame_duration < FRAME:
            assert not edges.crossed(before, x)
        before = x
