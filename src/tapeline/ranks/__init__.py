"""Rectangles that stand in ranks: what Warmaster and SOVL share."""
