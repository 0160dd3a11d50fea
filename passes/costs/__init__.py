"""Cost models: targets, tile sizes and task counts. They estimate; nothing is measured."""
