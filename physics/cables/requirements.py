"""What a cable cannot be asked: each refused in one sentence."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..scene import Collider, Floor, Rod
from ..validate.cables import check_cable
from ..validate.colliders import check_collider
from ..validate.errors import SceneError
from ..validate.rods import check_rod
from ..validate.shapes import check_shape
from .handle import Handle
from .part import Part

EVEN = 1e-6  # relative difference along a rod that slides; of a quaternion's norm
ROUNDING = 1e-9  # of the length: a rod that is straight to rounding has any tension
PULLED = 200.0  # times the weight: see TAUT
TAUT = 1e-6  # of the length: with less slack, tension is more than 200 times the weight


def are_numbers(given: object, shape: tuple[int, ...] = ()) -> bool:
    """Whether that is finite numbers of a shape, by default one number."""
    try:
        value = np.asarray(given)
    except ValueError:  # rows of different length
        return False
    return value.shape == shape and value.dtype.kind in "iuf" and bool(np.isfinite(value).all())


def check(
    rod: Rod, handles: Sequence[Handle], gravity: object, loads: object, time: object, tolerance: object
) -> None:  # fmt: skip
    """Raises SceneError."""
    check_rod(rod)
    if not are_numbers(gravity, (3,)):
        raise SceneError(rod.name, f"'{rod.name}': gravity has to be three finite numbers, not {gravity!r:.60}.")
    if not are_numbers(time):
        raise SceneError(rod.name, f"'{rod.name}': the time is {time!r:.60}: give a finite number of seconds.")
    if not (are_numbers(tolerance) and np.float64(tolerance) > 0.0):  # type: ignore[arg-type]
        raise SceneError(rod.name, f"'{rod.name}': the tolerance is {tolerance!r:.60}: give a number greater than 0.")
    check_cable(rod, handles)
    for h in handles:
        _check_handle(rod, h)
    seen: dict[tuple[int | None, int | None], Handle] = {}
    for h in handles:
        other = seen.setdefault((h.vertex, h.edge), h)
        if other is not h:
            where = f"vertex {h.vertex}" if h.edge is None else f"edge {h.edge}"
            raise SceneError(rod.name, f"'{other.name}' and '{h.name}' both hold {where} of '{rod.name}': remove one.")
    if loads is not None and not are_numbers(loads, np.shape(rod.x)):
        raise SceneError(rod.name, f"'{rod.name}': loads have to be finite, one for each of {len(rod.x)} points.")
    if any(h.slides for h in handles) and not is_even(rod):
        raise SceneError(rod.name, f"'{rod.name}' slides, but is not the same all along: give it one radius.")


def check_surroundings(colliders: Sequence[Collider | Floor], known: Sequence[Collider]) -> None:
    """What there is to touch, beside what is known already. Raises SceneError."""
    for thing in colliders:
        if isinstance(thing, Floor):
            if not are_numbers(thing.height):
                raise SceneError("floor", f"The floor is at a height of {thing.height!r:.60}: give a finite one, in m.")
        elif not any(thing is other for other in known):
            check_collider(thing)


def _check_handle(rod: Rod, h: Handle) -> None:
    if (h.vertex is None) == (h.edge is None):
        raise SceneError(
            h.name, f"'{h.name}' holds no vertex and no edge of '{rod.name}', or both: give one of the two."
        )
    number, count = (h.vertex, len(rod.x)) if h.edge is None else (h.edge, rod.edge_count)
    if not isinstance(number, int | np.integer) or not 0 <= number < count:
        what = "vertex" if h.edge is None else "edge"
        raise SceneError(h.name, f"'{h.name}' holds {what} {number} of '{rod.name}': choose one from 0 to {count - 1}.")
    if h.position is None and (h.orientation is None or h.slides):
        raise SceneError(h.name, f"'{h.name}' holds nothing: give it a position or, where it is fixed, an orientation.")
    if h.position is not None and not are_numbers(h.position, (3,)):
        raise SceneError(h.name, f"'{h.name}' has no place: give a finite position of three numbers.")
    if h.orientation is not None:
        size = np.linalg.norm(h.orientation) if are_numbers(h.orientation, (4,)) else 0.0
        if not 0.0 < size < np.inf:
            raise SceneError(h.name, f"'{h.name}' has an orientation that is none: give a quaternion (w, x, y, z).")
    _check_strength(h)
    if h.slides and (h.edge is not None or h.vertex in (0, len(rod.x) - 1)):
        raise SceneError(h.name, f"'{h.name}' slides, but at no vertex between the ends of '{rod.name}': choose one.")


def _check_strength(thing: Handle | Part) -> None:
    strength: object = thing.strength
    if not (are_numbers(strength) or strength == np.inf) or not thing.strength > 0.0:
        told = f"{strength:g} N" if isinstance(strength, int | float) else f"{strength!r:.60}"
        raise SceneError(thing.name, f"'{thing.name}' has a strength of {told}: give it more than 0.")


def is_even(rod: Rod) -> bool:
    """Whether it is the same all along, as a rod that slides is."""
    length = np.linalg.norm(rod.edges(), axis=1)
    halves = np.zeros(len(rod.x))
    halves[:-1] += 0.5 * length
    halves[1:] += 0.5 * length
    for values in (rod.bend_stiffness, rod.twist_stiffness[:, None], (rod.mass / halves)[:, None]):
        if (np.ptp(values, axis=0) > EVEN * values.max(axis=0)).any():
            return False
    return True


def check_parts(cables: Sequence[tuple[Rod, Sequence[Handle]]], parts: Sequence[Part], before: int | None) -> None:
    """Whether handles name parts that are there, and what holds them, of as many parts as before. Raises SceneError."""
    if not cables:
        raise SceneError("harness", "The harness has no cable: give it at least one.")
    for rod, handles in cables:
        if rod.tautness and all(h.part is not None or h.position is None for h in handles):
            raise SceneError(
                rod.name, f"'{rod.name}' finds its own length, but hangs on parts alone: hold it by one more handle, "
                "or let it keep its length.",
            )  # fmt: skip
    names = [part.name for part in parts]
    for part in parts:
        if names.count(part.name) > 1:
            raise SceneError(part.name, f"Two parts are called '{part.name}': rename one.")
        size = float(np.linalg.norm(part.orientation)) if are_numbers(part.orientation, (4,)) else 0.0
        if abs(size - 1.0) > EVEN or not are_numbers(part.position, (3,)):
            raise SceneError(part.name, f"'{part.name}' has no place: give a finite position and a unit quaternion.")
        _check_strength(part)
        mass: object = part.mass
        if not are_numbers(mass) or part.mass < 0.0:
            told = f"{mass:g} kg" if isinstance(mass, int | float) else f"{mass!r:.60}"
            raise SceneError(part.name, f"'{part.name}' has a mass of {told}: give it 0 kg or more.")
        if part.shape is not None:
            check_shape(part.name, part.shape)
        if part.shape is not None and part.firm:
            raise SceneError(
                part.name, f"'{part.name}' touches things, and is led by whatever it takes: give it a finite strength."
            )
        if not are_numbers(part.centre, (3,)):
            raise SceneError(
                part.name, f"'{part.name}' has its centre of mass at {part.centre!r:.60}: give three finite numbers."
            )
        for force, place in part.forces:
            if not (are_numbers(force, (3,)) and are_numbers(place, (3,))):
                raise SceneError(
                    part.name, f"'{part.name}' is pushed by {force!r:.40} at {place!r:.40}: give three finite numbers "
                    "of each.",
                )  # fmt: skip
    if before not in (None, len(parts)):
        raise SceneError(names[0], f"The harness starts from one with {before} parts: keep them.")
    firm = any(part.held for part in parts)
    for _, handles in cables:
        for h in handles:
            firm = firm or (h.part is None and h.position is not None)
            if h.part is not None and h.part not in names:
                raise SceneError(h.name, f"'{h.name}' goes with '{h.part}', which is no part of the harness: add it.")
            if h.part is not None and (h.position is None or h.slides or np.isfinite(h.strength)):
                raise SceneError(h.name, f"'{h.name}' goes with '{h.part}': give it a position, and let it not slide.")
    named = {h.part for _, handles in cables for h in handles}
    for part in parts:
        if not part.held and part.name not in named:
            raise SceneError(part.name, f"'{part.name}' goes with no handle: name it in one, hold it, or remove it.")
    if not firm:
        raise SceneError(cables[0][0].name, "The harness is held by nothing: hold a part, or a cable by a handle.")


def check_reach(rod: Rod, handles: Sequence[Handle], arc: np.ndarray) -> None:
    """Whether the rod, of arc lengths (n,) [m], reaches from each handle to the next, and edges are held by what they
    are long. Raises SceneError.
    """
    _check_edges(rod, _firm(handles, arc), arc)
    if missing := missing_length(handles, arc):
        length, first, second = missing
        ends = f"from '{first.name}' to '{second.name}'"
        raise SceneError(
            rod.name, f"'{rod.name}' is {length:.3g} m too short to reach {ends}: lengthen it, or move them nearer."
        )


def taut_sentence(rod: Rod, handles: Sequence[Handle], arc: np.ndarray, tension: float) -> str:
    """A sentence about a rod of arc lengths (n,) [m] that is as good as straight between handles, or over what it
    touches, where it is pulled by its largest tension, over what it weighs and what buckles it; "": it is not.
    """
    if found := missing_length(handles, (1.0 - TAUT) * arc):
        _, first, second = found
        ends = f"from '{first.name}' to '{second.name}'"
        return f"'{rod.name}' is taut {ends}, where it bears no weight: lengthen it, or move them nearer."
    if tension > PULLED:
        return f"'{rod.name}' is taut over what it touches: lengthen it, or lead it by less at once, or another way."
    return ""


def no_rest(rod: Rod, moved: bool, others: bool = False) -> str:
    """A sentence about a rod that found no rest, whose handles or colliders have moved; others: with others."""
    what, its = ("' and what goes with it find", "handles and parts") if others else ("' finds", "its handles")
    cure = f"move {its} by less at once" if moved else "draw it nearer to how it is to hang, or more coarsely"
    return f"'{rod.name}{what} no rest: {cure}."


def _at(h: Handle, arc: np.ndarray) -> float:
    """Arc length [m] at which it holds."""
    return float(arc[h.vertex] if h.edge is None else 0.5 * (arc[h.edge] + arc[h.edge + 1]))


def _firm(handles: Sequence[Handle], arc: np.ndarray) -> list[Handle]:
    """Those that hold their positions whatever it takes, along the rod."""
    firm = (h for h in handles if h.position is not None and np.isinf(h.strength) and not h.part)
    return sorted(firm, key=lambda h: _at(h, arc))


def _check_edges(rod: Rod, firm: Sequence[Handle], arc: np.ndarray) -> None:
    """Whether handles on one edge, which is as long as it is, are as far apart as they hold it. Raises SceneError."""
    for before, h in pairwise(firm):
        ends = (*before.vertices, *h.vertices)
        edge, both = min(ends), before.edge is None and h.edge is None
        if max(ends) - edge == 1 and not (before.slides or h.slides):
            length = (arc[edge + 1] - arc[edge]) * (1.0 if both else 0.5)
            apart = float(np.linalg.norm(np.asarray(h.position) - np.asarray(before.position)))
            if abs(apart - length) > ROUNDING * arc[-1]:
                raise SceneError(
                    rod.name,
                    f"'{before.name}' and '{h.name}' are {apart:.3g} m apart, but between them are {length:.3g} m "
                    f"of an edge of '{rod.name}': remove one.",
                )


def missing_length(handles: Sequence[Handle], arc: np.ndarray) -> tuple[float, Handle, Handle] | None:
    """(length [m], from, to) that a rod of arc lengths (n,) [m] lacks most between handles that do not slide, by those
    that slide in between; None: it reaches. Handles of limited strength, and of parts, ask for nothing.
    """

    def at(h: Handle) -> float:
        return _at(h, arc)

    worst, start, way = None, None, 0.0
    order = _firm(handles, arc)
    for before, h in zip([None, *order], order, strict=False):
        if before is not None:
            way += float(np.linalg.norm(np.asarray(h.position) - np.asarray(before.position)))
        if before is not None and start is None and not before.slides:
            start = before
        free = float(arc[-1]) if h.slides else at(h)
        begin = 0.0 if start is None else at(start)
        lacks = way - (free - begin)
        if lacks > ROUNDING * arc[-1] and (worst is None or lacks > worst[0]):
            worst = lacks, start or order[0], h
        if not h.slides:
            start, way = h, 0.0
    return worst
