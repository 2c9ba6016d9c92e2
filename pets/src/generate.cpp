// generate
