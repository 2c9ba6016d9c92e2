// heft
