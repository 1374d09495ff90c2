"""Islands: parts of a scene that may meet within a frame are simulated together, each island by itself, with its own
steps and in its own thread.

Who may meet is foreseen. Afterwards it is known where all have been: where boxes around that overlap, what was
simulated apart may have met. Then the frame is taken back for these islands, and done again with them as one. So
islands follow from the state alone, and apart is only what never was where another was.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from math import ceil
from typing import Any

import numpy as np

from ..assemble import laid_out
from ..assemble.coupled import assemble_coupled
from ..assemble.solids import solids_laid_out
from ..assemble.surfaces import surfaces_of
from ..model import Model, State
from ..scene import Notice, Scene
from ..start.fit_lengths import fit_lengths
from ..start.rest_in_equilibrium import rest_in_equilibrium
from ..start.soft_rest_in_equilibrium import soft_rest_in_equilibrium
from ..validate import implicit_rods
from .cables import CableRun
from .checkpoint import Packed, restored, unpack
from .giving_way import GivingWay
from .joining import join_models, join_states, pressed_pairs, split_state, stacked
from .meeting import Meeting
from .part_run import Run
from .parts import Part, parts_of, together
from .yielding import Yielding

Members = tuple[int, ...]  # parts of an island, in order


class Islands:
    """All parts of a scene without kinematic bodies, and the islands that they are at present.

    islands (P,): see Meeting; runs: one for each island, by its first part; start: BODY_STATE (B,) as drawn;
    vertices, edges: how many there are, of cables behind all others.
    """

    def __init__(
        self, scene: Scene, led: Sequence[int], threads: ThreadPoolExecutor, implicit: np.ndarray | None = None,
        cables: Scene | None = None,
    ) -> None:  # fmt: skip
        """As drawn, a scene without cables. led: numbers of the pins that stand for welds to kinematic bodies;
        implicit: see parts_of; cables: the scene with them.
        """
        self.implicit = implicit_rods(scene) if implicit is None else implicit
        self.scene, self.threads, self.led = scene, threads, np.array(led, dtype=int)
        self.parts = parts_of(scene, self.implicit)
        self.surfaces = surfaces_of(scene)
        self.yielding = Yielding(scene, self.surfaces)
        self.giving_way = GivingWay(scene, self.surfaces, self.yielding)
        self.vertices = sum(len(part.vertices) for part in self.parts)
        self.edges = sum(len(part.edges) for part in self.parts)
        side_by_side = threads.map if len(self.parts) > 1 else map
        drawn: list[tuple[tuple[Model, ...], tuple[State, ...]]] = [*side_by_side(self._laid_out, self.parts)]
        self.cables = CableRun(cables, self.surfaces, self.vertices, self.edges, len(scene.bodies)) if cables else None
        if self.cables:
            self.parts.append(self.cables.part)
            drawn.append((self.cables.models, self.cables.states))
            self.vertices += len(self.cables.part.vertices)
            self.edges += len(self.cables.part.edges)
        self.models = [models[0] for models, _ in drawn]
        self.start = stacked([states[0].bodies for _, states in drawn])
        self.start = self.start[np.argsort(np.concatenate([part.bodies for part in self.parts]))]
        self.meeting = Meeting(self.models)
        self.islands = self.meeting.alone
        self.runs: dict[Members, Run] = {
            (p,): Run(part, *of, self.led) for p, (part, of) in enumerate(zip(self.parts, drawn, strict=True))
        }
        if self.cables:
            self.runs[len(self.parts) - 1,] = self.cables
        self.form(self.meeting.ever())

    def _laid_out(self, part: Part) -> tuple[tuple[Model, ...], tuple[State, ...]]:
        scene, soft = part.scene, len(part.scene.solids) > 0
        if soft and (scene.rods or scene.bodies):
            (model, own, between), states = assemble_coupled(scene, self.surfaces)
            return (model, soft_rest_in_equilibrium(scene, own, states[1]), between), states
        model, state = solids_laid_out(scene, self.surfaces) if soft else laid_out(scene, self.surfaces)
        return (soft_rest_in_equilibrium(scene, model, state) if soft else model,), (state,)

    @property
    def _in_time(self) -> list[Run]:
        """Runs of what moves in time: all but cables, which follow."""
        return [run for run in self.runs.values() if run is not self.cables]

    def _of_rods(self) -> dict[Members, Run]:
        return {members: run for members, run in self.runs.items() if run.scene.rods or run.scene.bodies}

    def prepare(self) -> None:
        """Give rods the lengths they shall have, and those to be balanced their rest shapes. Raises SimulationError."""
        self._each(lambda run: fit_lengths(run.scene, run.model, run.state), self._of_rods().values())
        if not any(rod.balanced for rod in self.scene.rods):
            return
        self.form(self.meeting.alone)
        for (p,), run in self._of_rods().items():
            run.model = self.models[p] = rest_in_equilibrium(run.scene, run.model, run.state)
            run.begin(*run.states)
        self.form(self.meeting.ever())

    def settle(self) -> list[Notice]:
        """Bring the start to rest, if the scene asks for it: what meets on its way, together from as it was drawn."""
        found: dict[Run, list[Notice]] = {}
        meets = self.scene.settle and self.meeting.possible
        if meets:
            x = self._by_vertex(lambda run: run.state.x)
            self.form(self.meeting.foreseen(x, np.zeros_like(x), 0.0))
        begin: Iterable[Run] = self._in_time
        while begin:
            found.update(zip(begin, self._each(lambda run: run.settle(), begin), strict=True))
            begin = self._met() if meets else ()
        for run in self.runs.values():
            run.begun = ()
        if self.cables:
            self.cables.steps.lead(self.poses())
            found[self.cables] = self.cables.settle()
        return [notice for run in self.runs.values() for notice in found[run]]

    def reach(self, index: int) -> list[Notice]:
        """Go on to frame `index`. Raises SimulationError."""
        if self.meeting.possible:
            x, v = self._by_vertex(lambda run: run.state.x), self._by_vertex(lambda run: run.state.v)
            self.form(self.meeting.foreseen(x, v, self.scene.frame_duration))
        self.yielding.lead(self._in_time, index)
        told = self.giving_way.lead(self._in_time, index)
        before = [(run, run.kept()) for run in self._in_time] if self.giving_way.own else []
        islands, runs = self.islands, self.runs
        self._advance(index)
        while before and self.giving_way.give_way([run for run in self._in_time if run.stuck], index):
            self.islands, self.runs = islands, runs
            for run, states in before:
                run.begin(*(state.copy() for state in states))
            self._advance(index)
        if self.cables:
            self.cables.steps.lead(self.poses())
            self.cables.advance(index)
        notices = [notice for run in self.runs.values() for notice in run.finish(index)]
        return [*told, *notices, *self.yielding.finish(index), *self.giving_way.finish(index)]

    def _advance(self, index: int) -> None:
        """All islands to frame `index`, as far as they get."""
        begin: Iterable[Run] = self._in_time
        while begin:
            self._each(lambda run: run.advance(index), begin)
            begin = self._met() if self.meeting.possible else ()

    def poses(self) -> np.ndarray:
        """(K, 7) of the scene's bodies, those that hang on cables behind all others: see `frames`."""
        found = np.zeros((len(self.start), 7))
        for run in self.runs.values():
            if len(own := run.part.bodies):
                found[own] = run.poses(self.start[own])
        return found

    def material_axes(self, index: int) -> list[np.ndarray]:
        """Those of each run's edges (E, 3), at the equilibrium of frame `index`. Raises SimulationError."""
        return self._each(lambda run: run.material_axes(index), self.runs.values())

    def _met(self) -> list[Run]:
        """Islands of what met that was apart, to be done again."""
        low = self._by_vertex(lambda run: run.driver.reached[0])
        high = self._by_vertex(lambda run: run.driver.reached[1])
        return self.form(self.meeting.met(low, high, self.islands), again=True)

    def checkpoint(self, index: int) -> Packed:
        """What `resume` goes on from, after frame `index`."""
        kept = [state for run in self.runs.values() for state in run.kept()]
        return Packed(
            kept, self.islands, index, {"implicit": self.implicit, **self.yielding.kept(), **self.giving_way.kept()}
        )

    def resume(self, arrays: Mapping[str, np.ndarray]) -> int:
        """Go on from a checkpoint; returns its frame's index. Raises CheckpointError, SimulationError."""
        arrays = self.giving_way.resume({name: array for name, array in arrays.items() if name != "implicit"})
        arrays = self.yielding.resume(arrays)
        index, islands = unpack(arrays, len(self.parts))
        if any(rod.balanced for rod in self.scene.rods):
            self.prepare()
        self.form(islands)
        runs, time = self.runs.values(), index * self.scene.frame_duration
        drawn, models = ([own for run in runs for own in getattr(run, name)] for name in ("states", "models"))
        states = iter(restored(arrays, drawn, models, time))
        for run in runs:
            run.begin(*islice(states, len(run.models)))
        return index

    def _each(self, do: Callable[[Run], Any], runs: Iterable[Run]) -> list[Any]:
        """What is done with each of these islands, side by side; the largest begin."""
        runs = list(runs)
        if len(runs) == 1:
            return [do(runs[0])]
        order = sorted(range(len(runs)), key=lambda k: -len(runs[k].state.x))
        done = dict(zip(order, self.threads.map(lambda k: do(runs[k]), order), strict=True))
        return [done[k] for k in range(len(runs))]

    def _by_vertex(self, get: Callable[[Run], np.ndarray]) -> np.ndarray:
        """An array (N, 3) of all islands, in the order of the parts."""
        rows = np.concatenate([get(run) for run in self.runs.values()])
        found = np.empty_like(rows)
        found[self.meeting.nodes_of([p for members in self.runs for p in members])] = rows
        return found

    def form(self, islands: np.ndarray, again: bool = False) -> list[Run]:
        """Make the islands these; returns those that are new, which go on from where the others are.

        again: from where these began the frame.
        """
        if np.array_equal(islands, self.islands):
            return []
        order = np.argsort(islands, kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(islands[order])) + 1)
        wanted = {tuple(group.tolist()): None for group in groups}
        states: dict[int, State] = {}
        rooms: dict[int, float] = {}
        pressed = []
        for members, run in self.runs.items():
            if members not in wanted:
                state = run.begun[0].copy() if again and run.begun else run.state
                capsules = self.meeting.capsules_of(members)
                states |= zip(members, split_state([self.models[p] for p in members], state), strict=True)
                rooms |= dict.fromkeys(members, len(state.pairs) / len(members))
                pressed.append(pressed_pairs(state, capsules))
        pairs = stacked(pressed)
        one, other = (islands[self.meeting.part[pairs[name]]] for name in ("i", "j"))
        new = {}
        for members in wanted:
            if members not in self.runs:
                own = pairs[(one == members[0]) & (other == members[0])]
                new[members] = self._joined(members, states, own, ceil(sum(rooms[p] for p in members)))
        self.islands, self.runs = islands, {members: new.get(members) or self.runs[members] for members in wanted}
        return list(new.values())

    def _joined(self, members: Members, states: Mapping[int, State], pairs: np.ndarray, room: int) -> Run:
        """The island of these parts in these states; pairs: PAIR (k,) that press on each other, of all parts' capsules;
        room: for so many.
        """
        models, capsules = [self.models[p] for p in members], self.meeting.capsules_of(members)
        for name in ("i", "j"):
            pairs[name] = np.searchsorted(capsules, pairs[name])
        state = join_states(models, [states[p] for p in members], pairs, room)
        parts, model = [self.parts[p] for p in members], join_models(models)
        return Run(together(parts), (model,), (state,), self.led)
