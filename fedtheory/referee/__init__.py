"""The referee: budgets, checks before, the order of precedence, and many claims at once."""
