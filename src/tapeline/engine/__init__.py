"""The referee's engine: actions, verdicts, events, the clause registry, the fold. No system."""
