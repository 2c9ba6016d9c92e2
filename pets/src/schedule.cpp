// schedule
