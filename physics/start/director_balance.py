"""Rest strains of Cosserat rods that hold a shape as hinges would: see rest_in_equilibrium.

Forces on vertices and moments in a rod do not depend on its model. At a hinge, the pull P on the edge e before it and
the torque τ on its frame turn that edge by e × P + τ t, and so has the joint there to turn its directors:

    R A M̃ = e × P + τ t,    û = u − K⁻¹ M    (elements/bending_and_torsion; A⁻¹ = Aᵀ/(1 + z)², and
    M = J⁻¹ M̃ = (M̃ − 2 b′ (1 + z) σ·M̃ σ)/b).

What pulls an edge across, P of both hinges, the parallel constraint takes up: d₃ leans towards it by the α for which
l κ ∂G/∂α = 2 l κ (x + x³) = |e| P with x = tan(α/2) (elements/spinning_segment), a cubic whose one root is
x = (2/√3) sinh(⅓ arsinh((3√3/4) |e| P/l κ)).
"""

import numpy as np

from ..arithmetic.fixed_order import norm
from ..arithmetic.quaternions import turned_back
from ..elements.bending_and_torsion import bow, onto_behind, rodrigues, turn
from ..model import Model, State
from ..rods.chain import frame_behind, frame_edges, hinges_of
from ..rods.moment_loads import bent, moments


def balance_directors(model: Model, state: State, balanced: np.ndarray) -> Model:
    """The Model in which balanced Cosserat rods, (R,) bool, have strains that hold them as its hinges would; directors
    lean as they have to, but those that are led, state.q in place.
    """
    model = model._replace(bends=model.bends.copy(), segments=model.segments.copy())
    for r in np.flatnonzero(balanced & model.rods["cosserat"]):
        _balance(model, state, r)
    return model


def _balance(model: Model, state: State, r: int) -> None:
    """Of rod r, in place."""
    rod, n = model.rods[r], model.rods["last"][r] - model.rods["first"][r] + 1
    node = np.arange(*hinges_of(model.rods, r, state.ghosts))
    at = bent(model, state, node)
    load = -np.einsum("kc,kcu->ku", moments(model, node, at.strain), at.jacobian)
    e = at.edges[:, 0]
    torque = np.cross(e, load[:, :3]) + load[:, 6:7] * e / norm(e)[:, None]
    edges = frame_edges(model.rods, state.ghosts, state.x)
    pull = np.zeros_like(edges)
    np.add.at(pull, frame_behind(model.rods, node) - 1, load[:, :3])
    np.add.at(pull, frame_behind(model.rods, node), load[:, 3:6])
    if rod["closed"]:
        pull[rod["last"] + r + 1] += pull[rod["frame"]]
    own = np.arange(rod["segment"] + 1, rod["segment"] + n + int(rod["closed"]))
    frame = rod["frame"] + own - rod["segment"]
    model.segments["length"][own] = model.edges["length"][model.segments["tail"][own]]
    _lean(model, state, own, edges[frame], pull[frame] * ~state.fixed[frame, None])
    joint = rod["bend"] + (node - rod["first"] - int(rod["closed"])) % n
    for k, twisted in zip(joint, torque, strict=True):
        bend = model.bends[k]
        one, other = state.q[bend["before"]], state.q[bend["behind"]]
        s = rodrigues(tuple(one.tolist()), tuple(other.tolist()), bend["sign"])
        moment = np.array(onto_behind(s, tuple(turned_back(one, twisted).tolist()))) / (1.0 + np.dot(s, s)) ** 2
        bend["rest"] = np.array(turn(s)) / bend["length"] - _own_moments(np.array(s), moment) / bend["stiffness"]


def _own_moments(s: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """M of M̃ (3,) at σ (3,)."""
    z = float(np.sum(s * s))
    twice = bow(z) - 1.0 / (1.0 + z)
    found: np.ndarray = (moment - twice * (1.0 + z) * np.sum(s * moment) * s) / (1.0 - z * bow(z))
    return found


def _lean(model: Model, state: State, own: np.ndarray, e: np.ndarray, pull: np.ndarray) -> None:
    """Lean the directors of segments (m,) from their edges e (m, 3) towards what pulls these across, (m, 3)."""
    t, size = e / norm(e)[:, None], norm(pull)
    segments = model.segments[own]
    root3, pulled = np.sqrt(3.0), norm(e) * size / (segments["length"] * segments["parallel"])
    half = np.arctan(2.0 / root3 * np.sinh(np.arcsinh(0.75 * root3 * pulled) / 3.0))
    axis = np.sin(half)[:, None] * np.cross(t, pull / np.where(size > 0.0, size, 1.0)[:, None])
    w, q = np.cos(half), state.q[own]
    state.q[own, 0] = w * q[:, 0] - np.sum(axis * q[:, 1:], axis=1)
    state.q[own, 1:] = w[:, None] * q[:, 1:] + q[:, :1] * axis + np.cross(axis, q[:, 1:])
