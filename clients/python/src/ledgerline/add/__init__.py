"""Writes a module with an agent as a typed function."""
