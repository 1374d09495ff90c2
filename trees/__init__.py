"""Trees as rods: from a skeleton or drawn branches to what physics is given. Numpy only, no bpy."""
