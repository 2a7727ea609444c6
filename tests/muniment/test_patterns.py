"""Include and exclude patterns mean what they mean in a .gitignore, or are refused."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.errors import SettingsError
from muniment.patterns import admits


@pytest.mark.parametrize(
    ("include", "exclude", "admitted", "refused"),
    [
        ([], [], "a.md a/b.sh", ""),
        (["*.md"], [], "a.md a/b.md", "a.sh"),
        (["/docs/"], [], "docs/a.md docs/a/b.md", "a/docs/b.md docs"),
        (["docs/"], [], "docs/a.md a/docs/b.md", "docs"),
        (["docs/*.md"], [], "docs/a.md", "docs/a/b.md a/docs/b.md"),
        (["docs/**/*.md"], [], "docs/a.md docs/a/b/c.md", "a.md"),
        (["**/docs/a.md"], [], "docs/a.md x/docs/a.md", "docs/b.md"),
        (["*.md", "!draft.md"], [], "a.md", "draft.md a/draft.md"),
        ([], ["*.md", "!/README.md"], "README.md a.sh", "a.md a/README.md"),
        ([], ["/a/**", "b?.md", "[cd].md"], "b.md x/a/y.md e.md", "a/x.md b1.md c.md"),
        (["\\#a.md", "\\!b.md"], [], "#a.md !b.md", "a.md"),
        (["*.MD"], [], "A.MD", "a.md"),
        (["Überblick.md"], [], "Überblick.md", "berblick.md"),
    ],
)
def test_patterns_mean_what_gitignore_means(
    include: list[str], exclude: list[str], admitted: str, refused: str
) -> None:
    wanted = admits(include, exclude)
    assert [path for path in admitted.split() if not wanted(path)] == []
    assert [path for path in refused.split() if wanted(path)] == []


PARTS = st.sampled_from(["a", "b", "ab", "*", "**", "a*", "?", "[ab]", "[!a]", "*.md", "a.md"])
PATTERNS = st.builds(
    lambda negated, anchored, parts, folder: f"{negated}{anchored}{'/'.join(parts)}{folder}",
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(PARTS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
).filter(lambda pattern: not pattern.endswith("**/"))  # which pathspec reads as the folder with all that is in it
FILES = [f"{folder}{name}" for folder in ("", "a/", "b/", "a/b/", "ab/a/") for name in ("a.md", "c", "ab.md")]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ignoring")
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


@settings(max_examples=60)
@given(patterns=st.lists(PATTERNS, min_size=1, max_size=3))
def test_exclusion_agrees_with_git(repository: Path, patterns: list[str]) -> None:
    if all(pattern.startswith("!") for pattern in patterns):
        patterns = ["*.md", *patterns]
    (repository / ".gitignore").write_text("\n".join(patterns))
    command = [
        "git",
        "-C",
        str(repository),
        "-c",
        "core.excludesFile=/dev/null",
        "check-ignore",
        "--no-index",
        "--stdin",
    ]
    ignored = subprocess.run(
        command, input="\n".join(FILES), capture_output=True, text=True, check=False
    ).stdout.split()
    wanted = admits([], patterns)
    assert [path for path in FILES if not wanted(path)] == ignored


@pytest.mark.parametrize("key", ["include", "exclude"])
@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "  ",
        "/",
        "!",
        "[z-a]",
        "a[",
        "[]",
        "a\\",
        "# a",
        "[[:alpha:]]",
        "*.md,*.rst",
        "*.md, *.rst",
        "./docs",
        "../a",
        "~/a",
        "*a*a*a*a*b",
    ],
)
def test_a_malformed_pattern_is_refused(key: str, pattern: str) -> None:
    patterns = {"include": (), "exclude": (), key: ("*.md", pattern)}
    with pytest.raises(SettingsError) as refused:
        admits(patterns["include"], patterns["exclude"])
    assert f"{key} pattern '{pattern}'" in refused.value.message
    assert refused.value.hint


def test_exceptions_alone_are_refused() -> None:
    with pytest.raises(SettingsError, match="only exceptions"):
        admits(["!draft.md"], [])
