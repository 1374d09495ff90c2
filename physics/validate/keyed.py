"""Numbers of rods and soft bodies that go with time: samples that increase, of numbers that these can have."""

import numpy as np

from ..scene import LEAST_PIECE, Keyed, Rod, Scene, SoftBody
from .errors import SceneError
from .samples import check_samples

LABELS = {
    "length": "rest length", "bending": "stiffness", "stretching": "stiffness", "shape": "rest shape",
    "twist": "natural twist", "damping": "internal damping", "friction": "friction", "paid_out": "length paid out",
}  # fmt: skip
RANGES = {  # of what they are times
    "length": (1e-3, 1e3), "bending": (1e-12, 1e12), "stretching": (1e-12, 1e12), "shape": (0.0, np.inf),
    "twist": (-1e6, 1e6), "damping": (0.0, 1e9), "friction": (0.0, 1e9),
}  # fmt: skip
DRAWN = ("length", "bending", "stretching")  # as it holds its drawn shape with its own
PIECES = 2  # between a winch and what holds the rod elsewhere: of vertices, whose masses go with what is out
ROUNDED = 1e-5  # of a length, to which Blender keeps it in single precision
UNHELD = ("shape", "twist")
OF_SOLIDS = ("stretching", "damping")


def check_keyed(rod: Rod) -> None:
    """Raises SceneError."""
    keyed, name = rod.keyed, rod.name
    if keyed is None:
        return
    if rod.model == "cable":
        raise SceneError(name, f"'{name}' hangs at rest in each frame, by numbers that stay: remove their keys.")
    _check_numbers(name, keyed)
    if keyed.shape is not None and rod.shape_memory * keyed.shape.max() > 1.0 + 1e-9:
        most = rod.shape_memory * keyed.shape.max()
        raise SceneError(name, f"'{name}': its rest shape reaches {most:g}: keep it between 0 and 1.")
    if rod.balanced:
        _check_balanced(rod, keyed)
    if keyed.paid_out is not None:
        _check_winch(rod, keyed)


def check_keyed_solids(scene: Scene) -> None:
    """Raises SceneError."""
    for solid in scene.solids:
        if solid.keyed is not None:
            _check_keyed_solid(solid, solid.keyed, scene.scheme)


def _check_keyed_solid(solid: SoftBody, keyed: Keyed, scheme: str) -> None:
    name = solid.name
    if scheme != "VERLET":
        raise SceneError(name, f"'{name}': numbers that go with time are not for {scheme}: choose VERLET.")
    for column, label in LABELS.items():
        if column not in OF_SOLIDS and getattr(keyed, column) is not None:
            raise SceneError(name, f"'{name}': a soft body has no {label} that goes with time: leave it out.")
    _check_numbers(name, keyed)
    if solid.balanced and keyed.stretching is not None and keyed.stretching[0] != 1.0:
        raise SceneError(
            name, f"'{name}' holds its drawn shape with the stiffness of the start: let its keys begin with 1."
        )


def _check_numbers(name: str, keyed: Keyed) -> None:
    check_samples(keyed, dict.fromkeys(LABELS, 0), None, "key it anew")
    for column, (least, most) in RANGES.items():
        values = getattr(keyed, column)
        if values is None:
            continue
        bad = np.flatnonzero((values < least) | (values > most))
        if len(bad):
            when, value = keyed.times[bad[0]], values[bad[0]]
            raise SceneError(
                name,
                f"'{name}': its {LABELS[column]} is {value:g} times its own at {when:.3g} s: keep it between {least:g} "
                f"and {most:g}.",
            )


def _check_winch(rod: Rod, keyed: Keyed) -> None:
    """What can be reeled in at an end."""
    for trouble, found in (
        ("it is a ring: open its curve", rod.closed),
        ("its model is Spinning: choose Normal", rod.model == "cosserat"),
        ("its rest length goes with time: remove these keys", keyed.length is not None),
        ("its rest length is not that as drawn: set it to 1", rod.rest_length_factor != 1.0),
        ("it holds its drawn shape: turn off Hold Drawn Shape", rod.balanced),
        (f"that is at neither end, but at {keyed.winch}: choose 0 or −1", keyed.winch not in (0, -1)),
    ):
        if found:
            raise SceneError(rod.name, f"'{rod.name}' is on a winch, but {trouble}.")


