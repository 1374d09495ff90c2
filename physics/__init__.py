"""Discrete elastic rods in SI units: a library of its own, without Blender.

    from tendril.physics import Material, Pin, Rod, Scene, simulate

A `scene` is checked (`validate`), laid out as arrays (`assemble`: its `model` and state), brought to where it begins
(`start`) and taken from frame to frame (`run`), in steps (`time_integration`) made of what bends (`rods`), drives
(`forces`), holds (`constraints`, `rigid_bodies`) and touches (`contact`).

`settle_cable` finds the shape in which a rod between handles is at rest (`cables`, solved by `schemes/static`).

Both need numba, `simulate` scipy too, and are imported when they are first asked for: Blender's own process never does.
"""

from importlib import import_module
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
    from .cables.equilibrium import SettledCable, settle_cable
    from .cables.handle import Handle
    from .cables.harness import SettledHarness, settle_harness
    from .cables.lengths import pull_length, set_length
    from .cables.part import Part
    from .cables.pose import fit_to_pose
    from .run.simulate import simulate

__all__ = [
    "CheckpointError",
    "Collider",
    "Floor",
    "ForceField",
    "Frame",
    "Handle",
    "Hold",
    "Material",
    "Notice",
    "Part",
    "Pin",
    "RigidBody",
    "Rod",
    "Scene",
    "SceneError",
    "SettledCable",
    "SettledHarness",
    "Shape",
    "SimulationError",
    "SoftBody",
    "Tie",
    "Weld",
    "fit_to_pose",
    "pull_length",
    "set_length",
    "settle_cable",
    "settle_harness",
    "simulate",
]


_LATE = {
    "simulate": "run.simulate",
    "settle_cable": "cables.equilibrium",
    "SettledCable": "cables.equilibrium",
    "Handle": "cables.handle",
    "settle_harness": "cables.harness",
    "SettledHarness": "cables.harness",
    "Part": "cables.part",
    "set_length": "cables.lengths",
    "pull_length": "cables.lengths",
    "fit_to_pose": "cables.pose",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_LATE[name]}", __name__), name)
