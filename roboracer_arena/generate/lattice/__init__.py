"""The lattice constructor: cell sets, the line around them, and its spacing in metres."""
