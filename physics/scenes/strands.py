"""Strands: rods that nothing joins and nothing touches. Implicit steps take them side by side, some thousand vertices
together, for all their steps are the same ones. numpy only.
"""

from ..scene import Scene

SIDE_BY_SIDE = 2560  # vertices: fewer, and a part takes longer to begin a step than to take it


def strands(scene: Scene) -> list[int]:
    """Numbers of the rods that are simulated side by side by implicit steps; not of those that fall while the others
    settle.
    """
    never = (
        {weld.rod for weld in scene.welds}
        | {tie.vertex[0] for tie in scene.ties if tie.vertex is not None}
        | {r for r, rod in enumerate(scene.rods) if scene.contact and rod.touches}
    )
    if scene.settle:
        never |= set(range(len(scene.rods))) - {pin.rod for pin in scene.pins}
    return [r for r in range(len(scene.rods)) if r not in never]
