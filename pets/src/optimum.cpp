// optimum
