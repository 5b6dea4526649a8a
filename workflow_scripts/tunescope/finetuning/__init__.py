"""Fine-tune encoders on tasks, predict, and score the predictions."""
