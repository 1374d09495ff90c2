"""A list of what may touch rigid or soft bodies has all that is near in each step that it is said to be good for."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import ball, box
from solid_meshes import brick as soft_brick
from solids import brick, sphere, wall
from tendril.physics.arithmetic.quaternions import product
from tendril.physics.assemble import assemble
from tendril.physics.assemble.coupled import assemble_coupled
from tendril.physics.assemble.room import asked, roomier
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.contact.bounding_volumes import fit
from tendril.physics.contact.carriers.led_surface import lay
from tendril.physics.contact.contact_features import BODY, SOFT, first_of, of_one, second_of
from tendril.physics.contact.feature_list import coming, gap_of, list_features, measure_anew
from tendril.physics.contact.feature_pairs import features_near
from tendril.physics.contact.scratch import contact_scratch
from tendril.physics.materials import Material
from tendril.physics.model import FEATURES, PAIR
from tendril.physics.scene import Floor, Rod, Scene, SoftBody
from tendril.physics.time_integration.symplectic_euler import keep
from tendril.physics.time_integration.workspace import workspace

STEP, STEPS = 1e-3, 24  # s


def jellies(count, rng):
    found = []
    for k in range(count):
        x, node = soft_brick((2, 2, 1), (0.2, 0.2, 0.05))
        found.append(SoftBody(f"{k}", x + rng.normal(size=3) * 0.05, node, 1000.0, 1e5, 0.3))
    return tuple(found)


def heap(rng):
    own = [brick(rng.normal(size=3) * 0.1, rng.uniform(0.05, 0.2, 3), rng.normal(size=3)) for _ in range(3)]
    return (*own, sphere(rng.normal(size=3) * 0.1, 0.1))


def rigid(rng):
    """Bodies in a heap over a collider and a floor, a rope among them."""
    x = np.linspace([-0.3, 0.0, 0.0], [0.3, 0.05, 0.0], 8)
    rope = Rod.from_material("rope", x, 0.01, Material(1e6, 0.4, 1000.0))
    scene = Scene((rope,), 0.04, 1, bodies=heap(rng), floor=Floor(-0.1), colliders=(wall(ball(0.15, 4, 7)),))
    model, state, _ = assemble(scene)
    return model, state, state, model


def soft(rng, count=3):
    """Soft bodies over a box and a floor."""
    scene = Scene((), 0.04, 1, solids=jellies(count, rng), floor=Floor(0.0), colliders=(wall(box([0.3, 0.2, 0.1])),))
    model, state, _ = assemble_solids(scene if count > 1 else replace(scene, colliders=(), floor=None))
    return model, state, state, model


def lone(rng):
    """A soft body alone, which has but itself to touch."""
    return soft(rng, 1)


def between(rng):
    """What rigid bodies and soft ones have between them."""
    models, states = assemble_coupled(Scene((), 0.04, 1, bodies=heap(rng), solids=jellies(2, rng)))
    return models[2], states[2], states[1], models[0]


@pytest.mark.parametrize("kind", [rigid, soft, lone, between])
@pytest.mark.parametrize("fast", [0.05, 3.0])
@pytest.mark.parametrize("measured", [False, True])
def test_all_that_is_near_in_a_step_is_listed(kind, fast, measured):
    """Whatever moves: things as a whole, at up to so many m/s, and round, and vertices against each other; and where
    gaps are `measured` anew.
    """
    rng = np.random.default_rng(1)
    model, state, nodes, own = kind(rng)
    old, surface, on_node = workspace(own, state).old, model.solids.surface, model.solids.on_node
    drift, spin = rng.normal(size=3), rng.normal(size=(len(state.bodies), 3))
    work, anew, x0 = contact_scratch(model, state), 0, nodes.x.copy()
    way = rng.normal(size=x0.shape)
    for k in range(STEPS):
        keep(state, old)
        lay(surface, on_node, nodes.x, 0)
        nodes.x[:] += STEP * fast * (drift + 0.3 * way * np.sin(0.3 * k))
        lay(surface, on_node, nodes.x, 1)
        state.bodies["x"] += STEP * fast * np.cos(0.2 * k + np.arange(len(spin)))[:, None] * drift
        turn = np.column_stack([np.ones(len(spin)), STEP * fast * 2.0 * spin])
        q = product(turn, state.bodies["q"])
        state.bodies["q"] = q / np.linalg.norm(q, axis=1)[:, None]
        while not list_features(model, state, old, work, STEP):
            state = roomier(state, asked(state))
            work = contact_scratch(model, state)
        listing = state.listings[FEATURES]
        anew += listing["time"] == state.clock["time"][0]
        listed = {(p["i"], p["j"]): p["gap"] for p in state.feature_pairs[: listing["count"]]}
        gaps, near = coming(model, state, old, STEP), np.zeros(100_000, PAIR)
        if len(surface.faces):
            fit(surface)
        near = near[: features_near(model, (old.x, old.bodies, (0.0, 0.0)), gaps, near)]
        for pair in near:
            kinds = {first_of(model, pair["i"])[0], second_of(model, pair["j"])[0]}
            own_near = kinds == {SOFT} and of_one(model, pair) == 1
            assert listed[pair["i"], pair["j"]] <= listing["own_near" if own_near else "near"]
            assert kind is not between or kinds == {BODY, SOFT}
        assert len(near) > 0 or kind is lone
        at = old.x, old.bodies, (0.0, 0.0)
        for pair in state.feature_pairs[: listing["count"]] if listing["time"] == state.clock["time"][0] else ():
            assert gap_of(model, pair, at) == pytest.approx(pair["gap"], abs=1e-12)
        if measured:
            measure_anew(model, state, old)
        state.clock["time"] += STEP
    assert 1 <= anew < STEPS
