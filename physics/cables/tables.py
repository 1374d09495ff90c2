"""What a cable's equations are made of: a row for each segment, joint, point and handle.

Unknowns are those of Grégoire 2007, §3.2: the point x_i at 7i, the quaternion q_i of the segment behind it at 7i + 3,
7n − 4 of n points. An energy couples unknowns at most 10 apart.
"""

import numpy as np

STRIDE = 7
QUATERNION = 3  # where a segment's quaternion begins, behind its point
REACH = 10  # half-bandwidth: from a joint's first quaternion to the last component of its second one

SEGMENT = np.dtype(
    [
        ("length", float),
        ("stretch", float),  # stiffness of its length
        ("tension", float),  # integral force of its length
        ("coherence", float),  # stiffness
        ("shear", float, 3),  # integral force of coherence
        ("norm", float),  # stiffness
        ("swelling", float),  # integral force of the norm
    ],
    align=True,
)
JOINT = np.dtype(
    [
        ("vertex", np.int64),
        ("before", np.int64),  # segment; −1: the handle's frame
        ("after", np.int64),
        ("handle", np.int64),  # whose frame a half joint ends at
        ("length", float),
        ("stiffness", float, 3),
        ("rest", float, 3),
    ],
    align=True,
)
HANDLE = np.dtype(
    [
        ("segment", np.int64),
        ("share", float),  # of the way along the segment
        ("position", float, 3),
        ("stiffness", float),
        ("force", float, 3),  # integral force
        ("strength", float),  # the largest it exerts
        ("turn", float, 4),  # the quaternion that half joints end at, or the segment is to have
        ("turn_stiffness", float),  # of the second
        ("torque", float, 4),  # integral force of the quaternion
        ("part", np.int64),  # rigid part that leads it, of those the cable is mounted on; −1: none
        ("arm", float, 3),  # place and quaternion in that part's axes
        ("frame", float, 4),
    ],
    align=True,
)
