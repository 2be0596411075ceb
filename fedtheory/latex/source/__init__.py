"""The LaTeX source of a paper: its files as one text, and its statements, displays and algorithm lines with printed numbers."""
