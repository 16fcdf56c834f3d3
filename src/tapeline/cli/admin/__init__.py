"""`tapeline admin`: for whoever runs a server; all of it also while servers run."""

from tapeline.cli.admin import copying, inviting, looking, taking
from tapeline.cli.admin.group import admin

__all__ = ["admin", "copying", "inviting", "looking", "taking"]
