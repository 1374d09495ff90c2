"""What an artist can set, as a table: name, unit, default, range and what more or less of it looks like. No bpy.

The property groups and the checks of preset files are made from these rows. `default` and the ranges are in the unit
that is shown; `si` is how many SI units, `unit`, one shown unit is. The kind of a parameter is the type of its default.
"""

from dataclasses import dataclass
from math import inf, log10


@dataclass(frozen=True)
class Parameter:
    """One setting. Where Blender does not show its unit by itself (`blender_unit`), the label names it if there is
    room in the Properties editor, else the description does.
    """

    name: str
    label: str
    default: float | int | bool | tuple[float, ...]
    description: str
    minimum: float = -inf
    maximum: float = inf
    soft_minimum: float | None = None
    soft_maximum: float | None = None
    unit: str = ""
    si: float = 1.0
    blender_unit: str = "NONE"  # a Blender property subtype: NONE, FACTOR, DISTANCE, TIME_ABSOLUTE, VELOCITY, EULER
    precision: int = 3


def _table(*parameters: Parameter) -> dict[str, Parameter]:
    return {parameter.name: parameter for parameter in parameters}


DECADES = 7  # of what is left of a solid bar's resistance to bending, over the slider
ROPE = 7.3e-5  # what is left of that in a rope of loose strands


def bend_shown(bend_factor: float) -> float:
    """Share of a solid bar's bending stiffness, 10⁻⁷ … 1 → 0 … 1, evenly for the eye: a tenth of it is 1/7 less."""
    return 1.0 + log10(max(bend_factor, 10.0**-DECADES)) / DECADES


def bend_factor(shown: float) -> float:
    """The inverse of `bend_shown`."""
    return 10.0 ** (DECADES * (shown - 1.0))


