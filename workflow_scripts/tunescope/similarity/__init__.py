"""Representational similarity of fine-tuned and pre-trained encoders."""
