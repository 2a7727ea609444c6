"""Values that are another option's, and defaults that are kept elsewhere."""

import pytest

from tasks.drift.tree import TextFile
from tasks.drift.truths import read_truths


def refers(path: str, text: str) -> dict[str, str]:
    return {truth.option: truth.refers for truth in read_truths(TextFile(path, text)) if truth.kind == "computed"}


@pytest.mark.parametrize(
    ("path", "text", "option", "other"),
    [
        ("a.sh", 'A="${A:-$B}"\n', "A", "B"),
        ("a.sh", 'A="$DEFAULT_A"\n', "A", "DEFAULT_A"),
        ("a.sh", 'if [ -z "$A" ]; then A=$DEFAULT_A; fi\n', "A", "DEFAULT_A"),
        ("a.sh", "A=${B:-5}\n", "A", "B"),
        ("a.conf", "A=1\nB=${A}\n", "B", "A"),
        ("values.yaml", "a: '{{ b_c }}'\n", "a", "b_c"),
        ("values.yaml", "a: \"{{ b | default('c') }}\"\n", "a", "b"),
        ("Dockerfile", "ENV A=$B\n", "A", "B"),
        ("compose.yaml", "services:\n  a:\n    environment:\n      A: ${B:-1}\n", "A", "B"),
        ("a.py", "PORT = DEFAULT_PORT\n", "PORT", "DEFAULT_PORT"),
        ("a.py", "PORT = int(os.getenv('OVEN_PORT', 80))\n", "PORT", "OVEN_PORT"),
        ("a.py", "FAN = get_bool_from_env('OVEN_FAN')\n", "OVEN_FAN", "get_bool_from_env.default"),
        ("a.py", "p.add_argument('--x', default=Policy.x)\n", "--x", "Policy.x"),
        ("a.h", "#define A DEFAULT_A\n", "A", "DEFAULT_A"),
    ],
)
def test_a_value_names_the_option_it_is_taken_from(path: str, text: str, option: str, other: str) -> None:
    assert refers(path, text)[option] == other


@pytest.mark.parametrize(
    ("path", "text", "option"),
    [
        ("a.sh", "A=$(date)\n", "A"),
        ("a.sh", 'A="${B}/${C}"\n', "A"),
        ("a.py", "A = f'{b}-c'\n", "A"),
        ("a.py", "A = BASE / 'data'\n", "A"),
        ("values.yaml", "a: '{{ b }}-{{ c }}'\n", "a"),
    ],
)
def test_what_is_put_together_refers_to_nothing(path: str, text: str, option: str) -> None:
    assert refers(path, text)[option] == ""


def test_a_helper_of_the_same_module_gives_its_own_default() -> None:
    text = "def getbool(key, default='NO'): ...\nFAN = getbool('OVEN_FAN')\n"
    truths = {one.option: one for one in read_truths(TextFile("a.py", text))}
    assert (truths["OVEN_FAN"].value, truths["OVEN_FAN"].kind, truths["OVEN_FAN"].line) == ("NO", "boolean", 2)
