"""Range and feasibility checks of a Scene: one sentence each, naming the object, the value and the cure. numpy only."""

import numpy as np

from .scene import PIN_MODES, QUALITIES

COINCIDENT = 1e-9  # of the rod's length: edges shorter than that are two points in one place
KINK = np.radians(170.0)  # the curvature binormal is not defined at 180°
FEASIBLE = 1e-6  # relative length by which pins may ask for more than there is at the start


class SceneError(ValueError):
    """Something that cannot be simulated; `object` names what it is about, the text is one sentence with the cure."""

    def __init__(self, object, text):
        super().__init__(text)
        self.object = object


class SimulationError(SceneError):
    """A bake that had to stop: which object, and why."""


def check(scene):
    """Raise SceneError for the first thing wrong with the scene."""
    if not scene.rods:
        raise SceneError("scene", "There is no rod in the scene: select a curve and add one.")
    _scene(scene)
    for rod in scene.rods:
        _shapes(rod)
        _ranges(rod)
        _geometry(rod)
    for pin in scene.pins:
        _pin(scene, pin)
    _pin_pairs(scene)


def _scene(scene):
    numbers = {
        "frame duration": (scene.frame_duration, "s", scene.frame_duration > 0.0),
        "number of frames": (scene.frame_count, "", scene.frame_count >= 1),
        "air density": (scene.air_density, "kg/m³", scene.air_density >= 0.0),
        "largest step": (scene.max_step, "s", scene.max_step > 0.0),
    }
    for name, (value, unit, fine) in numbers.items():
        if not fine or np.isnan(value):
            raise SceneError("scene", f"The scene's {name} is {value:g} {unit}".rstrip() + ": it has to be positive.")
    if not np.all(np.isfinite(scene.gravity)):
        raise SceneError("scene", f"The scene's gravity is {scene.gravity}: give three finite numbers.")
    if scene.floor and not (np.isfinite(scene.floor.height) and 0.0 <= scene.floor.friction < np.inf):
        raise SceneError(
            "scene",
            f"The floor at height {scene.floor.height:g} m with friction {scene.floor.friction:g} cannot be: "
            "both have to be finite, friction not negative.",
        )
    if scene.quality not in QUALITIES:
        raise SceneError("scene", f"The quality '{scene.quality}' is unknown: choose one of {', '.join(QUALITIES)}.")


def _shapes(rod):
    n = len(rod.x)
    if n < 3:
        raise SceneError(rod.name, f"'{rod.name}' has {n} points: a rod needs at least three; subdivide the curve.")
    m = rod.edge_count
    shapes = {
        "x": (n, 3),
        "radius": (n,),
        "mass": (n,),
        "bend_stiffness": (m, 2),
        "twist_stiffness": (n,),
        "stretch_stiffness": (m,),
        "m1": (3,),
        "twist": (n,),
        "rest_x": (n, 3),
        "rest_m1": (3,),
        "rest_twist": (n,),
        "v": (n, 3),
    }
    for name, shape in shapes.items():
        value = getattr(rod, name)
        if value is None:
            continue
        if np.shape(value) != shape:
            raise SceneError(
                rod.name,
                f"'{rod.name}': {name} has the shape {np.shape(value)} in place of {shape}: give one value for each.",
            )
        if not np.all(np.isfinite(value)):
            where = int(np.flatnonzero(~np.isfinite(np.reshape(value, (shape[0], -1))).all(axis=1))[0])
            raise SceneError(
                rod.name, f"'{rod.name}': {name} of point {where} is not a number: check the curve and its drivers."
            )


def _ranges(rod):
    units = {"radius": "m", "mass": "kg", "bend_stiffness": "N m²", "twist_stiffness": "N m²"}
    for name, unit in units.items():
        value = np.asarray(getattr(rod, name))
        if value.min() <= 0.0:
            where = int(np.unravel_index(value.argmin(), value.shape)[0])
            label = name.replace("_", " ")
            raise SceneError(
                rod.name,
                f"'{rod.name}': the {label} at point {where} is {value.min():g} {unit}: it has to be greater "
                "than zero.",
            )
    if rod.stretchable and np.min(rod.stretch_stiffness) <= 0.0:
        raise SceneError(
            rod.name,
            f"'{rod.name}': the stretch stiffness is {np.min(rod.stretch_stiffness):g} N: it has to be "
            "greater than zero.",
        )
    spans = {
        "rest_length_factor": (1e-3, 1e3),
        "shape_memory": (0.0, 1.0),
        "internal_damping": (0.0, 1e6),
        "drag_coefficient": (0.0, 1e6),
        "friction": (0.0, 1e3),
    }
    for name, (low, high) in spans.items():
        value = getattr(rod, name)
        if not low <= value <= high:
            label = name.replace("_", " ")
            raise SceneError(rod.name, f"'{rod.name}': {label} is {value:g}: keep it between {low:g} and {high:g}.")


