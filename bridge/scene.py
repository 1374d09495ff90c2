"""The artist's scene as the description physics is given, and what it takes to show the bake. Changes nothing."""

import os
from dataclasses import replace

import bpy
import numpy as np

from ..bake import samples
from ..bake.index import MOST_FRAMES
from ..physics import validate
from ..physics.materials import Material
from ..physics.scene import Floor, Pin, Pulley, Rod, Scene, Weld
from ..physics.start.push_apart import pushed_apart
from ..physics.validate import SceneError
from ..properties.body import body_with, is_cable, rod_of
from ..properties.colliders import collider_objects
from ..properties.fields import field_objects
from ..properties.instancers import instancers, shown_colliders, simulated_in, takes_no_part
from ..properties.parameters import ROD, SCENE, TREE
from ..properties.thickness import radius_of
from ..trees.tree import Leaves, blunt, join
from . import bodies, deforming, doubled, foreign_motion, hair, painted, rest_pose, soft_bodies
from .bevel import is_bare
from .check_curve import TO_OVERRIDE, check_object
from .check_settings import check_numbers
from .colliders import read_colliders
from .collision_filter import groups_of
from .curves import rod_lines
from .evaluation import side_scene
from .every_frame import look_at
from .fields import read_fields, weights
from .finishing import take_finish
from .guided_hair import ways
from .holds import grows_on, read_holds, roots, roots_beside, taken_up, tied_to, to_soft
from .keyed import KeyedNumbers, keyed_names, with_keys
from .loads import OverTime, is_blown, on_bodies, on_rods
from .look import SPLINE
from .motion import follow
from .pins import RodGuide
from .seen_places import MOST_PLACES, SeenPlaces
from .soft_pins import Holders
from .soft_volume import check_mesh
from .units import Units
from .winches import Winches, is_led, is_winch

SMOOTH = 0.1, 1e-4  # of a rod's radius or its length: how far a pin's way may stray from straight between two samples
HEAVIEST = 1e6  # m/s² of gravity
READ = 1e-5  # of a radius, to which one is read that is drawn in single precision


def rod_objects(context):
    """The objects that take part, in the order of the view layer: hidden ones do, those of excluded collections not."""
    return [item for item in context.view_layer.objects if item.tendril.is_rod]


def taking_part(context):
    """(rods, rigid bodies, soft bodies, those of all that are left out because they are linked from a library)."""
    rods, solids, soft = rod_objects(context), bodies.body_objects(context), soft_bodies.soft_objects(context)
    linked = [item for item in (*rods, *soft, *solids) if item.library]
    return *([item for item in own if item not in linked] for own in (rods, solids, soft)), linked


def frame_range(scene):
    """(first, last) frame of the bake. Raises SceneError: it is reversed, or too long."""
    settings = scene.tendril
    first, last = scene.frame_start, scene.frame_end
    if settings.use_frame_range:
        first, last = settings.frame_start, settings.frame_end
    if last < first:
        raise SceneError(scene.name, f"'{scene.name}' ends at frame {last}, before its start {first}: set a later end.")
    if last - first >= MOST_FRAMES:
        raise SceneError(
            scene.name, f"'{scene.name}' has {last - first + 1} frames, of which a bake keeps {MOST_FRAMES} at most: "
            "set an earlier end.",
        )  # fmt: skip
    return first, last


