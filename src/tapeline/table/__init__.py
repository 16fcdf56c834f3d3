"""The frozen battlefield: bases, bodies, units, terrain, and the scene document."""
