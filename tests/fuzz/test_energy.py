"""Scenes that nothing drives: rods of both models, bodies and soft bodies, tied, thrown and dropped on each other, and
on what stands. No step that counts wins more than a part of all energy there is: of motion, elastic, and of weight
above the ground, which friction has taken from. What friction takes in the step itself is measured, as its force times
the way that it slips, and added: it hides no win.
"""

import threading
from dataclasses import replace

import numpy as np
import pytest
from meshes import ball, sheet
from solid_meshes import brick as soft_brick
from solids import brick, capsule, sphere, wall
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.soft_bodies import soft_energies
from tendril.physics.materials import Material
from tendril.physics.run import steps
from tendril.physics.run.driver import Driver
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene, SoftBody, Tie, Weld
from tendril.physics.validate import SceneError, check

CASES = 100
FAILED = (49, 59, 97, 116, 134, 198)
WON = 1e-3  # of all energy there is, in a step
TOGETHER = 5e-3  # and in all steps: those of leapfrog swing about what they keep
FRAMES = 12
STEPS = ("implicit_steps", "advance", "verlet_steps", "coupled_steps", "runge_kutta_steps")
LOOKS = 16  # a frame, where steps are explicit
MODELS = {"kirchhoff": ("kirchhoff",), "cosserat": ("cosserat",), "mixed": ("kirchhoff", "cosserat")}


def random_rod(rng, k, place, model):
    n, length = int(rng.integers(8, 31)), rng.uniform(0.3, 0.9)
    radius = min(10.0 ** rng.uniform(-2.7, -1.8), 0.4 * length / n)
    s, turn = np.linspace(-0.5, 0.5, n + 1), rng.uniform(0.0, 1.0) * rng.choice([0.0, np.pi])
    line = np.stack([s, 0.1 * np.sin(turn * s), 0.1 * np.cos(turn * s)], axis=1) * length
    way, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    friction = float(rng.choice([0.0, 0.4]))
    limp = float(10.0 ** rng.uniform(-1.5, 0.0))
    material = Material(10.0 ** rng.uniform(5.0, 9.0), 0.4, 1000.0, friction=friction, bend_factor=limp,
                        internal_damping=float(rng.choice([0.0, 0.01])))  # fmt: skip
    speed = rng.normal(size=3) * rng.choice([0.0, 1.0, 4.0])
    return Rod.from_material(
        f"rod {k}", line @ way + place, radius, material, v=np.tile(speed, (n + 1, 1)), model=model,
        shape_memory=float(rng.choice([0.0, 1.0])),
    )  # fmt: skip


def random_body(rng, k, place):
    size, options = 10.0 ** rng.uniform(-1.4, -0.8), {"friction": float(rng.choice([0.0, 0.4])), "name": f"body {k}"}
    options |= {"v": rng.normal(size=3) * rng.choice([0.0, 2.0]), "omega": rng.normal(size=3) * rng.choice([0.0, 5.0])}
    if k % 3 == 0:
        return sphere(place, size, **options)
    if k % 3 == 1:
        return capsule(place, 0.5 * size, 2.0 * size, **options)
    return brick(place, size * rng.uniform(0.5, 2.0, 3), rng.normal(size=3), **options)


def random_scene(seed, solver, kind):
    """Up to four rods and three bodies, each in a cell of its own; some rods hang, some carry a body. kind: of MODELS,
    or "bodies" alone.
    """
    rng = np.random.default_rng(seed)
    spots = rng.permutation(np.array(list(np.ndindex(2, 2, 2)))) - [0.5, 0.5, 0.0]
    spots = 1.2 * spots + [0.0, 0.0, 0.7]
    models = MODELS.get(kind, ())
    rods = tuple(random_rod(rng, k, spots[k], models[k % len(models)]) for k in range(rng.integers(1, 4)) if models)
    bodies, welds, pins = [], [], []
    for r, rod in enumerate(rods):
        if rng.random() < 0.4:
            pins.append(Pin.fixed(rod, 0, str(rng.choice(["POSITION", "DIRECTION"])), rod=r))
        if rng.random() < 0.4:
            end, along = rod.x[-1], rod.x[-1] - rod.x[-2]
            place = end + 0.05 * along / np.linalg.norm(along)
            welds.append(Weld(f"weld {r}", len(bodies), r, len(rod.x) - 1, str(rng.choice(["POSITION", "TWIST"]))))
            bodies.append(brick(place, (0.06, 0.08, 0.1), rng.normal(size=3), name=f"tied {r}", friction=0.3,
                                density=rng.choice([100.0, 1000.0])))  # fmt: skip
    bodies += [random_body(rng, k, spots[5 + k]) for k in range(rng.integers(0 if rods else 2, 4))]
    ground = {"air_density": 0.0}
    if seed % 3 == 0:
        ground["floor"] = Floor(0.0, 0.4)
    else:
        points, triangles = ball(0.5, 8, 12)
        ground["colliders"] = (wall((points - [0.0, 0.0, 0.2], triangles), 0.3), wall(sheet(4, 8.0), 0.3, "below"))
    return Scene(rods, 1.0 / 24.0, FRAMES, pins=tuple(pins), bodies=tuple(bodies), welds=tuple(welds), solver=solver,
                 **ground)  # fmt: skip


