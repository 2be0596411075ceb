"""Bodies and conditions as z3 terms; all that is asked of z3 is asked here."""
