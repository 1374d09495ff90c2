"""The length of a cable between two places of it: typed, or pulled out (Grégoire 2007, §3.3.7 and 7.1, the first mode).

Between the two places segments are so many times as long as they were drawn, each with its mass. A length that is typed
is come to from rest to rest, in factors of no more than STEP. Where it is pulled, handles move, and segments between
the two places give: their integral forces stay f, what they bear, and beyond that they are springs of a stiffness
T/(GIVES l), without others; as long as they are then, they are drawn, until that changes no more. So at last the
tension there is f again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..scene import Collider, Floor, Rod
from ..validate.errors import SceneError, SimulationError
from .equilibrium import GRAVITY, TOLERANCE, SettledCable, settle_tables
from .handle import Handle
from .requirements import are_numbers, check, missing_length
from .system import CableSystem
from .units import Units, cable_system, rest_lengths
from .yielding import Yielding

STEP = 1.05  # factor from one rest to the next
GIVES = 0.05  # of its length, by which a segment that is pulled gives at once to as much as pulls the cable
STILL = 1e-4  # of their lengths, by which segments that are pulled change when they are as long as they will be
ROUNDS = 100  # in which they are
FARTHEST = 1e3  # times as long or as short as it was
Part = tuple[float, float]  # from one arc length [m] to another


@dataclass(frozen=True)
class Setting:
    """What a cable is settled in: see `settle_cable`."""

    gravity: np.ndarray | Sequence[float] = tuple(GRAVITY)
    loads: np.ndarray | None = None
    colliders: Sequence[Collider | Floor] = ()
    time: float = 0.0
    tolerance: float = TOLERANCE

    def tables(self, rod: Rod, handles: Sequence[Handle], start: SettledCable | None) -> tuple[CableSystem, Units]:
        """Of the rod, in the units of where it starts, so that what it touched there is known. Raises SceneError."""
        check(rod, handles, self.gravity, self.loads, self.time, self.tolerance)
        units = start.state.units if start else None
        return cable_system(rod, handles, np.asarray(self.gravity, float), self.loads, units)

    def rest(
        self, rod: Rod, handles: Sequence[Handle], start: SettledCable | None,
        tables: tuple[CableSystem, Units] | None = None,
    ) -> SettledCable:  # fmt: skip
        """By other tables, perhaps. Raises SceneError, SimulationError."""
        tables = tables or self.tables(rod, handles, start)
        return settle_tables(rod, handles, tables, start, self.colliders, self.time, self.tolerance)


def arc_lengths(rod: Rod) -> np.ndarray:
    """Of its vertices at rest (n,) [m]."""
    return np.concatenate([[0.0], np.cumsum(rest_lengths(rod)[1])])


def resized(rod: Rod, factors: np.ndarray) -> Rod:
    """As if it were drawn with edges (m,) so many times as long, of what it is made of."""
    old, x = rest_lengths(rod)[1], _drawn(rod.x, factors)
    halves, longer = np.zeros((2, len(rod.x)))
    for at in (slice(0, -1), slice(1, None)):
        halves[at] += old
        longer[at] += factors * old
    rest_x = None if rod.rest_x is None else _drawn(rod.rest_x, factors)
    return replace(rod, x=x, rest_x=rest_x, mass=rod.mass * longer / halves)


def _drawn(x: np.ndarray, factors: np.ndarray) -> np.ndarray:
    edges = factors[:, None] * np.diff(x, axis=0)
    return np.asarray(x[0] + np.concatenate([np.zeros((1, 3)), np.cumsum(edges, axis=0)]))


def set_length(
    rod: Rod, handles: Sequence[Handle], length: float, *, part: Part | None = None, start: SettledCable | None = None,
    **given: Any,
) -> tuple[Rod, SettledCable]:  # fmt: skip
    """The rod, of that length [m] between two arc lengths, or as a whole, and where it is at rest. given: a Setting's
    fields. Raises SceneError, SimulationError.
    """
    setting, rods = Setting(**given), on_the_way(rod, length, part)
    try:
        if start is None and not missing_length(handles, arc_lengths(rod)):
            start = setting.rest(rod, handles, start)
        for now in rods if start else rods[-1:]:
            start = setting.rest(now, handles, start)
    except SimulationError:  # on the way, where it need not be
        start = setting.rest(rods[-1], handles, None)
    assert start
    return rods[-1], start


def on_the_way(rod: Rod, length: float, part: Part | None) -> list[Rod]:
    """From the rod to one of that length [m] between two arc lengths, by no more than STEP from one to the next."""
    begin, end = check_length(rod, length, part)
    share, factor = _inside(rod, begin, end), length / (end - begin)
    steps = max(1, int(np.ceil(abs(np.log(factor)) / np.log(STEP) - 1e-9)))
    return [resized(rod, 1.0 + share * (factor ** (k / steps) - 1.0)) for k in range(1, steps + 1)]


def pull_length(
    rod: Rod, handles: Sequence[Handle], part: Part, start: SettledCable, **given: Any
) -> tuple[Rod, SettledCable]:
    """The rod, as long between two arc lengths as it becomes when handles move to where they are from where they are in
    `start`, and where it is at rest. given: a Setting's fields. Raises SceneError, SimulationError.
    """
    setting = Setting(**given)
    begin, end = check_length(rod, part[1] - part[0], part)
    share = _inside(rod, begin, end)
    gives = share > min(0.5, 0.5 * float(share.max()))  # what is shorter than half an edge: that edge
    drawn, before, strength = rest_lengths(rod)[1], start, float(abs(start.tension).max())
    long = drawn
    for _ in range(ROUNDS):
        now = resized(rod, long / drawn)
        system, units = setting.tables(now, handles, start)
        softness = max(strength / units.force, 1.0) / (GIVES * system.length[gives])
        before = setting.rest(now, handles, before, (Yielding(system, gives, softness), units))
        there = np.linalg.norm(np.diff(before.points, axis=0), axis=1)
        changed = float(abs(there / long - 1.0)[gives].max(initial=0.0))
        long = np.where(gives, there, long)
        if changed < STILL:
            break
    even = resized(rod, _evened(long, drawn, gives, handles) / drawn)
    return even, setting.rest(even, handles, before)


def check_length(rod: Rod, length: float, part: Part | None) -> Part:
    """The arc lengths [m] between which a rod gets a length. Raises SceneError."""
    whole, name = float(arc_lengths(rod)[-1]), rod.name
    if rod.tautness:
        raise SceneError(name, f"'{name}' finds its own length: let it keep it first.")
    begin, end = (0.0, whole) if part is None else part
    if not (are_numbers(begin) and are_numbers(end) and 0.0 <= begin < end <= whole * (1.0 + 1e-9)):
        raise SceneError(
            name, f"'{name}' is {whole:.4g} m long: give two places of it, not {begin:.4g} m and {end:.4g} m."
        )
    if not (are_numbers(length) and (end - begin) / FARTHEST <= length <= (end - begin) * FARTHEST):
        raise SceneError(
            name, f"'{name}' cannot be {length:.4g} m long there, where it is {end - begin:.4g} m: give a length "
            f"greater than 0, at most {FARTHEST:.0f} times as much or as little.",
        )  # fmt: skip
    return begin, min(end, whole)


def _inside(rod: Rod, begin: float, end: float) -> np.ndarray:
    """Shares (m,) of its edges between two arc lengths."""
    arc = arc_lengths(rod)
    inside = np.minimum(arc[1:], end) - np.maximum(arc[:-1], begin)
    return np.asarray(np.clip(inside / np.diff(arc), 0.0, 1.0))


def _evened(long: np.ndarray, drawn: np.ndarray, gives: np.ndarray, handles: Sequence[Handle]) -> np.ndarray:
    """Lengths (m,) of edges, of those that give in proportion to what was drawn between one handle and the next."""
    ends = np.flatnonzero(np.diff(gives)) + 1
    at = np.unique(np.concatenate([[0], ends, *(h.vertices for h in handles)]).astype(int))
    at = at[at < len(long)]
    factor = np.add.reduceat(long, at) / np.add.reduceat(drawn, at)
    even = drawn * np.repeat(factor, np.diff(np.append(at, len(long))))
    return np.where(gives, even, long)
