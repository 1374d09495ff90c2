"""Soft bodies: their arrays, their numbers, the shape of their tetrahedra."""

import numpy as np

from ..elements.tetrahedra import FLATTEST, dihedral_angles, volumes
from ..scene import ATMOSPHERE, ELEMENTS, ENERGIES, Notice, Scene, Sheet, SoftBody
from .coarse_solids import coarse_notices
from .errors import SceneError
from .limits import FARTHEST, FASTEST, check_size
from .weights import check_weights

FLAT_TETRAHEDRON = 1e-9  # of the cube of its longest edge: a tetrahedron with less volume has none
WORDS = {"x": "place", "v": "velocity", "stiffness": "stiffness factor", "weight": "density factor"}


def check_solid(solid: SoftBody) -> None:
    """Raises SceneError."""
    _shapes(solid)
    _ranges(solid)
    check_weights(solid)
    _gas(solid)
    check_volumes(solid.name, np.asarray(solid.x)[solid.tetrahedra], "as it is drawn")
    if solid.rest_x is not None:
        check_volumes(solid.name, solid.relaxed(), "relaxed")


def _shapes(solid: SoftBody) -> None:
    name, n, node = solid.name, len(solid.x), np.asarray(solid.tetrahedra)
    check_elements(name, n, node, ("tetrahedron", "tetrahedra", 4))
    shapes: dict[str, list[tuple[int, ...]]] = {
        "x": [(n, 3)], "v": [(n, 3)], "stiffness": [(n,)], "weight": [(n,)], "rest_x": [(n, 3), (len(node), 4, 3)],
    }  # fmt: skip
    for attribute, allowed in shapes.items():
        value = getattr(solid, attribute)
        if value is None:
            continue
        if np.shape(value) not in allowed:
            raise SceneError(
                name, f"'{name}': {attribute} has the shape {np.shape(value)} in place of {allowed[0]}: give one value "
                "for each node.",
            )  # fmt: skip
        bad = np.flatnonzero(~np.isfinite(np.reshape(value, (len(value), -1))).all(axis=1))
        if len(bad):
            what = WORDS.get(attribute, "relaxed place")
            raise SceneError(
                name, f"'{name}': the {what} of node {bad[0]} is not a number: give a finite {attribute}[{bad[0]}]."
            )
    check_size(name, solid.x, FARTHEST, f"'{name}': its distance from the origin", "m", "bring it back")
    if solid.rest_x is not None:
        what = f"'{name}': the distance of its relaxed shape from the origin"
        check_size(name, solid.rest_x, FARTHEST, what, "m", "bring it back")
    if solid.v is not None:
        check_size(name, solid.v, FASTEST, f"'{name}': its speed", "m/s", "lower it")


def check_elements(name: str, n: int, node: np.ndarray, kind: tuple[str, str, int]) -> None:
    """That elements have nodes (e, k) of so many, n, and each of these is one's; kind: (one, several, k). Raises
    SceneError.
    """
    one, several, corners = kind
    if node.ndim != 2 or node.shape[1:] != (corners,) or not len(node):
        raise SceneError(
            name, f"'{name}' has {several} of the shape {node.shape}: give at least one, of {corners} nodes each."
        )
    if node.min() < 0 or node.max() >= n:
        raise SceneError(
            name, f"'{name}': a {one} has node {node.min() if node.min() < 0 else node.max()}, but there are {n}, from "
            "0 on: correct it.",
        )  # fmt: skip
    unused = np.setdiff1d(np.arange(n), node)
    if len(unused):
        raise SceneError(name, f"'{name}': node {unused[0]} belongs to no {one}: remove it.")


def _ranges(solid: SoftBody) -> None:
    name = solid.name
    for value, what, unit in ((solid.density, "density", "kg/m³"), (solid.young, "Young's modulus", "Pa")):
        if not 0.0 < value < np.inf:
            raise SceneError(name, f"'{name}': its {what} is {value:g} {unit}: it has to be greater than zero.")
    if not -1.0 < solid.poisson < 0.5:
        raise SceneError(
            name, f"'{name}': its Poisson's ratio is {solid.poisson:.9g}: it has to be above −1 and below 0.5; 0.45 to "
            "0.49 hardly changes its volume.",
        )  # fmt: skip
    if solid.balanced and solid.energy != "POLYCONVEX":
        raise SceneError(
            name, f"'{name}' cannot hold its drawn shape with the energy {solid.energy}: choose POLYCONVEX.",
        )  # fmt: skip
    for value, what in ((solid.zeta, "bulk viscosity"), (solid.mu, "shear viscosity")):
        if not 0.0 <= value < np.inf:
            raise SceneError(name, f"'{name}': its {what} is {value:g} Pa s: it must not be negative.")
    for factor, what in ((solid.stiffness, "stiffness factor"), (solid.weight, "density factor")):
        if factor is not None and np.min(factor) <= 0.0:
            where = int(np.argmin(factor))
            raise SceneError(
                name, f"'{name}': the {what} of node {where} is {factor[where]:g}: it has to be greater than zero."
            )
    limits = ((solid.friction, "friction", ""), (solid.thickness, "thickness", " m"),
              (solid.drag_coefficient, "air drag", ""))  # fmt: skip
    for value, what, unit in limits:
        if not 0.0 <= value < np.inf:
            raise SceneError(name, f"'{name}': its {what} is {value:g}{unit}: it must not be negative or endless.")
    for chosen, what, known in ((solid.energy, "energy", ENERGIES), (solid.elements, "elements", ELEMENTS)):
        if chosen not in known:
            verb = "are" if what == "elements" else "is"
            raise SceneError(
                name, f"'{name}': the {what} '{chosen}' {verb} unknown: choose one of {', '.join(known)}."
            )  # fmt: skip


