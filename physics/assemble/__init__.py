"""Lays a Scene out as Model, State and Workspace."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..compiling.laid_out import lean
from ..model import CABLE, CLAMP, EDGE, GHOST, HINGE, NODE, ROD, WORLD, Model, State, Surfaces, changed
from ..rods.chain import frame_behind, hinges_of
from ..rods.keyed_numbers import numbers_at
from ..scene import ACCEPT_AFTER, ACCEPT_TURNS, GIVE_UP_AFTER, LAST_TURNS, REACHES, Pin, Rod, Scene, Weld
from ..scenes.collision_filter import filter_of
from ..time_integration.workspace import Workspace
from .bodies import body_arrays, gather_slaves
from .capsules import WIDEST_SKIN, capsule_arrays, contact_scale
from .chain_system import chain_system, no_chains
from .directors import lay_directors, limits, number_segments, segment_arrays
from .embedded import embedded, overlapping, padding
from .holds import clamps_of, hold_of
from .keyed import keyed_numbers, put_at_winches
from .length_system import length_system
from .pins import pin_arrays
from .planes import plane_arrays
from .pulleys import pulley_arrays, put_arms, start_pulleys
from .rods import node_arrays, rod_scalars
from .room import ample, by_hand
from .rooted import rooted
from .shapes import shapes_of
from .solids import no_solids
from .stability import fastest, raise_couplers
from .state import start_state
from .surfaces import surfaces_of


def assemble(scene: Scene, surfaces: Surfaces | None = None, times: int = 1) -> tuple[Model, State, Workspace]:
    """Scene, none of its bodies led → (Model, State, Workspace), with room for steps by hand: see `laid_out`,
    `room.by_hand`.
    """
    model, state = laid_out(scene, surfaces)
    return model, *by_hand(model, state, times)


def laid_out(scene: Scene, surfaces: Surfaces | None = None) -> tuple[Model, State]:
    """Scene, none of its bodies led → (Model, State).

    Starting frames are as drawn, not yet at equilibrium. surfaces: those of the scene's colliders, which parts share.
    """
    drawn, framed = zip(*(node_arrays(rod) for rod in scene.rods or (ANY,)), strict=True)
    node, frames = ({name: np.concatenate([p[name] for p in parts]) for name in parts[0]} for parts in (drawn, framed))
    if not scene.rods:
        node, frames = ({name: values[:0] for name, values in of.items()} for of in (node, frames))
    rods = _numbered(scene)
    node["rod"] = np.repeat(np.arange(len(rods)), [len(rod.x) for rod in scene.rods])
    node["slave"] = np.full(len(node["mass"]), -1)
    node["embedded"], node["padding"] = np.zeros(len(node["mass"]), bool), np.zeros(len(node["mass"]))
    clamp_start, clamp_frame, pin_clamp, weld_clamp = clamps_of(scene, rods)
    rods = changed(rods, first_clamp=clamp_start[:-1], end_clamp=clamp_start[1:])
    parts = gather_slaves(scene, rods, node)
    fixed = np.zeros(len(frames["theta"]), dtype=bool)
    fixed[clamp_frame] = True
    ghosts = _ghosts(scene, rods, frames)
    _add_scalars(scene, rods, ghosts, node, fixed)
    count = len(node["mass"])
    nodes, edges, hinges = (
        changed(np.zeros(count, kind), **{k: node[k] for k in kind.names or ()}) for kind in PER_NODE
    )
    loose = ~ghosts["held"] & ~np.repeat(rods["closed"], 2)
    hinges[np.stack([rods["first"], rods["last"]], axis=1).ravel()[loose]] = 0  # there is none
    clamps = changed(np.zeros(len(clamp_frame), CLAMP), frame=clamp_frame)
    segments, mobility, bends = segment_arrays(scene, rods, node)
    pins, times, samples = pin_arrays(scene, rods, frames, pin_clamp)
    pulleys, more, places = pulley_arrays(scene, rods, len(times))
    times, samples = np.concatenate([times, more]), np.concatenate([samples, places])
    capsules, joined = capsule_arrays(scene, rods)
    later: Any = None  # what bodies are like depends on how the rods at them vibrate
    model = Model(
        world=_world(scene, capsules), rods=rods, nodes=nodes, edges=edges, hinges=hinges, segments=segments,
        mobility=mobility, bends=bends, clamps=clamps, pins=pins, times=times, samples=samples, bodies=later,
        slaves=later, welds=later, pulleys=pulleys, length_system=later, chain_system=later, capsules=capsules,
        joined=joined,
        collision_filter=filter_of(scene), planes=plane_arrays(scene), surfaces=surfaces or surfaces_of(scene),
        skins=later, shapes=later, rooted=np.zeros(0, np.int64), solids=no_solids(),
        cables=np.zeros(0, CABLE), keyed=later,
    )  # fmt: skip
    if scene.welds:
        raise_couplers(scene, model, node["x"], ghosts, weld_clamp, parts)
        limit = fastest(scene, model, node["x"], ghosts, weld_clamp, parts)
        rods["limit"][rods["welded"]] = limit
    bodies, slaves, welds, motion = body_arrays(scene, rods, node, frames, parts, weld_clamp, clamps)
    put_arms(scene, pulleys, motion)
    skins, shapes = shapes_of(scene, motion)
    model = model._replace(bodies=bodies, slaves=slaves, welds=welds, skins=skins, shapes=shapes)
    model = model._replace(rooted=rooted(model, node["x"], motion))
    model.world["ample"] = ample(len(capsules), count, skins, model.surfaces)
    rods["limit"] = np.where(rods["cosserat"], np.maximum(limits(model), rods["limit"] * rods["welded"]), rods["limit"])
    nodes["slave"][slaves["node"]] = np.arange(len(slaves))
    model = model._replace(length_system=length_system(model, {*pins["node"], *pins["second"]}))
    drawn_in = overlapping(model, node["x"])
    implicit = scene.solver == "IMPLICIT" and len(scene.rods) > 0
    nodes["embedded"], stays = embedded(model, node["x"], drawn_in)
    nodes["padding"] = padding(model, node["x"], drawn_in, stays)
    model = model._replace(chain_system=chain_system(model) if implicit else no_chains())
    model = model._replace(keyed=keyed_numbers(scene.rods, model, pulleys["rod"]))
    numbers_at(model, 0.0)
    put_at_winches(scene.rods, model, node, frames)
    state = start_state(model, node, frames, ghosts, motion, start_pulleys(scene, rods))
    lay_directors(model, state)
    return lean(model), lean(state)


PER_NODE = (NODE, EDGE, HINGE)
ANY = Rod("any", np.eye(3), np.ones(3), np.ones(3), np.ones((2, 2)), np.ones(3), np.ones(2))  # has arrays as any rod's


def _numbered(scene: Scene) -> np.ndarray:
    """ROD (R,) with the numbers of what belongs to each."""
    end = np.cumsum([len(rod.x) for rod in scene.rods])
    rods = changed(np.zeros(len(end), ROD), last=end - 1, closed=[rod.closed for rod in scene.rods])
    rods["first"][1:] = end[:-1]
    rods["frame"] = rods["first"] + np.arange(len(end))
    rods["group"] = [rod.group for rod in scene.rods]
    rods["cosserat"] = [rod.model == "cosserat" for rod in scene.rods]
    rods["segment"], rods["bend"] = number_segments(rods)
    return rods


def _ghosts(scene: Scene, rods: np.ndarray, frames: dict[str, np.ndarray]) -> np.ndarray:
    """GHOST (2R,): those where anything ever holds are held."""
    ends = np.stack([rods["frame"], frame_behind(rods, rods["last"])], axis=1).ravel()
    ghosts = changed(np.zeros(len(ends), GHOST), edge=frames["edge"][ends])
    holders: list[Pin | Weld] = [*scene.pins, *scene.welds]
    for holder in holders:
        ghost = hold_of(rods, holder).ghost
        if holder.mode != "POSITION" and ghost >= 0:
            ghosts["held"][ghost] = True
    return ghosts


def _add_scalars(
    scene: Scene, rods: np.ndarray, ghosts: np.ndarray, node: Mapping[str, np.ndarray], fixed: np.ndarray
) -> None:
    """What is known of each rod; its limit is its own. By a rod's class all else is laid out, so it holds for good,
    also for the rest shape that the start gives it.
    """
    in_pulleys = {pulley.rod for pulley in scene.pulleys}
    welded = {weld.rod for weld in scene.welds} | in_pulleys
    for r, rod in enumerate(scene.rods):
        a, b = rods["first"][r], rods["last"][r] + 1
        hinges = slice(*(i - a for i in hinges_of(rods, r, ghosts)))
        scalars = rod_scalars({name: values[a:b] for name, values in node.items()}, rod, hinges)
        held = fixed[a + r : b + r + 1]
        # what is to be balanced will have a rest shape of its own: see start/rest_in_equilibrium
        simple = scalars.pop("simple") and not (held[1:-1].any() or rod.rolls or rod.balanced)
        twists = rod.closed or (held[0] and held[-1]) or any(load.torque is not None for load in rod.loads)
        scalars |= {
            "general": not simple, "twisted": simple and twists and r not in in_pulleys,
            "rolls": rod.rolls, "stretchable": rod.stretchable, "damped": rod.internal_damping > 0.0,
            "welded": r in welded,
        }  # fmt: skip
        for name, value in scalars.items():
            rods[name][r] = value


def _world(scene: Scene, capsules: np.ndarray) -> np.ndarray:
    thinnest = min((rod.radius.min() for rod in scene.rods), default=1.0)
    shortest = min((np.linalg.norm(rod.edges(), axis=1).min() for rod in scene.rods), default=1.0)
    radius, skin = contact_scale(capsules, thinnest)
    return changed(
        np.zeros(1, WORLD), gravity=scene.gravity, air_density=scene.air_density, thinnest=thinnest,
        radius=radius, skin=skin, widest_skin=WIDEST_SKIN * shortest, springs=scene.treatment == "SPRINGS",
        last_turn=LAST_TURNS[scene.quality], accept_after=ACCEPT_AFTER[scene.quality],
        accept_turn=ACCEPT_TURNS[scene.quality], give_up_after=GIVE_UP_AFTER[scene.quality],
        preview=scene.quality == "PREVIEW",
        reach=REACHES[scene.quality if scene.solver == "IMPLICIT" else "GOOD"],
    )  # fmt: skip
