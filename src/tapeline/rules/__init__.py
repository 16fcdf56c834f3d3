"""Rule systems, a folder each; found by entry point, so none is known to anything above."""
