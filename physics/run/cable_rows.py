"""A cable at rest as rows of State, and back: where it is, its integral forces, its handles, what presses on it.

Rows are in SI units, a cable's system is in units of its own; so what goes on does so from rows, whether they have been
in a file or not. Contacts are listed anew from there, and those that pressed have their forces.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..cables.equilibrium import State, contacts_of
from ..cables.handle import Handle
from ..cables.surroundings import Surroundings
from ..cables.system import CableSystem
from ..cables.units import Units
from ..model import PAIR
from ..scene import Rod


class Rows(NamedTuple):
    """Of one cable, in a State."""

    own: np.ndarray  # CABLE_STATE (1,)
    points: np.ndarray  # CABLE_POINT (n,)
    handles: np.ndarray  # CABLE_HANDLE (h,)
    pressed: np.ndarray  # PAIR (k,) of points, and segments behind them, with features; −1: the floor


def write(state: State, rows: Rows) -> np.ndarray:
    """What was found becomes rows; returns PAIR (k,) of what presses on it."""
    system, y, (length, force) = state.system, state.y, (state.units.length, state.units.force)
    rows.own["stiffness"] = system.stiffness
    points, (before, _) = rows.points, (rows.points[:-1], rows.points[-1])
    points["x"], before["q"] = length * system.points(y), system.quaternions(y)
    for name, unit in _units_of_segments(state.units):
        before[name] = unit * system.segments[name]
    for name, unit in _units_of_handles(state.units):
        rows.handles[name] = unit * system.handles[name]
    for row, handle, frame in zip(rows.handles, state.handles, state.frames, strict=True):
        row["place"] = handle.position
        row["frame"] = 0.0 if frame is None else frame
    rows.handles["share"][_sliding(system)] = y[system.banded : system.poses] / system.arc[-1]
    contacts = system.contacts
    if contacts is None or contacts.listed is None:
        rows.own["met"] = False
        return np.zeros(0, PAIR)
    sides = contacts.sides
    points["anchor"] = length * contacts.friction.resting() if contacts.rubs else points["x"]
    rows.own["met"], points["above"], points["out"] = True, length * sides.above, sides.out
    points["inside"], points["collider"] = sides.sunk_in >= 0, np.maximum(sides.sunk_in, 0)
    return contacts.pressed(force)


def read(
    rod: Rod, drawn: Sequence[Handle], tables: tuple[CableSystem, Units], around: Surroundings | None, rows: Rows
) -> State:
    """The reverse; drawn: its handles as it is drawn; tables: its system and units; around: what there is to touch."""
    system, units = tables
    length, force, points = units.length, units.force, rows.points
    system.stiffness = float(rows.own["stiffness"][0])
    for name, unit in _units_of_segments(units):
        system.segments[name] = points[name][:-1] / unit
    for name, unit in _units_of_handles(units):
        system.handles[name] = rows.handles[name] / unit
    y = system.unknowns(points["x"] / length, points["q"][:-1])
    y[system.banded :] = rows.handles["share"][_sliding(system)] * system.arc[-1]
    if around is not None:
        contacts = system.contacts = contacts_of(rod, drawn, system, around, True)
        if rows.own["met"][0]:
            contacts.resume(rows.pressed, force)
            sides, there = contacts.sides, points["inside"] & (points["collider"] < len(around.colliders))
            sides.seen, sides.above, sides.out = True, points["above"] / length, points["out"].copy()
            sides.sunk_in = np.where(there, points["collider"], -1)
            if contacts.rubs:
                contacts.friction.begin(points["anchor"] / length)
    handles = tuple(replace(handle, position=row["place"]) for handle, row in zip(drawn, rows.handles, strict=True))
    frames = tuple(
        None if handle.orientation is None else row["frame"].copy()
        for handle, row in zip(drawn, rows.handles, strict=True)
    )
    return State(handles, frames, system, units, y)


def _units_of_segments(units: Units) -> tuple[tuple[str, float], ...]:
    energy = units.force * units.length
    return ("length", units.length), ("tension", units.force), ("shear", energy), ("swelling", energy)


def _units_of_handles(units: Units) -> tuple[tuple[str, float], ...]:
    energy = units.force * units.length
    return ("position", units.length), ("force", units.force), ("torque", energy), ("strength", units.force)


def _sliding(system: CableSystem) -> np.ndarray:
    """Of its handles those that slide, in the order in which unknowns are."""
    at = system.handles["segment"] + np.round(system.handles["share"]).astype(int)
    return np.array([int(np.flatnonzero(at == v)[0]) for v in system.anchors[system.sliding]], int)
