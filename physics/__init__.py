"""Discrete elastic rods in SI units: a library of its own, without Blender.

    from tendril.physics import Material, Pin, Rod, Scene, simulate

A `scene` is checked (`validate`), laid out as arrays (`assemble`: its `model` and state), brought to where it begins
(`start`) and taken from frame to frame (`run`), in steps (`time_integration`) made of what bends (`rods`), drives
(`forces`), holds (`constraints`, `rigid_bodies`) and touches (`contact`).

`simulate`, which needs numba and scipy, is imported when it is first asked for: Blender's own process never does.
"""

from typing import TYPE_CHECKING, Any

from .materials import Material
from .scene import (
    Collider,
    Floor,
    ForceField,
    Frame,
    Hold,
    Notice,
    Pin,
    RigidBody,
    Rod,
    Scene,
    Shape,
    SoftBody,
    Tie,
    Weld,
)
from .validate.errors import CheckpointError, SceneError, SimulationError

if TYPE_CHECKING:
    from .run.simulate import simulate

__all__ = [
    "CheckpointError",
    "Collider",
    "Floor",
    "ForceField",
    "Frame",
    "Hold",
    "Material",
    "Notice",
    "Pin",
    "RigidBody",
    "Rod",
    "Scene",
    "SceneError",
    "Shape",
    "SimulationError",
    "SoftBody",
    "Tie",
    "Weld",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name != "simulate":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .run.simulate import simulate

    return simulate
