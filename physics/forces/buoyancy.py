"""Buoyancy and added mass of what is all in one fluid, air or water (Lamb, *Hydrodynamics*, ch. VI; Newman, *Marine
Hydrodynamics*, ch. 4).

What displaces the volume V of a fluid of density ρ is lifted by the weight of that fluid, and moves some of it along:

    (m + C ρ V) a = (m − ρ V) g + all other forces.

C is 1 across a long cylinder, which is how slender things move (along itself it is 0), and ½ of a sphere, which stands
for all that is not slender (of a sheet that goes broadside it is far too little). So in the fluid a thing has the mass
m + C ρ V; gravity, and force fields, which accelerate
its own mass, act on it as if by less. The fluid is taken to be at rest, or to flow evenly: what accelerates with it
feels its own inertia only.

Masses and densities are what scales tell in ordinary air. It takes a thousandth of what a rope weighs and adds as much
to its inertia, which is left out there and in what is thinner: a scene in it follows laws of a vacuum, but for drag.
"""

from dataclasses import replace

import numpy as np

from ..scene import FIELD_KINDS, RigidBody, Rod, Scene, Shape, Sheet, SoftBody

CYLINDER, SPHERE = 1.0, 0.5  # C
ORDINARY_AIR = 1.3  # [kg/m³] at most: at 0 °C and 1 atm, 1.29


def immersed(scene: Scene) -> Scene:
    """The Scene with the masses and weights that its things have in what is around; itself in ordinary air."""
    density = scene.air_density
    if density <= ORDINARY_AIR:
        return scene
    return replace(
        scene,
        rods=tuple(_rod(rod, density) for rod in scene.rods),
        bodies=tuple(_body(body, density) for body in scene.bodies),
        solids=tuple(_solid(solid, density) for solid in scene.solids),
    )


def _rod(rod: Rod, density: float) -> Rod:
    share = density * rod_volume(rod) / float(rod.mass.sum())
    more = 1.0 + CYLINDER * share
    spin = rod.spin_factor / more  # the fluid does not spin with it
    return replace(rod, mass=more * rod.mass, spin_factor=spin, weights=_weights(rod, share, more))


def _body(body: RigidBody, density: float) -> RigidBody:
    if body.kinematic or body.mass == 0.0:  # a coupler is as heavy as what is welded to it
        return body
    share = density * body_volume(body) / body.mass
    more = 1.0 + SPHERE * share
    return replace(body, mass=more * body.mass, weights=_weights(body, share, more))


def _solid(solid: SoftBody, density: float) -> SoftBody:
    heavy = 1.0 if solid.weight is None else _mean_weight(solid)
    share = density / (solid.density * heavy)
    more = 1.0 + SPHERE * share
    return replace(solid, density=more * solid.density, weights=_weights(solid, share, more))


def _weights(thing: Rod | RigidBody | SoftBody, share: float, more: float) -> np.ndarray:
    """Weights (6,) of what displaces this share of its own mass, and has so many times its own."""
    weights = np.ones(1 + len(FIELD_KINDS)) if thing.weights is None else np.array(thing.weights, float)
    weights[0] *= 1.0 - share
    accelerating = [0, *(1 + k for k, kind in enumerate(FIELD_KINDS) if kind != "WIND")]  # wind moves the air itself
    weights[accelerating] /= more
    return weights


def rod_volume(rod: Rod) -> float:
    """[m³] of what is within its surface: of a tube, whose ends are closed, all of it."""
    area = np.pi * rod.aspect * rod.radius**2
    length = rod.lengths()
    return float(np.sum(0.5 * (area + np.roll(area, -1))[: len(length)] * length))


def body_volume(body: RigidBody) -> float:
    """[m³] of what a RigidBody displaces."""
    if body.volume is not None:
        return body.volume
    return 0.0 if body.shape is None else shape_volume(body.shape)


def shape_volume(shape: Shape) -> float:
    """[m³] within a Shape: what its triangles enclose, by the divergence theorem, and what is within its radius of
    them (Steiner's formula of convex bodies to the second order; exact for a sphere and a capsule). 0: it is open.
    """
    corner = np.asarray(shape.points, float)[np.asarray(shape.triangles)]
    a, b, c = np.moveaxis(corner - corner.reshape(-1, 3).mean(axis=0), 1, 0)
    double = np.cross(b - a, c - a)
    area = 0.5 * np.linalg.norm(double, axis=1).sum()
    r = shape.radius
    if area == 0.0:  # points, and segments, which hang together
        length = np.linalg.norm(b - a, axis=1)
        balls = np.sum(length == 0.0) + bool(np.any(length > 0.0))
        return np.pi * r**2 * float(length.sum()) + 4.0 / 3.0 * np.pi * r**3 * float(balls)
    _, same = np.unique(np.asarray(shape.points, float), axis=0, return_inverse=True)
    start = same.reshape(-1)[np.asarray(shape.triangles)]
    end, count = np.roll(start, -1, axis=1), len(shape.points)
    if not np.array_equal(np.sort(start * count + end, axis=None), np.sort(end * count + start, axis=None)):
        return 0.0  # an edge that no other triangle goes along the other way
    return abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6.0 + area * r


def _mean_weight(solid: SoftBody) -> float:
    """Mean over the volume of the factor of its density."""
    if isinstance(solid, Sheet):
        return float(solid.masses().sum() / (solid.density * solid.volumes().sum()))
    a, b, c, d = np.moveaxis(solid.relaxed(), 1, 0)
    volume = np.abs(np.einsum("ij,ij->i", b - a, np.cross(c - a, d - a)))
    assert solid.weight is not None
    return float(np.average(np.asarray(solid.weight)[solid.tetrahedra].mean(axis=1), weights=volume))
