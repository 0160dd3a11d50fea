"""What processors have, and how much work goes into a tile and a task: estimated, not measured."""
