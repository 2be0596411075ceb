"""pFedMe: formulas."""
