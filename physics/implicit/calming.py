"""What linearly implicit steps take from bending: γ of `effective_mass`.

With (M + β h² K) a + γ h K v = F(x), β = ½ (1 + γ), an oscillation ω decays as by Kelvin–Voigt damping of the
relaxation time γh: in a period it loses 1 − exp(−2π γ ω h) of its energy, while a step resolves it.
"""

CALM = 0.1
