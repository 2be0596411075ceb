"""Verdicts and pages of documentation as a site of static files: no server, no script from elsewhere."""
