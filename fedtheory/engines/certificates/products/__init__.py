"""Product certificates: polynomials are shown positive by identities between products of facts."""
