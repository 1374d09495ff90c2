"""LDLᵀ of a symmetric band matrix, without pivoting, block by block (Golub & Van Loan, *Matrix Computations*, §4.3).

It serves indefinite matrices too where no pivot vanishes, and then tells their inertia: as many pivots are negative as
eigenvalues are (Sylvester).

A block of rows is coupled with the next one and with REACH rows of the one after that, so that the band is a row of
rectangles: a[j].value has the row j from its own block's first column on. What is before the diagonal counts for
nothing. Eliminating a block changes a square behind it.

A block's multipliers are local scalars, and all loops over columns are as long for every block, so that the compiler
keeps rows in registers, several columns at a time.
"""

from collections.abc import Callable

import numpy as np

from .._jit import kernel

REACH = 3
WIDE = 12  # columns of a block that are changed, four at a time: all but its first one, or one more, which is zero
LANES = 8  # columns that are changed at a time, of which a block is coupled with no more behind itself


@kernel
def u_of_4(a: np.ndarray, m: int) -> tuple[float, ...]:
    """Column m of a block."""
    return a[0].value[m], a[1].value[m], a[2].value[m], a[3].value[m]


@kernel
def l_of_4(a: np.ndarray, m: int) -> tuple[float, ...]:
    """Row m of L at a block."""
    return (
        a[0].value[0] * a[0].value[m],
        a[1].value[1] * a[1].value[m],
        a[2].value[2] * a[2].value[m],
        a[3].value[3] * a[3].value[m],
    )


@kernel
def side_of_4(y: np.ndarray) -> tuple[float, ...]:
    """A block's side."""
    return y[0], y[1], y[2], y[3]


@kernel
def dot_of_4(l: tuple[float, ...], u: tuple[float, ...]) -> float:
    """l·u."""
    return l[0] * u[0] + l[1] * u[1] + l[2] * u[2] + l[3] * u[3]


@kernel
def u_of_5(a: np.ndarray, m: int) -> tuple[float, ...]:
    """Column m of a block."""
    return a[0].value[m], a[1].value[m], a[2].value[m], a[3].value[m], a[4].value[m]


@kernel
def l_of_5(a: np.ndarray, m: int) -> tuple[float, ...]:
    """Row m of L at a block."""
    return (
        a[0].value[0] * a[0].value[m],
        a[1].value[1] * a[1].value[m],
        a[2].value[2] * a[2].value[m],
        a[3].value[3] * a[3].value[m],
        a[4].value[4] * a[4].value[m],
    )


@kernel
def side_of_5(y: np.ndarray) -> tuple[float, ...]:
    """A block's side."""
    return y[0], y[1], y[2], y[3], y[4]


@kernel
def dot_of_5(l: tuple[float, ...], u: tuple[float, ...]) -> float:
    """l·u."""
    return l[0] * u[0] + l[1] * u[1] + l[2] * u[2] + l[3] * u[3] + l[4] * u[4]


OF_4, OF_5 = (u_of_4, l_of_4, side_of_4, dot_of_4), (u_of_5, l_of_5, side_of_5, dot_of_5)


