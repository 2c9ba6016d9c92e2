"""Numbers from the results of the wavefront schedulers, for its figures and tables."""
