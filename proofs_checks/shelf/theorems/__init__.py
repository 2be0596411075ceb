"""Known theorems of federated optimisation, composed from lemmas of the shelf for every number of rounds, steps and clients."""