def _gas(solid: SoftBody) -> None:
    name, times, pressure = (
        solid.name,
        np.atleast_1d(np.asarray(solid.times, float)),
        np.asarray(solid.pressure),
    )
    if solid.times is not None and (times.ndim != 1 or not np.all(np.diff(times) > 0.0)):
        raise SceneError(name, f"'{name}': the times of its pressure have to increase.")
    if pressure.shape not in ((), times.shape):
        raise SceneError(name, f"'{name}': its pressure has the shape {pressure.shape}: give one for each time.")
    if not np.all(np.isfinite(pressure)):
        raise SceneError(name, f"'{name}': its pressure is not a number: give finite ones.")
    if solid.sealed and pressure.min() <= -ATMOSPHERE:
        raise SceneError(
            name, f"'{name}' is sealed, at a pressure of {pressure.min():g} Pa: there is nothing within at "
            f"{-ATMOSPHERE:g} Pa, so give more.",
        )  # fmt: skip
    if solid.gas_density is not None and not 0.0 <= solid.gas_density < np.inf:
        raise SceneError(
            name, f"'{name}': the density of its gas is {solid.gas_density:g} kg/m³: it must not be negative."
        )


def check_volumes(name: str, corners: np.ndarray, state: str) -> None:
    """That each tetrahedron (t, 4, 3) [m] has a volume, and of the right sign. Raises SceneError."""
    volume = volumes(corners)
    longest = np.linalg.norm(np.diff(corners[:, [0, 1, 2, 0, 3, 1, 2, 3]], axis=1), axis=2).max(axis=1)
    # Of edges, not of cubes of them, which are 0 of lengths below 1e-108.
    part = 6.0 * volumes(corners / np.where(longest > 0.0, longest, 1.0)[:, None, None])
    flat, inverted = np.flatnonzero(np.abs(part) <= FLAT_TETRAHEDRON), np.flatnonzero(part < -FLAT_TETRAHEDRON)
    if len(flat):
        raise SceneError(
            name,
            f"'{name}': tetrahedron {flat[0]} has no volume ({volume[flat[0]]:.3g} m³) {state}: its nodes lie in a "
            "plane; give the mesh some thickness there or leave it out.",
        )  # fmt: skip
    if len(inverted):
        cure = "swap two nodes of each" if len(inverted) == len(volume) else "untangle the mesh there"
        raise SceneError(
            name, f"'{name}': {len(inverted)} of {len(volume)} tetrahedra are inside out {state}, the first one "
            f"{inverted[0]} ({volume[inverted[0]]:.3g} m³): {cure}.",
        )  # fmt: skip


def solid_notices(scene: Scene) -> list[Notice]:
    """Notices about bad and coarse elements, about the energy that folds, and about what soft bodies do not touch."""
    found = []
    if scene.solids:
        name = scene.solids[0].name
        if scene.contact and scene.scheme != "VERLET":
            text = f"'{name}' and other soft bodies touch nothing by {scene.scheme}: choose VERLET for that."
            found.append(Notice(name, 0, text))
    for solid in scene.solids:
        if isinstance(solid, Sheet):
            continue
        angle = dihedral_angles(solid.relaxed()).min(axis=1)
        bad, worst = int((angle < FLATTEST).sum()), int(angle.argmin())
        if bad:
            text = (
                f"{bad} of {len(angle)} tetrahedra of '{solid.name}' have angles below {FLATTEST:g}°, the worst is "
                f"number {worst} with {angle[worst]:.2g}°: they make steps small and bend badly, so mesh it anew."
            )
            found.append(Notice(solid.name, 0, text))
        found += coarse_notices(solid)
        if solid.energy == "LIESENFELD":
            text = f"'{solid.name}' may fold where it is stretched beyond 1.6 times: POLYCONVEX does not."
            found.append(Notice(solid.name, 0, text))
    return found
