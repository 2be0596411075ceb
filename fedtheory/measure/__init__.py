"""What any trace has: observers, and curves under their bounds."""
