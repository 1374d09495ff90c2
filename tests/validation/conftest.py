"""What all validations share: their dense systems are small, so threads of a linear algebra library only wait for one
another; a law of rods is asked of either solver.
"""

import os

import pytest

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")


@pytest.fixture(params=["EXPLICIT", "IMPLICIT"], ids=str.lower)
def solver(request):
    """Scene.solver"""
    return request.param
