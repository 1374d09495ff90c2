"""Range and feasibility checks of a Scene: one sentence each, naming the object, the value and the cure. numpy only."""

from collections.abc import Sequence

from ..scene import Notice, Scene, Sheet
from ..scenes.without_cables import without_cables
from .bodies import check_bodies, floating_notices
from .bodies_apart import check_bodies_apart
from .cables import check_cables
from .coincident import check_coincident
from .colliders import check_collider, collider_notices
from .cosserat import check_branches, check_model
from .duration import check_duration, long_bakes
from .errors import CheckpointError, SceneError, SimulationError
from .fields import check_field
from .forecast import Forecast, forecast, implicit_rods, in_words
from .holds import check_holds, check_weld
from .keyed import check_keyed_solids, check_winches
from .kinds import check_kinds
from .limits import Thing, check_magnitudes
from .loads import check_loads
from .overlap import overlaps
from .pins import check_pin
from .pulleys import check_pulley
from .redundancy import check_redundancy
from .rods import check_rod
from .sheets import check_scheme_of_sheets, check_sheet
from .soft_holds import check_soft_holds
from .solids import check_solid, solid_notices
from .solids_apart import check_solids_apart
from .solver import check_solver
from .surroundings import check_surroundings
from .ties import check_tie

__all__ = [
    "CheckpointError",
    "Forecast",
    "SceneError",
    "SimulationError",
    "check",
    "forecast",
    "implicit_rods",
    "in_words",
    "notices",
]


def check(scene: Scene) -> None:
    """Raise SceneError for the first thing wrong with the scene."""
    check_kinds(scene)
    if not scene.deforming and all(body.kinematic for body in scene.bodies):
        raise SceneError("scene", "There is nothing to simulate in the scene: add a rod or a dynamic rigid body.")
    things: tuple[Thing, ...] = (
        scene, *scene.rods, *scene.pins, *scene.bodies, *scene.fields, *scene.solids, *scene.holds,
        *scene.pulleys,
    )  # fmt: skip
    for thing in things:
        check_magnitudes(thing)
    check_surroundings(scene)
    check_solver(scene)
    for rod in scene.rods:
        check_rod(rod)
        check_model(rod)
    for pin in scene.pins:
        check_pin(scene, pin)
    for weld in scene.welds:
        check_weld(scene, weld)
    for pulley in scene.pulleys:
        check_pulley(scene, pulley)
    check_loads(scene)
    check_cables(scene)
    check_bodies(scene)
    check_branches(scene)
    for solid in scene.solids:
        if isinstance(solid, Sheet):
            check_sheet(solid)
        else:
            check_solid(solid)
    check_scheme_of_sheets(scene)
    check_keyed_solids(scene)
    check_soft_holds(scene)
    for tie in scene.ties:
        check_tie(scene, tie)
    for field in scene.fields:
        check_field(field)
    for collider in scene.colliders:
        check_collider(collider)
    check_holds(scene)
    check_winches(scene)
    bare = without_cables(scene)
    check_coincident(bare)
    if not scene.push_apart:  # which else refuses what it finds no room for
        check_bodies_apart(bare)
        check_solids_apart(bare)
    check_redundancy(bare, check_holds(bare))
    check_duration(scene)


def notices(scene: Scene, owners: Sequence[str] | None = None) -> list[Notice]:
    """Notices about a scene that passes `check`: what an artist should know before it is baked.

    owners (R,): names of the objects that the rods are parts of, by default the rods' own.
    """
    bare = without_cables(scene)
    if owners:
        owners = [owner for owner, rod in zip(owners, scene.rods, strict=True) if rod.model != "cable"]
    return [
        *overlaps(bare, owners),
        *collider_notices(bare),
        *solid_notices(bare),
        *floating_notices(scene),
        *long_bakes(scene),
    ]
