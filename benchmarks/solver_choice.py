"""Random scenes by the solver that Automatic takes, beside the other one: `python -m benchmarks solver_choice`."""

from dataclasses import replace
from time import process_time

import numpy as np
from tendril.physics.cost import seconds
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.validate import SimulationError, forecast
from tendril.presets import material

from .measure import row

PRESETS = [path for path in sorted(material.SHIPPED.glob("*.toml")) if not path.stem.startswith("paper_")]
FPS = 48
SCENES = range(60)
LIMIT = 5.0  # s of each bake
HOPELESS = 60.0  # s that a bake of a second takes at least, of which nothing more need be known


def rows():
    return [found for seed in SCENES for found in _compared(seed)]


def _compared(seed):
    """A row of seconds of film by the solver that is taken, beside the other."""
    name, scene = made(seed)
    implicit, took = forecast(scene).implicit.any(), {}
    for solver in ("EXPLICIT", "IMPLICIT"):
        by_one = replace(scene, solver=solver)
        if seconds(by_one, np.full(len(scene.rods), solver == "IMPLICIT")) > HOPELESS:
            return
        took[solver] = _seconds(by_one)
    chosen, other = ("IMPLICIT", "EXPLICIT") if implicit else ("EXPLICIT", "IMPLICIT")
    if took[chosen] and took[other]:
        yield row(f"{seed}: {name}, {chosen.lower()}", "s", took[chosen], took[other], f"{other.lower()} steps")


def _seconds(scene):
    """That a second of it takes; None: it cannot be followed."""
    try:
        for _ in simulate(replace(scene, frame_count=3)):  # kernels are read from the disk
            pass
        for frame in simulate(scene):
            if frame.index == 0:
                begun = process_time()
            elif process_time() - begun > LIMIT:
                break
    except SimulationError:
        return None
    return (process_time() - begun) / (frame.index * scene.frame_duration)


def made(seed):
    """(what it is, the Scene by AUTOMATIC)."""
    rng = np.random.default_rng(seed)
    path, n = PRESETS[rng.integers(len(PRESETS))], int(rng.choice([12, 25, 50, 100, 200]))
    quality = str(rng.choice(["PREVIEW", "GOOD", "GOOD", "FINE"]))
    kind = KINDS[rng.integers(len(KINDS))]
    scene = Scene((), 1.0 / FPS, FPS + 1, quality=quality, solver="AUTOMATIC")
    return f"{kind.__name__[1:]}, {path.stem} of {n} edges, {quality.title()}", kind(scene, path, n, rng)


def _rod(path, n, start, end, name="rod", memory=0.0):
    values = material.read(path)
    return Rod.from_material(
        name, np.linspace(start, end, n + 1), values.get("radius", 0.005),
        Material(**{name: values[name] for name in Material.__dataclass_fields__}), inner_radius=values["inner_radius"],
        stretchable=values["stretchable"], shape_memory=memory,
    )  # fmt: skip


def _level(path, n):
    return _rod(path, n, [0.0, 0.0, 0.3], [1.0, 0.0, 0.3])


def _hung(scene, path, n, _rng):
    rod = _level(path, n)
    return replace(scene, rods=(rod,), pins=(Pin.fixed(rod, 0, rod=0),))


def _led(scene, rod, vertex, times, way):
    """Its vertex led by that way (T, 3) from where it is, and its first one held if that is another."""
    held = (Pin.fixed(rod, 0, rod=0),) if vertex else ()
    hand = Pin("hand", 0, vertex, "POSITION", times, rod.x[vertex] + way, max_force=None)
    return replace(scene, rods=(rod,), pins=(*held, hand))


def _swung(scene, path, n, _rng):
    times = np.linspace(0.0, 1.0, 21)
    way = np.outer(0.2 * np.sin(2.0 * np.pi * times), [0.0, 1.0, 0.0])
    return _led(scene, _rod(path, n, [0.0, 0.0, 1.0], np.zeros(3)), 0, times, way)


def _whirled(scene, path, n, _rng):
    times = np.linspace(0.0, 1.0, FPS + 1)
    angle = 4.0 * np.pi * times
    way = 0.3 * np.stack([np.cos(angle) - 1.0, np.sin(angle), 0.0 * angle], axis=1)
    return _led(scene, _rod(path, n, [0.3, 0.0, 0.0], [0.3, 0.0, -1.0]), 0, times, way)


def _drawn_taut(scene, path, n, _rng):
    return _led(scene, _level(path, n), n, np.array([0.0, 0.5, 1.0]), np.outer([0.0, 0.02, 0.02], [1.0, 0.0, 0.0]))


def _dropped(scene, path, n, _rng):
    return replace(scene, rods=(_level(path, n),), floor=Floor(0.2))


def _cantilever(scene, path, n, _rng):
    rod = _rod(path, n, np.zeros(3), [0.5, 0.0, 0.0], memory=1.0)
    return replace(scene, rods=(rod,), pins=(Pin.fixed(rod, 0, "TWIST", rod=0),))


def _heap(scene, path, n, rng):
    rods, thick = [], 3.0 * _level(path, 1).radius.max()
    for k, angle in enumerate(rng.uniform(0.0, np.pi, 8)):
        end = np.array([0.3 * np.cos(angle), 0.3 * np.sin(angle), 0.0])
        up = np.array([0.0, 0.0, 0.05 + k * thick])
        rods.append(_rod(path, max(12, n // 4), up - end, up + end, f"rod {k}"))
    return replace(scene, rods=tuple(rods), floor=Floor(0.0))


def _with_a_lamp(scene, path, n, _rng):
    rod = _level(path, n)
    mass = float(rod.mass.sum())
    lamp = RigidBody("lamp", rod.x[-1], 5.0 * mass, 1e-2 * mass * np.eye(3))
    return replace(
        scene, rods=(rod,), pins=(Pin.fixed(rod, 0, rod=0),), bodies=(lamp,), welds=(Weld("tie", 0, 0, n, "POSITION"),)
    )


KINDS = (_hung, _swung, _whirled, _drawn_taut, _dropped, _cantilever, _heap, _with_a_lamp)
