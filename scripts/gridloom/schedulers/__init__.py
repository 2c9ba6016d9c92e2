"""What docs/schedulers.md shows: figures, tables and the advice, from the results of
gridloom-schedulers."""
