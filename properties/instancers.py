"""Objects that show others as instances, among which may be colliders: by a collection, or by Geometry Nodes."""

from .colliders import hindrance, kind_of
from .enabled import enabled_objects

SHOWS_OTHERS = {"OBJECT_INFO", "COLLECTION_INFO"}  # nodes


def instancers(view_layer):
    """The objects of a view layer that may show colliders as instances, as far as that is told without evaluating."""
    scene = view_layer.id_data
    chosen = scene.tendril.collision_collection
    return [
        item
        for item in enabled_objects(view_layer)
        if (chosen is None or item.name in chosen.all_objects)
        and (_shows_collection(item) or _has_nodes(item, scene))
        and not (item.tendril.source or hindrance(item))
    ]


def shown_colliders(view_layer):
    """{instancer: the colliders in the collection that it shows}."""
    scene = view_layer.id_data
    return {item: found for item in instancers(view_layer) if (found := colliders_in(item, scene))}


def unmet(view_layer):
    """(object, collider) of what is shown as instances that nothing meets: on vertices and faces, and as particles."""
    scene = view_layer.id_data
    for item in enabled_objects(view_layer):
        shown = list(item.children) if item.instance_type in {"VERTS", "FACES"} else []
        for system in item.particle_systems:
            settings = system.settings
            shown += [settings.instance_object] if settings.render_type == "OBJECT" and settings.instance_object else []
            if settings.render_type == "COLLECTION" and settings.instance_collection:
                shown += settings.instance_collection.all_objects
        yield from ((item, own) for own in shown if kind_of(own, scene))


def colliders_in(item, scene, seen=frozenset()):
    """The colliders in the collection that an object shows, also those that instances in it show."""
    if not _shows_collection(item) or item in seen:
        return []
    found = []
    for own in item.instance_collection.all_objects:
        found += [own] if kind_of(own, scene) else colliders_in(own, scene, seen | {item})
    return found


def simulated_in(item, seen=frozenset()):
    """The rods and bodies in the collection that an object shows, also those that instances in it show."""
    if not _shows_collection(item) or item in seen:
        return []
    found = []
    for own in item.instance_collection.all_objects:
        found += [own] if simulated_as(own) else simulated_in(own, seen | {item})
    return found


def simulated_as(item):
    """What an object is that is simulated, for sentences; "" of any other."""
    own = item.tendril
    soft = "sheet" if own.soft.is_sheet else "soft body"
    return "rod" if own.is_rod else soft if own.is_soft else "rigid body" if own.is_body else ""


def takes_no_part(item, shown):
    """A sentence: an object shows an instance of another, which is not simulated there."""
    text = f"'{item.name}' shows an instance of the {simulated_as(shown)} '{shown.name}', which takes no part"
    return f"{text}: select '{item.name}' and use Object › Apply › Make Rods and Bodies Real."


def _shows_collection(item):
    return item.instance_type == "COLLECTION" and item.instance_collection is not None


def _has_nodes(item, scene):
    """Whether Geometry Nodes of an object may instance what collides: others, or its own if it does."""
    trees = [modifier.node_group for modifier in item.modifiers if modifier.type == "NODES" and modifier.show_viewport]
    trees = [tree for tree in trees if tree]
    return bool(trees) and (kind_of(item, scene) != "" or any(_shows_others(tree, set()) for tree in trees))


def _shows_others(tree, seen):
    if tree in seen:
        return False
    seen.add(tree)
    inner = [node.node_tree for node in tree.nodes if node.type == "GROUP" and node.node_tree]
    return any(node.type in SHOWS_OTHERS for node in tree.nodes) or any(_shows_others(own, seen) for own in inner)
