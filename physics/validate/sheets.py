"""Sheets: their triangles, and numbers that plates of them can have."""

import numpy as np

from ..scene import Scene, Sheet
from .errors import SceneError
from .limits import FARTHEST, FASTEST, check_size
from .solids import check_elements
from .weights import check_weights

FLAT = 1e-6  # of the square of its longest edge: a triangle with less area has none
MOST_TURN = 1.5  # rad, of what is curled by nature along a face: beyond π no director stands (elements/plate)
TIGHTEST = 2.0  # over the thickness: a plate bent more tightly would reach its centre of curvature


def check_sheet(sheet: Sheet) -> None:
    """Raises SceneError."""
    _shapes(sheet)
    _neighbours(sheet)
    _ranges(sheet)
    check_weights(sheet)
    for x, state in ((sheet.x, "as it is drawn"), (sheet.rest_x, "relaxed")):
        if x is not None:
            _areas(sheet, np.asarray(x, np.float64), state)


def check_scheme_of_sheets(scene: Scene) -> None:
    """Raises SceneError where sheets would take steps that adapt: only even ones move directors."""
    sheet = next((solid for solid in scene.solids if isinstance(solid, Sheet)), None)
    if sheet is not None and scene.scheme != "VERLET":
        raise SceneError(
            sheet.name, f"'{sheet.name}' is a sheet, which does not move by {scene.scheme}: choose VERLET."
        )


def _shapes(sheet: Sheet) -> None:
    name, n, corner = sheet.name, len(sheet.x), np.asarray(sheet.triangles)
    check_elements(name, n, corner, ("triangle", "triangles", 3))
    shapes: dict[str, tuple[int, ...]] = {
        "x": (n, 3), "v": (n, 3), "rest_x": (n, 3), "curvature": (len(corner), 3, 3), "stiffness": (n,),
        "weight": (n,), "thicker": (n,),
    }  # fmt: skip
    for attribute, shape in shapes.items():
        value = getattr(sheet, attribute)
        if value is not None and (np.shape(value) != shape or not np.isfinite(value).all()):
            raise SceneError(
                name, f"'{name}': {attribute} has to be {shape} finite numbers, not {np.shape(value)}: correct it."
            )
    for attribute in ("stiffness", "weight", "thicker"):
        factor = getattr(sheet, attribute)
        if factor is not None and not np.min(factor) > 0.0:
            raise SceneError(
                name, f"'{name}': {attribute} of node {np.argmin(factor)} is {np.min(factor):g}: give more than zero."
            )
    if sheet.balanced:
        raise SceneError(name, f"'{name}': a sheet does not hold its drawn shape so: leave balanced out.")
    if np.any(sheet.pressure) or sheet.times is not None or sheet.sealed or sheet.gas_density is not None:
        raise SceneError(
            name, f"'{name}' is a sheet, which no gas fills: leave its pressure out, or let a force push it."
        )
    check_size(name, sheet.x, FARTHEST, f"'{name}': its distance from the origin", "m", "bring it back")
    if sheet.v is not None:
        check_size(name, sheet.v, FASTEST, f"'{name}': its speed", "m/s", "lower it")


def _neighbours(sheet: Sheet) -> None:
    """That no edge has more than two triangles, nor two that go round in different senses."""
    name, corner = sheet.name, np.asarray(sheet.triangles)
    ends = np.stack([corner, np.roll(corner, -1, axis=1)], axis=2).reshape(-1, 2)
    edges, count = np.unique(np.sort(ends, axis=1), axis=0, return_counts=True)
    if count.max() > 2:
        a, b = edges[count.argmax()]
        raise SceneError(
            name, f"'{name}': {count.max()} faces meet at the edge between nodes {a} and {b}: a sheet has two at most, "
            "so split it there.",
        )  # fmt: skip
    edges, count = np.unique(ends, axis=0, return_counts=True)
    if count.max() > 1:
        a, b = edges[count.argmax()]
        raise SceneError(
            name,
            f"'{name}': faces at the edge between nodes {a} and {b} look to different sides: recalculate normals, or "
            "split it there, if it has but one side.",
        )


