"""Which rods, rigid and soft bodies touch a collider. No bpy."""


def may_touch(item, collider):
    """Whether an object is a rod or body that touches this collider, unless it is alone."""
    own = item.tendril
    if not (own.is_rod or own.is_soft or (own.is_body and own.body.motion == "DYNAMIC" and own.body.collide)):
        return False
    chosen = limited_to(item)
    return chosen is None or collider.name in chosen.all_objects


def limited_to(item):
    """The collection that a rod, rigid body or soft body is limited to, or None."""
    own = item.tendril
    settings = own.rod if own.is_rod else own.soft if own.is_soft else own.body if own.is_body else None
    return settings.collision_collection if settings else None
