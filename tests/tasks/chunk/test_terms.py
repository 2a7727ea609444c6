"""What full-text search reads for a chunk."""

from tasks.chunk.terms import search_terms


def test_camel_case_words_are_found_by_their_parts() -> None:
    terms = search_terms("bin/purgeOld.sh", "Set removeCompletedDownloads", "uses HTTPServer and plain words")
    assert "purge Old remove Completed Downloads" in terms
    assert "plain words" in terms


def test_the_text_itself_comes_last_and_whole() -> None:
    assert search_terms("a.md", "Title", "Some text.\nMore.").endswith("\nSome text.\nMore.")


def test_a_word_of_millions_of_letters_is_one_look() -> None:
    """Guards against a pattern that starts again at every letter; pytest's time limit is the judge."""
    word = "xY" * 2_000_000
    assert search_terms("a", "", word).endswith(word)
