"""Makes the shapes of the drawn knots: knots/drawings/*.toml → knots/shapes/*.csv, in radii of the rope.

    python tools/relax_knots.py [NAME …]

All of them, or those named; some seconds for each.
"""

import sys

from tendril.knots import catalogue, diagram, relax, shape_file, spline

SPACING = 1.5  # radii between the points kept


def main(names: list[str]) -> None:
    for path in sorted(catalogue.DRAWINGS.glob("*.toml")):
        if names and path.stem not in names:
            continue
        drawn = diagram.read(path)
        closed = [rope.closed for rope in drawn.ropes]
        ropes = relax.relaxed(diagram.raised(drawn), closed, drawn.post_radius, drawn.post())
        kept = [spline.evenly(rope, ring, SPACING) for rope, ring in zip(ropes, closed, strict=True)]
        shape_file.write(catalogue.SHAPES / f"{path.stem}.csv", kept)
        print(path.stem, *(len(rope) for rope in kept), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
