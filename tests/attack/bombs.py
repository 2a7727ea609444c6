"""Small files that unfold to something large, or nest deeper than a stack is high; and what they are called."""

from __future__ import annotations

DEEP = 20_000


def laughs(levels: int = 20, merged: bool = False) -> str:
    """YAML of a few lines whose aliases stand for `3 ** levels` values."""
    lines = ["a0: &a0 {x: 1}"]
    for level in range(levels):
        key = "<<" if merged else "x"
        lines.append(f"a{level + 1}: &a{level + 1} {{{key}: [*a{level}, *a{level}, *a{level}], k{level}: 1}}")
    return "\n".join(lines) + "\n"


def doubled(assigned: str, used: str, levels: int = 60) -> str:
    """Assignments of which each holds the one before twice."""
    return assigned.format(0, "x") + "".join(
        assigned.format(level + 1, used.format(level) * 2) for level in range(levels)
    )


TREES = {
    "open": "[" * DEEP,
    "brackets": "a: " + "[" * DEEP + "]" * DEEP,
    "braces": '{"a":' * DEEP + "1" + "}" * DEEP,
    "flow": "a: " + "{a: " * DEEP + "}" * DEEP,
    "indents": "".join(" " * level + "a:\n" for level in range(600)),
    "items": "- " * DEEP + "a",
    "laughs": laughs(),
    "merges": laughs(merged=True),
    "itself": "a: &a\n  <<: *a\n  b: *a\n",
    "tag": "a: !!python/object/apply:os.system ['touch SPRUNG']\nb: !!python/name:os.system\n",
    "number": "a: " + "9" * 10_000 + "\nb: 0x" + "f" * 20_000 + "\nc: 1e999999999\nd: " + "1:" * 5_000 + "1\n",
    "properties": '{"$schema":"x","properties":' + '{"a":{"properties":' * 3_000 + "{}" + "}}" * 3_000 + "}",
    "references": '{"$schema":"x","properties":{"a":{"$ref":"#/properties/a"},'
    '"c":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}',
    "dots": "a" + ".a" * DEEP + " = 1\n[" + "a." * DEEP + "a]\n",
    "inline": "a = " + "{a=" * DEEP + "1" + "}" * DEEP,
}
CODES = {
    "parens": "X = " + "(" * DEEP + "1" + ")" * DEEP,
    "signs": "X = " + "-" * DEEP + "1\nY = " + "not " * DEEP + "1\nZ = " + "1+" * DEEP + "1\n",
    "chain": "X = a" + ".b" * DEEP + "()" * DEEP + "\nY = " + "lambda: " * DEEP + "1\n",
    "powers": "X = 9**9**9**9\nY = 1 << 10**10\nZ = 'a' * 10**10\nA = '%1000000000d' % 1\nB = 10**10**10\n",
    "classes": "".join(" " * level + "class A:\n" for level in range(95)) + " " * 95 + "X = 1\n",
    "arithmetic": "X=$((9**9**9**9))\nY=$((1<<99999999999))\nZ=$((9**999999999))\n",
    "defaults": "X=" + "${A:-" * DEEP + "1" + "}" * DEEP + "\nY=" + "$(" * DEEP + ")" * DEEP + "\n",
    "heredocs": "usage() { cat <<A <<B <<C\n" * 2_000,
    "cases": "case x in\n" * 3_000 + "if true; then\n" * 3_000,
    "backticks": "X=" + "`" * DEEP,
    "doubled": doubled("A{}={}\n", "$A{}"),
    "make": doubled("A{} = {}\n", "$(A{})") + "A = $(A)\nall: $(A) $(A60)\n\techo $(A60)\n$(A60): x\n",
    "hops": "".join(f"A{hop}=${{A{hop + 1}:-$A{hop + 2}}}\n" for hop in range(3_000)) + "B=${C}\nC=${B}\n",
    "generics": "const A: " + "Option<" * DEEP + " = 1;\n#define A " + "(" * DEEP + "1" + ")" * DEEP + "\n",
    "arrays": "<?php\n$a = " + "[" * DEEP + "]" * DEEP + ";\ndefine('A', " + "array(" * 5_000,
}
PAGES = {
    "front": "---\na: " + "[" * DEEP + "\n---\n# A\n\nText of it.\n",
    "frontbomb": f"---\n{laughs()}---\n# A\n\nText of it.\n",
    "fronts": "---\n" * DEEP,
    "quotes": "> " * DEEP + "default: 1",
    "lists": "".join("  " * level + "- a\n" for level in range(400)),
    "links": "[" * DEEP + "a" + "](b)" * DEEP + "![" * DEEP,
    "emphasis": "**a" * DEEP + " __" * DEEP + "`a" * DEEP,
    "fences": "```\n~~~\n" * 5_000,
    "headings": "".join("#" * (1 + number % 6) + " a\n" for number in range(DEEP)),
    "table": "| Default " * 1_900 + "|\n" + "|---" * 1_900 + "|\n" + ("| 1 " * 1_900 + "|\n") * 20,
    "html": "<div>" * DEEP + "<table><tr><td>" * 5_000 + "Default" + "<a " + "b=c " * DEEP,
    "grid": "+" + "-+" * 3_000 + "\n" + ("|" + " |" * 3_000 + "\n+" + "-+" * 3_000 + "\n") * 3,
    "simple": "= " * 3_000 + "\na b\n" + "= " * 3_000 + "\n1 2\n" + "= " * 3_000,
    "asciidoc": "|===\n" + "|a " * 10_000 + "\n|===",
    "directive": ".. list-table::\n" + "   * - a\n" * 5_000,
    "roff": ".TH a 1\n" + ".TP\n" * 5_000 + ".RS\n" * 5_000,
    "jinja": "{{ " * DEEP + "x | default(1) " + "}}" * DEEP,
    "row": "| Option | Default |\n|---|---|\n| `x` | " + "word " * 100_000 + "|\n",
    "line": "word " * 100_000 + "\n\n" + "a" * 400_000,
    "blanks": "# a" + " " * 250_000 + "b\n\n" + "\t" * 250_000 + "x\n",
}
NAMES = {
    "trees": (
        *("a.yaml", "values.yaml", "defaults/main.yml", "docker-compose.yml", "a.schema.json", "a.toml"),
        *("a.conf.example", "pyproject.toml", "package.json", ".github/workflows/a.yml", "Cargo.toml", "a.md"),
    ),
    "codes": (
        *("a.py", "a.sh", "a.php", "a.go", "a.rs", "a.c", "Makefile", "Dockerfile", ".env.example", "a.service"),
        "a.j2",
    ),
    "pages": ("a.md", "a.rst", "a.adoc", "a.txt", "a.1", "README", "a.ini", "a.sh"),
}
"""Of what each group is written in, as file names."""
GROUPS = {"trees": TREES, "codes": CODES, "pages": PAGES}


def files_of(group: str) -> dict[str, str]:
    """Path -> text: every bomb of a group under every name of it."""
    return {f"{what}/{name}": text for what, text in GROUPS[group].items() for name in NAMES[group]}
