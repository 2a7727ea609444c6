"""An index that outgrows one machine: shared over a bucket, written by several."""
