"""Materials to choose from, as files: SI values, each with its source."""
