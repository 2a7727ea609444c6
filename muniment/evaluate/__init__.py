"""Measuring retrieval: questions with known answers, asked in every mode."""
