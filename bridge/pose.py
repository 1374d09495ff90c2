"""What a cable is to be like by a line that was drawn or scanned of it: points along that, and what a fit found as
settings.
"""

import numpy as np

from ..properties.body import rod_of
from ..properties.parameters import ROD
from . import curves


def lines_of(context):
    """Curves that are selected, and no rods."""
    return [item for item in context.selected_objects if item.type == "CURVE" and not rod_of(item)]


def points(context, items):
    """[x, y, z [m], length of line that it stands for [m]] of the points of curve objects, but not of what is between
    them, where a polyline cuts corners. Raises SceneError.
    """
    found = []
    for line in (line for item in items for line in curves.read(context, item)):
        half = 0.5 * np.linalg.norm(np.diff(line.x, axis=0), axis=1)
        found += np.column_stack([line.x, np.append(half, 0.0) + np.append(0.0, half)]).tolist()
    return found


def connector(drawn, cable):
    """(its number among the pins of a Drawn, the pin, its grip) of what may be turned: the last that holds the frame of
    a cable of one spline, as another does; None: there is none.
    """
    first, found = 0, []
    for own in drawn.each:
        for k, (number, _) in enumerate(own.held):
            pin = own.source.tendril.pins[number]
            if own.source == cable and pin.mode == "TWIST" and pin.target:
                found.append((first + k, pin, own.gripped.get(number) or list(pin.grip)))
        first += len(own.held)
    one = len(found) > 1 and len(cable.data.splines) == 1
    return max(found, key=lambda each: each[1].fraction) if one else None


def take(cable, found, turned, units):
    """Give a cable the numbers that were found, and its `connector` the turn."""
    rod, numbers = cable.tendril.rod, found["numbers"]
    rod.bend_factor = float(np.clip(rod.bend_factor * numbers["stiffness"], *_range("bend_factor")))
    rod.density = float(np.clip(rod.density * numbers["density"], *_range("density")))
    curvature = float(np.hypot(*numbers["spool"]))
    if "spool" in found["errors"]:
        rod.spool_radius = units.blender_units(1.0 / curvature) if curvature else 0.0
        rod.spool_direction = float(np.arctan2(numbers["spool"][1], numbers["spool"][0]))
    if turned and numbers["turn"]:
        _, pin, grip = turned
        cosine, sine = np.cos(numbers["turn"]), np.sin(numbers["turn"])
        turn = np.array([[cosine, -sine, 0, 0], [sine, cosine, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
        pin.grip = (np.reshape(grip, (4, 4)) @ turn).ravel().tolist()


def _range(name):
    return ROD[name].minimum, ROD[name].maximum


def state(cable):
    """What `take` may change, to be given back by `restore`."""
    rod = cable.tendril.rod
    names = ("preset", "bend_factor", "density", "spool_radius", "spool_direction")
    return {name: getattr(rod, name) for name in names}, [tuple(pin.grip) for pin in cable.tendril.pins]


def restore(cable, before):
    """See `state`."""
    names, grips = before
    for pin, grip in zip(cable.tendril.pins, grips, strict=True):
        pin.grip = grip
    for name, value in reversed(names.items()):  # the preset last, which the others forget
        setattr(cable.tendril.rod, name, value)
