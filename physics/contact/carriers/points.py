"""All that carries the two points of a CONTACT, by its numbers (see `scratch`): each carrier that has a part in it
says, or does, its own.

In all kernels `held` is what `body` has it, and `frames` what `frame` has.
"""

import numpy as np

from ..._jit import kernel
from ...arithmetic.vectors import Vector
from ...constraints.length_system import has_lengths
from ...constraints.scratch import ConstraintScratch
from ...model import Model, OldState, State
from ...rigid_bodies.scratch import WeldedScratch
from ...rods.scratch import ElasticScratch
from ..scratch import BODY, FRAMES, HELD, VERTICES, ContactScratch
from . import body, body_surface, chain, frame
from .body import Held

Carried = tuple[ElasticScratch, WeldedScratch, ConstraintScratch]  # what frames, what is welded, and chains fill


@kernel(forceinline=True)
def carriers(row: np.record) -> int:
    """Of both points of a CONTACT."""
    return row.carrier[0] | row.carrier[1]


@kernel(forceinline=True)
def moved(row: np.record, x: np.ndarray, x0: np.ndarray, held: Held, frames: np.ndarray) -> Vector:
    """How far [m] the first point of a CONTACT has moved against the second since x0 (N, 3)."""
    by, rx, ry, rz = carriers(row), -row.drift[0], -row.drift[1], -row.drift[2]
    if by & VERTICES:
        a, b, c = chain.moved(row, x, x0)
        rx, ry, rz = rx + a, ry + b, rz + c
    if by & HELD:
        a, b, c = body.moved(row, held)
        rx, ry, rz = rx + a, ry + b, rz + c
    if by & BODY:
        a, b, c = body_surface.moved(row, held)
        rx, ry, rz = rx + a, ry + b, rz + c
    if by & FRAMES:
        a, b, c = frame.moved(row, frames)
        rx, ry, rz = rx + a, ry + b, rz + c
    return rx, ry, rz


@kernel(forceinline=True)
def push(row: np.record, x: np.ndarray, w: np.ndarray, held: Held, frames: np.ndarray, f: Vector) -> None:
    """Push all that carries the points of a CONTACT by the impulse f [kg m] on its first one and its reaction."""
    by = carriers(row)
    if by & VERTICES:
        chain.push(row, x, w, f)
    if by & HELD:
        body.push(row, held, f)
    if by & BODY:
        body_surface.push(row, held, f)
    if by & FRAMES:
        frame.push(row, frames, f)


@kernel
def weigh(row: np.record, nodes: np.ndarray, w: np.ndarray, held: Held) -> None:
    """Which bodies hold vertices of a CONTACT, and how easily all that carries its points lets them move, but frames
    (see `frame.take`). Nodes behind those of the NODE table are of soft bodies.
    """
    for k in range(4):
        if row.share[k] != 0.0 and row.node[k] < len(nodes):
            row.slave[k] = nodes[row.node[k]].slave
            if row.slave[k] >= 0:
                row.carrier[k // 2] |= HELD
    by = carriers(row)
    row.weight = row.slide = chain.mobility(row, w) if by & VERTICES else 0.0
    if by & HELD:
        along, across = body.mobility(row, held)
        row.weight += along
        row.slide += across
    if by & BODY:
        along, across = body_surface.mobility(row, held)
        row.weight += along
        row.slide += across


@kernel
def answer(model: Model, state: State, old: OldState, carried: Carried, work: ContactScratch, k: int, h: float) -> None:
    """What the carriers do in round k of a step of h [s], by what has been pushed since they last answered."""
    elastic, welded, constraints = carried
    if has_lengths(model):
        body.answer(model, state, old, welded, constraints, work.pushes, h)
    chain.answer(model, state, constraints, work.answered, k)
    frame.answer(model, state, elastic, work.frames, h)
