"""A base that walks over terrain: what Trench Crusade and Mordheim share."""
