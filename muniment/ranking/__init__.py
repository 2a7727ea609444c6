"""From what words and vectors found to one order: fused, boosted by what is asked, and calibrated."""
