"""Rigid bodies as arrays: those that forces move, with the vertices that are welded to them as part of them."""

import numpy as np
from scipy.spatial.transform import Rotation

from ..model import Bodies
from ..rigid_bodies.inertia import combined, principal
from .holds import hold_of, start_frame

BALL = 0.4  # moment of inertia of a ball over m r²: a vertex is that much of a rod's thickness


def lay_down(scene, chains, start, node):
    """The bodies before their slaves are part of them: a list, a dict each; the slaves' masses leave `node`."""
    parts = [_alone(body) for body in scene.bodies]
    for weld in scene.welds:
        rod, chain = scene.rods[weld.rod], chains[weld.rod]
        hold = hold_of(rod, chain, start[weld.rod], weld.vertex)
        held = [hold.node] if weld.mode == "POSITION" else [hold.node, hold.other]
        part = parts[weld.body]
        part["node"] += held
        part["solid"] += [True, not hold.hinged][: len(held)]
    for part in parts:
        own = np.array(part["node"], dtype=np.int64)
        part["slave_mass"] = node["mass"][own]
        spin = BALL * (part["slave_mass"] * node["radius"][own] ** 2).sum()
        part["mass"], part["centre"], part["inertia"] = combined(
            part["mass"], part["position"], part["inertia"] + spin * np.eye(3), node["x"][own], part["slave_mass"]
        )
        node["mass"][own] = node["w"][own] = 0.0
    return parts


def _alone(body):
    return {"position": np.asarray(body.position, float), "mass": body.mass, "inertia": np.asarray(body.inertia, float),
            "coupler": body.mass == 0.0, "drag_area": body.drag_area, "node": [], "solid": [],
            "gravity": 1.0 if body.weights is None else float(body.weights[0]),
            "v": np.zeros(3) if body.v is None else body.v,
            "omega": np.zeros(3) if body.omega is None else body.omega}  # fmt: skip


def body_arrays(scene, chains, start, node, parts, weld_clamp):
    """(Bodies, start state by name) of parts with their final inertia."""
    count = len(parts)
    moments, q = np.ones((count, 3)), np.zeros((count, 4))
    for b, part in enumerate(parts):
        moments[b], q[b] = principal(part["inertia"])
    turn = Rotation.from_quat(np.roll(q, -1, axis=1)) if count else []
    centre = np.array([part["centre"] for part in parts]).reshape(count, 3)
    slave_node = np.array([i for part in parts for i in part["node"]], dtype=np.int64)
    slave_body = np.repeat(np.arange(count), [len(part["node"]) for part in parts])
    arm = np.zeros((len(slave_node), 3))
    grip = np.zeros(len(slave_node))
    for s, (i, b) in enumerate(zip(slave_node, slave_body, strict=True)):
        away = node["x"][i] - centre[b]
        arm[s] = turn[b].inv().apply(away)
        grip[s] = len(parts[b]["node"]) * (1.0 / parts[b]["mass"] + away @ away / moments[b].min())
    holding = np.flatnonzero(weld_clamp >= 0)
    welds = [scene.welds[k] for k in holding]
    m1 = np.zeros((len(welds), 3))
    for k, weld in enumerate(welds):
        edge = hold_of(scene.rods[weld.rod], chains[weld.rod], start[weld.rod], weld.vertex).edge
        m1[k] = turn[weld.body].inv().apply(start_frame(node, edge))
    bodies = Bodies(
        mass=np.array([part["mass"] for part in parts], dtype=float), inertia=moments,
        w=np.array([1.0 / part["mass"] for part in parts], dtype=float),
        gravity=np.array([part["gravity"] for part in parts], dtype=float),
        drag_area=np.array([part["drag_area"] for part in parts], dtype=float),
        slave_start=np.searchsorted(slave_body, np.arange(count + 1)).astype(np.int64), slave_node=slave_node,
        slave_body=slave_body.astype(np.int64), arm=arm, grip=grip,
        solid=np.array([s for part in parts for s in part["solid"]], dtype=bool),
        weld_body=np.array([weld.body for weld in welds], dtype=np.int64), weld_clamp=weld_clamp[holding],
        weld_rod=np.array([weld.rod for weld in welds], dtype=np.int64), weld_m1=m1,
    )  # fmt: skip
    return bodies, _motion(parts, centre, q)


def _motion(parts, centre, q):
    count = len(parts)
    v, momentum = np.zeros((count, 3)), np.zeros((count, 3))
    for b, part in enumerate(parts):
        v[b] = part["v"] + np.cross(part["omega"], centre[b] - part["position"])
        momentum[b] = part["inertia"] @ part["omega"]
    return {"body_x": centre, "body_q": q, "body_v": v, "body_l": momentum}
