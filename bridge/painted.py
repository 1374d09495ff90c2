"""Numbers that are painted along a rod: weights at the points of a curve or hair, by which stiffness, density or
friction go from what is set, at 0, to so many times as much, at 1.

A curve has one such number at each point, its Weight, which goes along a spline as its radius does; hair has
attributes. Between vertices weights count by how they go along the spline, so what comes of them does not depend on how
many there are: an edge has the mean density of its length, and the stiffness of springs in series. Where a factor f
goes evenly from a to b, the mean of 1/f is (ln b − ln a)/(b − a).
"""

from dataclasses import dataclass

import numpy as np

from ..physics.validate import SceneError
from ..properties.painted import PAINTED, WEIGHT, is_number
from . import doubled, rings

NONE = 1e-5  # of a weight: less is what single precision leaves where there is none
LEAST = 0.01  # that Blender lets the Weight of a curve's point be: there it is none
TYPES = {"FLOAT": np.float32, "INT": np.int32, "BOOLEAN": bool, "INT8": np.int8}  # as attributes have them


@dataclass(frozen=True)
class Paint:
    """Weights {attribute: (k,)}, from 0 to 1, at places (k,) [m] along a spline, and `at` (m + 1,) where the ends of
    its edges are, which are among these or between them; of a closed one both go round to where it begins.
    """

    place: np.ndarray
    weights: dict[str, np.ndarray]
    at: np.ndarray

    def factor(self, attribute, most):
        """(k,) from 1, where the weight is 0, to `most`."""
        return 1.0 + (most - 1.0) * self.weights[attribute]

    def at_ends(self, attribute, most):
        """(m + 1,) the factor where the ends of edges are."""
        return np.interp(self.at, self.place, self.factor(attribute, most))

    def on_edges(self, attribute, most, in_series=False):
        """(m,) the mean of the factor on edges, or one over that of one over it."""
        place = np.union1d(self.place, self.at)
        f = np.interp(place, self.place, self.factor(attribute, most))
        mean = 1.0 / _logarithmic(f[:-1], f[1:]) if in_series else 0.5 * (f[:-1] + f[1:])
        whole = np.append(0.0, np.cumsum(np.diff(place) * mean))
        found = np.diff(whole[np.searchsorted(place, self.at)]) / np.diff(self.at)
        return 1.0 / found if in_series else found


def _logarithmic(a, b):
    """(b − a)/ln(b/a) of what is above 0."""
    more = np.log1p((b - a) / a)
    return np.where(more == 0.0, a, (b - a) / np.where(more == 0.0, 1.0, more))


def attributes(settings):
    """{what is painted: attribute} of a rod's settings."""
    return {name: own for name in PAINTED if (own := getattr(settings, f"{name}_attribute"))}


def named(settings):
    """The attributes that are read."""
    return sorted(set(attributes(settings).values()))


def told(source_name, what, attribute):
    """How a sentence about it begins."""
    return f"'{source_name}' has its {what} from the attribute '{attribute}'"


def on_rod(name, settings, line, is_cable):
    """What a Polyline's weights make of a rod, for `Rod.from_material`. Raises SceneError."""
    rougher, factors = None, {"stiffness": 1.0, "density": 1.0}
    for what, attribute in attributes(settings).items():
        most = getattr(settings, f"{what}_factor")
        if is_cable:  # which is drawn anew with other points as it is settled
            raise SceneError(
                name, f"{told(name, what, attribute)}, and hangs as a cable, which is the same all along: clear it in "
                "Variation.",
            )  # fmt: skip
        if what == "friction":
            rougher = line.paint.at_ends(attribute, most)[: len(line.x)]
        else:
            factors[what] = line.paint.on_edges(attribute, most, in_series=what == "stiffness")
    return {"rougher": rougher, "factors": (factors["stiffness"], factors["density"])}


def check(source, lines, drawn):
    """Raises SceneError: what an attribute is to lead is led by none of the points of simulated lines.

    drawn: the lines of all splines, of which those are some.
    """
    for what, attribute in attributes(source.tendril.rod).items():
        if not _weighs(lines, attribute):
            where = "no point of a guide" if _weighs(drawn, attribute) else "no point"
            cure = "set some in edit mode with Control Points › Set Goal Weight" if attribute == WEIGHT else "set some"
            raise SceneError(
                source.name, f"{told(source.name, what, attribute)}, in which {where} has a weight: {cure}, or choose "
                "another.",
            )  # fmt: skip


def _weighs(lines, attribute):
    return any((line.paint.weights[attribute] > NONE).any() for line in lines)


def of_points(name, settings, spline):
    """{attribute: (k,)} of the points of a curve's spline that count. Raises SceneError: a curve has no such."""
    for what, attribute in attributes(settings).items():
        if attribute != WEIGHT:
            raise SceneError(
                name, f"{told(name, what, attribute)}, which the points of a curve do not have: choose {WEIGHT}."
            )
    if not named(settings):
        return {}
    own = rings.read(rings.points(spline), "weight_softbody")[doubled.runs(spline)[:, 1]]
    return {WEIGHT: np.clip((own.astype(np.float64) - LEAST) / (1.0 - LEAST), 0.0, 1.0)}


def of_hair(name, settings, curves):
    """{attribute: (P,)} of the points of evaluated hair. Raises SceneError: it is not there, or not one of numbers."""
    found, count = {}, np.diff([own.value for own in curves.curve_offset_data])
    for what, attribute in attributes(settings).items():
        own = curves.attributes.get(attribute)
        if own is None or not is_number(own):
            trouble = "is not there" if own is None else "is not one number for each point or curve"
            raise SceneError(name, f"{told(name, what, attribute)}, which {trouble}: choose another.")
        values = np.empty(len(own.data), TYPES[own.data_type])
        own.data.foreach_get("value", values)
        values = values.astype(np.float64)
        values = np.repeat(values, count) if own.domain == "CURVE" else values
        if not np.isfinite(values).all():
            raise SceneError(name, f"{told(name, what, attribute)}, a value of which is not a number: correct it.")
        found[attribute] = np.clip(values, 0.0, 1.0)
    return found
