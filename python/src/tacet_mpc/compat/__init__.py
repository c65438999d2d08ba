"""Other systems' names for what this package does."""
