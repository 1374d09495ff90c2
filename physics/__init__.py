"""Discrete elastic rods in SI units: a library of its own, without Blender.

A `scene` is checked (`validate`), laid out as arrays (`assemble`: its `model` and state), brought to where it begins
(`start`) and taken from frame to frame (`run`), in steps (`time_integration`) made of what bends (`rods`), drives
(`forces`), holds (`constraints`, `rigid_bodies`) and touches (`contact`).
"""