def read_scene(context, folder=None):
    """(physics Scene, meta): meta is JSON-able and tells `result` whose bake it is and what its numbers mean.

    folder: where the samples of colliders that move are written (see `read_colliders`). Raises SceneError: one
    sentence, which object, what value, what to do; BakeError: they cannot be written.
    """
    context.view_layer.update()  # a script may just have added objects
    scene, (sources, solids, soft, linked) = context.scene, taking_part(context)
    if not (sources or soft) and all(solid.tendril.body.motion == "ANIMATED" for solid in solids):
        _refuse(context, linked)
    for item in (*sources, *solids, *soft):
        _check_of(item)(item)
    first, last = frame_range(scene)
    units = Units.of(scene, first)
    foreign = foreign_motion.check(scene, _leaders(context, sources, solids, soft), [*sources, *solids, *soft], first)
    colliders = [*collider_objects(context.view_layer), *instancers(context.view_layer)]
    groups, collision_filter = groups_of([*sources, *solids, *soft, *colliders])
    with side_scene(scene) as aside:
        shown, shown_bodies, bare = ([aside.copy(source) for source in own] for own in (sources, solids, soft))
        for copy in bare:
            take_finish(copy)
        for copy in filter(hair.is_hair, shown):
            hair.take_finish(copy)
        aside.go(first)
        copied = zip((*sources, *solids, *soft), (*shown, *shown_bodies, *bare), strict=True)
        radii = {item: radius_of(item, aside.evaluated(copy)) for item, copy in copied}
        rods, pinned, welds, entries, owners = [], [], [], [], []
        every = [*sources, *solids, *soft], [*shown, *shown_bodies, *bare]
        numbers = KeyedNumbers([*sources, *soft], aside, [*shown, *bare], first, last)
        loads = OverTime(*every, aside, first, last)
        winches = Winches(sources, aside, shown, first, last, units)
        look_at(aside, first, numbers, loads, winches)
        keyed, over_time = numbers.found(), loads.found(units)
        things, guides, places = read_bodies(solids, aside, shown_bodies, units)
        things = on_bodies(solids, things, over_time[0])
        holders, beside = Holders(solids, {}), []
        for source, copy in zip(sources, shown, strict=True):
            strands = hair.guided(source, aside.evaluated(copy), units) if hair.is_hair(source) else None
            chosen = strands and strands["guides"].tolist()
            lines, own = read_rods(source, aside, copy, units, chosen)
            drawn, numbered = (dict(zip(chosen or range(len(own)), kind, strict=True)) for kind in (lines, own))
            take_up = taking_up(source, aside, (drawn, numbered), units, winches)
            own_pinned, own_welds = read_holds(source, aside, copy, scene, numbered, len(rods), solids, take_up)
            pinned, welds = pinned + own_pinned, welds + own_welds
            held = {(hold.rod - len(rods), hold.vertex) for hold in (*own_pinned, *own_welds)}
            if hair.is_hair(source):
                more, tied = roots(source, aside, copy, own, len(rods), solids, held)
                pinned, welds = pinned + more, welds + tied
                if strands and len(more) + len(tied) == sum(not rod.closed for rod in own):
                    beside.append((strands, roots_beside(more, strands)))
                    if tied:
                        strands["body"], strands["centre"] = tied[0].body, things[tied[0].body].position
            if source.tendril.is_tree:
                tree = read_tree(source, own, units, gravity_of(scene, units), held, len(rods), len(things))
                free = [rod for rod in tree.roots if (rod, 0) not in held]
                pinned += [_root(source, copy, own[rod], len(rods) + rod) for rod in free]
                own, things, welds = tree.rods, things + [*tree.bodies], welds + [*tree.welds]
            entries.append(_entry(source, aside.matrix(copy), lines, units, strands))
            own = on_rods([*own], over_time[0].get(source, ()))
            holders.rods[source] = len(rods), own
            twist, led = aside.evaluated(copy).tendril.rod.natural_twist, keyed.get(source, {})
            own = [with_keys(rod, led, twist, units) for rod in own]
            splines = chosen or range(len(own))
            own = [winches.on_rod(source, spline, rod) for spline, rod in zip(splines, own, strict=True)]
            rods += [replace(rod, group=groups[source]) for rod in own]
            owners += [source.name] * len(own)
        softs, soft_guides, seen, soft_ties, soft_entries, notices = read_softs(
            soft, aside, bare, units, holders, over_time, keyed
        )
        least = min([*map(_tolerance, rods), *map(_soft_tolerance, softs)], default=np.inf)
        led = [*pinned, *guides.values(), *soft_guides, *seen, *(guide for _, own in beside for guide in own)]
        led, more = deforming.on_course(scene, led, [*sources, *soft, *tied_to(sources, solids)], units, last)
        motions, notices = iter(follow(aside, led, units, last, least)), [*notices, *more, *to_soft(sources)]
        found = [*(guide.pin(next(motions)) for guide in pinned), *welds]
        pins, pulleys, welds = (tuple(one for one in found if isinstance(one, of)) for of in (Pin, Pulley, Weld))
        for number, guide in guides.items():
            things[number] = guide.lead(things[number], next(motions))
        holds = tuple(guide.hold(next(motions)) for guide in soft_guides)
        notices += _see(seen, [next(motions) for _ in seen], soft_entries, last, units)
        for strands, own in beside:
            if own:
                strands["roots"] = ways([next(motions) for _ in own], last - units.first_frame + 1)
        fields, more = read_fields(context.view_layer, aside, units, last)
        notices += more + [_left_out(item.name) for item in linked]
        things[: len(solids)] = _grouped(things, solids, groups)
        description = replace(
            _describe(scene, units, last, rods, pins), bodies=tuple(things), welds=welds, pulleys=pulleys,
            fields=fields,
            solids=_grouped(softs, soft, groups), holds=holds, ties=tuple(soft_ties), collision_filter=collision_filter,
        )  # fmt: skip
    notices += rest_pose.notices(scene, {source: own for source, (_, own) in holders.rods.items()}, units)
    led = bodies.led_colliders(solids)
    surfaces, more = read_colliders(context.view_layer, units, last, folder, led, groups, radii)
    description, notices = replace(description, colliders=surfaces), notices + more
    try:
        validate.check(description)
        description, moved = pushed_apart(description)
    except SceneError:
        samples.discard(description)
        raise
    said = [*moved, *validate.notices(description, owners)]
    notices = [*foreign, *_doubled(sources), *notices, *map(vars, said)]
    meta = {
        "process": os.getpid(), "units": vars(units), "sources": entries, "soft": soft_entries, "bodies": places,
        "notices": notices,
    }  # fmt: skip
    return description, meta


