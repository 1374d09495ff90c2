"""An island of rods that spin and of stiff ones on its way from frame to frame: see beside_spinning."""

from dataclasses import replace
from typing import NoReturn

import numpy as np

from ..assemble import laid_out
from ..assemble.chain_system import no_chains
from ..assemble.coupled import between, between_state
from ..fixed_order import norm
from ..model import COLLIDER, Model, State, changed
from ..scene import REACHES, Notice, Scene
from .coupled_run import CoupledRun
from .island_run import IslandRun
from .parts import Part


class MixedRun(CoupledRun):
    """Advances an island by the steps of rods beside soft bodies, of which there are none."""

    def __init__(self, part: Part, model: Model, state: State, led: np.ndarray, lightened: np.ndarray) -> None:
        """Begin with `state`, which becomes its own. model: of explicit steps; lightened (R,) bool: rods that have an
        effective mass; led: as an IslandRun's.
        """
        world, rods = changed(model.world, reach=REACHES["GOOD"]), changed(model.rods, implicit=lightened)
        self.lighter = model._replace(world=world, rods=rods, chain_system=no_chains())
        super().__init__(part, *_beside_nothing(part.scene, model, state), led)

    @property
    def stepped(self) -> Model:
        return self.lighter

    @property
    def states(self) -> tuple[State, ...]:
        return (self.state,)

    @property
    def models(self) -> tuple[Model, ...]:
        return (self.model,)

    def settle(self) -> list[Notice]:
        """Bring the start to rest, if the scene asks for it, as without soft bodies."""
        notices, begun = IslandRun.settle(self), self.begun
        self._share((self.state, *self.rest))
        self.begun = begun
        return notices

    def _fail(self, status: int, rod: int, other: int, end: float, index: int) -> NoReturn:
        if rod < 0:  # of all that is too slow the fastest
            rod = other = int(self.model.nodes["rod"][norm(self.state.v).argmax()])
        IslandRun._fail(self, status, rod, other, end, index)


def _beside_nothing(scene: Scene, model: Model, state: State) -> tuple[tuple[Model, ...], tuple[State, ...]]:
    """Models and States of rods and bodies, of no soft bodies, and of what is between them."""
    soft, soft_state = laid_out(replace(scene, rods=(), bodies=(), pins=(), welds=(), colliders=(), solver="EXPLICIT"))
    surface = soft.solids.surface._replace(colliders=changed(np.zeros(1, COLLIDER), thickness=model.world["thinnest"]))
    soft = soft._replace(solids=soft.solids._replace(surface=surface))  # of no faces, but as thick as what may touch it
    own = between(model, soft, np.zeros(len(model.nodes), bool))
    return (model, soft, own), (state, soft_state, between_state(own, state))
