"""A scene without its cables: what is simulated in time, which no cable moves."""

from dataclasses import replace

from ..scene import Scene


def cables_of(scene: Scene) -> list[int]:
    """The numbers of the rods that are cables."""
    return [r for r, rod in enumerate(scene.rods) if rod.model == "cable"]


def without_cables(scene: Scene) -> Scene:
    """The scene with its other rods alone, and what holds these; itself where it has no cable."""
    left = [r for r, rod in enumerate(scene.rods) if rod.model != "cable"]
    if len(left) == len(scene.rods):
        return scene
    number = {r: k for k, r in enumerate(left)}
    return replace(
        scene,
        rods=tuple(scene.rods[r] for r in left),
        pins=tuple(replace(pin, rod=number[pin.rod]) for pin in scene.pins if pin.rod in number),
        welds=tuple(replace(weld, rod=number[weld.rod]) for weld in scene.welds if weld.rod in number),
        ties=tuple(
            tie if tie.vertex is None else replace(tie, vertex=(number[tie.vertex[0]], tie.vertex[1]))
            for tie in scene.ties
        ),
    )
