"""Ground with cost factors: routes and reach with a two-sided bracket."""
