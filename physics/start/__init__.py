"""Before the first step: lengths fitted, loads balanced by rest shapes, what would topple told, the scene at rest."""
