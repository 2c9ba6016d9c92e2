"""Numbers from the results of PETS, for its figures and tables."""