def _refuse(context, linked):
    """Raises SceneError: nothing takes part, of all but linked objects."""
    for item in linked[:1]:
        _check_of(item)(item)
    for item in context.view_layer.objects:
        for shown in simulated_in(item)[:1]:
            raise SceneError(item.name, takes_no_part(item, shown))
    cure = "select a curve and press Add Rod, or a mesh and press Add Rigid Body, Add Soft Body or Add Sheet"
    name = context.scene.name
    raise SceneError(name, f"There is no rod, soft or dynamic rigid body in '{name}': {cure}.")


def _check_of(item):
    """What checks an object that takes part."""
    own = item.tendril
    return check_object if own.is_rod else check_mesh if own.is_soft else bodies.check_object


def _leaders(context, sources, solids, soft):
    """The objects followed through the whole bake: targets of pins, bodies that lead, trees, fields, colliders."""
    targets = [pin.target for source in sources for pin in source.tendril.pins if pin.target]
    targets += [pin.target or source for source in soft for pin in source.tendril.soft.pins]
    targets += [load.target or thing for thing in (*sources, *solids, *soft) for load in thing.tendril.loads]
    targets += filter(is_blown, soft)
    targets += filter(None, map(grows_on, sources))
    trees = [source for source in sources if source.tendril.is_tree]
    led = [solid for solid in solids if solid.tendril.body.motion == "ANIMATED"]
    followed = [
        target for target in targets if body_with(target) not in solids and rod_of(target, carried=False) not in sources
    ]
    keyed = [source for source in (*sources, *soft) if keyed_names(source) or is_led(source)]
    unled = [source for source in sources if any(pin.target is None for pin in source.tendril.pins)]
    own = list(dict.fromkeys([*keyed, *unled]))
    surfaces = [*collider_objects(context.view_layer), *shown_colliders(context.view_layer)]
    return [*followed, *own, *trees, *led, *field_objects(context.view_layer), *surfaces]


