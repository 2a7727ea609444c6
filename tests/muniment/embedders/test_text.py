"""Counting and cutting without a tokenizer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.embedders import EmbedderChoice, make_embedder
from muniment.embedders.text import cut_to_tokens, encodable, estimate_tokens

PROSE = [
    "A lock file keeps a second backup from starting while the first is still running.",
    "export RETRY_DELAY_SECONDS=30  # between two attempts, 0 turns retrying off",
    "Usage: backup.sh [--dry-run] [--keep N] [--exclude-from FILE] HOST:/srv/data",
    "rsync -aHAX --delete --numeric-ids /srv/data/ backup@10.0.0.7:/volume1/nightly/2024-11-30/",
    "| Option | Default | Meaning |\n| --- | --- | --- |\n| `MAX_AGE_DAYS` | `14` | older copies are removed |",
    "================================================================",
    "Die Prüfsummen werden jede Nacht verglichen; Abweichungen stehen im Protokoll.",
    "バックアップは毎晩実行されます。",
]


@pytest.mark.parametrize("text", PROSE)
def test_the_estimate_is_no_less_than_a_tokenizer_counts(text: str) -> None:
    assert make_embedder(EmbedderChoice()).count_tokens([text])[0] <= estimate_tokens(text)


@given(st.text(max_size=200), st.integers(0, 60))
def test_a_cut_text_is_the_longest_head_that_fits(text: str, max_tokens: int) -> None:
    cut = cut_to_tokens(text, max_tokens)
    assert text.startswith(cut)
    assert estimate_tokens(cut) <= max(max_tokens, 2)
    assert cut == text or estimate_tokens(text[: len(cut) + 1]) > max_tokens


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_made_encodable(text: str) -> None:
    assert len(encodable(text)) == len(text)
    assert encodable(text).encode().decode() == encodable(text)
    assert encodable(encodable(text)) == encodable(text)
