"""Whether the sides of a match have agreed to hints."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the column."""
    off = sa.false()
    op.add_column("matches", sa.Column("hints", sa.Boolean, nullable=False, server_default=off))
