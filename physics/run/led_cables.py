"""Cables led by hand, for who moves what holds them and looks."""

from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import norm
from ..assemble.surfaces import surfaces_of
from ..cables.lengths import on_the_way
from ..scene import Frame, Notice, Pin, Rod, Scene, Weld
from ..scenes.without_cables import cables_of
from ..validate import SceneError
from .cable import RESTLESS, THROUGH, arc_of, restless_sentence
from .cables import CableRun


class LedCables:
    """The cables of a scene of such alone, led by hand: each time they come to rest from where they rested before."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.run, self.index = scene, CableRun(scene, surfaces_of(scene)), -1
        self.start = self.run.state.bodies.copy()
        self.colliders, self.moved = list(scene.colliders), dict[int, bytes]()

    def _move(self, moved: np.ndarray) -> bool:
        """Brings colliders to where they are now; those that stay are the same, which then need no check. Returns
        whether all do.
        """
        now, before = {int(row[0]): row[1:] for row in moved}, self.moved.copy()
        for number, drawn in enumerate(self.scene.colliders):
            way = now.get(number)
            if (key := b"" if way is None else way.tobytes()) != self.moved.get(number, b""):
                a = np.eye(3, 4) if way is None else way.reshape(3, 4)
                self.colliders[number] = replace(drawn, points=drawn.points @ a[:, :3].T + a[:, 3])
                self.moved[number] = key
        return self.moved == before

    def settle(self, pins: np.ndarray, moved: np.ndarray, held: np.ndarray, lengths: np.ndarray) -> Frame:
        """With the scene's pins at places [m] and turned by (P, 7), quaternions last, colliders moved (k, 13), by
        number and a map (3, 4) [m] from where the scene has them, bodies held that else hang (h, 8), by number and
        their poses, and cables of other lengths (l, 4), by number and what they are to be long from one arc length to
        another [m]. A cable that cannot be held so, or finds no rest, stays as it was, which `warnings` tell. Raises
        SceneError, SimulationError, where that is so for all.
        """
        self.run.steps.still, self.run.steps.refused = self._move(moved), {}
        self._hold(held)
        led = [
            replace(pin, times=np.zeros(1), position=row[None, :3], rotation=row[None, 3:])
            for pin, row in zip(self.scene.pins, pins, strict=True)
        ]
        for number, cable in zip(cables_of(self.scene), self.run.steps.each, strict=True):
            holds: tuple[Pin | Weld, ...] = (*led, *self.scene.welds)
            cable.holders = [hold for hold in holds if hold.rod == number]
            cable.meet(self.colliders)
        self.run.steps.colliders = self.colliders
        if len(lengths):
            self._lengthen(lengths)
        own, refused = self._settled(), self.run.steps.refused
        restless = own["noted"][:, RESTLESS] > 0
        restless[[*refused]] = False
        if restless.any():  # then from where they were drawn
            frames = own["frame"].copy()
            own["frame"][restless] = -1
            self._settled()
            own["frame"] = np.where(own["frame"] < 0, frames, own["frame"])
        if len(refused) == len(self.run.steps.each):
            raise refused[0]
        x, m1 = self.run.steps.at_rest()
        return Frame(0, x, m1, {}, self.run.poses(self.start), cables=self.run.steps.measured())

    def _hold(self, held: np.ndarray) -> None:
        """Leads bodies that are held, and lets all others hang from where they hung before."""
        steps, numbers = self.run.steps, held[:, 0].astype(int)
        steps.lead(self.run.poses(self.start))
        steps.bodies[numbers], steps.held = held[:, 1:], {*numbers.tolist()}

    def _lengthen(self, lengths: np.ndarray) -> None:
        """Up to where cables have their lengths, from rest to rest or, where one finds none as long as it is, at once.
        A row tells of its cable as the rows before it leave that.
        """
        steps, drawn, ways = self.run.steps, dict[int, Rod](), dict[int, list[Rod]]()
        hangs = self.run.state.cables["frame"] >= 0
        try:
            for which, begin, end, length in lengths:
                number = int(which)
                cable = steps.each[number]
                first = drawn.setdefault(number, cable.rod)
                way = ways.setdefault(number, [] if hangs[number] else [first])
                way += on_the_way(cable.rod, length, (begin, end))
                cable.take(way[-1])
            for number in ways:
                steps.each[number].led(0.0, steps.bodies, None)  # whether it reaches
        except SceneError:
            for number, rod in drawn.items():
                steps.each[number].take(rod)
            raise
        steps.still = False
        stage = 0
        while True:
            for number, way in ways.items():
                steps.company.rods[number] = way[min(stage, len(way) - 1)]
                steps.each[number].take(steps.company.rods[number])
            stage += 1
            if stage >= max(map(len, ways.values())):
                return
            restless = self._settled()["noted"][:, RESTLESS] > 0
            for number in ways:
                if restless[number] or number in (steps.refused or ()):
                    self.run.state.cables["frame"][number] = -1
                    ways[number] = ways[number][-1:]
            steps.refused = {}

    def _settled(self) -> np.ndarray:
        """All of them from where they rested; returns CABLE_STATE. Raises SceneError, SimulationError."""
        state, self.run.begun, self.index = self.run.state, (), self.index + 1
        state.cables["noted"] = state.cables["chafing"] = state.cable_points["chafing"] = 0  # nobody chafes by hand
        self.run.advance(self.index)
        return self.run.state.cables

    def refused(self) -> list[tuple[int, str]]:
        """Of cables that stay as they were where they were settled last, numbers and why."""
        noted, found = self.run.state.cables["noted"], dict[int, str]()
        for number, cable in enumerate(self.run.steps.each):
            if why := (self.run.steps.refused or {}).get(number):
                found[number] = str(why)
            elif noted[number, RESTLESS]:
                found[number] = restless_sentence(cable.rod.name)
        return [*found.items()]

    def warnings(self) -> list[Notice]:
        """About those settled last that stay as they were, are not quite at rest or too short, or edges may hold."""
        why, found, lacks = dict(self.refused()), list[Notice](), self.run.state.cables["missing"]
        for number, cable in enumerate(self.run.steps.each):
            name = cable.rod.name
            if number in why:
                found.append(Notice(name, 0, why[number]))
            elif self.run.state.cables["noted"][number, THROUGH]:
                found.append(Notice(name, 0, restless_sentence(name)))
            elif cable.rest and (lacks[number] or cable.rest.effort.cut or not cable.rest.effort.arrived):
                found.append(Notice(name, 0, cable.rest.warning))
        return found

    def along(self) -> np.ndarray:
        """(N, 5) at their vertices, as they were settled last: curvature [1/m], tension [N], torsion [rad/m], what they
        touch with [N/m], and how many times a limit is exceeded, 0: none is.
        """
        found = []
        for cable in self.run.steps.each:
            if (rest := cable.rest) is None:  # it has not hung yet
                found.append(np.zeros((len(cable.rod.x), 5)))
                continue
            rod, ends = cable.rod, np.pad(rest.tension, 1, mode="edge")
            tension, halves = np.maximum(ends[1:], ends[:-1]), np.gradient(arc_of(rest.points))
            halves[[0, -1]] *= 0.5
            over = np.maximum(rest.curvature * rod.bend_limit, _over(tension, rod.tension_limit))
            over = np.maximum(over, _over(rest.across, rod.transverse_limit))
            contact, torsion = norm(rest.contact_force) / halves, rest.twisting_moment / rod.twist_stiffness
            found.append(np.stack([rest.curvature, tension, torsion, contact, np.where(over > 1.0, over, 0.0)], axis=1))
        return np.concatenate(found)


def _over(values: np.ndarray, limit: float) -> np.ndarray:
    """Times a limit, where there is one."""
    return values / limit if limit else np.zeros_like(values)
