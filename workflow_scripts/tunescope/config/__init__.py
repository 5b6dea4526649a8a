"""Typed settings, one class a section of config.yaml; unknown keys are refused.

Each section stands in a module of its own, so that a job's code fingerprint reaches only the
settings which that job uses.
"""
