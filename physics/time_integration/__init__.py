"""Schemes that advance a State in time, one per file, and how large their steps may be."""