def check_winches(scene: Scene) -> None:
    """Raises SceneError: a winch is not held, or does not keep out what it has to."""
    for r, rod in enumerate(scene.rods):
        if rod.keyed is None or rod.keyed.paid_out is None:
            continue
        end, last = (0, len(rod.x) - 1) if rod.keyed.winch == 0 else (len(rod.x) - 1, 0)
        own = [pin for pin in scene.pins if pin.rod == r]
        if not any(
            pin.vertex == end and pin.mode == "POSITION" and pin.max_force == np.inf and pin.influence is None
            for pin in own
        ):
            text = f"'{rod.name}' is on a winch at its vertex {end}, where no exact pin holds its place: add one."
            raise SceneError(rod.name, text)
        others = [(pin.vertex, pin.name) for pin in own if pin.vertex != end]
        others += [(weld.vertex, weld.name) for weld in scene.welds if weld.rod == r]
        others += [(tie.vertex[1], tie.name) for tie in scene.ties if tie.vertex is not None and tie.vertex[0] == r]
        nearest = min(others, key=lambda one: abs(one[0] - end), default=(last, ""))
        _check_paid_out(rod, rod.keyed.paid_out, end, nearest)
        for pulley in scene.pulleys:
            if pulley.rod == r:
                _check_pulley(rod, rod.keyed.paid_out[0], abs(pulley.vertex - end), pulley.name)


def _check_paid_out(rod: Rod, paid_out: np.ndarray, end: int, held: tuple[int, str]) -> None:
    """Raises SceneError: more than there is, or less than to two vertices before one that is held, of this name."""
    length = np.linalg.norm(rod.edges(), axis=1)
    length = length if end == 0 else length[::-1]
    first = abs(held[0] - end) - PIECES
    least = length[max(first, 0) :].sum() + LEAST_PIECE * length[max(first - 1, 0)]
    name, most = rod.name, length.sum()
    if first < 1 and held[1]:
        text = f"'{held[1]}' holds it {abs(held[0] - end)} pieces from there: hold it {PIECES + 1} from there at least"
        raise SceneError(name, f"'{name}' is on a winch, but {text}.")
    if first < 1:
        raise SceneError(name, f"'{name}' is on a winch, but has too few pieces: raise Points.")
    if paid_out.max() > (1.0 + ROUNDED) * most:
        out, cure = paid_out.max(), "key less Paid Out, or draw it longer"
        raise SceneError(name, f"'{name}' is {most:.4g} m long, and its winch pays out {out:.4g} m: {cure}.")
    if paid_out.min() < least:
        why = f"as far as from what '{held[1]}' holds" if held[1] else f"the length of {PIECES} pieces"
        text = f"its winch pays out {paid_out.min():.4g} m only: key a Paid Out of {least:.4g} m at least"
        raise SceneError(name, f"'{name}': {text}, {why}.")


def _check_pulley(rod: Rod, out: float, pieces: int, name: str) -> None:
    """Raises SceneError: so many pieces before a pulley, which has to be behind the edge at the winch, however long
    that is, there is too little out at the start [m].
    """
    length = np.linalg.norm(rod.edges(), axis=1)
    behind = length[pieces:] if rod.keyed is not None and rod.keyed.winch == 0 else length[: len(length) - pieces]
    between, least = out - behind.sum(), (1.0 + LEAST_PIECE) * length.max()
    if between < least:
        text = f"its winch pays out {out:.4g} m at the start, {max(between, 0.0):.4g} m as far as '{name}'"
        cure = f"key {behind.sum() + least:.4g} m at least, or raise Points"
        raise SceneError(rod.name, f"'{rod.name}': {text}: {cure}.")


def _check_balanced(rod: Rod, keyed: Keyed) -> None:
    """What holds its drawn shape has its own numbers at the start, and a rest shape found for these."""
    for column in (*DRAWN, *UNHELD):
        values = getattr(keyed, column)
        if values is not None and (column in UNHELD or values[0] != 1.0):
            raise SceneError(
                rod.name,
                f"'{rod.name}' holds its drawn shape by a rest shape of its own, and its {LABELS[column]} is keyed: "
                "turn off Hold Drawn Shape, or remove the keys.",
            )
