"""Mordheim: warbands in ruins of several storeys, turn and turn about; see README.md."""