def random_soft(rng, k, place):
    x, node = soft_brick((2, 3, 2), rng.uniform(0.1, 0.3, 3))
    way, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    way[0] *= np.sign(np.linalg.det(way))
    young, speed = 10.0 ** rng.uniform(4.0, 6.0), rng.normal(size=3) * rng.choice([0.0, 2.0])
    return SoftBody(f"soft {k}", (x - x.mean(axis=0)) @ way.T + place, node, 1000.0, young, rng.uniform(0.0, 0.45),
                    v=np.tile(speed, (len(x), 1)), mu=young * float(rng.choice([0.0, 1e-3])), friction=0.4)  # fmt: skip


def soft_scene(seed, kind):
    """Up to three soft bodies, one above the other: "soft" ones alone, by Verlet; "mixed" with a rod and bodies that
    are thrown at them, of which some are tied to the one on top; "adapted", which spin and touch nothing, by Runge and
    Kutta's steps.
    """
    rng = np.random.default_rng(200 + seed)
    spots = np.array([0.0, 0.0, 0.3]) + 0.5 * np.outer(np.arange(3), [0.0, 0.0, 1.0])
    solids, (rods, bodies, ties) = tuple(random_soft(rng, k, spots[k]) for k in range(rng.integers(1, 4))), ((), (), ())
    if kind == "mixed":
        above = spots[len(solids) - 1]
        rod = random_rod(rng, 0, above + [0.0, 0.0, 1.0], "kirchhoff")
        if rng.random() < 0.4:  # hangs from the rod, which falls
            end = int(np.argmax(solids[-1].x[:, 2]))
            rod = replace(rod, x=rod.x + solids[-1].x[end] - rod.x[-1])
            ties = (Tie("tie", len(solids) - 1, np.array([end]), vertex=(0, len(rod.x) - 1)),)
        rods = (replace(rod, v=rod.v - [0.0, 0.0, 3.0]),)
        bodies = tuple(random_body(rng, k, above + [0.0, 0.0, 1.9 + 0.5 * k]) for k in range(rng.integers(0, 3)))
        bodies = tuple(replace(body, v=body.v - [0.0, 0.0, 5.0]) for body in bodies)
    if kind == "adapted":
        return Scene((), 1.0 / 24.0, FRAMES, solids=tuple(spun(rng, one) for one in solids), contact=False,
                     air_density=0.0, scheme=str(rng.choice(["FEHLBERG", "DORMAND_PRINCE"])))  # fmt: skip
    scene = Scene(rods, 1.0 / 24.0, FRAMES, bodies=bodies, solids=solids, ties=ties, floor=Floor(0.0, 0.4),
                 air_density=0.0)  # fmt: skip
    try:
        check(scene)
    except SceneError:  # what is tied on top hangs down into what it is tied to
        return soft_scene(seed + 1000, kind)
    return scene


def spun(rng, soft):
    """The same, thrown and turned, and stretched so that it rings."""
    away = soft.x - soft.x.mean(axis=0)
    v = soft.v + np.cross(rng.normal(size=3) * 5.0, away) + away * rng.normal(size=3)
    return replace(soft, v=v)


def sums(model, state):
    """All energy but twist [J], and twist (R,) [J] of rods, and whether friction loads it (R,): then nothing has done
    it as work, see time_integration/energy_look.
    """
    if len(model.solids.bodies):
        return soft_energies(model, state).total, np.zeros(0), np.zeros(0, bool)
    now = energies(model, state)
    return now.total - now.twisting.sum(), now.twisting, state.rods["loaded"].copy()


