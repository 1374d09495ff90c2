"""Rods and rigid bodies with soft bodies that they touch or are tied to: see time_integration/coupled_step."""

from dataclasses import replace

import numpy as np

from ..contact.scratch import contact_scratch
from ..contact.soft_ties import tie_scratch
from ..cost import implicit_beside
from ..implicit.scratch import effective_mass
from ..model import SURFACE_LISTED, Model, State, Surfaces, changed
from ..scene import Scene
from ..time_integration.coupled_step import Coupled, Side
from ..time_integration.workspace import workspace
from . import laid_out
from .room import ample
from .soft_ties import apart, tie_arrays
from .solids import solids_laid_out
from .state import started

SHARED = ("x", "v", "w")  # of States, one behind the other
BETWEEN = (  # fields of a State that are those of its pairs
    "listings", "surface_listed", "surface_pairs", "feature_listed", "listed_bodies", "feature_pairs", "pairs",
    "plane_pairs",
)  # fmt: skip


def assemble_coupled(scene: Scene, surfaces: Surfaces | None = None) -> tuple[tuple[Model, ...], tuple[State, ...]]:
    """Scene, none of its bodies led → (Models, States) of its rods and bodies, of its soft bodies, and of what is
    between them. surfaces: those of the scene's colliders, which parts share.
    """
    model, state = laid_out(replace(scene, solver="EXPLICIT"), surfaces)
    if scene.solver == "IMPLICIT":
        model = model._replace(rods=changed(model.rods, implicit=implicit_beside(scene)))
    soft, soft_state = solids_laid_out(replace(scene, rods=(), bodies=(), pins=(), welds=(), ties=()), surfaces)
    touches = np.repeat([scene.contact and rod.touches for rod in scene.rods], [len(rod.x) for rod in scene.rods])
    ties, members = tie_arrays(scene, model, state)
    soft = soft._replace(solids=soft.solids._replace(ties=ties, members=members))
    soft_state = soft_state._replace(tied=np.zeros((len(ties), 3)))
    own = between(model, soft, touches.astype(bool))
    own = own._replace(rooted=apart(scene, own, state))
    return (model, soft, own), (state, soft_state, between_state(own, state))


def between(model: Model, soft: Model, touches: np.ndarray) -> Model:
    """The Model of rods and bodies with soft bodies' surfaces, which rods' vertices touch where touches (N,) bool."""
    nodes, surfaces = changed(model.nodes, embedded=~touches, padding=0.0), soft.solids.surface
    return model._replace(
        world=changed(model.world, ample=ample(0, len(nodes), model.skins, surfaces)),
        nodes=nodes,
        surfaces=surfaces,
        solids=model.solids._replace(surface=surfaces, on_node=soft.solids.on_node),
        capsules=model.capsules[:0],
        planes=model.planes[:0],
    )


def between_state(model: Model, state: State) -> State:
    """A State of pairs of such a Model, none listed yet, beside that of the rods and bodies."""
    own = started(model)
    return state._replace(
        listings=changed(np.zeros_like(state.listings), count=-1), listed_bodies=state.bodies.copy(),
        surface_listed=np.zeros((len(state.x), SURFACE_LISTED)), surface_pairs=own["surface_pairs"],
        feature_listed=np.zeros((len(model.solids.on_node) or len(state.x), 3)), feature_pairs=own["feature_pairs"],
        pairs=state.pairs[:0], plane_pairs=state.plane_pairs[:0],
    )  # fmt: skip


def coupled(models: tuple[Model, ...], states: tuple[State, ...]) -> Coupled:
    """Those of rods and bodies, of soft bodies and of what is between them, the nodes' arrays shared from now on."""
    (rods, soft, pairs), n = states, len(states[0].x)
    whole = {name: np.concatenate([getattr(rods, name), getattr(soft, name)]) for name in SHARED}
    rods = rods._replace(**{name: array[:n] for name, array in whole.items()})
    soft = soft._replace(clock=rods.clock, **{name: array[n:] for name, array in whole.items()})
    pairs = rods._replace(**{name: getattr(pairs, name) for name in BETWEEN})
    x0 = np.zeros_like(whole["x"])
    work, soft_work = workspace(models[0], rods), workspace(models[1], soft)
    work = work._replace(old=work.old._replace(x=x0[:n]))
    soft_work = soft_work._replace(old=soft_work.old._replace(x=x0[n:]))
    return Coupled(
        whole["x"], x0, whole["w"], Side(models[0], rods, work), Side(models[1], soft, soft_work), models[2], pairs,
        contact_scratch(models[2], pairs), tie_scratch(models[1].solids.ties),
        effective_mass(models[0], models[1].solids.ties),
    )  # fmt: skip
