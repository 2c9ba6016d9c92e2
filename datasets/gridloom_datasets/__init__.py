"""The matrices and task graphs of the artifacts: their list, their sources, and how to fetch
them."""
