"""Get, load and randomise encoders; turn texts into their inputs."""
