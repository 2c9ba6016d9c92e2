// cpop
