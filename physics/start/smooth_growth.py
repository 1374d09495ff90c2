"""Which way rods grow: the motion that gives their edges new lengths and turns them least against each other.

With u the displacements of what can move, t and l the edges' directions and lengths, g how much longer each is to be,
relatively, and the second difference of what a motion does to the directions weighed with the bending stiffness,

    min ½ Σ_i k_i |(Δu/l − g t)_i − (Δu/l − g t)_{i−1}|² + ½ Σ_p s (u_p − d_p)²    with    t_j·Δu_j = g_j l_j,

so a free rod is scaled, and one between two pins bows out as smoothly as it was drawn. Along the rods' own edges
instead (the metric of masses) lengths would grow by the backward heat equation, into kinks. It is solved a few times
over (Newton), for the lengths are not linear in u.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from ..arithmetic.fixed_order import product
from ..arithmetic.sparse import scattered
from ..model import FREE, HELD, Model, State
from ..rods.chain import frame_behind, frame_edges, heads, rod_of
from ..rods.moment_loads import differences, hinges_of_rods

PIN = 1e2  # how much harder a yielding pin holds than bending
LOOSE = 1e-3  # of the softest bending: what keeps a free rod where it is
DEPENDENT = 1e-10  # compliance of a length, of the stiffest bending's: where others fix it already
TURN = 0.25  # rad, of an edge in one solution
CLOSE = 1e-7  # relative error of the lengths that is left
GROWTH_ROUNDS = 12


class Growth:
    """The motions of a model's rods that are not `held`: node by node, and of rigid bodies as a whole."""

    def __init__(self, model: Model, state: State, edges: np.ndarray) -> None:
        """edges (k,): nodes that the edges which change their lengths leave."""
        self.model, self.rods, self.nodes = model, model.rods, model.nodes
        self.of, self.count = _movers(model, state)
        tail, head = edges, heads(model.rods, edges)
        apart = self.of[tail] != self.of[head]
        self.tail, self.head = tail[apart], head[apart]
        self.tension = np.zeros(len(self.tail))
        rods, n = model.rods, len(self.of)
        movers = sp.csr_matrix((np.ones(n), (np.arange(n), self.of)), (n, self.count + 1))
        self.moves = (differences(rods) @ movers)[:, : self.count]
        self.frame = frame_behind(rods, self.tail)
        self.loose = _least(model.rods, self.of, self.count)
        self.inner = hinges_of_rods(model, state, np.isin(np.arange(len(rods)), rod_of(rods, edges)))
        self.before = frame_behind(rods, self.inner) - 1
        held = model.pins[state.holds["state"] != FREE]
        held = held[self.of[held["node"]] < self.count]
        self.pinned, self.place = held["node"], model.samples[held["first_sample"], :3]

    def toward(self, state: State, length: np.ndarray) -> np.ndarray:
        """Displacements (N + B, 3) [m] of nodes and bodies from where they are; length (N,) [m]: what the edges are to
        be.
        """
        moved = np.zeros((self.count + 1, 3))
        for _ in range(GROWTH_ROUNDS):
            here = state.x + moved[self.of]
            size = np.linalg.norm(here[self.head] - here[self.tail], axis=1)
            error = np.abs(length[self.tail] / size - 1.0).max(initial=0.0)
            if error < CLOSE:
                break
            step = self._solve(here, state.ghosts, length)
            turn = np.linalg.norm(step[self.of[self.head]] - step[self.of[self.tail]], axis=1) / size
            moved[:-1] += min(1.0, TURN / max(turn.max(), 1e-300)) * step[:-1]
        bodies = len(self.model.bodies)
        return np.vstack([moved[self.of], moved[self.count - bodies : self.count]])

    def _solve(self, x: np.ndarray, ghosts: np.ndarray, length: np.ndarray) -> np.ndarray:
        """One solution (movers + 1, 3), the last of what is held; the tensions it takes stay for the next one."""
        n, of = self.count, self.of
        edge = frame_edges(self.rods, ghosts, x)
        size = np.linalg.norm(edge, axis=1)
        t = edge / size[:, None]
        gap = x[self.head] - x[self.tail]
        distance = np.linalg.norm(gap, axis=1)
        longer, gap = length[self.tail] - distance, gap / distance[:, None]
        before, behind = self.before, self.before + 1
        grown = self._grown(longer / distance)[:, None] * t
        k = np.sqrt(self.model.hinges["bend"][self.inner])
        bend = sp.diags(k / size[behind]) @ self.moves[behind] - sp.diags(k / size[before]) @ self.moves[before]
        root = np.sqrt(self.tension / distance)
        taut = sp.diags(root) @ self.moves[self.frame]
        hardest = bend.power(2).sum(axis=0).max()
        (press, depth), hard = self._behind_walls(x), PIN * hardest
        spring = np.repeat(self.loose[:, None], 3, axis=1)
        spring[of[self.pinned]] = hard
        pull = bend.T @ (k[:, None] * (grown[behind] - grown[before])) + taut.T @ ((root * longer)[:, None] * gap)
        pull[of[self.pinned]] += hard * (self.place - x[self.pinned])
        pull += (press.T @ (hard * depth)).reshape(n, 3)
        K = sp.kron(bend.T @ bend + taut.T @ taut, sp.identity(3)) + sp.diags(spring.ravel()) + hard * press.T @ press
        column = 3 * np.stack([of[self.tail], of[self.head]])[..., None] + np.arange(3)
        each, size = np.arange(len(gap))[:, None], (len(gap), 3 * n + 3)
        C = scattered(np.stack([-gap, gap])[:, :, None], each, column, size)[:, : 3 * n]
        system = sp.bmat([[K / hardest, C.T], [C, -DEPENDENT * sp.identity(len(gap))]], format="csc")
        given, solver = np.concatenate([pull.ravel() / hardest, longer]), splu(system)
        found = solver.solve(given)
        found += solver.solve(given - system @ found)  # the softest and the hardest are far apart
        self.tension = hardest * np.maximum(found[3 * n :], 0.0)
        return np.vstack([found[: 3 * n].reshape(n, 3), np.zeros((1, 3))])

    def _grown(self, relative: np.ndarray) -> np.ndarray:
        """How much longer the edge of each frame is to be (M,), relatively."""
        grown, rings = np.zeros(len(self.of) + len(self.rods)), self.rods[self.rods["closed"]]
        grown[self.frame] = relative
        grown[rings["frame"]] = grown[frame_behind(self.rods, rings["last"])]  # met twice
        return grown

    def _behind_walls(self, x: np.ndarray) -> tuple[sp.csr_matrix, np.ndarray]:
        """(rows (k, 3 movers), how far displacements come out of a wall; depths (k,) [m]) of free vertices that are
        behind one.
        """
        vertex = (self.nodes["w"] > 0.0) & (self.of < self.count)
        vertex[self.pinned] = False
        n, plane = self.model.planes["n"], np.sum(self.model.planes["point"] * self.model.planes["n"], axis=1)
        depth = plane + self.nodes["radius"][:, None] - product(x, n.T)
        low, wall = np.nonzero(vertex[:, None] & (depth > 0.0))
        column, each = 3 * self.of[low][:, None] + np.arange(3), np.arange(len(low))[:, None]
        return scattered(n[wall][:, None], each, column, (len(low), 3 * self.count)), depth[low, wall]


def _least(rods: np.ndarray, of: np.ndarray, count: int) -> np.ndarray:
    """What keeps each mover (count,) [N/m] where it is: a trifle of the softest bending of its rods."""
    nodes = rods["last"] - rods["first"] + 1.0
    soft = LOOSE * rods["bend_max"] / (rods["longest"] ** 3 * nodes**4)
    least = np.full(count + 1, soft.max())
    np.minimum.at(least, of, np.repeat(soft, rods["last"] - rods["first"] + 1))
    return least[:count]


def _movers(model: Model, state: State) -> tuple[np.ndarray, int]:
    """(mover (N,) of each node, how many there are): vertices, then bodies; that number itself is what is held."""
    slaves, pins = model.slaves, model.pins
    free = model.nodes["w"] > 0.0
    exact = pins[state.holds["state"] == HELD]
    free[exact["node"]] = False
    free[exact["second"][exact["second"] >= 0]] = False
    number = np.cumsum(free) - 1
    count = int(free.sum())
    of = np.where(free, number, -1)
    of[slaves["node"]] = count + slaves["body"]
    count += len(model.bodies)
    of[of < 0] = count
    return of, count
