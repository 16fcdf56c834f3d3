"""The routers, one a subject."""