ROD = _table(
    Parameter(
        "young", "Stiffness (GPa)", 8.8,
        "Young's modulus of the material: how much it resists bending and stretching. "
        "More springs back harder and sags less; less hangs limp. Steel has 200, nylon 3, rubber 0.002",
        1e-6, 2000.0, 0.001, 250.0, unit="Pa", si=1e9, precision=4,
    ),
    Parameter(
        "poisson", "Poisson Ratio", 0.4,
        "How much the material narrows when stretched, which decides how twist compares with bending. "
        "Less resists twisting a little more; rubber has 0.5, metals 0.3, cork 0",
        -0.99, 0.5, 0.0, 0.5,
    ),
    Parameter(
        "density", "Density", 828.0,
        "Mass of a cubic metre, in kg. More hangs heavier and minds the air less; water has 1000, steel 7850",
        0.1, 50000.0, 100.0, 10000.0, unit="kg/m³", precision=1,
    ),
    Parameter(
        "bend_factor", "Bend Factor", ROPE,
        "How much of a solid bar's resistance to bending and twisting is left. "
        "1 is one solid piece; less is a bundle of loose strands, which drapes far more easily; "
        "more is stiffer than such a material can be",
        1e-7, 1e7, 1e-5, 1.0, precision=6,
    ),
    Parameter(
        "twist_factor", "Twist Factor", 1.0,
        "How much of the resistance to twisting is left. 1 is a material that is the same in all directions; "
        "wood, which shears easily along its grain, has 0.2. Less lets branches spin in the wind",
        1e-6, 10.0, 0.01, 1.0,
    ),
    Parameter(
        "parallel_stiffness", "Shear (N)", 0.0,
        "Force that keeps the sections of a spinning rod square to it; others keep them so exactly. "
        "More lets them lean less and takes smaller steps; 0 chooses it for the stiffness and the length of the pieces",
        0.0, 1e9, 0.0, 1e6, unit="N",
    ),
    Parameter(
        "spin_factor", "Spin Inertia", 1.0,
        "How hard it is to make the rod spin about itself, against what its mass says. More lets twist run along it "
        "more slowly, so that it is seen; 1 is as in nature. Of spinning rods and those that roll",
        1e-3, 1e7, 1.0, 10000.0, precision=2,
    ),
    Parameter(
        "aspect", "Aspect", 1.0,
        "Width of the section against its height. 1 is round and bends equally to all sides; "
        "more or less is a ribbon that bends over its flat side and buckles",
        0.02, 50.0, 0.1, 10.0,
    ),
    Parameter(
        "stretchable", "Stretchable", False,
        "Let the rod change its length under load, as its stiffness says. Off keeps the length exactly, "
        "which is faster and right for all but rubber. A spinning rod always stretches, a cable in a bake alone",
    ),
    Parameter(
        "internal_damping", "Internal", 0.006,
        "Time over which bending relaxes inside the material. More stops wobbling sooner without slowing the fall; "
        "zero rings on like a spring",
        0.0, 10.0, 0.0, 0.1, unit="s", blender_unit="TIME_ABSOLUTE", precision=4,
    ),
    Parameter(
        "stretch_damping_factor", "Of Stretching", 1.0,
        "Times what is set for bending, over which a spinning rod's stretching relaxes. "
        "More stops it from shivering along itself; zero lets it ring as long as it will",
        0.0, 1e4, 0.0, 10.0, precision=4,
    ),
    Parameter(
        "twist_damping_factor", "Of Twisting", 1.0,
        "Times what is set for bending, over which a spinning rod's twist relaxes. "
        "More stops it sooner from turning to and fro; zero lets it spin on",
        0.0, 1e4, 0.0, 10.0, precision=4,
    ),
    Parameter(
        "drag_coefficient", "Air Drag", 1.2,
        "Drag of the rod across the air. More drifts and settles slowly; zero swings as in a vacuum. "
        "A smooth round rod has 1.1",
        0.0, 100.0, 0.0, 3.0,
    ),
    Parameter(
        "friction", "Friction", 0.3,
        "Coulomb friction with all that the rod touches. "
        "More makes knots hold and coils stick; zero lets everything slide",
        0.0, 10.0, 0.0, 1.0,
    ),
    Parameter(
        "stiffness_factor", "Stiff Factor", 10.0,
        "How many times as stiff the material is where the weight of points is 1; where it is 0 it is as set above. "
        "Less than 1 is softer",
        1e-4, 1e4, 0.01, 100.0,
    ),
    Parameter(
        "density_factor", "Density Factor", 10.0,
        "How many times as dense the material is where the weight of points is 1; where it is 0 it is as set above. "
        "Less than 1 is lighter",
        1e-3, 1e3, 0.01, 100.0,
    ),
    Parameter(
        "friction_factor", "Friction Factor", 2.0,
        "How many times its friction the rod has where the weight of points is 1; where it is 0 it is as set above. "
        "0 lets it slide there as on ice",
        0.0, 100.0, 0.0, 10.0,
    ),
    Parameter(
        "shape_memory", "Rest Shape", 1.0,
        "What shape the rod has without forces. 0 is straight, like a rope tied in a knot; "
        "1 is as drawn, like a bent wire or a spring",
        0.0, 1.0, 0.0, 1.0, blender_unit="FACTOR",
    ),
    Parameter(
        "spool_radius", "Spool Radius", 0.0,
        "How widely a cable curls without forces where its Rest Shape is straight, as it comes off a spool. "
        "Less curls more tightly; 0 is straight",
        0.0, 1e5, 0.0, 2.0, unit="m", blender_unit="DISTANCE", precision=4,
    ),
    Parameter(
        "spool_direction", "Spool Direction", 0.0,
        "Where to a cable off a spool curls: 0 is where its tilt points, more turns that about the cable",
        -1e5, 1e5, -3.1416, 3.1416, unit="rad", blender_unit="ANGLE",
    ),
    Parameter(
        "natural_twist", "Natural Twist", 0.0,
        "By how much more than drawn the rod is twisted without forces, from end to end. "
        "More winds it up between clamps until it throws loops; keyed it turns like a motor",
        -1e5, 1e5, -100.0, 100.0, unit="rad", blender_unit="ANGLE",
    ),
    Parameter(
        "balanced", "Hold Drawn Shape", False,
        "Take the drawn shape as the one to which gravity has already bent the rod, so that it stands still as drawn. "
        "Off lets the drawn shape sag under its weight",
    ),
    Parameter(
        "touches", "Touch Rods", True,
        "Let this rod touch others and itself. Off lets them pass through it, which is faster",
    ),
    Parameter(
        "rolls", "Roll", False,
        "Let friction turn the rod about itself: a log rolls down a slope, a thread twists between fingers. "
        "Off takes it for so limp that it slides, as ropes do. A spinning rod always rolls",
    ),
    Parameter(
        "rest_length_factor", "Rest Length", 1.0,
        "Length without forces against the drawn length. Less pulls tight between pins, more hangs slack",
        0.05, 20.0, 0.5, 2.0,
    ),
    Parameter(
        "points", "Points", 0,
        "How many pieces of equal length each spline is simulated with, between the points of a polyline too. "
        "More bends more finely and bakes longer; 0 takes the points of the curve as it is drawn",
        0, 10000, 0, 500,
    ),
    Parameter(
        "use_radius", "Set Radius", False,
        "Give the rod one radius of its own instead of the thickness of the curve (bevel depth × point radius × scale)",
    ),
    Parameter(
        "radius", "Radius", 0.005,
        "Radius of the rod in the world. More is stiffer (with the fourth power) and heavier, and touches sooner",
        1e-6, 1000.0, 0.0005, 0.1, unit="m", blender_unit="DISTANCE", precision=4,
    ),
    Parameter(
        "inner_radius", "Inner Radius", 0.0,
        "Radius of the hollow of a tube, in the world, where the rod is thickest; where it is thinner, so is the "
        "hollow. More is lighter, and stiff for its weight; 0 is solid",
        0.0, 1000.0, 0.0, 0.1, unit="m", blender_unit="DISTANCE", precision=4,
    ),
    Parameter(
        "bend_limit", "Tightest Bend", 0.0,
        "How tightly such a cable or hose may be bent, as its maker says. It changes no motion: Messages and a "
        "bake tell where less is reached. 0 is not known",
        0.0, 1000.0, 0.0, 0.5, unit="m", blender_unit="DISTANCE", precision=4,
    ),
    Parameter(
        "tension_limit", "Most Pull (N)", 0.0,
        "How hard such a cable may be pulled, as its maker says. It changes no motion: Messages and a "
        "bake tell where it is pulled harder. 0 is not known",
        0.0, 1e9, 0.0, 1000.0, unit="N",
    ),
    Parameter(
        "transverse_limit", "Most Press (N)", 0.0,
        "How hard such a cable may be pressed across at a place, by what it lies on or what holds it. It changes no "
        "motion: Messages and a bake tell where it is pressed harder. 0 is not known",
        0.0, 1e9, 0.0, 1000.0, unit="N",
    ),
    Parameter(
        "own_length", "Own Length", False,
        "Let the cable find its length between what holds it, by its Tautness. Off keeps the length it has",
    ),
    Parameter(
        "tautness", "Tautness", 0.02,
        "How wide the bends are of a cable that finds its own length: the square root of its stiffness over its "
        "tension. Less is pulled straighter; more sags more, until its weight is too much for it",
        1e-5, 1000.0, 0.001, 1.0, unit="m", blender_unit="DISTANCE", precision=4,
    ),
)  # fmt: skip

