"""Points, segments, arcs and paths: distances, sweeps, areas, the uniform grid."""
