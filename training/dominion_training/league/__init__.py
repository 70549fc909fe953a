"""A league on disk: a network learns, others are trained to beat it, and it meets those in the next round."""
