"""What could happen: odds, by driving the same procedures that the referee drives."""
