"""Contact between everything that touches: rods, rigid bodies, soft bodies, colliders and planes.

A step asks, in this order:

    who may touch?      lists of pairs, made anew seldom (Verlet 1967): pair_list of rods, surface_pairs of rods and
                        colliders, feature_list of bodies, rigid or soft, coupled_pairs of rods or rigid and soft ones,
                        numbered by contact_features; from broad_phase, feature_pairs, near_features or
                        bounding_volumes, less what contact_filter and along_rod leave out
    where?              rows of contacts, frozen for the step: detect, surface_contact, feature_contact,
                        coupled_contact, drawn_through
    what holds apart?   touch: sweeps of inequality_constraints, hastened by conjugate_sweeps, alternate with what the
                        carriers answer; contact_springs in their place; soft_touch of soft bodies; then rebound and
                        friction_moments
    what was missed?    passage and continuous_detection; surface_, feature_, coupled_passage; surprise; sliding

squeezed and soft_squeezed tell colliders how much room they leave. scratch has the rows, which say by number what
carries their points (carriers); kept_forces keeps their forces with pairs; room says how many of both a step asks for.
Model and State have the rest.
"""
