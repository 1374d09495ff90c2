"""Mesh objects as soft bodies and sheets: what is inside, its material, and what holds it where."""

from dataclasses import replace

import numpy as np

from ..physics.elements.tetrahedra import volumes
from ..physics.geometry.rounding import elements_of
from ..physics.materials import bulk_modulus, shear_modulus
from ..physics.scene import Sheet, SoftBody, at_elements
from ..physics.validate import SceneError
from ..properties.parameters import KEYED_SOFT, SOFT
from . import evaluated_mesh, fields
from .check_curve import check_matrix
from .check_settings import check_numbers
from .keyed import OF_SOFT, led_by
from .sheets import faces, sheet
from .soft_fit import misfits
from .soft_pins import HELD, guides, nodes_of, pinned_weights
from .soft_surface import relaxed_surface, weights
from .soft_volume import check_relaxed, filling
from .units import to_world

FACTORS = {"stiffness": "stiffness", "density": "weight", "thickness": "thicker"}  # of a SoftBody or Sheet, by group


def soft_objects(context):
    """The soft bodies that take part, in the order of the view layer, as `scene.rod_objects`."""
    return [item for item in context.view_layer.objects if item.tendril.is_soft]


def read_soft(source, aside, copy, units, number, holders, over_time, led):
    """(SoftBody, [SoftGuide], those of what is seen, [Tie], entry, notices) of an object at the present frame, the
    scene's soft body `number`; entry: what `soft_result` has to know; holders: Holders; over_time: what
    a `loads.OverTime` found; led: its numbers that go with time, of KeyedNumbers. Raises SceneError.
    """
    settings, name = source.tendril.soft, source.name
    check_numbers(name, settings, SOFT)
    matrix = aside.matrix(copy)
    check_matrix(name, matrix)
    with evaluated_mesh.mesh_of(aside.evaluated(copy)) as mesh:
        x = units.metres(to_world(matrix, evaluated_mesh.vertices(mesh)))
        triangles = evaluated_mesh.triangles(mesh).astype(np.int64)
        held, painted = pinned_weights(source, mesh), _painted(source, mesh)
        pushes = [(push, _shared(source, mesh, push)) for push in over_time[0].get(source, ())]
    inside = faces(name, x, triangles) if settings.is_sheet else filling(source, x, triangles)
    more = {
        what: 1.0 + (at_most - 1.0) * np.clip(inside.at_nodes(weight), 0.0, 1.0)
        for what, (at_most, weight) in painted.items()
    }
    if settings.relaxed and (settings.is_sheet or not settings.balanced):
        relaxed = to_world(matrix, relaxed_surface(source, aside, copy, len(x)))
        if not settings.is_sheet:
            check_relaxed(name, settings.relaxed, relaxed, triangles)
        more["rest_x"] = inside.led(units.metres(relaxed))
    more |= {
        "friction": settings.friction, "drag_coefficient": settings.drag_coefficient,
        "weights": fields.weights(source.tendril.weights),
        "loads": tuple(push.on_nodes(_nodes(inside, shared)) for push, shared in pushes),
    }  # fmt: skip
    if source in over_time[1]:
        times, pressure = over_time[1][source]
        more |= {
            "times": times, "pressure": pressure, "sealed": settings.sealed, "gas_density": settings.gas_density,
        }  # fmt: skip
    more["keyed"], own = led_by(name, led, OF_SOFT, units)
    now = {each: getattr(aside.evaluated(copy).tendril.soft, each) for each in KEYED_SOFT} | own
    make = sheet if settings.is_sheet else _solid
    body = make(source, inside, matrix, (now["young"] * SOFT["young"].si, now["relaxation"]), **more)
    body = replace(body, v=_thrown(body, units.metres(np.array(settings.velocity)), np.array(settings.spin)))
    entry = {
        "session_uid": source.session_uid, "name": name, "matrix": matrix.tolist(), "nodes": len(body.x),
    }  # fmt: skip
    led, seen, ties = guides(source, aside, copy, inside, number, held, units, holders)
    told = [] if settings.is_sheet else misfits(name, inside, units.metres(1.0))
    notices = [{"object": name, "frame": 0, "text": text} for text in told]
    return body, led, seen, ties, entry, notices


def _solid(source, inside, _matrix, numbers, **more):
    """The SoftBody of a Filling [m]; numbers: E [Pa] and relaxation time [s]; more: its other fields."""
    settings, (young, relaxation) = source.tendril.soft, numbers
    bulk, shear = bulk_modulus(young, settings.poisson), shear_modulus(young, settings.poisson)
    # What hardly lets its volume change loses next to nothing by that: ζ is no more than μ.
    return SoftBody(
        source.name, inside.nodes, inside.tetrahedra, settings.density * inside.volume / inside.filled, young,
        settings.poisson, zeta=relaxation * min(bulk, shear), mu=relaxation * shear,
        balanced=settings.balanced, elements=settings.elements, **more,
    )  # fmt: skip


def _shared(source, mesh, push):
    """(V,) bool, which vertices share a Push, None: all. Raises SceneError."""
    if not push.group:
        return None
    shared = weights(source, mesh, push.group, f"'{source.name}': force '{push.name}' acts on") > HELD
    if not shared.any():
        raise SceneError(
            source.name, f"'{source.name}': force '{push.name}' acts on the vertex group '{push.group}', which has no "
            f"vertex with a weight above {HELD:g}: assign some in edit mode.",
        )  # fmt: skip
    return shared


def _nodes(inside, shared):
    """Numbers (k,) of the nodes of a Filling that go with these vertices (V,), None: all."""
    return np.arange(len(inside.nodes)) if shared is None else nodes_of(inside, shared)


def _thrown(body, velocity, spin):
    """Velocities (n, 3) [m/s] of a SoftBody's nodes that moves at `velocity` (3,) [m/s] and turns about its centre of
    mass at `spin` (3,) [rad/s].
    """
    part = elements_of(body)
    mass = body.masses() if isinstance(body, Sheet) else at_elements(body.weight, part) * volumes(body.relaxed())
    centre = mass @ body.x[part].mean(axis=1) / mass.sum()
    return velocity + np.cross(spin, body.x - centre)


def _painted(source, mesh):
    """{attribute of a SoftBody: (its factor where a weight is 1, weights (V,))} of the groups that are chosen. Raises
    SceneError.
    """
    settings, found = source.tendril.soft, {}
    for name, factor in FACTORS.items():
        group = getattr(settings, f"{name}_group")
        if group and (settings.is_sheet or name != "thickness"):
            own = weights(source, mesh, group, f"'{source.name}' has its {name} from")
            found[factor] = getattr(settings, f"{name}_factor"), own
    return found
