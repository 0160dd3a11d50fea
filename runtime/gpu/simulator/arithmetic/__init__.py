"""Instructions that compute each lane's result from its own registers, and how they are decoded."""
