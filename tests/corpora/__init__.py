"""Tests of the corpora."""
