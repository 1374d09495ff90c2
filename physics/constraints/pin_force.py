"""How hard pins pull, and how far what they hold draws them off."""

from ..scene import Rod

WEIGHTS = 40.0  # that a pin holds at least, in weights of the rod and all that is tied to it
STRETCH = 5.0  # how many times its length a pin can stretch a rod
SAG = 2e-3  # of the radius: how far that weight may draw a yielding pin off its trajectory


def automatic_force(rod: Rod, weight: float) -> float:
    """Where a pin yields by default [N]: ½ B/r², beyond which a knot hardly tightens, but enough for a rope that swings
    and cracks like a whip.
    """
    stretch = STRETCH * rod.stretch_stiffness.max() if rod.stretchable else 0.0
    return max(0.5 * rod.bend_stiffness.min() / rod.radius.max() ** 2, WEIGHTS * weight, stretch)
