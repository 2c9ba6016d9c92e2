// priorities
