"""FedADMM: formulas."""
