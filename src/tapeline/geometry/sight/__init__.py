"""Lines of sight past regions and heights, and the whole visible region."""
