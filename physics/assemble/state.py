"""The start State."""

from collections.abc import Mapping

import numpy as np

from ..model import LISTS, PAIR, Model, State, blank, changed
from .holds import in_force, start_frame, start_holds
from .planes import plane_pairs

PAIRS_PER_CAPSULE = 12  # at the start; lists grow when they are full
PAIRS_PER_VERTEX = 24  # with surfaces
PAIRS_PER_SHAPE_VERTEX = 16
PAIRS_PER_SOFT_VERTEX = 16


def start_state(
    model: Model,
    node: Mapping[str, np.ndarray],
    frames: dict[str, np.ndarray],
    ghosts: np.ndarray,
    bodies: np.ndarray,
) -> State:
    """The State the rods are drawn in; ghosts: GHOST (2R,), held are those that ever hold; bodies: BODY_STATE (B,)."""
    n, holds, own = len(model.nodes), start_holds(model), blank(model)
    fixed, held = in_force(model, holds)
    room = {
        "pairs": PAIRS_PER_CAPSULE * len(model.capsules),
        "surface_pairs": PAIRS_PER_VERTEX * n if len(model.surfaces.faces) else 0,
        "shape_pairs": PAIRS_PER_SHAPE_VERTEX * len(model.skins.vertices),
        "soft_pairs": PAIRS_PER_SOFT_VERTEX * len(model.solids.on_node),
    }
    begun = {"x": node["x"], "v": node["v"], "w": model.nodes["w"], "bodies": bodies, "listed_bodies": bodies}
    begun |= {name: frames[name] for name in ("t", "u", "theta")}
    begun |= {"past_" + name: begun[name][:, None] for name in ("x", "v", "bodies")}
    for name, rows in begun.items():
        own[name][:] = rows
    own["rods"]["cos_largest_turn"] = 1.0
    own["listed"][:] = np.inf
    for name in set(LISTS.values()):
        own[name]["count"] = -1
    clamps = [start_frame(frames, number) for number in model.clamps["frame"]]
    own |= {name: np.zeros(rows, PAIR) for name, rows in room.items()}
    own |= {
        "fixed": fixed[: len(own["fixed"])],
        "ghosts": changed(ghosts, held=held),
        "holds": holds,
        "mode": any_mode(len(own["mode"])),
    }
    own |= {"clamp_frame": np.array(clamps).reshape(-1, 3), "plane_pairs": plane_pairs(model, node["x"])}
    return State(**own)


def any_mode(count: int) -> np.ndarray:
    """(count, 3) a vibration in which every other one has part: from there it is improved."""
    return np.cos(np.arange(3.0 * count) ** 2).reshape(count, 3)
