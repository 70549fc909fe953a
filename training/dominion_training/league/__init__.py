"""A league on disk: a network learns, others are trained to beat it, and it meets those in the next round."""

ATTACK_SAMPLES = 6_000_000  # decisions that an attack learns from
# Weights of all attackers so far together, and of what the network was in each round, beside those of the settings.
ATTACKERS, EARLIER = 4.0, 1.0