HAIR = _table(
    Parameter(
        "guides", "Guides", 1,
        "Simulate every so many-th strand alone, and let the others go with the nearest of these. "
        "More bakes as many times faster, but what is apart goes together; 1 simulates all",
        1, 100000, 1, 100,
    ),
)  # fmt: skip

KEYED = ("young", "internal_damping", "friction", "shape_memory", "natural_twist", "rest_length_factor")  # may be keyed

KEYED_SOFT = ("young", "relaxation")  # of a soft body or sheet

# How the bend factor is shown and dragged; what is stored, in files and presets, is the bend factor.
BEND = Parameter(
    "bend", "Bending", bend_shown(ROPE),
    "How much the rod resists bending and twisting for what it is made of. "
    "0 is a bundle of loose strands, which drapes; a rope has 0.4; 1 is one solid bar. "
    "Each seventh less is ten times softer",
    0.0, 2.0, 0.0, 1.0, blender_unit="FACTOR",
)  # fmt: skip

TREE = _table(
    Parameter(
        "pieces", "Trunk Pieces", 14,
        "How many pieces the trunk is simulated with; thinner branches have shorter ones. "
        "More bends more finely and bakes longer",
        3, 200, 6, 40,
    ),
    Parameter(
        "leaves", "Leaves", 1.0,
        "How many leaves there are, against what is set for each metre of twig. More weighs the twigs down and "
        "catches more wind; 0 is a tree in winter",
        0.0, 100.0, 0.0, 3.0,
    ),
    Parameter(
        "leaf_radius", "Twigs Below", 0.006,
        "Radius below which a branch has leaves. More lets thicker branches have some too",
        0.0, 100.0, 0.0, 0.05, unit="m", blender_unit="DISTANCE", precision=4,
    ),
    Parameter(
        "leaf_mass", "Mass (kg/m)", 0.03,
        "Mass of the leaves on a metre of twig. More sways more slowly",
        0.0, 100.0, 0.0, 0.2, unit="kg/m",
    ),
    Parameter(
        "leaf_drag", "Drag (m²/m)", 0.032,
        "Area of the leaves on a metre of twig times their drag coefficient. More catches more wind",
        0.0, 100.0, 0.0, 0.5, unit="m²/m",
    ),
)  # fmt: skip

