"""Which meshes follow a cable: a modifier with nodes of ours has it as its input (`bridge/tube_binding`)."""

OURS = "tendril_follows"  # a property that tells these nodes, however they are named


def modifier_of(item):
    """The modifier by which an object follows a cable, or None."""
    nodes = (each for each in item.modifiers if each.type == "NODES" and each.node_group)
    return next((each for each in nodes if OURS in each.node_group), None)
