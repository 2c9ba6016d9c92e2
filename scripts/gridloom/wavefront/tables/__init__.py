"""Tables of the pages of wavefront: texts_of(path) of each module, which artifact.toml names."""
