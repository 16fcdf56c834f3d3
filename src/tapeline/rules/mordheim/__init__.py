"""Mordheim: warbands in a ruined city; see README.md."""
