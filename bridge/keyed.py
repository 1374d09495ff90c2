"""Numbers of rods and soft bodies that are keyed or driven, as Blender evaluates them at every frame."""

from dataclasses import replace

import numpy as np

from ..physics.scene import Keyed
from ..physics.validate import SceneError
from ..properties.parameters import KEYED, KEYED_SOFT, ROD, SOFT
from .foreign_motion import animated_paths, driver_fault

COLUMNS = {  # of Keyed, that a number leads
    "rest_length_factor": ("length",), "young": ("bending", "stretching"), "shape_memory": ("shape",),
    "internal_damping": ("damping",), "friction": ("friction",), "natural_twist": ("twist",),
}  # fmt: skip
OF_SOFT = {"young": ("stretching",), "relaxation": ("damping",)}
MAY_BE_NONE = ("shape_memory", "internal_damping", "friction", "relaxation")  # a rod's own is the first that is some
NONE = 1e-6  # of the largest value: less is what a curve in single precision leaves where it is to be 0
AT_LIMIT = 1e-6  # of a limit that Blender keeps a value within: as it is kept in single precision


def keyed_names(source):
    """The numbers of a rod or soft body that keys or drivers lead, in the order of KEYED or KEYED_SOFT."""
    led = animated_paths(source)
    return [name for name in (KEYED if source.tendril.is_rod else KEYED_SOFT) if _path(source, name) in led]


def _path(source, name):
    return f"tendril.{'rod' if source.tendril.is_rod else 'soft'}.{name}"


def _settings(item):
    return item.tendril.rod if item.tendril.is_rod else item.tendril.soft


class KeyedNumbers:
    """Numbers of rods and soft bodies that keys or drivers lead, in the units shown, from the first frame to one behind
    the last: so that how the last ones are led up to stays where frames are added.
    """

    def __init__(self, sources, aside, copies, first, last):
        """Raises SceneError: Blender does not evaluate a driver."""
        shown = dict(zip(sources, copies, strict=True))
        led = {source: names for source in sources if (names := keyed_names(source))}
        for source, names in led.items():
            for name in names:
                if fault := driver_fault(source, _path(source, name)):
                    label = _label(_parameter(source, name))
                    raise SceneError(source.name, f"'{source.name}': the driver of its {label} {fault}.")
        self.frames = range(first, last + 2 if led else first)
        self._aside, self._shown = aside, {source: shown[source] for source in led}
        self._rows = {source: {name: np.zeros(len(self.frames)) for name in names} for source, names in led.items()}

    def look(self, frame):
        """As they are at a frame, at which the side scene is. Raises SceneError."""
        for source, values in self._rows.items():
            settings = _settings(self._aside.evaluated(self._shown[source]))
            for name, rows in values.items():
                rows[self.frames.index(frame)] = _checked(source, name, getattr(settings, name), frame)

    def found(self):
        """{source: {name: (k,) values at each frame}} of those that do not stay."""
        return {
            source: {name: rows for name, rows in values.items() if np.ptp(rows)}
            for source, values in self._rows.items()
        }


def with_keys(rod, values, twist, units):
    """The Rod whose numbers are led by `values`, {name: (k,)}, of KeyedNumbers; twist [rad]: its natural one,
    where none of them is that.
    """
    if twist and not rod.balanced and rod.model != "cable":  # which keep theirs
        values = {"natural_twist": np.full(len(next(iter(values.values()), [0.0])), twist), **values}
    keyed, own = led_by(rod.name, values, COLUMNS, units)
    return replace(rod, keyed=keyed, **own)


def led_by(name_of, values, columns_of, units):
    """(the Keyed of `values`, {name: (k,)}, of a thing of that name, None without any; {name: what it is times} of
    those that may be none at first).
    """
    if not values:
        return None, {}
    times = units.seconds(units.first_frame + np.arange(len(next(iter(values.values())))))
    columns, own = {}, {}
    for name, rows in values.items():
        some = np.abs(rows) >= NONE * np.abs(rows).max() if name in MAY_BE_NONE else rows != 0.0
        first = 1.0 if name == "natural_twist" else rows[np.flatnonzero(some)[0]]
        own |= {name: float(first)} if name in MAY_BE_NONE else {}
        columns |= dict.fromkeys(columns_of[name], np.where(some, rows / first, 0.0))
    return Keyed(name_of, times, **columns), own


def _checked(source, name, value, frame):
    parameter = _parameter(source, name)
    trouble = None if np.isfinite(value) else "is not a number"
    least, most = parameter.minimum, parameter.maximum
    if least > 0.0 and value <= least * (1.0 + AT_LIMIT):
        trouble = f"reaches {least:g}, the least that there is,"
    elif least > 0.0 and value >= most * (1.0 - AT_LIMIT):
        trouble = f"reaches {most:g}, the most that there is,"
    if trouble:
        what = f"its {_label(parameter)} {trouble} at frame {frame}"
        raise SceneError(source.name, f"'{source.name}': {what}: key it anew.")
    return value


def _parameter(source, name):
    return (ROD if source.tendril.is_rod else SOFT)[name]


def _label(parameter):
    return parameter.label.partition(" (")[0]
