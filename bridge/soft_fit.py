"""Where the tetrahedra that fill a soft body are not as it is drawn."""

from math import ceil

import numpy as np

from ..properties.parameters import SOFT

OFF = 0.02  # of the volume: tetrahedra that are further off are told
FAT = 2.0**0.5  # times as thick as drawn a bar has twice its section, and bends four times as hard: more is told


def misfits(name, inside, unit=1.0):
    """What is to be told [sentence] of a Filling of the object `name`; unit: what is 1 in Blender, in the Filling's."""
    return [*(_thick(name, inside, unit) or _volume(name, inside)), *_torn(name, inside)]


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
