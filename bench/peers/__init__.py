"""What others offer for the same jobs, as installable from PyPI; for comparison only."""
