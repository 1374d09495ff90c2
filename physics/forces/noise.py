"""Noise: Perlin's improved gradient noise (Perlin 2002, *Improving Noise*), summed to turbulence as Blender's
force field does, and random numbers that depend on nothing but what they are for.

The permutation was measured: it is the one with which `mathutils.noise` ('PERLIN_NEW') comes out.
"""

from math import floor

import numpy as np

from .._jit import kernel

_PERMUTATION = np.frombuffer(bytes.fromhex(
    "a2a0193bf8ebaaeef31c67281ded00de952edc3f3a82354d6cba36d0f60c7932d159f4088b63892fb8b49783f28f18c751146587"
    "482042a880b54013b2227e57bc7f6b9d864cc8db7cd5254e5a557450cdb37abbc3cbb6e2e4ecfd980b96d39e5ca164f18161e1c4"
    "2472498c904b843438ab78ca1f01d79311c158a931f9446dbf339c5f0994a38506c69a1e7b461530272b1b713c5bd66f62ac4fc2"
    "c00eb123a7df47b0776905e9e6e776730ffe6e9b56ef12a537fcaed9038edd10b9cec98dda2abd68179fbed40accd2e8433d70b7"
    "027d99d80d608a042c3e92e5af5307e029a6c5e3f5f74a41266a165e522d21adf091ffea54fa661a4539cf75a488fb5d"
), dtype=np.uint8)  # fmt: skip
_EDGES = np.array(
    [(1, 1, 0), (-1, 1, 0), (1, -1, 0), (-1, -1, 0), (1, 0, 1), (-1, 0, 1), (1, 0, -1), (-1, 0, -1),
     (0, 1, 1), (0, -1, 1), (0, 1, -1), (0, -1, -1), (1, 1, 0), (0, -1, 1), (-1, 1, 0), (0, -1, -1)],
    dtype=np.float64,
)  # fmt: skip
LATTICE = np.tile(_PERMUTATION.astype(np.int64), 2)  # (512,)
GRADIENT = _EDGES[LATTICE & 15]  # (512, 3), of a corner whose last sum of the hash is the index

OCTAVES = 3
LOUDNESS = 4.0 / 7.0  # 1/(1 + ½ + ¼), so that all octaves together stay within ±1


@kernel
def corner(i: int, x: float, y: float, z: float) -> float:
    """Gradient of corner i times the way (x, y, z) from there."""
    return GRADIENT[i, 0] * x + GRADIENT[i, 1] * y + GRADIENT[i, 2] * z


@kernel
def perlin(x: float, y: float, z: float) -> float:
    """Improved Perlin noise in about [−1, 1], 0 at integer points, period 256."""
    fx, fy, fz = floor(x), floor(y), floor(z)
    i, j, k = int(fx) & 255, int(fy) & 255, int(fz) & 255
    x, y, z = x - fx, y - fy, z - fz
    u = x * x * x * (x * (x * 6.0 - 15.0) + 10.0)
    v = y * y * y * (y * (y * 6.0 - 15.0) + 10.0)
    w = z * z * z * (z * (z * 6.0 - 15.0) + 10.0)
    a, b = LATTICE[i] + j, LATTICE[i + 1] + j
    aa, ab, ba, bb = LATTICE[a] + k, LATTICE[a + 1] + k, LATTICE[b] + k, LATTICE[b + 1] + k
    p, q, r = x - 1.0, y - 1.0, z - 1.0
    n00, n10 = corner(aa, x, y, z), corner(ba, p, y, z)
    n01, n11 = corner(ab, x, q, z), corner(bb, p, q, z)
    m00, m10 = corner(aa + 1, x, y, r), corner(ba + 1, p, y, r)
    m01, m11 = corner(ab + 1, x, q, r), corner(bb + 1, p, q, r)
    n0, n1 = n00 + u * (n10 - n00), n01 + u * (n11 - n01)
    m0, m1 = m00 + u * (m10 - m00), m01 + u * (m11 - m01)
    n, m = n0 + v * (n1 - n0), m0 + v * (m1 - m0)
    return n + w * (m - n)


@kernel
def turbulence(x: float, y: float, z: float) -> float:
    """Σ 2⁻ᵏ perlin(2ᵏ x), k = 0, 1, 2, over its largest sum."""
    total, size, scale = 0.0, 1.0, 1.0
    for _ in range(OCTAVES):
        total += size * perlin(scale * x, scale * y, scale * z)
        size *= 0.5
        scale *= 2.0
    return LOUDNESS * total


@kernel
def scramble(a: np.uint64) -> np.uint64:
    """A uint64 all of whose bits depend on all bits of `a` (Steele, Lea & Flood 2014, SplitMix64)."""
    a = (a ^ (a >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    a = (a ^ (a >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return a ^ (a >> np.uint64(31))


@kernel
def gust(seed: int, frame: int, stream: int) -> float:
    """What Blender's force fields add at random to their strength, per unit of noise: ±k/(1 + U)/128 with k one of
    0 … 127 that tells the sign and U uniform in [0, 1); the same for the same three integers.
    """
    step = np.uint64(0x9E3779B97F4A7C15)
    a = scramble(np.uint64(seed) * step + np.uint64(frame))
    a = scramble(a * step + np.uint64(stream))
    k = int(a >> np.uint64(57))
    u = float(a & np.uint64(0xFFFFFFFF)) / 4294967296.0
    size = k / (1.0 + u) / 128.0
    return size if k > 64 else -size
