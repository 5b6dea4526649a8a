"""Masked language modelling, for the encoders that are pre-trained here."""
