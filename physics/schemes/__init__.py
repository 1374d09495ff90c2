"""Schemes: how a system's equations are solved, whatever the system."""