PIN = _table(
    Parameter(
        "spline", "Spline", 0,
        "Which spline of the curve is held, counted from 0",
        0, 100000, 0, 20,
    ),
    Parameter(
        "fraction", "Along Length", 0.0,
        "Where along the length the rod is held: 0 is its first point, 1 its last",
        0.0, 1.0, 0.0, 1.0, blender_unit="FACTOR",
    ),
    Parameter(
        "influence", "Influence", 1.0,
        "How firmly the pin holds. Key it to 0 to let go of the rod during the animation, place, direction and twist",
        0.0, 1.0, 0.0, 1.0, blender_unit="FACTOR",
    ),
    Parameter(
        "slides", "Slide", False,
        "Let the rod run through here without friction, as over a small pulley or through a clip, pulled alike on both "
        "sides. Off holds one point of it fast",
    ),
    Parameter(
        "winch", "Winch", False,
        "Reel the rod in and let it out here, by Paid Out. What is reeled in lies at the pin and weighs nothing, at "
        "the first frame what is drawn beyond the length paid out, towards the nearer end",
    ),
    Parameter(
        "paid_out", "Paid Out", 0.0,
        "Length of the rod that is out of the winch, counted from the rod's other end. Key it from its length to less "
        "to reel in; 0 is all of it, as long as it is drawn",
        0.0, 1e6, 0.0, 1000.0, unit="m", blender_unit="DISTANCE",
    ),
    Parameter(
        "max_force", "Max Force (N)", 0.0,
        "Force at which the pin gives way instead of crushing or tearing the rod. "
        "Less gives way sooner; 0 chooses a force for the rod's thickness and stiffness",
        0.0, 1e9, 0.0, 1000.0, unit="N",
    ),
)  # fmt: skip

BODY = _table(
    Parameter(
        "use_density", "Mass by Density", False,
        "Work out the mass from the volume of the shape and the density of its material",
    ),
    Parameter(
        "mass", "Mass (kg)", 1.0,
        "Mass of the whole body. More pulls harder at the rods and is harder to push",
        1e-9, 1e9, 0.001, 1000.0, unit="kg",
    ),
    Parameter(
        "density", "Density", 700.0,
        "Mass of a cubic metre of the body, in kg. More is heavier: cork has 200, wood 700, glass 2500, steel 7850",
        0.001, 50000.0, 10.0, 10000.0, unit="kg/m³", precision=1,
    ),
    Parameter(
        "velocity", "Velocity", (0.0, 0.0, 0.0),
        "How fast and where to the body moves at the first frame, in the world: a push",
        -1e6, 1e6, -20.0, 20.0, unit="m/s", blender_unit="VELOCITY",
    ),
    Parameter(
        "spin", "Spin", (0.0, 0.0, 0.0),
        "By what angle the body turns in a second at the first frame, about the axes of the world",
        -1e4, 1e4, -20.0, 20.0, unit="rad/s", blender_unit="EULER",
    ),
    Parameter(
        "drag_coefficient", "Air Drag", 0.47,
        "Drag against the air, for the area the body shows it. More stops swinging sooner; zero swings as in a vacuum. "
        "A ball has 0.47, a box 1, a parachute 1.4",
        0.0, 100.0, 0.0, 3.0,
    ),
    Parameter(
        "collide", "Collide", True,
        "Let the body touch rods, colliders, the floor and other bodies. Off lets it pass through all of them, "
        "which is faster",
    ),
    Parameter(
        "friction", "Friction", 0.5,
        "Coulomb friction of the body; of what it touches and it, the geometric mean of both. "
        "More stops it where it lands; zero lets it slide as on ice",
        0.0, 10.0, 0.0, 1.0,
    ),
    Parameter(
        "restitution", "Bounciness", 0.0,
        "How fast the body leaves what it strikes, against how fast it came. "
        "1 bounces back to where it fell from, a rubber ball has 0.8; 0 lands without a bounce",
        0.0, 1.0, 0.0, 1.0, blender_unit="FACTOR",
    ),
    Parameter(
        "rolling_resistance", "Roll Resistance", 0.0,
        "Rolling resistance: how far ahead of its middle the ground pushes back at what rolls. More comes to rest "
        "sooner; a football on a lawn has some millimetres, 0 rolls on for ever",
        0.0, 1000.0, 0.0, 0.05, unit="m", blender_unit="DISTANCE", precision=4,
    ),
)  # fmt: skip

