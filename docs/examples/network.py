"""A torch module and DataLoaders of your own as clients, and FLAME on them.

python network.py, where torch is installed: pip install "fedtheory[torch]"
"""

import torch
from torch.utils.data import DataLoader, TensorDataset

from fedtheory.algorithms import FLAME
from fedtheory.measure.observe import objective
from fedtheory.runs.loop import run
from problems.networks import TorchProblem

torch.manual_seed(0)  # what you have: a module, a loss, and one DataLoader a client
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 3))
samples = [(torch.randn(40, 8) + shift, torch.full((40,), shift % 3)) for shift in range(6)]
loaders = [DataLoader(TensorDataset(X, y), batch_size=16) for X, y in samples]

problem = TorchProblem(model, torch.nn.CrossEntropyLoss(), loaders)
method = FLAME(lam=5.0, rho=0.1, alpha=1 / 6, S=3, H=5, eta=0.1, batch=8)
observers = {"objective": lambda state: objective(problem, state.w)}
trace = run(method, problem, method.init(problem), rounds=60, seed=0, observers=observers)
print(f"d = {problem.d}, objective {trace['objective'][0]:.4f} to {trace['objective'][-1]:.4f}")
