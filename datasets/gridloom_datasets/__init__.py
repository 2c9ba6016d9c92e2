"""Matrices and task graphs for the artifacts: what they are, where they come from, fetching."""