STIFFEST_SOFT = 0.499  # Poisson's ratio: beyond it a solid's step is lost on keeping its volume


def squash_shown(poisson: float) -> float:
    """What of its volume a pulled bar gains, for each part that it gets longer: 1 − 2ν."""
    return 1.0 - 2.0 * poisson


def poisson_of(shown: float) -> float:
    """The inverse of `squash_shown`."""
    return 0.5 * (1.0 - shown)


def bulk_and_shear(young: float, poisson: float) -> tuple[float, float]:
    """(K, G) = (E/3(1 − 2ν), E/2(1 + ν)), in the unit of E."""
    return young / (3.0 * (1.0 - 2.0 * poisson)), young / (2.0 * (1.0 + poisson))


def young_and_poisson(bulk: float, shear: float) -> tuple[float, float]:
    """The inverse of `bulk_and_shear`; G is kept where ν would be out of its range."""
    poisson = (3.0 * bulk - 2.0 * shear) / (2.0 * (3.0 * bulk + shear))
    poisson = min(max(poisson, SOFT["poisson"].minimum), SOFT["poisson"].maximum)
    return 2.0 * shear * (1.0 + poisson), poisson


SOFT = _table(
    Parameter(
        "young", "Stiffness (kPa)", 50.0,
        "Young's modulus of the material: how much it resists being pulled and pressed. "
        "More springs back harder and sags less; less wobbles slowly. Jelly has 5, sponge 30, rubber 1500",
        1e-3, 1e9, 1.0, 5000.0, unit="Pa", si=1e3, precision=2,
    ),
    Parameter(
        "poisson", "Poisson Ratio", 0.45,
        "How much the material bulges aside when pressed: 0.5 keeps its volume, 0 does not bulge",
        -0.99, STIFFEST_SOFT, 0.0, STIFFEST_SOFT,
    ),
    Parameter(
        "relaxation", "Damping", 0.01,
        "Time over which a change of shape relaxes inside the material: its viscosity over its stiffness. "
        "More stops wobbling sooner and creeps back slowly, as putty; zero rings on like a spring",
        0.0, 100.0, 0.0, 0.5, unit="s", blender_unit="TIME_ABSOLUTE", precision=4,
    ),
    Parameter(
        "density", "Density", 1000.0,
        "Mass of a cubic metre of the material, in kg. More sags and wobbles more slowly; "
        "foam has 30, cork 200, jelly 1000",
        0.1, 50000.0, 10.0, 3000.0, unit="kg/m³", precision=1,
    ),
    Parameter(
        "friction", "Friction", 0.5,
        "Coulomb friction of the soft body; of what it touches and it, the geometric mean of both. "
        "More stops it where it lands; zero lets it slide as on ice",
        0.0, 10.0, 0.0, 1.0,
    ),
    Parameter(
        "drag_coefficient", "Air Drag", 0.47,
        "Drag against the air, for the area it shows the air. More drifts with the wind and falls more slowly; zero "
        "feels no air. A ball has 0.47, a box 1, a parachute 1.4",
        0.0, 100.0, 0.0, 3.0,
    ),
    Parameter(
        "balanced", "Hold Drawn Shape", False,
        "Take the drawn shape as the one to which gravity has already pulled the body, so that it stands still as "
        "drawn where its pins hold it. Off lets the drawn shape sag under its weight",
    ),
    Parameter(
        "resolution", "Resolution", 10,
        "How many cubes of tetrahedra the longest side of the mesh is divided into. "
        "More bends more finely and bakes longer, by about its fourth power; what is drawn keeps all its points",
        2, 100, 4, 30,
    ),
    Parameter(
        "stiffness_factor", "Stiffness Factor", 10.0,
        "How many times as stiff the material is where the weight in the vertex group is 1; where it is 0, and on all "
        "other vertices, it is as set above. Less than 1 is softer",
        1e-4, 1e4, 0.01, 100.0,
    ),
    Parameter(
        "density_factor", "Density Factor", 10.0,
        "How many times as dense the material is where the weight in the vertex group is 1; where it is 0, and on all "
        "other vertices, it is as set above. Less than 1 is lighter",
        1e-3, 1e3, 0.01, 100.0,
    ),
    Parameter(
        "thickness_factor", "Thickness Factor", 2.0,
        "How many times as thick the sheet is where the weight in the vertex group is 1; where it is 0, and on all "
        "other vertices, it is as set above. Twice as thick bends eight times as hard; what touches it does not see it",
        1e-2, 1e2, 0.1, 10.0,
    ),
    BODY["velocity"],
    BODY["spin"],
    Parameter(
        "thickness", "Thickness (mm)", 2.0,
        "How thick the sheet is, however it is drawn. Twice as much weighs twice and bends eight times as hard; "
        "paper has 0.1, leather 2, a carpet 8",
        1e-3, 1e5, 0.05, 20.0, unit="m", si=1e-3,
    ),
    Parameter(
        "membrane", "Stretch Factor", 1.0,
        "How much of the resistance to being stretched is left; what bends keeps all of it. 1 is the material. Less "
        "takes longer steps and bakes sooner, and stretches more: paper and steel look the same with 0.001",
        1e-6, 1.0, 1e-4, 1.0, precision=5,
    ),
    Parameter(
        "curl", "Curl (1/m)", 0.0,
        "How tightly the sheet is rolled when nothing acts on it, about Curl Axis: one over the radius in metres. More "
        "curls up towards the side its faces look to, less than 0 to the other; 0 is flat, or as it is drawn",
        -1e5, 1e5, -20.0, 20.0, unit="1/m",
    ),
    Parameter(
        "pressure", "Pressure (Pa)", 500.0,
        "Pressure of the gas in it, above that of the air. More blows it up further; a wall that has become 1.4 times "
        "as wide holds ever less, and bursts. Negative sucks it in. A party balloon has 1000, a football 60000",
        -1e8, 1e8, -1000.0, 5000.0, unit="Pa", precision=1,
    ),
    Parameter(
        "gas_density", "Gas (kg/m³)", 1.2,
        "Mass of a cubic metre of the gas. What is lighter than all around lifts: helium has 0.17, hot air 0.95, "
        "air 1.2",
        0.0, 1e4, 0.0, 2.0, unit="kg/m³", precision=2,
    ),
)  # fmt: skip

