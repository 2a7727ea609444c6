"""Usage texts inside scripts."""

import pytest

from tasks.chunk import split
from tests.tasks.chunk.documents import document

TEXT = "Rings the bell\n\n  -q  quiet"


def cut(text: str, path: str = "bell.sh") -> list[tuple[int, str]]:
    """First line and text of each piece."""
    pieces = split(document(path, text, "header"))
    assert all(piece.section for piece in pieces)
    return [(piece.line_start, piece.text) for piece in pieces]


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.sh", 'usage_description="\nRings the bell\n\n  -q  quiet\n"\n', 2),
        ("a.sh", "USAGE='Rings the bell\n\n  -q  quiet'\n", 1),
        ("a.sh", 'readonly HELP_TEXT="Rings the bell\n\n  -q  quiet"\n', 1),
        ("a.sh", "read -r -d '' USAGE <<'EOF'\nRings the bell\n\n  -q  quiet\nEOF\n", 2),
        ("a.sh", "usage=$(cat <<EOF\nRings the bell\n\n  -q  quiet\nEOF\n)\n", 2),
        ("a.sh", "usage() {\n    cat <<-EOF >&2\n\tRings the bell\n\n\t  -q  quiet\n\tEOF\n}\n", 3),
        ("a.sh", "function print_help {\n  cat << EOF\nRings the bell\n\n  -q  quiet\nEOF\n}\n", 3),
        ("a.sh", 'usage()\n{\n  echo "Rings the bell"\n  echo\n  echo "  -q  quiet" >&2\n}\n', 3),
        ("a.sh", "__usage() {\n  printf '%s' \"${BOLD}Rings${RESET} the bell\n\n  -q  quiet\n\"\n}\n", 2),
        ("a.pl", 'sub usage {\n  print "Rings the bell\\n";\n  print "\\n";\n  print "  -q  quiet\\n";\n}\n', 2),
        ("a.php", "<?php\n$usage = <<<EOT\nRings the bell\n\n  -q  quiet\nEOT;\n", 3),
        ("a.rb", "def usage\n  puts <<~EOS\n    Rings the bell\n\n      -q  quiet\n  EOS\nend\n", 3),
        ("a.py", 'USAGE = """Rings the bell\n\n  -q  quiet\n"""\n', 1),
        ("a.py", 'p = ArgumentParser(\n    description="""\n    Rings the bell\n\n      -q  quiet\n    """,\n)\n', 3),
    ],
)
def test_a_usage_text_is_found(path: str, text: str, line: int) -> None:
    [(start, found)] = cut(text, path)
    assert start == line
    assert found.replace("Rings the bell\n\n-q", "Rings the bell\n\n  -q") == TEXT


@pytest.mark.parametrize(
    "text",
    [
        'usage_args="<bell> <hours> <force>"\n',
        'usage="[-q]"\n',
        'helper="a b c\nd e f"\n',
        'message="Rings the bell\nat noon"\n',
        "cat <<EOF\nRings the bell\nat noon\nEOF\n",
        'ring() {\n  echo "Rings the bell"\n  echo "at noon"\n}\n',
        'usage() {\n  exit 1\n}\necho "Rings the bell"\necho "at noon"\n',
        'usage="never closed\n',
        "usage() {\n  cat <<EOF\nnever closed\n}\n",
        "usage() {\n  echo '\n",
        'parser.add_argument("-q", help="Rings no bell at all")\n        help="Rings no bell at all",\n',
    ],
)
def test_other_texts_are_code(text: str) -> None:
    assert cut(text) == []


def test_a_usage_text_has_sections_of_its_own() -> None:
    pieces = split(document("a.sh", 'usage="\nRings the bell\n\nEXIT STATUS\n  0 when it rang\n"\n'))
    assert [(piece.section, piece.title) for piece in pieces] == [("USAGE", "USAGE"), ("EXIT STATUS", "EXIT STATUS")]


def test_a_heredoc_ends_at_the_next_mark() -> None:
    data = "cat <<EOF\ndata\nEOF\n"
    assert cut(f"{data}usage() {{\n  cat <<EOF\nRings the bell\nEOF\n}}\n{data}") == [(6, "Rings the bell")]


def test_usage_inside_a_docstring_is_the_docstring_s() -> None:
    [piece] = split(document("a.py", '"""Rings the bell.\n\nusage = "a b c\nd"\n"""\n'))
    assert (piece.line_start, piece.line_end, piece.section) == (1, 4, "")


def test_an_escaped_quote_does_not_end_the_text() -> None:
    assert cut('usage="Rings the \\"big\\" bell\nat noon"\n') == [(1, 'Rings the \\"big\\" bell\nat noon')]


def test_header_and_usage_text_both_count() -> None:
    assert [piece.section for piece in split(document("a.sh", '# A bell.\n\nusage="Rings it at noon"\n'))] == [
        "",
        "USAGE",
    ]
