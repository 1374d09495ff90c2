"""Blender's force fields as physics is given them, with their animated values; what it does not know is named."""

from math import inf

import numpy as np

from ..physics.arithmetic.quaternions import continuous
from ..physics.scene import FIELD_KINDS, FIELD_SHAPES, ForceField
from ..physics.validate import SceneError
from ..properties.fields import field_objects
from .motion import PER_FRAME
from .units import quaternion

STRONGEST = 1e6  # m/s or m/s²


def weights(settings):
    """(6,) of a TendrilWeights: gravity, then FIELD_KINDS."""
    kinds = [settings.all * getattr(settings, kind.lower()) for kind in FIELD_KINDS]
    return np.array([settings.gravity, *kinds], dtype=np.float64)


def read_fields(view_layer, aside, units, last_frame):
    """(ForceFields, notices) of a view layer; a notice is what a warning message of a bake says.

    Raises SceneError when a field's object is scaled to zero or nowhere (NaN).
    """
    notices = list(_left_out(view_layer))
    items = [item for item in field_objects(view_layer) if _acts(item.field)]
    copies = [_stripped(aside.copy(item)) for item in items]
    frames = np.linspace(units.first_frame, last_frame, (last_frame - units.first_frame) * PER_FRAME + 1)
    samples = [[] for _ in items]
    for frame in frames if items else ():
        aside.go(frame)
        for item, copy, rows in zip(items, copies, samples, strict=True):
            matrix = aside.matrix(copy)
            _check(item.name, matrix, frame)
            numbers = _numbers(aside.evaluated(copy).field, units)
            _check_numbers(item.name, numbers, frame)
            rows.append((matrix, numbers))
    fields = tuple(
        _field(item.name, item.field, units, frames, rows) for item, rows in zip(items, samples, strict=True)
    )
    for item, field in zip(items, fields, strict=True):
        notices += _without_effect(item, field, view_layer.id_data)
    return fields, [{"object": name, "frame": 0, "text": text} for name, text in notices]


def _stripped(copy):
    """A copy whose field is evaluated, and not its mesh. (Of an object that another merely follows it is not.)"""
    copy.modifiers.clear()
    return copy


def _acts(field):
    return field.type in FIELD_KINDS and field.shape in FIELD_SHAPES and field.apply_to_location


def _left_out(view_layer):
    """Notices of fields that do not act at all."""
    for item in field_objects(view_layer):
        field, kinds = item.field, item.field.bl_rna.properties["type"].enum_items
        if field.type not in FIELD_KINDS:
            text = f"'{item.name}' is a field of type {kinds[field.type].name}, which does not act: "
            yield item.name, text + "use Wind, Force, Vortex, Turbulence or Drag."
        elif field.shape not in FIELD_SHAPES:
            shape = field.bl_rna.properties["shape"].enum_items[field.shape].name
            yield item.name, f"'{item.name}' does not act with shape {shape}: set it to Point, Line or Plane."
    for item in view_layer.objects:
        for system in item.particle_systems:
            fields = (system.settings.force_field_1, system.settings.force_field_2)
            if any(field and field.type not in {"NONE", "BOID"} for field in fields):
                text = f"The force fields of '{item.name}' particles do not act: use a force field object."
                yield item.name, text


def _without_effect(item, field, scene):
    """Notices of what changes nothing about a field that acts."""
    if field.kind == "WIND" and scene.tendril.air_density == 0.0:
        yield item.name, f"'{item.name}' moves nothing without air: give '{scene.name}' an Air density above 0."
    if item.field.use_absorption:
        yield item.name, f"'{item.name}' acts behind objects too: its Absorption changes nothing."
    flow = np.unique(field.flow)
    if field.kind == "WIND" and np.any((flow != 0.0) & (flow != 1.0)):
        text = f"'{item.name}' has Flow {flow[-1]:g}, which carries as Flow 1 does, at its Strength: set it to 1."
        yield item.name, text


def _check(name, matrix, frame):
    for trouble, found in (
        ("is not a number", not np.all(np.isfinite(matrix))),
        ("has a scale of 0", abs(np.linalg.det(matrix[:3, :3])) <= 1e-12 * np.linalg.norm(matrix[:3, :3]) ** 3),
    ):
        if found:
            raise SceneError(name, f"The force field '{name}' {trouble} at frame {frame:g}: change its animation.")


def _check_numbers(name, numbers, frame):
    for key, value in numbers.items():
        label = key.replace("_", " ")
        if not (np.isfinite(value) or (value > 0.0 and key in {"max_distance", "radial_max"})):
            raise SceneError(
                name, f"The force field '{name}': its {label} is not a number at frame {frame:g}: change it."
            )
        if key in {"strength", "noise"} and abs(value) > STRONGEST:
            text = f"its {label} is {value:g} at frame {frame:g}: keep it below {STRONGEST:g}."
            raise SceneError(name, f"The force field '{name}': {text}")


def _numbers(field, units):
    """Everything about a field that may be animated, in SI, by the names of ForceField."""
    length, rate = units.metres(1.0), field.type in {"VORTEX", "DRAG"}
    across = 1.0 if field.falloff_type == "CONE" else length  # degrees or metres
    push = 1.0 if rate else length
    return {
        "strength": push * field.strength,
        "noise": push * field.noise,
        "flow": field.flow,
        "size": length * (field.size or 1.0),
        # Blender names the two the wrong way round.
        "linear_drag": field.quadratic_drag,
        "quadratic_drag": field.linear_drag / length,
        "power": field.falloff_power,
        "min_distance": length * field.distance_min if field.use_min_distance else 0.0,
        "max_distance": length * field.distance_max if field.use_max_distance else inf,
        "radial_power": field.radial_falloff,
        "radial_min": across * field.radial_min if field.use_radial_min else 0.0,
        "radial_max": across * field.radial_max if field.use_radial_max else inf,
    }


def _field(name, field, units, frames, rows):
    """A ForceField of what was read at `frames`; what stays the same becomes one number."""
    matrices = np.stack([matrix for matrix, _ in rows])
    still = np.ptp(matrices, axis=0).max() < 1e-12
    numbers = {key: np.array([row[key] for _, row in rows], dtype=np.float64) for key in rows[0][1]}
    numbers = {key: float(values[0]) if np.all(values == values[0]) else values for key, values in numbers.items()}
    kept = slice(1) if still and all(isinstance(values, float) for values in numbers.values()) else slice(None)
    return ForceField(
        name, field.type, units.seconds(frames)[kept], units.metres(matrices[kept, :3, 3]),
        continuous(quaternion(_axes(matrices[kept]))), **numbers,
        shape=field.shape, falloff=field.falloff_type, side=field.z_direction, seed=field.seed,
        world_fixed=field.use_global_coords, gravitation=field.use_gravity_falloff, unit=units.metres(1.0),
    )  # fmt: skip


def _axes(matrices):
    """Rotations (k, 3, 3) that keep the z axis of what may also be stretched and mirrored (k, 4, 4)."""
    z = matrices[:, :3, 2] / np.linalg.norm(matrices[:, :3, 2], axis=1, keepdims=True)
    x = matrices[:, :3, 0] - np.sum(matrices[:, :3, 0] * z, axis=1, keepdims=True) * z
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, np.cross(z, x), z], axis=2)
