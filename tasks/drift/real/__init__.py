"""What a repository really holds: names in its code, what its programs parse, make targets, manifests, link targets."""
