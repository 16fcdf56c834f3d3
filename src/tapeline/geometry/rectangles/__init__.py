"""Rectangles and blocks of them: contact, motion, travel, gaps, plans."""
