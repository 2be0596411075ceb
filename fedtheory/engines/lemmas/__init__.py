"""How a claim is proved from lemmas: each by substitution into the claim's own model, and then by numbers."""
