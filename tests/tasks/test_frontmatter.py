"""Front matter: what it says, and what it must not do to its reader."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tasks.frontmatter import MAX_CHARS, read_front_matter, read_mapping, strings

BOMB = "a: &a [x, x, x]\n" + "\n".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcde", "bcdef", strict=True)
)


def test_keys_and_values_are_read_as_they_are_spelled() -> None:
    front = read_front_matter("---\ntitle: No\nnumber: 007\ndate: 2024-02-30\ntags: [a, 'b c']\n---\n# Text\n")
    assert front.values == {"title": "No", "number": "007", "date": "2024-02-30", "tags": ["a", "b c"]}
    assert (front.lines, front.broken) == (6, "")


@pytest.mark.parametrize("text", ["", "# Text\n", "---\nnever closed: 1\n", "----\na: 1\n----\n", " ---\na: 1\n---\n"])
def test_a_text_without_front_matter_has_none(text: str) -> None:
    front = read_front_matter(text)
    assert (front.values, front.lines, front.broken) == ({}, 0, "")


def test_front_matter_may_end_in_dots_and_hold_nothing() -> None:
    assert read_front_matter("---\na: 1\n...\n").values == {"a": "1"}
    assert read_front_matter("---\n---\n").lines == 2


@pytest.mark.parametrize(
    "broken", ["a: [", "- one\n- two", "just words", "? [a]\n: b", "a: *nowhere", "\tx: 1", BOMB, "[" * 5_000]
)
def test_what_is_broken_has_lines_and_a_reason_but_no_values(broken: str) -> None:
    front = read_front_matter(f"---\n{broken}\n---\ntext\n")
    assert front.values == {}
    assert front.broken
    assert front.lines == broken.count("\n") + 3


def test_no_tag_is_built() -> None:
    assert read_mapping("a: !!python/object/apply:os.system ['false']") == {"a": ["false"]}


def test_more_than_the_bound_is_not_read() -> None:
    assert isinstance(read_mapping(f"a: {'x' * MAX_CHARS}"), str)


def test_json_is_read_too() -> None:
    assert read_mapping('{"title": "x", "tags": ["a", "b"], "none": null}') == {
        "title": "x",
        "tags": ["a", "b"],
        "none": "",
    }


@pytest.mark.parametrize(("written", "read"), [("null", ""), ("~", ""), ("", ""), ("'null'", "null"), ("Null", "Null")])
def test_a_null_says_nothing(written: str, read: str) -> None:
    assert read_mapping(f"a: {written}\n") == {"a": read}


def test_a_key_that_stands_twice_holds_both() -> None:
    assert read_mapping("a: 1\nb: x\na: [2, 3]\n") == {"a": ["1", "2", "3"], "b": "x"}
    assert read_mapping('{"a": "1", "a": {"b": "2"}}') == {"a": ["1", {"b": "2"}]}


def test_one_text_and_a_list_of_texts_are_the_same() -> None:
    assert strings(" a ") == strings(["a", ["nested"], {"k": "v"}, " "]) == ("a",)
    assert strings(None) == ()


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["---", "a: 1", "- b", "{", "]", "*a", "&a x", "!!x"])).map("\n".join)
)
@example("---\na: \ud800\n---")
def test_any_text_has_front_matter_or_not(text: str) -> None:
    front = read_front_matter(text)
    assert front.lines <= text.count("\n") + 1
    assert not (front.broken and front.values)
