"""What is said at the table, and the match after a match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table and the column."""
    op.create_table(
        "remarks",
        sa.Column(
            "match_id",
            sa.String(32),
            sa.ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("written", sa.DateTime(timezone=True), nullable=False),
        sa.Column("side", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.add_column("matches", sa.Column("rematch", sa.String(32), nullable=True))
