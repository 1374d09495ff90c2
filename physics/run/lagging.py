"""What an artist is told of pins that lag: one sentence for one cause, with how far it comes to lag.

So it is told when that grows no more, or at the last frame. Rods that press on each other, or hang on the same body,
hang together, so pins of theirs are told together: one that joins while another of them still lags is not told by
itself. What was told, also where it has recovered since, is told again only when it lags WORSE times as far as then.
"""

from collections.abc import Sequence

import numpy as np

from ..model import CAPSULES, KNOWN, LAGS, Model, State
from ..scene import Notice, Scene
from ..scenes.linked import linked

WORSE = 2.0
GROWS = 1.0001  # times as far as at any frame before
NAMED = 3  # things in one sentence


def lagging(scene: Scene, model: Model, state: State, index: int) -> list[Notice]:
    """Notices of what lags no further than at the last frame; state.holds remembers it."""
    holds = state.holds
    if not len(holds):
        return []
    missing, lags, peak, worst = (holds[name] for name in ("shortfall", "lags", "peak", "worst"))
    late = missing > model.pins["tolerance"]
    if not (late.any() or lags.any()):
        return []
    grows = late & (missing > GROWS * peak) & (index + 1 < scene.frame_count)
    np.maximum(peak, missing, out=peak, where=late)
    known = (lags == KNOWN) | (lags < 0)
    new = np.flatnonzero(late & ~known & (missing > WORSE * worst))
    lags[late & ~known] = LAGS
    lags[late & (lags == KNOWN) & (worst > 0.0) & (peak > WORSE * worst)] = -index
    notices = []
    if len(new) or ((lags < 0) & ~grows).any():
        pressed, rod = _pressed(model, state), np.array([pin.rod for pin in scene.pins], dtype=int)
        cause = _together(scene, pressed)[rod]
        lags[new] = np.where(np.isin(cause[new], cause[known]), KNOWN, -index)
        told, waits = late & (lags == KNOWN), lags < 0
        for each in dict.fromkeys(cause[waits & ~grows]):
            own = cause == each
            group, most = np.flatnonzero(own & (told | waits)), float(peak[own].max())
            notices.append(_notice(scene, group, rod[group], most, pressed, -int(lags[own & waits].max())))
            lags[group], worst[group] = KNOWN, most
    worst[~late] = np.maximum(worst, peak)[~late]
    lags[~late], peak[~late] = 0, 0.0
    return notices


def _notice(
    scene: Scene, pins: np.ndarray, rods: np.ndarray, missing: float, pressed: np.ndarray, index: int
) -> Notice:
    own = list(dict.fromkeys(rods))
    others = dict.fromkeys(int(b) for a in own for b in pressed[pressed[:, 0] == a, 1] if b not in own)
    names, many = listed([scene.pins[p].name for p in pins]), len(pins) > 1
    text = f"{names} {'ask' if many else 'asks'} for {'up to ' if many else ''}{missing:.3g} m more than "
    text += listed([scene.rods[r].name for r in own])
    if others:
        text += f", pressed against {listed([scene.rods[r].name for r in others])},"
    elif len(own) > 1:
        touching = np.isin(pressed, own).all(axis=1).any()
        text += ", pressed against each other," if touching else " together"
    text += f" can give: {'they yield' if many else 'the pin yields'}."
    return Notice(scene.pins[pins[0]].name, index, text)


def listed(names: Sequence[str]) -> str:
    """'A', 'B' and 'C', or 'A', 'B', 'C' and 7 more."""
    quoted = [f"'{name}'" for name in dict.fromkeys(names)]
    if len(quoted) > NAMED + 1:
        quoted = [*quoted[:NAMED], f"{len(quoted) - NAMED} more"]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _pressed(model: Model, state: State) -> np.ndarray:
    """Pairs (k, 2) of rods that press on each other now, each both ways round."""
    pairs = state.pairs[: max(state.listings["count"][CAPSULES], 0)]
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
