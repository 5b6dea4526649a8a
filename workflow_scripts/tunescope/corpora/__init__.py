"""Corpora: readers of official files and hub data sets, and the generated language."""