LOAD = _table(
    Parameter(
        "force", "Force (N)", 1.0,
        "The force along the axis, which may be keyed. Negative pulls back. 10 N lift a kilogram",
        -1e9, 1e9, -100.0, 100.0, unit="N", precision=3,
    ),
    Parameter(
        "torque", "Torque (N m)", 0.0,
        "A torque about the axis, which may be keyed; positive turns as a screw goes that way. On rods and "
        "rigid bodies",
        -1e9, 1e9, -100.0, 100.0, unit="N m", precision=3,
    ),
)  # fmt: skip

SOFT_PIN = _table(
    Parameter(
        "influence", "Influence", 1.0,
        "How firmly the pin holds. Key it to 0 to let go of the vertices during the animation, and back to take them "
        "up again. Once below 1 it holds as firmly as the material itself",
        0.0, 1.0, 0.0, 1.0, blender_unit="FACTOR",
    ),
    Parameter(
        "spring", "Spring", 1000.0,
        "Force with which the whole group is pulled back for each metre that it is off, shared out evenly. "
        "More follows more closely; less lags and wobbles about its place",
        1e-6, 1e9, 1.0, 1e5, unit="N/m", precision=1,
    ),
    Parameter(
        "release", "Release Frame", 100,
        "The frame at which it lets go, and holds nothing any more",
        -1048574, 1048574,
    ),
)  # fmt: skip

