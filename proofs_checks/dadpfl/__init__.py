"""DA-DPFL (Long et al.)."""
