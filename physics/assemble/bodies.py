"""Rigid bodies as arrays: those that forces move, with the vertices that are welded to them as part of them."""

from typing import Any

import numpy as np

from ..arithmetic.fixed_order import dot
from ..arithmetic.quaternions import turned_back
from ..model import BODY, BODY_STATE, SLAVE, WELD, changed
from ..rigid_bodies.inertia import combined, principal
from ..scene import RigidBody, Rod, Scene
from .holds import Hold, hold_of, start_frame

BALL = 0.4  # moment of inertia of a ball over m r²: a vertex that turns with a body is that much of a rod's thickness


def gather_slaves(scene: Scene, rods: np.ndarray, node: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    """The bodies before their slaves are part of them: a list, a dict each; the slaves' masses leave `node`."""
    parts = [_alone(body) for body in scene.bodies]
    for weld in scene.welds:
        hold, part = hold_of(rods, weld), parts[weld.body]
        directors = weld.mode == "TWIST" and hold.ghost < 0 and rods["cosserat"][weld.rod]
        part["node"].append(hold.node)
        if directors:
            part["spin"] += spin_of_edge(scene.rods[weld.rod], hold, rods["first"][weld.rod], node)
        elif weld.mode != "POSITION" or part["coupler"]:
            part["turning"].append(hold.node)
        if weld.mode != "POSITION":
            part["ghost" if hold.ghost >= 0 else "node"].append(hold.ghost if hold.ghost >= 0 else hold.second)
            part["turning"] += [hold.second] * (hold.ghost < 0 and not directors)
    for part in parts:
        own, turning = (np.array(part[name], dtype=np.int64) for name in ("node", "turning"))
        part["slave_mass"] = node["mass"][own]
        pulled = part["mass"] * part["gravity"] + dot(part["slave_mass"], node["gravity"][own])
        spin = part["spin"] + BALL * (node["mass"][turning] * node["radius"][turning] ** 2).sum() * np.eye(3)
        part["mass"], part["centre"], part["inertia"] = combined(
            part["mass"], part["position"], part["inertia"] + spin, node["x"][own], part["slave_mass"]
        )
        part["gravity"] = pulled / part["mass"]
        node["mass"][own] = node["w"][own] = 0.0
    return parts


def spin_of_edge(rod: Rod, hold: Hold, first: int, node: dict[str, np.ndarray]) -> np.ndarray:
    """I₃ t tᵀ (3, 3) [kg m²] of an edge whose directors turn as its body does."""
    e = node["x"][hold.second] - node["x"][hold.node]
    own = rod.director_inertia
    about = node["spin"][hold.node] if own is None else own[hold.node - first, 1]
    spin: np.ndarray = about / dot(e, e) * np.outer(e, e)
    return spin


def _alone(body: RigidBody) -> dict[str, Any]:
    return {"position": np.asarray(body.position, float), "mass": body.mass, "inertia": np.asarray(body.inertia, float),
            "coupler": body.mass == 0.0, "drag_area": body.drag_area, "node": [], "turning": [], "ghost": [],
            "spin": np.zeros((3, 3)),
            "gravity": 1.0 if body.weights is None else float(body.weights[0]),
            "v": np.zeros(3) if body.v is None else body.v,
            "omega": np.zeros(3) if body.omega is None else body.omega}  # fmt: skip


def body_arrays(
    scene: Scene,
    rods: np.ndarray,
    node: dict[str, np.ndarray],
    frames: dict[str, np.ndarray],
    parts: list[dict[str, Any]],
    weld_clamp: np.ndarray,
    clamps: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(BODY (B,), SLAVE (S,), WELD (W,), BODY_STATE (B,) at the start) of parts with their final inertia;
    rods learn what carries their ghost edges, clamps what turns them.
    """
    count = len(parts)
    moments, q = np.ones((count, 3)), np.zeros((count, 4))
    for b, part in enumerate(parts):
        moments[b], q[b] = principal(part["inertia"])
    centre = np.array([part["centre"] for part in parts]).reshape(count, 3)
    slaves = np.zeros(sum(len(part["node"]) for part in parts), SLAVE)
    slaves["node"] = [i for part in parts for i in part["node"]]
    slaves["body"] = np.repeat(np.arange(count), [len(part["node"]) for part in parts])
    for s, (i, b) in enumerate(zip(slaves["node"], slaves["body"], strict=True)):
        away = node["x"][i] - centre[b]
        slaves["arm"][s] = turned_back(q[b], away)
        slaves["grip"][s] = _held(parts[b]) * (1.0 / parts[b]["mass"] + dot(away, away) / moments[b].min())
    end = np.searchsorted(slaves["body"], np.arange(count + 1))
    bodies = changed(
        np.zeros(count, BODY), inertia=moments, first_slave=end[:-1], end_slave=end[1:],
        w=[1.0 / part["mass"] for part in parts], start=np.hstack([centre, q]),
        **{name: [part[name] for part in parts] for name in ("mass", "gravity", "drag_area")},
    )  # fmt: skip
    holding = [k for k, weld in enumerate(scene.welds) if weld.mode != "POSITION"]
    welds = np.zeros(len(holding), WELD)
    for row, k in zip(welds, holding, strict=True):
        weld, hold = scene.welds[k], hold_of(rods, scene.welds[k])
        edge, turn = frames["edge"][hold.frame], q[weld.body]
        row["body"], row["rod"], row["clamp"] = weld.body, weld.rod, weld_clamp[k]
        row["ghost"], row["frame"] = hold.ghost, hold.frame
        row["edge"], row["m1"] = turned_back(turn, edge), turned_back(turn, start_frame(frames, hold.frame))
        grip = _held(parts[weld.body]) / moments[weld.body].min()
        if hold.ghost >= 0:
            rods["grip"][weld.rod, hold.ghost % 2] = grip * dot(edge, edge)
        if weld_clamp[k] >= 0:
            clamps["grip"][weld_clamp[k]] = grip
    return bodies, slaves, welds, _motion(parts, centre, q)


def _held(part: dict[str, Any]) -> int:
    """How many slaves and ghost edges a body has."""
    return len(part["node"]) + len(part["ghost"])


def _motion(parts: list[dict[str, Any]], centre: np.ndarray, q: np.ndarray) -> np.ndarray:
    now = changed(np.zeros(len(parts), BODY_STATE), x=centre, q=q)
    for row, part, middle in zip(now, parts, centre, strict=True):
        row["v"] = part["v"] + np.cross(part["omega"], middle - part["position"])
        row["l"] = dot(part["inertia"], part["omega"])
    return now
