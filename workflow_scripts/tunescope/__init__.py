"""tunescope: what fine-tuning does to a language model, as two papers measured it."""
