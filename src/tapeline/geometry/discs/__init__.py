"""A disc among edges, discs and bodies: legality, contacts, routes, reach."""
