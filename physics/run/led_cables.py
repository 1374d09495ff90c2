"""Cables led by hand, for who moves what holds them and looks."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import norm
from ..assemble.surfaces import surfaces_of
from ..cables.lengths import on_the_way
from ..scene import Frame, Notice, Scene
from ..scenes.without_cables import cables_of
from ..validate import SceneError, SimulationError
from .cables import RESTLESS, CableRun, arc_of


class LedCables:
    """The cables of a scene of such alone, led by hand: each time they come to rest from where they rested before."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.run, self.index = scene, CableRun(scene, surfaces_of(scene)), -1
        self.colliders, self.moved = list(scene.colliders), dict[int, bytes]()

    def _move(self, moved: np.ndarray) -> None:
        """Brings colliders to where they are now; those that stay are the same, which then need no check."""
        now = {int(row[0]): row[1:] for row in moved}
        for number, drawn in enumerate(self.scene.colliders):
            way = now.get(number)
            if (key := b"" if way is None else way.tobytes()) != self.moved.get(number, b""):
                a = np.eye(3, 4) if way is None else way.reshape(3, 4)
                self.colliders[number] = replace(drawn, points=drawn.points @ a[:, :3].T + a[:, 3])
                self.moved[number] = key

    def settle(self, pins: np.ndarray, moved: np.ndarray, lengths: Sequence[Sequence[float]] = ()) -> Frame:
        """With the scene's pins at places [m] and turned by (P, 7), quaternions last, and colliders moved (k, 13), by
        number and a map (3, 4) [m] from where the scene has them. lengths: cables' numbers, and what they are to be
        long from one arc length to another, (from, to, length) [m]. Raises SceneError and, where a cable finds no rest,
        which then stays as it was, SimulationError.
        """
        self._move(moved)
        led = [
            replace(pin, times=np.zeros(1), position=row[None, :3], rotation=row[None, 3:])
            for pin, row in zip(self.scene.pins, pins, strict=True)
        ]
        for number, cable in zip(cables_of(self.scene), self.run.steps.each, strict=True):
            cable.holders = [pin for pin in led if pin.rod == number]
            cable.meet(self.colliders)
        self.run.steps.colliders = self.colliders
        for which, begin, end, length in lengths:
            self._lengthen(int(which), length, (begin, end))
        own = self._settled()
        restless = own["noted"][:, RESTLESS] > 0
        if restless.any():  # then from where they were drawn
            frames = own["frame"].copy()
            own["frame"][restless] = -1
            try:
                self._settled()
            except SceneError:
                self.run.state.cables["frame"] = frames
                raise
        x, m1 = self.run.steps.at_rest()
        return Frame(0, x, m1, {}, cables=self.run.steps.measured())

    def _lengthen(self, number: int, length: float, part: tuple[float, float]) -> None:
        """Up to where a cable has its length, from rest to rest or, where it finds none as long as it is, at once."""
        cable, steps = self.run.steps.each[number], self.run.steps
        drawn, (*rods, last) = cable.rod, on_the_way(cable.rod, length, part)
        cable.take(last)
        try:
            cable.led(0.0, steps.bodies, None)  # whether it reaches
        except SceneError:
            cable.take(drawn)
            raise
        try:
            for rod in (drawn, *rods):
                cable.take(rod)
                if self._settled()["noted"][:, RESTLESS].any():
                    break
        except (SceneError, SimulationError):
            self.run.state.cables["frame"] = -1
        cable.take(last)
        steps.company.rods[number] = last

    def _settled(self) -> np.ndarray:
        """All of them from where they rested; returns CABLE_STATE. Raises SceneError, SimulationError."""
        self.run.state.cables["noted"], self.run.begun, self.index = 0, (), self.index + 1
        self.run.advance(self.index)
        return self.run.state.cables

    def warnings(self) -> list[Notice]:
        """About those that are not quite at rest, or that edges may hold, where they were settled last."""
        found = [(cable.rod.name, cable.rest) for cable in self.run.steps.each]
        return [
            Notice(name, 0, rest.warning)
            for name, rest in found
            if rest and (rest.effort.cut or not rest.effort.arrived)
        ]

    def along(self) -> np.ndarray:
        """(N, 5) at their vertices, as they were settled last: curvature [1/m], tension [N], torsion [rad/m], what they
        touch with [N/m], and how many times a limit is exceeded, 0: none is.
        """
        found = []
        for cable in self.run.steps.each:
            assert cable.rest
            rest, rod = cable.rest, cable.rod
            ends = np.pad(rest.tension, 1, mode="edge")
            tension, halves = 0.5 * (ends[1:] + ends[:-1]), np.gradient(arc_of(rest.points))
            halves[[0, -1]] *= 0.5
            over = np.maximum(rest.curvature * rod.bend_limit, _over(tension, rod.tension_limit))
            over = np.maximum(over, _over(rest.across, rod.transverse_limit))
            contact, torsion = norm(rest.contact_force) / halves, rest.twisting_moment / rod.twist_stiffness
            found.append(np.stack([rest.curvature, tension, torsion, contact, np.where(over > 1.0, over, 0.0)], axis=1))
        return np.concatenate(found)


def _over(values: np.ndarray, limit: float) -> np.ndarray:
    """Times a limit, where there is one."""
    return values / limit if limit else np.zeros_like(values)
