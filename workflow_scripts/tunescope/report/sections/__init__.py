"""The report's sections, one experiment a module."""
