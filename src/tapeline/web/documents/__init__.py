"""What travels between server and page: typed documents, and nothing else of the engine."""
