"""Engine values made into the documents that travel. Nothing is judged and nothing kept here."""