def _doubled(sources):
    for source in sources:
        if number := doubled.count(source.data):
            yield {"object": source.name, "frame": 0, "text": f"{doubled.told(source.name, number)}."}


def _left_out(name):
    text = f"'{name}' is linked from a library and takes no part: {TO_OVERRIDE}."
    return {"object": name, "frame": 0, "text": text}


def read_bodies(solids, aside, copies, units):
    """([RigidBody], {number: Guide} of those that are animated, [entry]) of body objects. The copies go."""
    read = [bodies.read_body(solid, aside, copy, units) for solid, copy in zip(solids, copies, strict=True)]
    for copy in copies:
        aside.drop(copy)
    guides = {number: guide for number, (_, guide, _) in enumerate(read) if guide}
    return [body for body, _, _ in read], guides, [entry for _, _, entry in read]


def read_softs(soft, aside, copies, units, holders, over_time, keyed):
    """([SoftBody], [SoftGuide], those of what is seen, [Tie], [entry], notices) of soft body objects. Copies go that
    have no SoftGuide.
    """
    found, guides, seen, ties, entries, notices = [], [], [], [], [], []
    for number, (source, copy) in enumerate(zip(soft, copies, strict=True)):
        body, own, its, tied, entry, said = soft_bodies.read_soft(
            source, aside, copy, units, number, holders, over_time, keyed.get(source, {})
        )
        found.append(body)
        entries.append(entry)
        guides, seen, ties, notices = guides + own, seen + its, ties + tied, notices + said
        if own:  # their influence may be keyed
            copy.modifiers.clear()
        else:
            aside.drop(copy)
    return found, guides, seen, ties, entries, notices


def _see(guides, motions, entries, last_frame, units):
    """Let entries of soft bodies know where what is held is seen; yields a notice where that is too much to keep."""
    frames, left = last_frame - units.first_frame + 1, MOST_PLACES
    for number, entry in enumerate(entries):
        own = [k for k, guide in enumerate(guides) if guide.solid == number]
        if len(own) * frames > left:
            text = (
                f"Pins hold {len(own)} vertices of '{entry['name']}' through {frames} frames, too many to show each "
                "where its rig has it: they go with their tetrahedra, up to a part of a cell beside it. Pin fewer."
            )
            yield {"object": entry["name"], "frame": 0, "text": text}
        elif own:
            left -= len(own) * frames
            places = SeenPlaces.of([guides[k] for k in own], [motions[k] for k in own], frames, units)
            entry["seen"] = places.arrays()


def _grouped(things, items, groups):
    """The first of `things`, one read of each of `items`, with their groups."""
    return tuple(replace(thing, group=groups[item]) for thing, item in zip(things, items, strict=False))


def _soft_tolerance(body):
    return SMOOTH[1] * np.ptp(body.x, axis=0).max()


def _tolerance(rod):
    return max(SMOOTH[0] * rod.radius.min(), SMOOTH[1] * np.linalg.norm(rod.edges(), axis=1).sum())


def gravity_of(scene, units):
    """(3,) [m/s²]."""
    return units.metres(np.array(scene.gravity, dtype=np.float64) if scene.use_gravity else np.zeros(3))


def floor_of(scene, units):
    """The Floor of a scene, None where it has none."""
    settings = scene.tendril
    return Floor(units.metres(settings.floor_height), settings.floor_friction) if settings.use_floor else None


def _describe(scene, units, last, rods, pins):
    settings = scene.tendril
    check_numbers(scene.name, settings, SCENE)
    gravity = gravity_of(scene, units)
    if not np.linalg.norm(gravity) <= HEAVIEST:
        text = ", ".join(f"{value:g}" for value in gravity)
        raise SceneError(scene.name, f"'{scene.name}' has a gravity of ({text}) m/s²: set it to about (0, 0, -9.81).")
    return Scene(
        rods=tuple(rods), pins=pins, floor=floor_of(scene, units),
        frame_duration=1.0 / units.fps, frame_count=last - units.first_frame + 1,
        gravity=gravity, air_density=settings.air_density,
        contact=settings.contact, push_apart=settings.push_apart, settle=settings.settle, solver=settings.solver,
        quality=settings.quality,
        keep_swing=settings.keep_swing, treatment=settings.treatment,
    )  # fmt: skip


