"""What a step must obey: inextensible edges and pins."""
