"""Worlds of pFedMe's steps and runs."""
