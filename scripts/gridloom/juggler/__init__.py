"""What the plots and tables of juggler share."""
