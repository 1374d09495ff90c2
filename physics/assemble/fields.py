"""Force fields, and how much of them acts on each rod, rigid and soft body, as arrays."""

from collections.abc import Sequence

import numpy as np

from ..forces.fields import COLUMNS, GROUP, LINE, SAMPLED, VALUES, VORTEX, Fields
from ..scene import FIELD_FALLOFFS, FIELD_KINDS, FIELD_SHAPES, ForceField, RigidBody, Rod, Scene, SoftBody

FAR_AWAY = 1e300  # m in place of infinity, which cannot be interpolated
SIGNS = {"BOTH": 0, "POSITIVE": 1, "NEGATIVE": -1}


def field_arrays(scene: Scene) -> Fields:
    """The scene's force fields."""
    fields = scene.fields
    kind = np.array([FIELD_KINDS.index(f.kind) for f in fields], dtype=np.int64)
    shape = np.array([FIELD_SHAPES.index(f.shape) for f in fields], dtype=np.int64)
    leading = (kind == VORTEX) & (shape != 0)
    return Fields(
        kind=kind, shape=np.where(leading, LINE, shape), leading=leading,
        falloff=np.array([FIELD_FALLOFFS.index(f.falloff) for f in fields], dtype=np.int64),
        side=np.array([SIGNS[f.side] for f in fields], dtype=np.int64),
        world_fixed=np.array([f.world_fixed for f in fields], dtype=bool),
        gravitation=np.array([f.gravitation for f in fields], dtype=bool),
        seed=np.array([f.seed for f in fields], dtype=np.int64),
        unit=np.array([f.unit for f in fields], dtype=np.float64),
        track=np.cumsum([0, *(len(f.times) for f in fields)]).astype(np.int64),
        times=np.concatenate([np.zeros(0), *(f.times for f in fields)]),
        samples=np.concatenate([np.zeros((0, COLUMNS)), *(_samples(f) for f in fields)]),
        frame_duration=np.array([scene.frame_duration]),
    )  # fmt: skip


def _samples(field: ForceField) -> np.ndarray:
    """(k, COLUMNS): position, rotation with neighbours on the same half of the sphere, and the numbers."""
    rows = np.empty((len(field.times), COLUMNS))
    rows[:, :3], rows[:, 3:VALUES] = field.position, field.rotation
    flips = np.sum(rows[1:, 3:VALUES] * rows[:-1, 3:VALUES], axis=1) < 0.0
    rows[1:, 3:VALUES] *= np.where(np.cumsum(flips) % 2 == 1, -1.0, 1.0)[:, None]
    for column, name in enumerate(SAMPLED, VALUES):
        rows[:, column] = np.minimum(getattr(field, name), FAR_AWAY)
    return rows


def groups(
    things: Sequence[Rod | RigidBody | SoftBody], first: np.ndarray, end: np.ndarray, stream: np.ndarray
) -> np.ndarray:
    """GROUP (G,) of rods or bodies, whose points are first : end (G,)."""
    rows = np.zeros(len(things), GROUP)
    rows["first"], rows["end"], rows["stream"], rows["weights"] = first, end, stream, 1.0
    for row, thing in zip(rows, things, strict=True):
        if thing.weights is not None:
            row["weights"] = thing.weights
    return rows
