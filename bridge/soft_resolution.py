"""How finely a new soft body is divided: as its thinnest part asks for, as far as that costs seconds."""

from math import ceil

import numpy as np

from ..physics.cost import of_soft
from ..physics.materials import bulk_modulus, shear_modulus
from ..physics.scene import Scene, SoftBody
from ..properties.parameters import SOFT
from .soft_fit import fitting, place_of, thickest
from .soft_volume import filling_now
from .units import Units

SECONDS = 30.0  # of a bake: more than that a resolution costs only if the artist asks for it
POWER = 4.0  # of the resolution, by which a bake takes longer: three for the tetrahedra, one for the step
ACROSS = 6  # cubes: smoothed elements bend within 3 % of what their material does with four, and corners show with more
CLOSE = 2.0 ** (1.0 / 3.0)  # times as thick as drawn a sheet bends twice as hard: no new body shall be more
FINER = 1.2  # times: from one resolution that is tried to the next


def fit_resolution(context, source):
    """Give a new soft body, of the material that it has, the first Resolution at which nothing is much too thick, or
    that of the bearable ones at which it is least so → what is to be told, or "". Raises SceneError.
    """
    settings = source.tendril.soft
    settings.resolution = least(source)
    inside = filling_now(context, source)
    found = thickest(inside, CLOSE)
    if found is None:
        return ""
    place, drawn, times = found
    first, needed = settings.resolution, min(fitting(inside, drawn), SOFT["resolution"].maximum)
    bearable = min(needed, first * (SECONDS / _seconds(context, source, inside)) ** (1.0 / POWER))
    best, tried = (times, first), first
    while best[0] > CLOSE and (tried := max(tried + 1, round(FINER * tried))) <= bearable:
        settings.resolution = tried
        now = thickest(filling_now(context, source), CLOSE)
        best = min(best, (now[2], tried) if now else (1.0, tried))
    settings.resolution = best[1]
    text = f"'{source.name}' is only {drawn:.2g} thick at {place_of(place, 1.0)}"
    if best[0] <= CLOSE:
        return f"{text}, so its Resolution is {best[1]}"
    longer = (needed / best[1]) ** POWER
    return (
        f"{text}, and its tetrahedra are {best[0]:.1f} times as thick there: a Resolution of {needed} would fit it, "
        f"and bake about {longer:.2g} times as long"
    )


def least(source):
    """Where the smallest extent of a mesh has ACROSS cubes, at most the usual: a cube, all of which has to be filled,
    gets no more than it needs.
    """
    usual, sides = SOFT["resolution"].default, np.array(source.dimensions)
    flat = ACROSS * sides.max() >= usual * sides.min()
    return usual if flat else max(ACROSS, ceil(ACROSS * sides.max() / sides.min()))


def _seconds(context, source, inside):
    """That a bake of it alone takes, over the frames of its scene."""
    settings, scene = source.tendril.soft, context.scene
    units = Units.of(scene, scene.frame_start)
    young, count = settings.young * SOFT["young"].si, max(1, scene.frame_end - scene.frame_start + 1)
    bulk, shear = bulk_modulus(young, settings.poisson), shear_modulus(young, settings.poisson)
    body = SoftBody(
        source.name, units.metres(inside.nodes), inside.tetrahedra, settings.density, young, settings.poisson,
        zeta=settings.relaxation * min(bulk, shear), mu=settings.relaxation * shear,
    )  # fmt: skip
    gravity = units.metres(np.array(scene.gravity, np.float64)) if scene.use_gravity else np.zeros(3)
    return count * of_soft(Scene((), 1.0 / units.fps, count, gravity=gravity, solids=(body,)), body)
