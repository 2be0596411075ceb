"""The convergence theory of DA-DPFL: Section V and its appendices."""