class Looks:
    """What each step of a scene wins, driver by driver: (all there is [J], what it rises by in a stretch, the most that
    a step of it wins, what friction took), of those that count: a stretch that is begun again is no part of the motion.
    """

    def __init__(self, monkeypatch):
        self.of, self.now = {}, threading.local()
        go_to, begin_again = Driver._go_to, Driver._begin_again

        def begin(driver, *given):
            self.now.found = self.of.setdefault(driver, [])
            self.now.begun = len(self.now.found)
            return go_to(driver, *given)

        def undo(driver):
            begin_again(driver)
            del self.now.found[self.now.begun :]

        monkeypatch.setattr(Driver, "_go_to", begin)
        monkeypatch.setattr(Driver, "_begin_again", undo)
        for name, looked in self._steps(*(getattr(steps, name) for name in STEPS)).items():
            monkeypatch.setattr(steps, name, looked)

    def look(self, sides, work, take, alone=None):
        """alone(ended): whether that was one step, of which all energy then tells what it won."""
        work.look["most"], work.look["took"] = -np.inf, 0.0
        before = [sums(*side) for side in sides]
        ended = take()
        if ended[0] == 0:
            won, most = 0.0, float(work.look["most"][0])
            for was, now in zip(before, [sums(*side) for side in sides], strict=True):
                free = ~(was[2] | now[2])
                won += now[0] - was[0] + (now[1] - was[1])[free].sum()
            if alone is not None and alone(ended):
                most = max(most, won)
            self.now.found.append((sum(was[0] + was[1].sum() for was in before), won, most, work.look["took"][0]))
        return ended

    def _steps(self, implicit, explicit, of_soft, of_both, adapted):
        """What the solver's steps are to be: one by one where they are implicit, else in pieces of a frame."""

        def step_by_step(model, state, work, duration, longest, third=0.0):
            count, taken, rounds = int(np.ceil(duration / longest - 1e-9)), 0, 0
            for _ in range(count):
                ended = self.look(
                    [(model, state)], work, lambda: implicit(model, state, work, duration / count, longest, third),
                    lambda ended: ended[3] == 1,
                )  # fmt: skip
                taken, rounds = taken + ended[3], rounds + ended[4]
                if ended[0] != 0:
                    break
            return (*ended[:3], taken, rounds)

        def piecewise(sides, work, take, duration):
            for k in range(LOOKS):
                ended = self.look(sides, work, lambda: take(duration / LOOKS))
                if ended[0] != 0:
                    return (*ended[:-1], ended[-1] + duration * (LOOKS - 1 - k) / LOOKS)
            return ended

        def rods(model, state, work, duration, *limits):
            return piecewise([(model, state)], work, lambda part: explicit(model, state, work, part, *limits), duration)

        def soft(model, state, work, viscous, duration, *limits):
            def take(part):
                return of_soft(model, state, work, viscous, part, *limits)

            return piecewise([(model, state)], work, take, duration)

        def both(c, viscous, duration, *limits):
            sides = [(c.rods.model, c.rods.state), (c.soft.model, c.soft.state)]
            return piecewise(sides, c.rods.work, lambda part: of_both(c, viscous, part, *limits), duration)

        def runge_kutta(model, state, work, pair, viscous, duration, *limits):
            def take(part):
                return adapted(model, state, work, pair, viscous, part, *limits)

            return piecewise([(model, state)], work, take, duration)

        return dict(zip(STEPS, (step_by_step, rods, soft, both, runge_kutta), strict=True))


def judge(scene, monkeypatch):
    looks = Looks(monkeypatch)
    for _ in simulate(scene):
        pass
    assert looks.of
    for found in looks.of.values():
        whole, won, most, rubbed = np.array(found).T
        assert (most <= WON * whole).all()
        assert (np.cumsum(won + rubbed) <= TOGETHER * whole[0]).all()


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT", pytest.param("AUTOMATIC", marks=pytest.mark.slow)])
def test_no_energy_comes_from_nowhere(random_case, solver, kind, monkeypatch):
    judge(random_scene(random_case, solver, kind), monkeypatch)


def test_nor_with_bodies_alone(random_case, monkeypatch):
    judge(random_scene(random_case, "EXPLICIT", "bodies"), monkeypatch)


@pytest.mark.parametrize("kind", [pytest.param("soft", marks=pytest.mark.slow), "mixed", "adapted"])
def test_nor_with_soft_bodies(random_case, kind, monkeypatch):
    judge(soft_scene(random_case, kind), monkeypatch)
