"""The shelf: lemmas that the analyses of this field share, with their best constants, ready as premises."""
