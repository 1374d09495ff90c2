"""Rigid bodies: mass, inertia, motion; how they touch is in `shapes`."""

import numpy as np

from ..forces.buoyancy import ORDINARY_AIR
from ..scene import Notice, RigidBody, Scene
from .errors import SceneError
from .limits import FARTHEST, FASTEST, WILDEST, check_size
from .samples import check_samples
from .shapes import check_contact
from .weights import check_weights

NUMBERS = {
    "position": ((3,), "place"), "v": ((3,), "velocity"), "omega": ((3,), "spin"), "inertia": ((3, 3), "inertia"),
}  # fmt: skip
INERTIA_ROUNDING = 1e-6  # relative, in an inertia
OFF = 1e-6, 1e-6  # m and of its place: how far from its place a kinematic body may start


def check_bodies(scene: Scene) -> None:
    """Raises SceneError."""
    welded = {weld.body for weld in scene.welds}
    for number, body in enumerate(scene.bodies):
        _numbers(body)
        if body.mass == 0.0 and not body.suspended:
            _coupler(body, number in welded)
        elif not body.suspended:  # whose inertia counts nothing
            _inertia(body)
        if body.kinematic:
            _animation(body)
        check_contact(body)
        check_weights(body)


def _numbers(body: RigidBody) -> None:
    name = body.name
    for attribute, (shape, what) in NUMBERS.items():
        value = getattr(body, attribute)
        if value is None:
            continue
        if np.shape(value) != shape:
            raise SceneError(
                name,
                f"'{name}': its {what} has the shape {np.shape(value)} in place of {shape}: give that many numbers.",
            )
        if not np.all(np.isfinite(value)):
            raise SceneError(name, f"'{name}': its {what} is not a number: give a finite {attribute}.")
    check_size(name, body.position, FARTHEST, f"'{name}': its distance from the origin", "m", "bring it back")
    for value, most, what, unit in ((body.v, FASTEST, "speed", "m/s"), (body.omega, WILDEST, "spin", "rad/s")):
        check_size(name, np.zeros(3) if value is None else value, most, f"'{name}': its {what}", unit, "lower it")
    if not 0.0 <= body.mass < np.inf:
        raise SceneError(name, f"'{name}': its mass is {body.mass:g} kg: it has to be greater than zero.")
    if not 0.0 <= body.drag_area < np.inf:
        raise SceneError(name, f"'{name}': its drag area is {body.drag_area:g} m²: it must not be negative.")
    if body.volume is not None and not 0.0 <= body.volume < np.inf:
        raise SceneError(name, f"'{name}': its volume is {body.volume:g} m³: it must not be negative.")


def floating_notices(scene: Scene) -> list[Notice]:
    """Of each body that displaces nothing, in what is denser than air."""
    if scene.air_density <= ORDINARY_AIR:
        return []
    text = (
        "is not lifted by what is around it: it would be lighter than air; turn on Mass by Density, or raise its mass"
    )
    return [Notice(body.name, 0, f"'{body.name}' {text}.") for body in scene.bodies if body.volume == 0.0]


def _coupler(body: RigidBody, welded: bool) -> None:
    name = body.name
    if not welded:
        raise SceneError(name, f"'{name}' has the mass 0 kg and no rod is tied to it: give it a mass.")
    if body.kinematic:
        raise SceneError(name, f"'{name}' has the mass 0 kg but follows an animation: give it a mass.")


def _inertia(body: RigidBody) -> None:
    """Principal moments are positive, and none is more than the other two together: they are sums of squares."""
    name, inertia = body.name, np.asarray(body.inertia)
    size = np.abs(inertia).max()
    if np.abs(inertia - inertia.T).max() > INERTIA_ROUNDING * size:
        raise SceneError(name, f"'{name}': its inertia is not symmetric: give that of a real body.")
    moments = np.linalg.eigvalsh(inertia)
    if moments[0] <= INERTIA_ROUNDING**2 * size:
        raise SceneError(
            name,
            f"'{name}': its smallest moment of inertia is {moments[0]:.3g} kg m²: it has to be greater than zero, "
            "so give the body some thickness.",
        )
    if moments[2] > (1.0 + INERTIA_ROUNDING) * (moments[0] + moments[1]):
        text = ", ".join(f"{moment:.3g}" for moment in moments)
        raise SceneError(
            name,
            f"'{name}': of its moments of inertia ({text} kg m²) one is more than the other two together, as in no "
            "real body: correct it.",
        )


def _animation(body: RigidBody) -> None:
    name = body.name
    if body.track is None or body.turn is None:
        raise SceneError(name, f"'{name}' has times but not both a track and turns: give both or neither.")
    check_samples(body, {"track": 3, "turn": 4}, "turn", "check the body's animation")
    gap = float(np.linalg.norm(body.track[0] - body.position))
    if gap > OFF[0] + OFF[1] * np.linalg.norm(body.position):
        raise SceneError(name, f"'{name}' is {gap:.4g} m from where its animation starts: move it there.")
    if body.shape is not None:
        raise SceneError(
            name,
            f"'{name}' follows an animation, so its shape would touch nothing: leave that out and add a collider that "
            "moves as it does.",
        )