def read_rods(source, aside, copy, units, chosen=None):
    """The Polylines and Rods of an object, one for each spline, or for those that are chosen."""
    settings, evaluated, is_tree = source.tendril.rod, aside.evaluated(copy), source.tendril.is_tree
    check_numbers(source.name, settings, ROD)
    check_numbers(source.name, source.tendril.tree, TREE)
    drawn = rod_lines(source, evaluated, aside.depsgraph, units)
    numbers = range(len(drawn)) if chosen is None else chosen
    lines = [drawn[number] for number in numbers]
    painted.check(source, lines, drawn)
    settings = evaluated.tendril.rod if keyed_names(source) else settings  # with the values at the frame
    values = {name: getattr(settings, name) * ROD[name].si for name in Material.__dataclass_fields__}
    thickest, rods = max(line.thickness.max() for line in lines), []
    for index, line in zip(numbers, lines, strict=True):
        if len(line.x) < 3:
            text = f"'{source.name}': spline {index} is one straight piece that cannot bend: raise Points in Shape."
            raise SceneError(source.name, text)
        name = source.name if len(lines) == 1 else f"{source.name} {'branch' if is_tree else 'spline'} {index}"
        thickness = blunt(line.thickness) if is_tree else line.thickness
        if is_cable(source) and np.ptp(thickness) < READ * thickness.max():
            thickness = np.full_like(thickness, thickness.mean())  # what slides is the same all along
        radius = _radius(name, settings, evaluated.data, thickness, units)
        if settings.use_radius and (is_tree or (is_cable(source) and is_bare(evaluated.data))):
            radius *= thickness / thickest  # the trunk, or the thickest cable of a harness, has the radius that is set
        hollow = _hollow(source.name, settings, evaluated.data, thickest, units)
        rods.append(Rod.from_material(
            name, line.x, radius, Material(**values), balanced=settings.balanced and not is_cable(source),
            touches=settings.touches, rolls=settings.rolls, aspect=settings.aspect, closed=line.closed,
            stretchable=settings.stretchable,
            inner_radius=hollow * radius, m1=line.m1, twist=line.twist, shape_memory=settings.shape_memory,
            rest_length_factor=settings.rest_length_factor, weights=weights(source.tendril.weights),
            model="kirchhoff" if is_tree else settings.model.lower(), spin_factor=settings.spin_factor,
            stretch_damping_factor=settings.stretch_damping_factor, twist_damping_factor=settings.twist_damping_factor,
            parallel_stiffness=settings.parallel_stiffness or None, bend_limit=units.metres(settings.bend_limit),
            tension_limit=settings.tension_limit, transverse_limit=settings.transverse_limit,
            tautness=units.metres(settings.tautness) if settings.own_length and is_cable(source) else 0.0,
            natural_curvature=_spool(settings, units) if settings.spool_radius and is_cable(source) else None,
            **painted.on_rod(source.name, settings, line, is_cable(source)),
        ))  # fmt: skip
    return lines, rods


def _spool(settings, units):
    """Natural curvature (2,) [1/m] towards the stripe and what is across it."""
    way = settings.spool_direction
    return np.array([np.cos(way), np.sin(way)]) / units.metres(settings.spool_radius)


def read_tree(source, rods, units, gravity, held=(), first_rod=0, first_body=0):
    """The Tree of an object's Rods under gravity (3,) [m/s²]. Raises SceneError."""
    settings = source.tendril.tree
    mass, drag = (settings.leaves * value for value in (settings.leaf_mass, settings.leaf_drag))
    leaves = Leaves(units.metres(settings.leaf_radius), mass, drag)
    return join(source.name, rods, leaves, gravity, first_rod, first_body, held)


