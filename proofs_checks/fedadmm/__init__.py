"""FedADMM by inexact ADMM (Zhou and Li)."""
