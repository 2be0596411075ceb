"""pFedMe (Dinh, Tran and Nguyen, arXiv:2006.08848)."""
