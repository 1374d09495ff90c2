"""A simulation that goes on from some frame with other settings: where the things are and how they move as it was, all
else as it is now.

Positions and velocities of vertices, material frames and rigid bodies are taken over; where the inertia I of a body
changed, its angular velocity ω stays, and L = I ω is another. What was found out with the old settings is not taken
over: pairs that may touch, the steps before, how far colliders lag. A pin that held the same place goes on as it did;
another one takes hold in the first step.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ..arithmetic.quaternions import conjugate, product, turned, turned_back
from ..assemble.holds import in_force
from ..assemble.keyed import reeled_in
from ..forces.buoyancy import immersed
from ..geometry.rounding import elements_of
from ..model import COLUMNS, FREE, HELD, PLATE_DIRECTOR, YIELDING, Model, State, changed
from ..rods.keyed_numbers import numbers_at
from ..scene import Pulley, Rod, Scene, SoftBody, Tie, Weld
from ..scenes.without_cables import without_cables
from ..start.push_apart import pushed_apart
from ..validate import SceneError, check, implicit_rods
from .checkpoint import recorded
from .islands import Islands
from .kinematic_bodies import with_cables, without_kinematic_bodies
from .parts import numbers_of

ROWS = {name: one.of for name, one in COLUMNS.items() if one.taken_over}
AGAIN = "bake all of it again"


def taken_over(scene: Scene, before: Scene, state: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What `simulate` goes on from with `scene` where, with the scene `before`, it had come to `state`, of a Frame.

    Raises SceneError where the things are not the same ones; CheckpointError: the state is not of the scene before.
    """
    check(scene)
    check_alike(scene, before)
    scene, before = immersed(scene), immersed(before)
    with ThreadPoolExecutor(1) as threads:
        was, known = _islands(before, threads, recorded(state, without_cables(before)))
        index = was.resume(state)
        now, new = _islands(scene, threads, None)
        if any(rod.balanced for rod in scene.rods):
            now.prepare()
        now.form(now.meeting.alone)
        if new.deforming or new.bodies:
            _give(_Motion(was, known), _Motion(now, new), index * scene.frame_duration)
        if now.cables and was.cables:
            now.cables.take_over(was.cables)
        for run in now.runs.values():
            for own in run.states:
                own.clock["time"] = index * scene.frame_duration
            run.begin(*run.states)
        return {**now.checkpoint(index)}


def _islands(scene: Scene, threads: ThreadPoolExecutor, implicit: np.ndarray | None) -> tuple[Islands, Scene]:
    moved = pushed_apart(without_cables(scene))[0]
    bare, led = without_kinematic_bodies(moved)
    own = implicit_rods(moved) if implicit is None else implicit
    return Islands(bare, led, threads, own, with_cables(scene)), bare


def check_alike(scene: Scene, before: Scene) -> None:
    """Raises SceneError unless these are the same things, with as many points, joined alike and drawn where they were
    as far as that counts.
    """
    for one, other in ((scene.deforming, before.deforming), (scene.bodies, before.bodies)):
        names, known = ([thing.name for thing in things] for things in (one, other))
        for name in names[len(known) :] or known[len(names) :]:
            what = "was added" if len(names) > len(known) else "is gone"
            raise SceneError(name, f"'{name}' {what} since the bake began, which cannot go on so: {AGAIN}.")
    for thing, old in zip(scene.deforming, before.deforming, strict=True):
        alike = len(thing.x) == len(old.x)
        if isinstance(thing, SoftBody):
            alike = alike and isinstance(old, SoftBody) and np.array_equal(elements_of(thing), elements_of(old))
        else:
            alike = alike and isinstance(old, Rod) and (thing.closed, thing.model) == (old.closed, old.model)
        if not alike:
            text = f"'{thing.name}' has other points, or another model, than as the bake began: {AGAIN}."
            raise SceneError(thing.name, text)
    for body, was in zip(scene.bodies, before.bodies, strict=True):
        led = (body.kinematic, body.suspended) != (was.kinematic, was.suspended)
        if led or not np.allclose(body.position, was.position, rtol=0.0, atol=1e-6):
            text = f"'{body.name}' starts elsewhere than as the bake began, or is led otherwise: {AGAIN}."
            raise SceneError(body.name, text)
    if _joints(scene) != _joints(before):
        joints: list[Weld | Tie | Pulley] = [*scene.welds, *scene.ties, *scene.pulleys]
        joints += [*before.welds, *before.ties, *before.pulleys]
        name = joints[0].name
        raise SceneError(name, f"What is tied to what, as by '{name}', is not as the bake began: {AGAIN}.")


