"""Tables of the pages of thesis_mhive: texts_of(path) of each module, which artifact.toml names."""
