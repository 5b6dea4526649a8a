"""A generated English of which everything is known: its grammar, its annotations, its tasks."""
