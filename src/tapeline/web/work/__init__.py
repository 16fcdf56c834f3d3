"""Everything that costs: questions to the engine, answered by processes that can be ended."""
