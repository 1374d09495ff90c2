"""Which cables hang together: those that pins tie to the same body, which hangs on them."""

from ..physics.scenes.linked import together
from ..properties.body import body_with


def hanging_on(cables):
    """The bodies that hang on cables, each once."""
    targets = [body_with(pin.target) for cable in cables for pin in cable.tendril.pins]
    return [*dict.fromkeys(body for body in targets if body and body.tendril.body.motion == "SUSPENDED")]


def in_groups(cables, among):
    """[[cables that hang together]]: of all that are `among` these, the groups that have one of `cables`."""
    among = [*dict.fromkeys([*cables, *among])]
    bodies = hanging_on(among)
    links = [(k, len(among) + bodies.index(body)) for k, cable in enumerate(among) for body in hanging_on([cable])]
    found = [[among[k] for k in own if k < len(among)] for own in together(links, len(among) + len(bodies))]
    return [own for own in found if any(cable in own for cable in cables)]