# The same two numbers otherwise, as K = E/3(1 − 2ν) and G = E/2(1 + ν); what is stored is E and ν.
MODULI = _table(
    Parameter(
        "bulk", "Bulk Modulus (kPa)", 167.0,
        "How much the material resists being pressed together from all sides. More keeps its volume better: "
        "many times the shear modulus is rubber or jelly, two thirds of it cork",
        1e-3, 1e8, 1.0, 50000.0, unit="Pa", si=1e3, precision=2,
    ),
    Parameter(
        "shear", "Shear Modulus (kPa)", 17.2,
        "How much the material resists changes of its shape. More springs back harder and sags less; "
        "less wobbles slowly",
        1e-3, 1e7, 1.0, 2000.0, unit="Pa", si=1e3, precision=2,
    ),
)  # fmt: skip

# The stiffness of a sheet as it is shown; what is stored is `young`.
SHEET_YOUNG = Parameter(
    "sheet_young", "Stiffness (MPa)", 0.05,
    "Young's modulus of the material: how much it resists being bent and stretched. More springs back harder and sags "
    "less; less drapes. Felt has 1, rubber 5, leather 100, paper 3000, steel 200000",
    1e-6, 1e6, 0.01, 5000.0, unit="Pa", si=1e6, precision=3,
)  # fmt: skip

# How Poisson's ratio is shown and dragged; what is stored, in files and presets, is the ratio.
SQUASH = Parameter(
    "squash", "Squashiness", squash_shown(0.45),
    "How much the volume gives way. 0 keeps its volume and bulges aside when pressed, as rubber and jelly; "
    "1 is pressed together without bulging, as cork and foam",
    squash_shown(STIFFEST_SOFT), 1.0, squash_shown(STIFFEST_SOFT), 1.0, blender_unit="FACTOR",
)  # fmt: skip

COLLIDER = _table(
    Parameter(
        "thickness", "Thickness", 0.0,
        "How far off the surface things stay, besides a rod's radius. More leaves a gap that is seen; 0 is the surface",
        0.0, 1000.0, 0.0, 0.1, unit="m", blender_unit="DISTANCE", precision=4,
    ),
    Parameter(
        "friction", "Friction", 0.5,
        "Coulomb friction of the surface; of a rod on it, the geometric mean of both. "
        "More stops rods where they land; zero is ice",
        0.0, 10.0, 0.0, 1.0,
    ),
)  # fmt: skip

SCENE = _table(
    Parameter(
        "frame_start", "Start", 1,
        "First frame of the bake; the rod starts here from its drawn or settled shape",
        -1048574, 1048574,
    ),
    Parameter("frame_end", "End", 250, "Last frame of the bake", -1048574, 1048574),
    Parameter("use_frame_range", "Frame Range", False, "Bake other frames than the scene's"),
    Parameter(
        "settle", "Settle First", False,
        "Let everything come to rest before the first frame, so that the animation starts calm. "
        "Off starts from the curve as drawn, which then falls or springs",
    ),
    Parameter(
        "keep_swing", "Keep Swing", False,
        "Implicit steps take a tenth as much from what swings and rings, or less. Of explicit steps, which keep it "
        "all, it is greyed out",
    ),
    Parameter(
        "contact", "Rod Contact", True,
        "Rods touch each other and themselves, and rigid bodies all they meet. Off lets them pass through, and is "
        "faster",
    ),
    Parameter(
        "push_apart", "Push Apart", False,
        "Move rigid and soft bodies that are drawn into each other, into a collider or into the floor apart before "
        "the first frame, as far as they have to and no further. Off refuses what overlaps, or lets the first frames "
        "push it apart",
    ),
    Parameter(
        "use_passive_bodies", "Passive Rigid Bodies", False,
        "Let all collide with the passive rigid bodies of Blender's too, with the friction set there and the "
        "collision margin, if that is turned on. Off lets everything fall through them",
    ),
    Parameter("use_floor", "Floor", False, "An endless horizontal floor that rods and rigid bodies fall on"),
    Parameter(
        "floor_height", "Height", 0.0,
        "Height of the floor in the world",
        -1e6, 1e6, -10.0, 10.0, unit="m", blender_unit="DISTANCE",
    ),
    Parameter(
        "floor_friction", "Friction", 0.3,
        "Coulomb friction of the floor. More stops things where they land; zero is ice",
        0.0, 10.0, 0.0, 1.0,
    ),
    Parameter(
        "air_density", "Air (kg/m³)", 1.2,
        "Mass of a cubic metre of what is all around. More slows like water (1000), in which what is lighter floats; "
        "zero is a vacuum",
        0.0, 10000.0, 0.0, 10.0, unit="kg/m³",
    ),
)  # fmt: skip
