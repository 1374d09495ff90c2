"""Rods and soft bodies with numbers that go with time, as tables: see rods/keyed_numbers, solids/keyed_numbers."""

from collections.abc import Mapping, Sequence

import numpy as np

from .. import scene as descriptions
from ..arithmetic.fixed_order import norm
from ..model import (
    BEND,
    CAPSULE,
    DOMAIN,
    EDGE,
    HINGE,
    KEY,
    KEYED,
    KEYED_SOLID,
    NODE,
    PLATE,
    ROD,
    SEGMENT,
    TETRAHEDRON,
    Keyed,
    KeyedSolids,
    Model,
    changed,
)
from ..rods.winch import edge, first_out, vertex
from ..scene import Keyed as Numbers
from ..scene import Rod, SoftBody
from ..scenes.at_winch import start_of

NUMBERS = ("length", "bending", "stretching", "shape", "twist", "damping", "friction", "paid_out")  # as in KEY
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
        row["rod"] = r
        row["reels"] = 0 if keyed.paid_out is None else 1 if keyed.winch == 0 else -1
        _add_keys(row, keys, keyed)
    return Keyed(rows, np.concatenate(keys), **{name: getattr(model, name).copy() for name in TABLES})


def _add_keys(row: np.void, keys: list[np.ndarray], keyed: Numbers) -> None:
    """The samples of a KEYED or KEYED_SOLID as KEY behind all others."""
    found = np.zeros(len(keyed.times), KEY)
    found["time"] = keyed.times
    for k, name in enumerate(NUMBERS):
        given = getattr(keyed, name)
        found["value"][:, k] = (0.0 if name == "twist" else 1.0) if given is None else given
    found["slope"] = slopes(found["time"], found["value"])
    row["first_key"] = sum(map(len, keys))
    row["end_key"] = row["first_key"] + len(found)
    keys.append(found)


def keyed_solids(
    solids: Sequence[SoftBody], tetrahedra: np.ndarray, domains: np.ndarray, plates: np.ndarray
) -> KeyedSolids:
    """KeyedSolids of soft bodies, whose tables, of their own numbers, follow body by body, as their elements do."""
    own = [(s, solid.keyed) for s, solid in enumerate(solids) if solid.keyed is not None]
    if not own:
        return no_keyed_solids()
    rows, keys = np.zeros(len(own), KEYED_SOLID), [np.zeros(0, KEY)]
    sheet = np.cumsum([0, *(len(getattr(solid, "triangles", ())) for solid in solids)])
    for row, (s, keyed) in zip(rows, own, strict=True):
        for name, table in (("tetrahedron", tetrahedra), ("domain", domains)):
            row[name] = np.searchsorted(table["solid"], [s, s + 1])
        row["plate"] = sheet[s : s + 2]
        _add_keys(row, keys, keyed)
    return KeyedSolids(rows, np.concatenate(keys), tetrahedra.copy(), domains.copy(), plates.copy())


def no_keyed_solids() -> KeyedSolids:
    """Of Solids whose numbers stay as they are now."""
    return KeyedSolids(*(np.zeros(0, kind) for kind in (KEYED_SOLID, KEY, TETRAHEDRON, DOMAIN, PLATE)))


def put_at_winches(
    rods: Sequence[Rod], model: Model, node: Mapping[str, np.ndarray], frames: Mapping[str, np.ndarray]
) -> None:
    """Put what winches have reeled in of rods (R,) at the start to where the rest leaves them: `node` and `frames` of
    `node_arrays`, in place. A kink within the edge there is slack, as in a step (constraints/reeling).
    """
    for row in model.keyed.keyed[model.keyed.keyed["reels"] != 0]:
        rod, reels = model.rods[row["rod"]], row["reels"]
        f = first_out(rod, reels)
        nodes = [vertex(rod, reels, k) for k in range(f + 1)]
        edges = [edge(rod, reels, k) for k in range(f)]
        x, length = node["x"], model.edges["length"][edges]
        x[nodes[0]] = start_of(rods[row["rod"]], nodes[0] - rod["first"])
        way = x[nodes[-1]] - x[nodes[0]]
        x[nodes[1:-1]] = x[nodes[0]] + np.cumsum(length[:-1])[:, None] * way / norm(way)
        own = np.array(edges) + row["rod"] + 1
        frames["t"][own] = t = reels * way / norm(way)
        across = frames["u"][own[-1]] - (frames["u"][own[-1]] @ t) * t
        frames["u"][own] = across / norm(across)


def reeled_in(rods: np.ndarray, count: int) -> np.ndarray:
    """(N,) bool: of all `count` nodes of ROD (R,) those that winches hold, but for the end."""
    held = np.zeros(count, bool)
    for rod in rods[rods["reeled"].any(axis=1)]:
        before, behind = rod["reeled"]
        held[rod["first"] + 1 : rod["first"] + before] = held[rod["last"] - behind + 1 : rod["last"]] = True
    return held


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
