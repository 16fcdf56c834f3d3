"""What several test folders share: a toy rule system, scenes, helpers."""
