"""Function classes: what holds between points, and how search clients are drawn."""
