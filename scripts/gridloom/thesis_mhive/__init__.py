"""Numbers from the results of MHive, for its figures and tables."""
