"""In which order the steps run."""
