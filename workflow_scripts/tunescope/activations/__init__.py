"""Inputs in word pieces and the hidden states of encoders on them."""
