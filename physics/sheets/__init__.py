"""Sheets: triangles of elements/plate.py, what holds them, and how they come to rest and move."""
