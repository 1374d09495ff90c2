"""Where the tetrahedra that fill a soft body are not as it is drawn."""

from math import ceil

import numpy as np

from ..properties.parameters import SOFT

OFF = 0.02  # of the volume: tetrahedra that are further off are told
THIN = 0.9  # of a cube: bars so thick sag 9 % too little, .8, .7, .6 of one 17, 30, 39 % (1 to 1.4: up to 14; 1.8: 3)
AROUND = 2.0  # cubes: where a part is thin it is so this far around, and not only at its rim
LONG = 4.0  # cubes: a shorter part is a tip, which does not bend
FAT = 2.0**0.5  # times as thick as drawn a bar has twice its section, and bends four times as hard: more is told


def misfits(name, inside, unit=1.0):
    """What is to be told [sentence] of a Filling of the object `name`; unit: what is 1 in Blender, in the Filling's."""
    return [*(_thick(name, inside, unit) or _thin(name, inside, unit) or _volume(name, inside)), *_torn(name, inside)]


def thickest(inside, more=FAT):
    """(place (3,), how thick it is drawn, how many times as thick the tetrahedra of a Filling are), where these are so
    most; None: nowhere by more than that.
    """
    if inside.own:
        return None
    found = inside.thickness
    if not (found.times > more).any():
        return None
    worst = found.times.argmax()
    return found.place[worst], float(found.drawn[worst]), float(found.times[worst])


def fitting(inside, thin):
    """The resolution at which a place that is so thin is as thick as a cube of the lattice."""
    return ceil(float(np.ptp(inside.x, axis=0).max()) / thin)


def place_of(place, unit):
    """A place (3,), as an artist reads it."""
    return "(" + ", ".join(f"{value:.3g}" for value in np.round(place / unit, 6) + 0.0) + ")"


def _thick(name, inside, unit):
    found = thickest(inside)
    if found is None:
        return []
    place, drawn, times = found
    needed = fitting(inside, drawn)
    cure = f"raise its Resolution to {needed}" if needed <= SOFT["resolution"].maximum else "make it thicker"
    return [
        f"The tetrahedra of '{name}' are {times:.1f} times as thick as it is drawn at {place_of(place, unit)}, because "
        f"it is thin for them, so it is too stiff there: {cure}."
    ]


def _thin(name, inside, unit):
    """As thick as drawn, but by less than a cube."""
    if inside.own:
        return []
    found = inside.thickness
    thin = found.drawn < THIN * inside.size
    rim = [bool((~thin[np.linalg.norm(found.place - own, axis=1) < AROUND * inside.size]).any()) for own in found.place]
    thin = thin & ~np.array(rim, bool)
    if not thin.any() or np.ptp(found.place[thin], axis=0).max() < LONG * inside.size:
        return []
    worst = np.where(thin, found.drawn, np.inf).argmin()
    drawn, needed = float(found.drawn[worst]), 2 * fitting(inside, float(found.drawn[worst]))
    cure = f"raise its Resolution to {needed}" if needed <= SOFT["resolution"].maximum else "make it thicker"
    return [
        f"'{name}' is only {drawn / unit:.2g} thick at {place_of(found.place[worst], unit)}, and the cubes of its "
        f"tetrahedra are {inside.size / unit:.2g}: it bends far too little there, by 10 to 40 %: {cure}."
    ]


def _volume(name, inside):
    times = inside.filled / inside.volume
    if abs(times - 1.0) <= OFF:
        return []
    return [
        f"The tetrahedra of '{name}' have {times:.2f} times its volume, because it is thin for them; it weighs "
        f"what it should, but is too {'stiff' if times > 1.0 else 'soft'} there: raise its Resolution."
    ]


def _torn(name, inside):
    if inside.torn:
        yield (
            f"The tetrahedra of '{name}' are in pieces that will fall apart, because it is thin for them in between: "
            "raise its Resolution."
        )
