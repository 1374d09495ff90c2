"""What an artist is told of what has won energy that nothing gave it (time_integration/energy_look)."""

from ..model import State
from ..scene import Notice, Scene

WORSE = 2.0  # times what was told: so much is told again


def winning(scene: Scene, state: State, index: int) -> list[Notice]:
    """A Notice, at most, of what has won energy up to frame `index`; state.clock remembers it."""
    clock = state.clock[0]
    won, told = float(clock["won"]), float(clock["told"])
    clock["won"] = 0.0
    if won <= WORSE * told:
        return []
    clock["told"] = won
    names = [rod.name for rod in scene.rods] + [collider.name for collider in scene.colliders]
    names += [body.name for body in scene.bodies] + [solid.name for solid in scene.solids]
    name = names[min(int(clock["winner"]), len(names) - 1)]
    text = f"'{name}' is thrown at frame {index} by {won:.3g} J that nothing gave it: choose a higher quality."
    return [Notice(name, index, text)]
