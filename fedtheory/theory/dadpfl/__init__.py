"""DA-DPFL: formulas."""