def _joints(scene: Scene) -> list[tuple[object, ...]]:
    welds = [(weld.body, weld.rod, weld.vertex, weld.mode) for weld in scene.welds]
    pulleys = [(one.body, one.rod, one.vertex) for one in scene.pulleys]
    return [*welds, *pulleys, *((tie.solid, tie.body, tie.vertex, tie.nodes.tobytes()) for tie in scene.ties)]


class _Motion:
    """Arrays of all islands of a scene by the scene's own numbers."""

    def __init__(self, islands: Islands, scene: Scene) -> None:
        self.islands, self.scene = islands, scene
        more = [len(rod.x) + 1 for rod in scene.rods]
        self.first = {
            "frames": np.cumsum([0, *more]), "ghosts": np.arange(0, 2 * len(more) + 1, 2),
            "segments": np.cumsum([0, *(len(rod.x) + 1 if rod.model == "cosserat" else 0 for rod in scene.rods)]),
        }  # fmt: skip
        self.count = {name: first[-1] for name, first in self.first.items()}
        self.count |= {"nodes": islands.vertices, "rods": len(scene.rods), "bodies": len(scene.bodies)}
        self.count["pins"] = len(scene.pins)

    def states(self) -> Iterator[tuple[Model, State, dict[str, np.ndarray]]]:
        """Each model and state that has nodes of its own, and the numbers that its rows have."""
        none = np.zeros(0, np.int64)
        for run in self.islands.runs.values():
            if run is self.islands.cables:
                continue
            part, rods = run.part, sum(len(rod.x) for rod in run.part.scene.rods)
            own = {name: numbers_of(first, part.rods) for name, first in self.first.items()}
            own |= {"nodes": part.vertices[:rods], "rods": part.rods, "bodies": part.bodies, "pins": part.pins}
            soft = dict.fromkeys(own, none) | {"nodes": part.vertices[rods:]}
            alone = not (len(part.rods) or len(part.bodies))
            yield from zip(run.models, run.states, (soft,) if alone else (own, soft), strict=False)

    def whole(self, name: str, of: str) -> np.ndarray:
        """An array of State, all rows of the scene."""
        found = None
        for _, state, numbers in self.states():
            rows = getattr(state, name)
            if found is None:
                found = np.zeros((self.count[of], *rows.shape[1:]), rows.dtype)
            if len(numbers[of]):  # else of soft bodies, which have none
                found[numbers[of]] = rows
        assert found is not None
        return found

    def edges(self, model: Model, numbers: Mapping[str, np.ndarray]) -> np.ndarray:
        """(E,) keys of a Model's edges of sheets, by the scene's numbers of both ends as they go."""
        return numbers["nodes"][model.solids.plate_edges["node"]] @ [self.count["nodes"], 1]

    def directors(self) -> tuple[np.ndarray, np.ndarray]:
        """Sorted keys of all edges of sheets, both ways, and PLATE_DIRECTOR on them."""
        keys, found = [np.zeros(0, np.int64)], [np.zeros(0, PLATE_DIRECTOR)]
        for model, state, numbers in self.states():
            if len(state.directors):
                own = state.directors
                n = self.count["nodes"]
                there = self.edges(model, numbers)
                keys += [there, there % n * n + there // n]
                found += [own, changed(own, t=-own["t"], rate=-own["rate"], torque=-own["torque"], mode=-own["mode"])]
        order = np.argsort(np.concatenate(keys))
        return np.concatenate(keys)[order], np.concatenate(found)[order]

    def clamps(self) -> np.ndarray:
        """(F, 3) the first material axis of each frame, where a clamp prescribes it."""
        found = np.zeros((self.count["frames"], 3))
        for model, state, numbers in self.states():
            found[numbers["frames"][model.clamps["frame"]]] = state.clamp_frame
        return found


def _give(was: _Motion, now: _Motion, time: float) -> None:
    """Let the things of a scene, as drawn, be where those of another are at `time` [s], and move as they do."""
    whole = {name: was.whole(name, of) for name, of in ROWS.items()}
    keys, directors = was.directors()
    bodies, holds, w, axes = _bodies(was, now), was.whole("holds", "pins"), was.whole("w", "nodes"), was.clamps()
    held = {(pin.rod, pin.vertex, pin.mode): p for p, pin in enumerate(was.scene.pins)}
    known = np.array([held.get((pin.rod, pin.vertex, pin.mode), -1) for pin in now.scene.pins], np.int64)
    in_pulleys, at_winch = {}, np.zeros(was.count["nodes"], bool)
    for model, state, numbers in was.states():
        numbers_at(model, time)
        at_winch[numbers["nodes"]] |= reeled_in(model.rods, len(model.nodes))
        for key, q in _in_pulleys(model, numbers):
            in_pulleys[key] = state.pulleys[q].copy()
            in_pulleys[key]["edge"] -= model.rods["first"][model.pulleys["rod"][q]]
    for model, state, numbers in now.states():
        for name, of in ROWS.items():
            if len(numbers[of]):
                getattr(state, name)[:] = whole[name][numbers[of]]
        if len(state.directors):
            state.directors[:] = directors[np.searchsorted(keys, now.edges(model, numbers))]
        state.bodies[:] = bodies[numbers["bodies"]]
        state.past_bodies[:], state.past_x[:] = state.bodies[:, None], state.x[:, None]
        if not len(model.rods):
            continue
        numbers_at(model, time)
        winding = np.isin(model.nodes["rod"], model.keyed.keyed["rod"][model.keyed.keyed["reels"] != 0])
        own_w = np.where(at_winch[numbers["nodes"]], 0.0, model.nodes["w"])  # from there the winch goes on
        state.w[:] = np.where(winding, own_w, state.w)
        axis = axes[numbers["frames"][model.clamps["frame"]]]
        state.clamp_frame[:] = np.where(axis.any(axis=1, keepdims=True), axis, state.clamp_frame)
        for key, q in _in_pulleys(model, numbers):
            state.pulleys[q] = in_pulleys[key]
            state.pulleys["edge"][q] += model.rods["first"][model.pulleys["rod"][q]]
        own = known[numbers["pins"]]
        state.holds[:] = changed(holds[own], state=_state_of(model, holds[own]["state"])) if len(holds) else state.holds
        state.holds["state"][own < 0], state.holds["influence"][own < 0] = FREE, 0.0
        state.fixed[:], state.ghosts["held"][:] = in_force(model, state.holds)
        for node in ("node", "second"):
            led = model.pins[node][(state.holds["state"] != FREE) & (model.pins[node] >= 0)]
            state.w[led] = w[numbers["nodes"]][led]


def _in_pulleys(model: Model, numbers: Mapping[str, np.ndarray]) -> Iterator[tuple[tuple[int, int], int]]:
    """((number of the rod in the scene, which of its pulleys), row of State.pulleys) of each."""
    for q, rod in enumerate(model.pulleys["rod"]):
        yield (int(numbers["rods"][rod]), q - int(np.searchsorted(model.pulleys["rod"], rod))), q


def _state_of(model: Model, before: np.ndarray) -> np.ndarray:
    """(P,) the state of pins that were in the states `before`."""
    exact, led = model.pins["exact"], before != FREE
    return np.where(led & ~exact, YIELDING, np.where(led & exact & (before != YIELDING), HELD, before))


def _bodies(was: _Motion, now: _Motion) -> np.ndarray:
    """BODY_STATE (B,): the scene's bodies turned, and moving, as those before are."""
    old, new, count = was.whole("bodies", "bodies"), now.whole("bodies", "bodies"), was.count["bodies"]
    inertia, start = [np.zeros((count, 3)), np.zeros((count, 3))], was.islands.start[:count]  # behind: what hangs
    for motion, own in zip((was, now), inertia, strict=True):
        for model, _, numbers in motion.states():
            own[numbers["bodies"]] = model.bodies["inertia"]
    turn = product(old["q"], conjugate(start["q"]))
    arm = turned(turn, new["x"] - start["x"])  # of the centre of mass, should it be another
    spin = turned(old["q"], turned_back(old["q"], old["l"]) / inertia[0])
    new["q"] = product(turn, new["q"])
    new["x"], new["v"] = old["x"] + arm, old["v"] + np.cross(spin, arm)
    new["l"] = turned(new["q"], inertia[1] * turned_back(new["q"], spin))
    return new
