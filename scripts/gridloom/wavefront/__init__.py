"""Numbers out of the results of the wavefront schedulers, for its figures and its tables."""
