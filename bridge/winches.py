"""Winches: pins that reel a rod in or let it out, by a length that may be keyed or driven."""

from dataclasses import replace

import numpy as np

from ..physics.scene import Keyed
from ..physics.scenes.at_winch import drawn_at
from ..physics.validate import SceneError
from ..properties.body import is_cable
from .foreign_motion import animated_paths, driver_fault

ROUNDED = 1e-5  # of a rod's length: so much more than all of it is all of it, in single precision
PATH = "tendril.pins[{}].paid_out"  # 0: all of the rod


def is_winch(pin):
    return pin.winch and not is_cable(pin.id_data)


def is_led(source):
    """Whether keys or drivers lead what a winch pays out."""
    led = animated_paths(source)
    return any(is_winch(pin) and PATH.format(k) in led for k, pin in enumerate(source.tendril.pins))


class Winches:
    """What the winches of rods pay out, from the first frame to one behind the last, as numbers of rods are read."""

    def __init__(self, sources, aside, copies, first, last, units):
        """Raises SceneError: a rod is on two, one is held by nothing that leads it, or a driver has an error."""
        self._aside, self._shown, self._units = aside, dict(zip(sources, copies, strict=True)), units
        self._own = {}  # {(rod object, number of the spline): number of the pin}
        for source in sources:
            for number, pin in enumerate(source.tendril.pins):
                if is_winch(pin):
                    self._add(source, number, pin)
        led = any(is_led(source) for source, _ in self._own)
        self.frames = range(first, last + 2 if led else first + bool(self._own))
        self._rows = {key: np.zeros(len(self.frames)) for key in self._own}

    def _add(self, source, number, pin):
        name, pins = source.name, source.tendril.pins
        if (source, pin.spline) in self._own:
            other = pins[self._own[source, pin.spline]].name
            raise SceneError(name, f"'{name}' is on two winches, '{other}' and '{pin.name}': turn off Winch of one.")
        if source.tendril.is_tree:
            raise SceneError(name, f"'{name}' is a tree, which no winch reels in: turn off Winch of '{pin.name}'.")
        if fault := driver_fault(source, PATH.format(number)):
            raise SceneError(name, f"'{name}': the driver of Paid Out of '{pin.name}' {fault}.")
        self._own[source, pin.spline] = number

    def look(self, frame):
        """As they are at a frame, at which the side scene is. Raises SceneError."""
        for (source, spline), rows in self._rows.items():
            pin = self._aside.evaluated(self._shown[source]).tendril.pins[self._own[source, spline]]
            if not np.isfinite(pin.paid_out):
                text = f"'{source.name}': Paid Out of '{pin.name}' is not a number at frame {frame}: key it anew."
                raise SceneError(source.name, text)
            rows[self.frames.index(frame)] = self._units.metres(pin.paid_out)

    def held(self, pin, rod, guide):
        """The RodGuide of a pin that is a winch, as it holds a Rod."""
        end = 0 if pin.fraction <= 0.5 else -1
        place, vertex = drawn_at(rod, end, self._paid_out(pin, rod)[0]), end % len(rod.x)
        return replace(
            guide, vertex=vertex, mode="POSITION", max_force=np.inf, influence=lambda: 1.0, start=place, slides=False,
            support=guide.support and (pin.spline, vertex),
        )  # fmt: skip

    def on_rod(self, source, spline, rod):
        """The Rod of a spline of an object, with what its winch pays out, if it has one."""
        if (source, spline) not in self._own:
            return rod
        pin, units = source.tendril.pins[self._own[source, spline]], self._units
        paid_out = self._paid_out(pin, rod)
        times = units.seconds(units.first_frame + np.arange(len(paid_out)))
        keyed = rod.keyed or Keyed(rod.name, times)
        if len(keyed.times) < len(times):  # what stays has one sample
            own = {name: np.full(len(times), value[0]) for name, value in vars(keyed).items() if np.ndim(value)}
            keyed = replace(keyed, **own | {"times": times})
        paid_out = paid_out if len(paid_out) == len(keyed.times) else np.full(len(keyed.times), paid_out[0])
        return replace(rod, keyed=replace(keyed, paid_out=paid_out, winch=0 if pin.fraction <= 0.5 else -1))

    def _paid_out(self, pin, rod):
        """(k,) [m] at the frames. Raises SceneError: it is 0, which is all of the rod, at some of them alone."""
        paid_out, most = self._rows[pin.id_data, pin.spline], np.linalg.norm(rod.edges(), axis=1).sum()
        if not paid_out.any():
            return np.full(len(paid_out), most)
        if not paid_out.all():
            frame = self.frames[int(np.argmin(paid_out))]
            text = f"Paid Out of '{pin.name}' is 0 at frame {frame}, which is all of it only where it stays 0"
            name, cure = pin.id_data.name, f"key its length there, {most:.6g} m, or less"
            raise SceneError(name, f"'{name}': {text}: {cure}.")
        return np.where((paid_out > most) & (paid_out <= (1.0 + ROUNDED) * most), most, paid_out)
