"""`tapeline admin`: for whoever runs a server; all of it also while servers run."""

from tapeline.cli.admin import copies, invitations, overview, removal
from tapeline.cli.admin.group import admin

__all__ = ["admin", "copies", "invitations", "overview", "removal"]
