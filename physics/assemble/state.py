"""The start State."""

from collections.abc import Mapping

import numpy as np

from ..contact.room import room_for
from ..model import PAIR, Model, State, blank, changed
from .holds import in_force, start_frame, start_holds
from .keyed import reeled_in
from .planes import plane_pairs


def start_state(
    model: Model,
    node: Mapping[str, np.ndarray],
    frames: dict[str, np.ndarray],
    ghosts: np.ndarray,
    bodies: np.ndarray,
    pulleys: np.ndarray,
) -> State:
    """The State the rods are drawn in; ghosts: GHOST (2R,), held are those that ever hold; bodies: BODY_STATE (B,);
    pulleys: PULLEY_STATE (Y,).
    """
    holds, own = start_holds(model), blank(model)
    fixed, held = in_force(model, holds)
    w = np.where(reeled_in(model.rods, len(model.nodes)), 0.0, model.nodes["w"])
    begun = {"x": node["x"], "v": node["v"], "w": w, "bodies": bodies, "listed_bodies": bodies, "pulleys": pulleys}
    begun |= {name: frames[name] for name in ("t", "u", "theta")}
    begun |= {"past_" + name: begun[name][:, None] for name in ("x", "v", "bodies")}
    for name, rows in begun.items():
        own[name][:] = rows
    own["rods"]["cos_largest_turn"] = 1.0
    own["listed"][:] = np.inf
    own["listings"]["count"] = -1
    clamps = [start_frame(frames, number) for number in model.clamps["frame"]]
    own |= started(model)
    own |= {
        "fixed": fixed[: len(own["fixed"])],
        "ghosts": changed(ghosts, held=held),
        "holds": holds,
        "mode": any_mode(len(own["mode"])),
    }
    own |= {"clamp_frame": np.array(clamps).reshape(-1, 3), "plane_pairs": plane_pairs(model, node["x"])}
    return State(**own)


def started(model: Model) -> dict[str, np.ndarray]:
    """Lists of what may touch with little room; with none where nothing can be listed."""
    meet = {
        "pairs": len(model.capsules), "surface_pairs": len(model.nodes) * len(model.surfaces.faces),
        "feature_pairs": len(model.skins.vertices) + len(model.solids.on_node),
    }  # fmt: skip
    return {name: np.zeros(room_for(1) if any_of else 0, PAIR) for name, any_of in meet.items()}


def any_mode(count: int) -> np.ndarray:
    """(count, 3) a vibration in which every other one has part: from there it is improved."""
    return np.cos(np.arange(3.0 * count) ** 2).reshape(count, 3)