def _geometry(rod):
    for x, what in ((rod.x, "points"), (rod.rest_x, "rest points")):
        if x is None:
            continue
        edges = np.roll(x, -1, axis=0) - x
        edges = edges if rod.closed else edges[:-1]
        length = np.linalg.norm(edges, axis=1)
        where = int(length.argmin())
        if length[where] <= COINCIDENT * length.sum():
            raise SceneError(
                rod.name,
                f"'{rod.name}': {what} {where} and {(where + 1) % len(x)} are {length[where]:g} m apart, in the "
                "same place: merge them by distance.",
            )
        t = edges / length[:, None]
        ahead = np.roll(t, -1, axis=0) if rod.closed else t[1:]
        cosine = np.einsum("ij,ij->i", t[: len(ahead)], ahead)
        where = int(cosine.argmin())
        if cosine[where] < np.cos(KINK):
            raise SceneError(
                rod.name,
                f"'{rod.name}': the curve folds back on itself at point {(where + 1) % len(x)} (turning by "
                f"{np.degrees(np.arccos(max(cosine[where], -1.0))):.0f}°): smooth it or add points.",
            )
        m1, name = (rod.m1, "m1") if x is rod.x else (rod.rest_m1, "rest_m1")
        if m1 is not None and np.linalg.norm(np.cross(m1, t[0])) <= 1e-6 * np.linalg.norm(m1):
            raise SceneError(rod.name, f"'{rod.name}': {name} points along the first edge: give a direction across it.")


def _pin(scene, pin):
    if not 0 <= pin.rod < len(scene.rods):
        raise SceneError(
            pin.name, f"'{pin.name}' holds rod {pin.rod}, but there are {len(scene.rods)}: choose one of them."
        )
    rod = scene.rods[pin.rod]
    if not 0 <= pin.vertex < len(rod.x):
        raise SceneError(
            pin.name,
            f"'{pin.name}' holds point {pin.vertex} of '{rod.name}', which has {len(rod.x)}: choose one of them.",
        )
    if pin.mode not in PIN_MODES:
        raise SceneError(pin.name, f"'{pin.name}' has the mode '{pin.mode}': choose one of {', '.join(PIN_MODES)}.")
    k = len(pin.times)
    if k < 1 or np.any(np.diff(pin.times) <= 0.0):
        raise SceneError(pin.name, f"'{pin.name}': the times of its {k} samples have to increase.")
    shapes = {"position": (k, 3), "rotation": (k, 4), "influence": (k,), "times": (k,)}
    for name, shape in shapes.items():
        value = getattr(pin, name)
        if value is not None and (np.shape(value) != shape or not np.all(np.isfinite(value))):
            raise SceneError(
                pin.name, f"'{pin.name}': {name} is not {shape} finite numbers: check the object it follows."
            )
    if pin.influence is not None and not np.all((pin.influence >= 0.0) & (pin.influence <= 1.0)):
        worst = pin.influence[np.argmax(np.abs(pin.influence - 0.5))]
        raise SceneError(pin.name, f"'{pin.name}': its influence reaches {worst:g}: keep it between 0 and 1.")
    if pin.rotation is not None and not np.allclose(np.linalg.norm(pin.rotation, axis=1), 1.0, atol=1e-3):
        raise SceneError(pin.name, f"'{pin.name}': its rotations have to be unit quaternions (w, x, y, z).")
    if pin.max_force is not None and not pin.max_force > 0.0:
        raise SceneError(
            pin.name, f"'{pin.name}': the largest force is {pin.max_force:g} N: it has to be greater than zero."
        )
    gap = float(np.linalg.norm(pin.position[0] - rod.x[pin.vertex]))
    if gap > FEASIBLE * np.linalg.norm(rod.edges(), axis=1).sum():
        raise SceneError(
            pin.name,
            f"'{pin.name}' starts {gap:.4g} m from the point {pin.vertex} of '{rod.name}' that it holds: "
            "move one to the other at the first frame.",
        )


def _pin_pairs(scene):
    seen = {}
    for pin in scene.pins:
        rod = scene.rods[pin.rod]
        led = {pin.vertex}
        inner = rod.closed or 0 < pin.vertex < len(rod.x) - 1
        if pin.mode != "POSITION" and inner:
            led.add((pin.vertex + 1) % len(rod.x))
        for vertex in led:
            other = seen.setdefault((pin.rod, vertex), pin)
            if other is not pin:
                raise SceneError(
                    pin.name,
                    f"'{pin.name}' and '{other.name}' hold the same point {vertex} of '{rod.name}': remove one of "
                    "them or move it along the rod.",
                )
