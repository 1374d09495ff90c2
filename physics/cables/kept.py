"""What a cable's next settling goes on from, as arrays: unknowns, integral forces, handles and contacts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..elements.contact_press import CONTACT
from ..scene import Collider, Floor, Rod
from .equilibrium import State, contacts_of, continued, undisturbed
from .handle import Handle
from .surroundings import surroundings
from .units import cable_system

OF_SEGMENTS = ("length", "tension", "shear", "swelling")
OF_HANDLES = ("position", "force", "torque", "strength")
OF_SIDES = ("above", "sunk_in", "out", "outside")


def begun(
    rod: Rod, handles: Sequence[Handle], gravity: np.ndarray, colliders: Sequence[Collider | Floor], time: float,
    contacts: int,
) -> State:  # fmt: skip
    """As it is drawn, colliders where they are at `time` [s], with room for so many contacts; −1: none were listed."""
    system, units = cable_system(rod, handles, gravity, None)
    if len(colliders):
        first = surroundings(colliders, 0.0, units.length, None)  # as it was laid out, so are its faces listed
        around = surroundings(colliders, time, units.length, first)
        system.contacts = contacts_of(rod, handles, system, around)
        if contacts >= 0:
            system.contacts.rows = np.zeros(contacts, CONTACT)
            system.contacts.listed, system.contacts.sides.seen = np.zeros(rod.x.shape), True
    return undisturbed(rod, handles, State((), (), system, units, np.empty(0)))


def arrays_of(state: State) -> Iterator[tuple[str, np.ndarray]]:
    """(name, array) of all, in place; those of one name follow one another."""
    system, contacts = state.system, state.system.contacts
    yield "unknowns", state.y
    for name in OF_SEGMENTS:
        yield f"segments.{name}", system.segments[name]
    for name in OF_HANDLES:
        yield f"handles.{name}", system.handles[name]
    for handle, frame in zip(state.handles, state.frames, strict=True):
        assert handle.position is not None
        yield "handles.place", handle.position[None]
        yield "handles.frame", np.zeros((0, 4)) if frame is None else frame[None]
    if contacts is not None and contacts.listed is not None:
        yield "points.listed", contacts.listed
        for name in OF_SIDES:
            yield f"points.{name}", getattr(contacts.sides, name)
        for name in CONTACT.names or ():
            yield f"contacts.{name}", contacts.rows[name]


def in_range(state: State) -> bool:
    """Whether all that kernels follow leads to what there is."""
    contacts = state.system.contacts
    if contacts is None:
        return True
    s, rows = contacts.around.surfaces, contacts.rows
    ends = (
        (contacts.sides.sunk_in, -1, len(s.colliders) - 1), (rows["segment"], 0, len(state.system.segments) - 1),
        (rows["feature"], -1, len(s.faces) + len(s.edges) + len(s.vertices) - 1), (rows["share"], 0, 1),
    )  # fmt: skip
    return all(bool(np.all((numbers >= least) & (numbers <= most))) for numbers, least, most in ends)


def put_in_place(state: State, stiffness: float) -> None:
    """Makes what follows from arrays that were filled, and springs as stiff as they were."""
    system = state.system
    if not system.bordering:
        system.have_run(system.segments["length"])
    system.stiffen(stiffness)
    _place(state, system.handles["position"].copy())


def taken_over(rod: Rod, old: State, here: State) -> State:
    """What was at rest, of the same rod with other settings; here: as it is drawn now."""
    state, ratio = continued(rod, old, here.handles, here), old.units.length / here.units.length
    _place(state, ratio * old.system.handles["position"])
    x, own = ratio * old.system.points(old.y), state.system.banded
    y = state.system.unknowns(x, old.system.quaternions(old.y))
    return replace(state, y=np.concatenate([y[:own], old.y[own:]]))


def _place(state: State, position: np.ndarray) -> None:
    for i, frame in enumerate(state.frames):
        state.system.place(i, position[i], frame)
