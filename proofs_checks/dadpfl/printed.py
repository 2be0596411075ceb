"""Numbers of the paper as they stand in print, once, with their places.

Table II is in `fedtheory.theory.dadpfl.efficiency`, whose costs use it.
"""

COLUMNS_I = ("HAM10000 Dir.", "HAM10000 Pat.", "CIFAR10 Dir.", "CIFAR10 Pat.", "CIFAR100 Dir.", "CIFAR100 Pat.")
TABLE_I = {  # top-1 accuracy, %; the mean of three seeds
    "FedAvg": ("65.92", "55.68", "79.30", "60.09", "46.21", "41.26"),
    "Ditto": ("65.19", "80.17", "73.21", "85.78", "34.83", "64.41"),
    "FedDST": ("66.11", "55.07", "78.47", "56.32", "46.01", "41.42"),
    "GossipFL": ("72.92", "88.05", "66.43", "86.60", "45.09", "66.03"),
    "DFedAvgM": ("68.30", "88.89", "65.05", "85.34", "24.11", "57.41"),
    "DisPFL": ("71.56", "80.09", "85.85", "90.45", "51.05", "72.22"),
    "BEER": ("69.80", "88.75", "62.94", "85.48", "27.79", "58.71"),
    "DFedSAM": ("73.74", "88.47", "75.74", "83.51", "47.86", "71.76"),
    "DA-DPFL": ("76.32", "88.36", "89.08", "91.87", "53.53", "74.91"),
}

COLUMNS_III = ("Ring", "Ring s", "FC", "FC s")
TABLE_III = {  # accuracy, %, and sparsity s
    "GossipFL": ("66.12", "0.00", "71.22", "0.00"),
    "DFedAvgM": ("65.89", "0.00", "69.89", "0.00"),
    "DisPFL": ("67.65", "0.50", "86.54", "0.50"),
    "BEER": ("62.92", "0.00", "68.77", "0.00"),
    "DFedSAM": ("66.61", "0.00", "79.63", "0.00"),
    "DA-DPFL": ("69.83", "0.65", "89.11", "0.68"),
}

TEXT = {  # what it is of: (the number, where it stands)
    "margin, least": ("2", "Section VI-B1"),  # %, over the next best DFL baselines (DisPFL and GossipFL)
    "margin, largest": ("3", "Section VI-B1"),
    "shortfall": ("0.5", "Section VI-B1"),  # %, HAM10000 Pat., against DFedAvgM
    "gain on CIFAR10": ("1.87", "Section VI-D2"),  # %, up to, from N = 0 to N = 10
    "gain on CIFAR100": ("1.41", "Section VI-D2"),
    "energy": ("5", "Abstract"),  # times less, up to
}
