"""Programs that play: the lines between them and the referee, and games among them."""
