"""What outlasts the server: matches, their entries, their links, their proposals."""
