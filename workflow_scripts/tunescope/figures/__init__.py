"""Figures of both papers, drawn from tables alone."""
