"""Rods with numbers that go with time, as tables: see rods/keyed_numbers."""

from collections.abc import Sequence

import numpy as np

from .. import scene as descriptions
from ..model import BEND, CAPSULE, EDGE, HINGE, KEY, KEYED, NODE, ROD, SEGMENT, Keyed, Model, changed
from ..scene import Rod

NUMBERS = ("length", "bending", "stretching", "shape", "twist", "damping", "friction")  # as in KEY
DAMPED = ("bends", "segments")
TABLES = ("rods", "nodes", "edges", "hinges", "segments", "bends", "capsules")


def keyed_numbers(rods: Sequence[Rod], model: Model, pulleys: np.ndarray) -> Keyed:
    """Keyed of a Model whose tables have the rods' own numbers; rods in `pulleys` (Y,) go by their places as well."""
    as_drawn = descriptions.Keyed("", np.zeros(1))
    own = [(r, rod.keyed or as_drawn) for r, rod in enumerate(rods) if rod.keyed is not None or r in pulleys]
    if not own:
        return no_keys()
    rows, keys = np.zeros(len(own), KEYED), [np.zeros(0, KEY)]
    for row, (r, keyed) in zip(rows, own, strict=True):
        found = np.zeros(len(keyed.times), KEY)
        found["time"] = keyed.times
        for k, name in enumerate(NUMBERS):
            given = getattr(keyed, name)
            found["value"][:, k] = (0.0 if name == "twist" else 1.0) if given is None else given
        found["slope"] = slopes(found["time"], found["value"])
        row["rod"], row["first_key"] = r, sum(map(len, keys))
        row["end_key"] = row["first_key"] + len(found)
        keys.append(found)
    return Keyed(rows, np.concatenate(keys), **{name: getattr(model, name).copy() for name in TABLES})


def no_keys() -> Keyed:
    """Of a Model whose numbers stay as they are now."""
    kinds = KEYED, KEY, ROD, NODE, EDGE, HINGE, SEGMENT, BEND, CAPSULE
    return Keyed(*(np.zeros(0, kind) for kind in kinds))


def rebased(model: Model) -> Model:
    """The Model, whose rods had their own numbers as it was given another rest shape, with that as their own."""
    if not len(model.keyed.keyed):
        return model
    own = {name: getattr(model, name) for name in TABLES}
    hinges = changed(own["hinges"], viscosity=model.keyed.hinges["viscosity"])
    bends, segments = (changed(own[name], viscosity=getattr(model.keyed, name)["viscosity"]) for name in DAMPED)
    keyed = model.keyed._replace(edges=own["edges"].copy(), hinges=hinges, bends=bends, segments=segments)
    return model._replace(keyed=keyed)


def slopes(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(k, …) [1/s] at the samples of a cubic that never leaves the range of two neighbours: the weighted harmonic mean
    of the secants on both sides (Fritsch & Butland 1984), 0 where these differ in sign, and at the ends, beyond which
    values are held: so nothing begins to change at once, which would be a blow to what cannot give way.
    """
    if len(times) < 2:
        return np.zeros_like(values)
    span = np.diff(times)[:, None]
    secant = np.diff(values, axis=0) / span
    before, behind, one, other = span[:-1], span[1:], secant[:-1], secant[1:]
    alike = one * other > 0.0
    weights = before + 2.0 * behind, 2.0 * before + behind
    mean = sum(weights) / (weights[0] / np.where(alike, one, 1.0) + weights[1] / np.where(alike, other, 1.0))
    return np.concatenate([0.0 * secant[:1], np.where(alike, mean, 0.0), 0.0 * secant[-1:]])
