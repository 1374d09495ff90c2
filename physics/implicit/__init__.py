"""The implicit step's equations: of a rod's vertices, tensions and material frames together, solved by Newton.

newton iterates; newton_step solves for a change, line_search says how far, moves applies it. The matrix of a chain is a
band (linear/block_ldl) of what chain numbers, filled by rod_equations, or straight_rod for simple rods. Rods that
bodies join have a border (linear/block_border, border) of body_equations and ties. What touches walls is in the band
(band_walls, wall_contact); other contacts answer by their response, solved in contact_sweeps and brought back by
contact_correction.

effective_mass is another use of a rod's band: a linearly implicit step beside soft bodies, with tied_rods.
"""
