"""What every output was made from, and whether it still is what the settings ask for."""
