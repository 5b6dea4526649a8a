"""The training loop that fine-tuning and pre-training share."""
