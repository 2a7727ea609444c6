"""No model: answers are extractive."""

from muniment.models import ModelChoice


def make(choice: ModelChoice) -> None:
    """Nothing; who gets it answers with sentences of the documents (`muniment/ask/extractive.py`)."""