def band_elimination(size: int) -> tuple[Callable, Callable, Callable]:
    """The kernels (eliminate, resolve, substitute) for blocks of 4 or 5 rows, `size`."""
    front, last = 2 * size + REACH, size - 1
    begin = 1 if size > 4 else 0
    of_u, of_l, of_side, dot = OF_4 if size == 4 else OF_5

    @kernel
    def eliminate(a: np.ndarray, y: np.ndarray, count: int) -> int:
        """a (count + front or more,) of ROW, zero from row `count` on, becomes 1/D on its diagonal and D Lᵀ behind it,
        y, as long, L⁻¹y. Returns how many pivots are negative.
        """
        negative = 0
        for first in range(0, count, size):
            block = a[first : first + front]
            negative += eliminate_block(block)
            reduce(block, y[first : first + front])
        return negative

    @kernel
    def eliminate_block(a: np.ndarray) -> int:
        """The first block of a (front,): column 4 is its own or, of 4 rows, behind it. Returns how many of its pivots
        are negative.
        """
        row0, row1, row2, row3 = a[0].value, a[1].value, a[2].value, a[3].value
        p0 = row0[0]
        d0 = 1.0 / p0
        l01, l02, l03, l04 = d0 * row0[1], d0 * row0[2], d0 * row0[3], d0 * row0[4]
        p1, u12 = row1[1] - l01 * row0[1], row1[2] - l01 * row0[2]
        u13, u14 = row1[3] - l01 * row0[3], row1[4] - l01 * row0[4]
        d1 = 1.0 / p1
        l12, l13, l14 = d1 * u12, d1 * u13, d1 * u14
        p2, u23 = row2[2] - l02 * row0[2] - l12 * u12, row2[3] - l02 * row0[3] - l12 * u13
        u24 = row2[4] - l02 * row0[4] - l12 * u14
        d2 = 1.0 / p2
        l23, l24 = d2 * u23, d2 * u24
        p3 = row3[3] - l03 * row0[3] - l13 * u13 - l23 * u23
        d3 = 1.0 / p3
        u34 = row3[4] - l03 * row0[4] - l13 * u14 - l23 * u24
        l34 = d3 * u34
        p4 = a[last].value[last] - l04 * row0[4] - l14 * u14 - l24 * u24 - l34 * u34
        for q in range(begin, begin + WIDE):  # those before the diagonal too, which come to nothing
            u0 = row0[q]
            u1 = row1[q] - l01 * u0
            u2 = row2[q] - l02 * u0 - l12 * u1
            u3 = row3[q] - l03 * u0 - l13 * u1 - l23 * u2
            row1[q], row2[q], row3[q] = u1, u2, u3
            if size > 4:
                a[4].value[q] -= l04 * u0 + l14 * u1 + l24 * u2 + l34 * u3
        row0[0], row1[1], row2[2], row3[3] = d0, d1, d2, d3
        negative = int(p0 < 0.0) + int(p1 < 0.0) + int(p2 < 0.0) + int(p3 < 0.0)
        if size > 4:
            a[4].value[4] = 1.0 / p4
            negative += int(p4 < 0.0)
        return negative

    @kernel
    def reduce(a: np.ndarray, y: np.ndarray) -> None:
        """What the first block of a (front,) and of y changes behind itself."""
        row0, row1, row2, row3 = a[0].value, a[1].value, a[2].value, a[3].value
        w0 = row0[0] * y[0]
        y1 = y[1] - row0[1] * w0
        w1 = row1[1] * y1
        y2 = y[2] - row0[2] * w0 - row1[2] * w1
        w2 = row2[2] * y2
        y3 = y[3] - row0[3] * w0 - row1[3] * w1 - row2[3] * w2
        y[1], y[2], y[3] = y1, y2, y3
        if size > 4:
            y[4] -= row0[4] * w0 + row1[4] * w1 + row2[4] * w2 + row3[4] * row3[3] * y3
        own = of_side(y)
        l0, l1, l2, l3 = of_l(a, size), of_l(a, size + 1), of_l(a, size + 2), of_l(a, size + 3)
        l4, l5, l6, l7 = of_l(a, size + 4), of_l(a, size + 5), of_l(a, size + 6), of_l(a, size + 7)
        for q in range(LANES):
            u = of_u(a, size + q)
            a[size].value[q] -= dot(l0, u)
            a[size + 1].value[q] -= dot(l1, u)
            a[size + 2].value[q] -= dot(l2, u)
            a[size + 3].value[q] -= dot(l3, u)
            if size > 4:
                a[size + 4].value[q] -= dot(l4, u)
        one, two, three = (l5, l6, l7) if size > 4 else (l4, l5, l6)
        u, v, w = of_u(a, 2 * size), of_u(a, 2 * size + 1), of_u(a, 2 * size + 2)
        i, j, k = 2 * size, 2 * size + 1, 2 * size + 2
        a[i].value[0] -= dot(one, u)
        a[i].value[1] -= dot(one, v)
        a[i].value[2] -= dot(one, w)
        a[j].value[1] -= dot(two, v)
        a[j].value[2] -= dot(two, w)
        a[k].value[2] -= dot(three, w)
        y[size] -= dot(l0, own)
        y[size + 1] -= dot(l1, own)
        y[size + 2] -= dot(l2, own)
        y[size + 3] -= dot(l3, own)
        if size > 4:
            y[size + 4] -= dot(l4, own)
        y[i] -= dot(one, own)
        y[j] -= dot(two, own)
        y[k] -= dot(three, own)

    @kernel
    def forward(a: np.ndarray, y: np.ndarray) -> None:
        """Take from y (front,) what the first block is coupled with."""
        for k in range(size):
            w = a[k].value[k] * y[k]
            for m in range(k + 1, front):
                y[m] -= a[k].value[m] * w

    @kernel
    def resolve(a: np.ndarray, y: np.ndarray, count: int) -> None:
        """L⁻¹y of another y, from what `eliminate` left of a."""
        begin = 0
        while begin < count and y[begin] == 0.0:
            begin += 1
        for first in range(begin - begin % size, count, size):
            forward(a[first : first + front], y[first : first + front])

    @kernel
    def substitute(a: np.ndarray, y: np.ndarray, count: int) -> None:
        """y, L⁻¹y, becomes x, from what `eliminate` left of a."""
        for first in range(count - size, -1, -size):
            substitute_block(a[first : first + front], y[first : first + front])

    @kernel
    def substitute_block(a: np.ndarray, y: np.ndarray) -> None:
        """The first block of y becomes the solution, where those behind it have."""
        row0, row1, row2, row3, row4 = a[0].value, a[1].value, a[2].value, a[3].value, a[4].value
        y0, y1, y2, y3, y4 = y[0], y[1], y[2], y[3], y[4]
        for m in range(front - 1, size - 1, -1):  # the one that is known last comes last
            z = y[m]
            y0, y1, y2, y3 = y0 - row0[m] * z, y1 - row1[m] * z, y2 - row2[m] * z, y3 - row3[m] * z
            y4 -= row4[m] * z
        if size > 4:
            y4 *= row4[4]
            y0, y1, y2, y3 = y0 - row0[4] * y4, y1 - row1[4] * y4, y2 - row2[4] * y4, y3 - row3[4] * y4
            y[4] = y4
        y3 *= row3[3]
        y2 = row2[2] * (y2 - row2[3] * y3)
        y1 = row1[1] * (y1 - row1[3] * y3 - row1[2] * y2)
        y0 = row0[0] * (y0 - row0[3] * y3 - row0[2] * y2 - row0[1] * y1)
        y[0], y[1], y[2], y[3] = y0, y1, y2, y3

    return eliminate, resolve, substitute