def edges_of(corners: np.ndarray) -> np.ndarray:
    """Lengths (t, 3) of the edges of triangles (t, 3, 3). A plate that is thicker than their mean is none."""
    return np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)


def thickest(sheet: Sheet) -> float:
    """[m] that it is where it is thickest."""
    return sheet.plate if sheet.thicker is None else sheet.plate * float(np.max(sheet.thicker))


def _areas(sheet: Sheet, x: np.ndarray, state: str) -> None:
    p = x[np.asarray(sheet.triangles)]
    edges = edges_of(p)
    area = 0.5 * np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1)
    flat = np.flatnonzero(area <= FLAT * edges.max(axis=1) ** 2)
    if len(flat):
        raise SceneError(
            sheet.name, f"'{sheet.name}': triangle {flat[0]} has no area ({area[flat[0]]:.3g} m²) {state}: merge "
            "vertices by distance, or dissolve degenerate faces.",
        )  # fmt: skip
    if thickest(sheet) > edges.mean():
        raise SceneError(
            sheet.name, f"'{sheet.name}' is {thickest(sheet):.3g} m thick, more than its faces are long "
            f"({edges.mean():.3g} m): make it thinner, its faces larger, or a soft body of it.",
        )  # fmt: skip


def _ranges(sheet: Sheet) -> None:
    name = sheet.name
    positive = (
        (sheet.density, "density", "kg/m³"), (sheet.young, "Young's modulus", "Pa"), (sheet.plate, "thickness", "m"),
    )  # fmt: skip
    for value, what, unit in positive:
        if not 0.0 < value < np.inf:
            raise SceneError(name, f"'{name}': its {what} is {value:g} {unit}: it has to be greater than zero.")
    if not 0.0 <= sheet.poisson < 0.5:
        raise SceneError(
            name,
            f"'{name}': its Poisson's ratio is {sheet.poisson:.9g}: that of a sheet has to be from 0 to below 0.5.",
        )
    if not 0.0 < sheet.membrane <= 1.0:
        raise SceneError(
            name, f"'{name}': its membrane is {sheet.membrane:g} times as stiff: give more than 0, and 1 at most."
        )
    limits = (
        (sheet.relaxation, "damping", " s"), (sheet.friction, "friction", ""), (sheet.thickness, "rounding", " m"),
        (sheet.drag_coefficient, "air drag", ""),
    )  # fmt: skip
    for value, what, unit in limits:
        if not 0.0 <= value < np.inf:
            raise SceneError(name, f"'{name}': its {what} is {value:g}{unit}: it must not be negative or endless.")
    if sheet.curvature is None:
        return
    tightest = float(np.abs(sheet.curvature).max())
    if tightest * thickest(sheet) >= TIGHTEST:
        raise SceneError(
            name, f"'{name}': a rest curvature of {tightest:.3g}/m is too tight for {thickest(sheet):.3g} m: give less "
            f"than {TIGHTEST / thickest(sheet):.3g}/m.",
        )  # fmt: skip
    x = np.asarray(sheet.x if sheet.rest_x is None else sheet.rest_x, np.float64)[np.asarray(sheet.triangles)]
    size = np.linalg.norm(x - np.roll(x, 1, axis=1), axis=2).max(axis=1)
    turn = float((np.abs(sheet.curvature).max(axis=(1, 2)) * size).max())
    if turn > MOST_TURN:
        raise SceneError(
            name, f"'{name}': a rest curvature of {tightest:.3g}/m turns a face by {turn:.2g} rad, more than "
            f"{MOST_TURN:g}: make its faces smaller, or curl it less.",
        )  # fmt: skip
    if np.abs(sheet.curvature - np.swapaxes(sheet.curvature, 1, 2)).max() > 1e-9 * tightest:
        raise SceneError(name, f"'{name}': its rest curvatures are not symmetric: give symmetric tensors.")
