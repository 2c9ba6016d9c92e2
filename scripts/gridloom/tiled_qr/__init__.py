"""What the figures of the tiled QR share."""
