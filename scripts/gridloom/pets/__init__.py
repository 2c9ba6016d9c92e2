"""Numbers out of the results of PETS, for its figures and its tables."""
