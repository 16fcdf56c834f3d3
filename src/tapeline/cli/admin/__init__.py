"""`tapeline admin`: for whoever runs a server; all of it also while servers run."""

from tapeline.cli.admin import invitations, overview, removal
from tapeline.cli.admin.group import admin

__all__ = ["admin", "invitations", "overview", "removal"]
