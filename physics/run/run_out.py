"""What an artist is told of rods whose ends have run out of pulleys."""

import numpy as np

from ..assemble.pulleys import in_order
from ..model import State
from ..scene import Notice, Scene


def run_out(scene: Scene, state: State, index: int) -> list[Notice]:
    """Notices of those that did up to frame `index`; state.pulleys remembers what was told."""
    found, own = [], state.pulleys
    for q in np.flatnonzero(own["out"] & ~own["told"]):
        pulley = scene.pulleys[in_order(scene)[q]]
        text = f"'{scene.rods[pulley.rod].name}' has run out of '{pulley.name}' and is free of it: give it more length."
        found.append(Notice(pulley.name, index, text))
    own["told"] = own["out"]
    return found
