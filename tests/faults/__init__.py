"""What happens when a run is killed, a disk is full, a clock is wrong, two write at once: with the real thing."""
