"""Which meshes follow a cable: a modifier with nodes of ours has it as its input (`bridge/tube_binding`)."""

CABLE = "Cable"  # the input
OURS = "tendril_follows"  # a property that tells these nodes, however they are named


def modifier_of(item):
    """The modifier by which an object follows a cable, or None."""
    nodes = (each for each in item.modifiers if each.type == "NODES" and each.node_group)
    return next((each for each in nodes if is_ours(each.node_group)), None)


def followed(item):
    """What an object follows now, a cable or what shows one, or None."""
    modifier = modifier_of(item)
    if modifier is None:
        return None
    name = input_of(modifier.node_group)
    return getattr(modifier.properties.inputs, name).value if hasattr(modifier, "properties") else modifier.get(name)


def is_ours(nodes):
    """Whether a modifier with such nodes follows what its input names."""
    return OURS in nodes and bool(input_of(nodes))


def input_of(nodes):
    """How the input of such nodes is called in Python, which Blender 5 has in a modifier's `properties`; '': it was
    deleted.
    """
    sockets = (each for each in nodes.interface.items_tree if each.item_type == "SOCKET")
    return next((each.identifier for each in sockets if each.socket_type == "NodeSocketObject"), "")
