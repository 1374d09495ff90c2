"""What an artist is told of pins that lag: one sentence for one cause.

Rods that press on each other, or hang on the same body, hang together, so pins of theirs that begin to lag at the same
frame are told together, and one that joins while another of them still lags is not told. A pin that has recovered and
lags again is told only when it lags WORSE times as far as it did before.
"""

from collections.abc import Sequence

import numpy as np

from ..linked import linked
from ..model import Model, State
from ..scene import Notice, Scene

WORSE = 2.0
NAMED = 3  # things in one sentence


def lagging(scene: Scene, model: Model, state: State, index: int) -> list[Notice]:
    """Notices of what has begun to lag since the last frame; state.holds remembers it."""
    holds = state.holds
    if not len(holds):
        return []
    missing, told = holds["shortfall"], holds["lags"]
    lags = missing > model.pins["tolerance"]
    if not (lags.any() or told.any()):
        return []
    if not lags.all():
        caught_up, peak = ~lags, holds["peak"]
        holds["worst"][caught_up] = np.maximum(holds["worst"], peak)[caught_up]
        told[caught_up], peak[caught_up] = 0, 0.0
    np.maximum(holds["peak"], missing, out=holds["peak"], where=lags)
    if (told[lags] == 2).all():
        return []
    known = told == 2
    new = np.flatnonzero(lags & ~known & (missing > WORSE * holds["worst"]))
    told[lags & ~known] = 1
    if len(new) == 0:
        return []
    pressed, rod = _pressed(model, state), np.array([pin.rod for pin in scene.pins], dtype=int)
    cause = _together(scene, pressed)[rod]
    holds["lags"][new] = 2
    groups = [new[cause[new] == k] for k in dict.fromkeys(cause[new]) if k not in cause[known]]
    return [_notice(scene, group, rod[group], float(missing[group].max()), pressed, index) for group in groups]


def _notice(
    scene: Scene, pins: np.ndarray, rods: np.ndarray, missing: float, pressed: np.ndarray, index: int
) -> Notice:
    own = list(dict.fromkeys(rods))
    others = dict.fromkeys(int(b) for a in own for b in pressed[pressed[:, 0] == a, 1] if b not in own)
    names, many = _listed([scene.pins[p].name for p in pins]), len(pins) > 1
    text = f"{names} {'ask' if many else 'asks'} for {'up to ' if many else ''}{missing:.3g} m more than "
    text += _listed([scene.rods[r].name for r in own])
    if others:
        text += f", pressed against {_listed([scene.rods[r].name for r in others])},"
    elif len(own) > 1:
        touching = np.isin(pressed, own).all(axis=1).any()
        text += ", pressed against each other," if touching else " together"
    text += f" can give: {'they yield' if many else 'the pin yields'}."
    return Notice(scene.pins[pins[0]].name, index, text)


def _listed(names: Sequence[str]) -> str:
    """'A', 'B' and 'C', or 'A', 'B', 'C' and 7 more."""
    quoted = [f"'{name}'" for name in dict.fromkeys(names)]
    if len(quoted) > NAMED + 1:
        quoted = [*quoted[:NAMED], f"{len(quoted) - NAMED} more"]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _pressed(model: Model, state: State) -> np.ndarray:
    """Pairs (k, 2) of rods that press on each other now, each both ways round."""
    pairs = state.pairs[: max(state.listing["count"][0], 0)]
    pairs = pairs[pairs["force"][:, 0] > 0.0]
    rod = model.capsules["rod"]
    rods = np.unique(np.stack([rod[pairs["i"]], rod[pairs["j"]]], axis=1), axis=0)
    rods = rods[rods[:, 0] != rods[:, 1]]
    return np.unique(np.vstack([rods, rods[:, ::-1]]), axis=0)


def _together(scene: Scene, pressed: np.ndarray) -> np.ndarray:
    """A number (R,) for each rod, the same for those that hang together."""
    count = len(scene.rods)
    a = np.concatenate([pressed[:, 0], [weld.rod for weld in scene.welds]]).astype(int)
    b = np.concatenate([pressed[:, 1], [count + weld.body for weld in scene.welds]]).astype(int)
    return linked(np.stack([a, b], axis=1), count + len(scene.bodies))[:count]
