"""Rigid and soft bodies that are drawn into each other, into colliders or into the floor are moved apart before the
first frame, as far as they have to and no further.

Nothing is turned or deformed. Of two convex bodies either goes its share of the least translation, by inverse mass, so
that their common centre stays; of what is held, led or a collider the other goes all of it. Pair after pair is taken,
and all over again until nothing overlaps (Gauss–Seidel's sweeps). High stacks, and what is light below what is heavy,
would take for ever, so later on what others lie on stays (shock propagation: Guendelman, Bridson & Fedkiw 2003,
*Nonconvex rigid bodies with stacking*).

What is welded or tied to each other goes together, and stays where anything holds it. A soft body goes on by what it
is rounded by, as its surface is not rounded from within.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import dot, norm
from ..scene import Floor, Notice, Scene
from ..scenes.collision_filter import touch
from ..validate import SceneError
from ..validate.bodies_apart import check_bodies_apart
from ..validate.solids_apart import check_solids_apart
from .drawn_thing import Thing, drawn_things
from .tied import Tied
from .way_out import SLIGHT, longer, marched, spared, way_out

SWEEPS = 200
SHARED = 40  # sweeps, after which of two what is nearer to what is held or the floor stays
MOST_NOTICES = 5  # notices
NO_ROOM = "Pushing apart found no room."


def pushed_apart(scene: Scene) -> tuple[Scene, list[Notice]]:
    """(a scene that passes `check` with what overlaps moved apart, if it is to be; what was moved). Raises SceneError
    where there is no room, as without.
    """
    if not (scene.push_apart and scene.contact):
        return scene, []
    pushing = Pushing(scene)
    for sweep in range(SWEEPS):
        if not pushing.sweep(sweep < SHARED):
            break
    moved = pushing.tied.moved(scene)
    if _refusal(moved) is None:
        return moved, pushing.notices()
    refusal = _refusal(scene)
    if refusal is not None:
        raise pushing.in_vain(refusal)
    return scene, []


def _refusal(scene: Scene) -> SceneError | None:
    """Why a scene cannot begin as it is."""
    try:
        check_bodies_apart(scene)
        check_solids_apart(scene)
    except SceneError as error:
        return error
    return None


class Pushing:
    """The things of a scene on their way out of each other.

    out_of: what each thing was moved out of; went: how (3,) [m] one thing went last out of another; clear: its way as
    seen from that, as bytes, where nothing had to be done. rank (P,): of parts, how many others are between them and
    what is held or the floor.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.tied = scene, Tied(scene)
        self.things = list(drawn_things(scene, self.tied))
        self.out_of: dict[int, dict[str, None]] = {}
        self.rank = np.where(self.tied.held, 0.0, np.inf)
        self.went: dict[tuple[int, int], np.ndarray] = {}
        self.clear: dict[tuple[int, int], bytes] = {}

    def sweep(self, by_mass: bool) -> bool:
        """Whether anything had to move: all pairs once, out of each other, and each out of the floor."""
        way, held, any_moved = self.tied.way, self.tied.held, False
        for i, j in self._near():
            one, other = self.things[i], self.things[j]
            here = way[one.part] - way[other.part]
            if self.clear.get((i, j)) == here.tobytes():
                continue
            out = way_out(one, other, here, bool(way[[one.part, other.part]].any()))
            if not out.any():
                self.clear[i, j] = here.tobytes()
                continue
            if other.shell and dot(self.went.get((i, j), out), out) < 0.0:  # to and fro between faces
                out = marched(one, other, here, out)
            self.went[i, j], rank = out, self.rank
            rank[one.part] = min(rank[one.part], rank[other.part] + 1.0)
            rank[other.part] = min(rank[other.part], rank[one.part] + 1.0)
            out, share = longer(out, SLIGHT * min(one.size, other.size)), self._share(one.part, other.part, by_mass)
            for k, by, part in ((i, j, share), (j, i, share - 1.0)):
                way[self.things[k].part] += part * out
                if part != 0.0:
                    stays = " (held)" if held[self.things[by].part] and self.things[by].held_by_others else ""
                    self.out_of.setdefault(k, {})[f"'{self.things[by].name}'{stays}"] = None
            any_moved = True
        for k, thing in enumerate(self.things):
            depth = _below(thing, way[thing.part], self.scene.floor)
            if not held[thing.part] and depth > spared(thing.size, thing.margin, bool(way[thing.part].any())):
                way[thing.part, 2] += depth + SLIGHT * thing.size
                self.rank[thing.part] = 1.0
                self.out_of.setdefault(k, {})["the floor"] = None
                any_moved = True
        return any_moved

    def _near(self) -> Iterator[tuple[int, int]]:
        """Pairs (i, j), i < j, of things of different parts, one of which may move, that touch and whose boxes meet."""
        things, held = self.things, self.tied.held
        if not things:
            return
        low, high = (
            np.array([f(one.shape.points, axis=0) + side * one.radius + self.tied.way[one.part] for one in things])
            for f, side in ((np.min, -1.0), (np.max, 1.0))
        )
        part = np.array([one.part for one in things])
        for i, one in enumerate(things):
            meet = np.all((low[i] <= high[i + 1 :]) & (low[i + 1 :] <= high[i]), axis=1)
            meet &= (part[i + 1 :] != one.part) & ~(held[part[i + 1 :]] & held[one.part])
            for j in i + 1 + np.flatnonzero(meet):
                if touch(self.scene, one.item, things[j].item):
                    yield i, int(j)

    def _share(self, one: int, other: int, by_mass: bool) -> float:
        """What part of their way apart the part `one` goes, the `other` the rest."""
        mass, held = self.tied.mass, self.tied.held
        if held[one] or held[other]:
            return float(held[other])
        if by_mass:
            return float(mass[other] / (mass[one] + mass[other]))
        return 0.5 if self.rank[one] == self.rank[other] else float(self.rank[one] > self.rank[other])

    def notices(self) -> list[Notice]:
        """One for each thing that was moved, the farthest first and MOST_NOTICES at most."""
        things, found = self.things, []
        far = {k: float(norm(self.tied.way[things[k].part])) for k in self.out_of}
        order = sorted((k for k in far if far[k] > SLIGHT * things[k].size), key=lambda k: (-far[k], k))
        for k in order[:MOST_NOTICES]:
            name, out_of = things[k].name, list(self.out_of[k])
            out = " and ".join(out_of) if len(out_of) < 3 else f"{out_of[0]}, {out_of[1]} and {len(out_of) - 2} more"
            how_far = f"{1e3 * far[k]:.3g} mm" if far[k] < 1.0 else f"{far[k]:.3g} m"
            along = " with what is tied to it" if self.tied.size[things[k].part] > 1 else ""
            found.append(Notice(name, 0, f"'{name}' is moved by {how_far}{along}, out of {out}."))
        if len(order) > MOST_NOTICES:
            more = len(order) - MOST_NOTICES
            found[-1] = replace(found[-1], text=f"{found[-1].text} There are {more} more like this.")
        return found

    def in_vain(self, refusal: SceneError) -> SceneError:
        """A refusal of the scene as drawn, with the reason why nothing is done about it; of rods nothing is tried."""
        if refusal.object not in {thing.name for thing in self.things}:
            return refusal
        held = [f"'{thing.name}'" for thing in self.things if thing.held_by_others and self.tied.held[thing.part]]
        held = [name for name in held if name in str(refusal)]
        why = f" Held, and so left where it is: {', '.join(held)}." if held else ""
        return SceneError(refusal.object, f"{refusal} {NO_ROOM}{why}")


def _below(thing: Thing, way: np.ndarray, floor: Floor | None) -> float:
    """How deep [m] a thing, moved by a way (3,), is in the floor; −∞: there is none."""
    height = -np.inf if floor is None else floor.height
    return height - float(thing.shape.points[:, 2].min() + way[2] - thing.radius)
