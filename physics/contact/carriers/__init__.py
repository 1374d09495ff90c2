"""What carries the points of contact, one per file: where a point is, how easily it moves, how it is pushed, and what
the rest of its carrier answers. A wall stands still: of these it has but the first. `points` asks all that carry a
contact, by its numbers, in one place.
"""
