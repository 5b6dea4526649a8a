"""Probes of frozen hidden states: edge probes, structural probes, online codes."""
