"""Numbers out of the results of MHive, for its figures and its tables."""
