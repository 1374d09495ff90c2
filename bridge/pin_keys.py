"""Keyframes and drivers of pins go by the numbers of these, which change where one is removed."""

import re

from .foreign_motion import bags, players


def remove(owner, path, number):
    """Remove one of an ID's pins, a collection at `path`, with what moves it; what moves those behind it goes along."""
    owner.path_resolve(path).remove(number)
    of_pin = re.compile(rf"{re.escape(path)}\[(\d+)\](.*)")

    def renumber(curves):
        found = [(match, curve) for curve in curves if (match := of_pin.fullmatch(curve.data_path))]
        for match, curve in sorted(found, key=lambda one: int(one[0][1])):
            if int(match[1]) == number:
                curves.remove(curve)
            elif int(match[1]) > number:
                curve.data_path = f"{path}[{int(match[1]) - 1}]{match[2]}"

    for player in players(owner):
        moved = [match for bag in bags(player) for curve in bag.fcurves if (match := of_pin.fullmatch(curve.data_path))]
        if any(int(match[1]) >= number for match in moved):
            _make_its_own(player)
            for bag in bags(player):
                renumber(bag.fcurves)
    if owner.animation_data:
        renumber(owner.animation_data.drivers)


def _make_its_own(player):
    """Its action, which others may play too."""
    action, slot = player.action, player.action_slot.identifier
    if action.library or action.users - action.use_fake_user > 1:
        player.action = action.copy()
        player.action_slot = player.action.slots[slot]
