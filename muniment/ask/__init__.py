"""Answers from passages: bounded excerpts, a model's wording or the documents' own, and checks that are ours."""