def taking_up(source, aside, read, units, winches):
    """How pins of an object, read as {number of a spline: Polyline} and {number: Rod}, take up what they have gripped,
    or reel in, at the present frame.
    """
    lines, rods = read

    def take_up(guide, pin):
        if is_winch(pin):
            return winches.held(pin, rods[pin.spline], guide)
        if not pin.target:
            return guide
        if any(pin.grip):
            aside.scene.view_layers[0].update()  # its follower may be new
        return taken_up(guide, pin.grip, aside.matrix(guide.follower), lines[pin.spline], units, is_cable(source))

    return take_up


def _root(source, copy, rod, number):
    """What ties the foot of a trunk to the place where the object has it."""
    return RodGuide("Root", source.name, number, 0, "TWIST", np.inf, copy, rod.x[0], lambda: 1.0)


def _radius(name, settings, curve, thickness, units):
    """Radius (n,) [m]: bevel depth × point radius × scale, unless the rod has one of its own. Raises SceneError."""
    if settings.use_radius:
        return np.full(len(thickness), units.metres(settings.radius))
    if isinstance(curve, bpy.types.Curves):
        if not thickness.max() > 0.0:
            raise SceneError(name, f"'{name}' has a radius of 0: give it one in Sculpt Mode, or turn on Set Radius.")
        return thickness
    for trouble, found in (
        ("gets its shape from a bevel object", curve.bevel_mode == "OBJECT" and curve.bevel_object),
        ("gets its thickness from a taper object", curve.taper_object),
        ("has no thickness (bevel depth 0)", curve.bevel_depth <= 0.0),
    ):
        if found:
            raise SceneError(name, f"'{name}' {trouble}: turn on Set Radius and give the rod one.")
    thin = int(thickness.argmin())
    if thickness[thin] <= 0.0:
        last = len(thickness) - 1
        where = {0: "its start", last: "its end"}.get(thin, f"{thin / last:.0%} of its length")
        cure = "raise the Radius of the control points there, with Alt S in edit mode, or turn on Set Radius"
        raise SceneError(name, f"'{name}' is drawn to a point, of radius 0, at {where}: {cure}.")
    return curve.bevel_depth * thickness


def _depth(data):
    """What the thickness of a curve's Polyline is a factor of: its bevel depth, of hair 1."""
    return 1.0 if isinstance(data, bpy.types.Curves) else data.bevel_depth


def _hollow(name, settings, curve, thickest, units):
    """Inner radius over the outer one of a rod, whose point radius × scale is `thickest` at most. Raises SceneError."""
    radius = units.metres(settings.radius) if settings.use_radius else _depth(curve) * thickest
    inner = units.metres(settings.inner_radius)
    if not inner < (1.0 - READ) * radius:
        cure = "lower it in Section and Twist, or set it to 0, which is solid"
        raise SceneError(
            name,
            f"'{name}': its Inner Radius is {inner:.4g} m, and its radius {radius:.4g} m where it is thickest: {cure}.",
        )
    return inner / radius


def _entry(source, matrix, lines, units, strands):
    """What `result` has to know of an object whose splines were read as `lines`; strands: of `hair.guided`."""
    looks = [{}] * len(lines)
    if not hair.is_hair(source):
        looks = [{name: getattr(spline, name) for name in SPLINE} for spline in source.data.splines]
    return {
        "session_uid": source.session_uid,
        "name": source.name,
        "hair": hair.is_hair(source),
        "matrix": matrix.tolist(),
        "bevel_depth": _depth(source.data),
        "splines": [
            {
                "closed": line.closed,
                "twist": line.twist.tolist(),
                "lengths": np.linalg.norm(np.diff(line.x, axis=0), axis=1).tolist(),
                "point_radius": units.blender_units(line.thickness).tolist(),
                **look,
            }
            for line, look in zip(lines, looks, strict=True)
        ],
        **({"strands": strands} if strands else {}),
    }
