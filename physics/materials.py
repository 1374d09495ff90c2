"""What rods are made of, and the elastic moduli of what is isotropic: pure functions, SI units."""

from dataclasses import dataclass

MOST_POISSON = 0.5 * (1.0 + 2.0**-23)  # where volume is kept, as single precision may have it


@dataclass(frozen=True)
class Material:
    """A rod's material. `bend_factor` is what is left of the solid section's bending and twisting stiffness: ropes
    and cables of loose strands bend far more easily than a solid bar of the same width. `twist_factor` is what is left
    of the twisting stiffness besides: wood shears along its grain far more easily than ν says."""

    young: float  # E [Pa]
    poisson: float  # ν
    density: float  # ρ [kg/m³]
    bend_factor: float = 1.0
    twist_factor: float = 1.0
    internal_damping: float = 0.0  # [s]
    drag_coefficient: float = 1.1
    friction: float = 0.3

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if not -1.0 < self.poisson <= MOST_POISSON:
            raise ValueError(f"Poisson's ratio is {self.poisson:.9g}: it has to be above −1, and 0.5 at most.")

    @property
    def shear(self) -> float:
        """Shear modulus G = E/2(1 + ν) [Pa]."""
        return shear_modulus(self.young, self.poisson)


def bulk_modulus(young: float, poisson: float) -> float:
    """K = E/3(1 − 2ν) [Pa]."""
    return young / (3.0 * (1.0 - 2.0 * poisson))


def shear_modulus(young: float, poisson: float) -> float:
    """G = E/2(1 + ν) [Pa]."""
    return young / (2.0 * (1.0 + poisson))


def young_and_poisson(bulk: float, shear: float) -> tuple[float, float]:
    """(E [Pa], ν) = (9KG/(3K + G), (3K − 2G)/2(3K + G))."""
    return 9.0 * bulk * shear / (3.0 * bulk + shear), (3.0 * bulk - 2.0 * shear) / (2.0 * (3.0 * bulk + shear))
