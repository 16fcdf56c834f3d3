"""The clocks of matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the column."""
    op.add_column("matches", sa.Column("clock", sa.Text, nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("matches", "clock")
