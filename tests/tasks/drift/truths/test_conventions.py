"""What each form takes for a default, and what it leaves alone."""

import pytest

from tasks.drift.tree import TextFile
from tasks.drift.truths import read_truths


def values(path: str, text: str) -> dict[str, str]:
    return {one.option: one.value for one in read_truths(TextFile(path, text)) if one.kind != "computed"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A=\n[ -z $A ] && A=5\n", {"A": "5"}),
        ("[[ -n ${A:-} ]] || A=5\n", {"A": "5"}),
        ('test -z "$A" && A=5\n', {"A": "5"}),
        ("A=1\nA=2\n", {"A": "1"}),
        ("if true; then A=1; fi\n", {}),
        ("f() { A=1; }\n", {"A": "1"}),
        ("f() { A=1; }\ng() { A=2; }\n", {}),
        ("f() { export A=1; }\n", {}),
        ("f() { local A=1; }\n", {"A": "1"}),
        ("A=1 make\n", {}),
        ("A=1\nA+=2\n", {"A": "1"}),
        ("PATH=$PATH:/x\n", {}),
        ("[[ -n ${A:-} ]] && echo\n", {}),
        ("[[ ${A:-0} -eq 1 ]] && echo\n", {"A": "0"}),
        ('VARS[A]="${A:=7}"\n', {"A": "7"}),
        ('limit="${1:-10}"\n', {"limit": "10"}),
        ("A='it is $B'\n", {"A": "it is $B"}),
    ],
)
def test_shell_defaults(text: str, expected: dict[str, str]) -> None:
    assert values("a.sh", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = os.environ.get('A') or 5\n", {"A": "5"}),
        ("x = os.getenv('A')\n", {}),
        (
            "x = options.pop('a', None)\n",
            {
                "options.a": "",
            },
        ),
        ("x = options.get('a', None)\n", {}),
        ("x = get_choice_from_env('A_B', {'c', 'd'})\n", {}),
        ("x = get_choice_from_env('A_B', {'c', 'd'}, default='c')\n", {"A_B": "c", "x": "c"}),
        ("x = env('A_B', int)\n", {}),
        ("set_env('A_B', '5')\n", {}),
        ("x = env('A_B', 5)\n", {"A_B": "5"}),
        ("def f():\n    if 'a' not in config:\n        config['a'] = 600\n", {"config.a": "600"}),
        ("def f():\n    a = 5\n", {}),
        ("p.add_argument('--a', default=argparse.SUPPRESS)\n", {}),
        ("class A:\n    b = Field(...)\n", {}),
        ("class A:\n    b: list = field(default_factory=list)\n", {"A.b": "[]"}),
        ("class A:\n    b = IntegerField(default=0.4)\n", {"A.b": "0.4"}),
        ("def f(a: int = typer.Option(5, '--aa')): ...\n", {"--aa": "5"}),
        ("def f(a_b: Annotated[int, typer.Option()] = 5): ...\n", {"--a-b": "5"}),
        ("@click.option('--a/--no-a', default=True, envvar='X_A')\ndef f(): ...\n", {"--a": "True", "X_A": "True"}),
        ("T = (('a', Type(str, default='b')),)\n", {"a": "b"}),
        ("A = Path('/x') / 'y'\n", {"A": "/x/y"}),
        ("A = 'a' 'b'\nB = -1\nC = 1_000\n", {"A": "ab", "B": "-1", "C": "1_000"}),
        ("print 'python 2'\nA = 1\n", {}),
    ],
)
def test_python_defaults(text: str, expected: dict[str, str]) -> None:
    assert values("a.py", text) == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.conf", "port 80\nhost localhost\nmode fast\n", {"port": "80", "host": "localhost", "mode": "fast"}),
        ("a.conf", "Dear reader\nthis is a letter to you\nand it goes on\n", {}),
        ("a.conf", "server {\n  listen = 80\n}\n", {"server.listen": "80"}),
        ("a.conf", "$oven{heat} = -1;\n#$oven{fan} = 1;\n", {"oven.heat": "-1", "oven.fan": "1"}),
        ("a.conf", "A=1\n# B = this is prose\n# A note: nothing\n#C=2\n", {"A": "1", "C": "2"}),
        ("a.conf", "colour=#fff # white\n", {"colour": "#fff"}),
        ("a.tmpl", "users:\n  - name: a\n    shell: b\n", {}),
        ("values.yaml", "a:\n  - b: 1\n  - b: 2\n", {}),
        ("values.yaml", "a: &x 5\nb: *x\nc: &y {d: 1}\ne: *y\n", {"a": "5", "b": "5", "c.d": "1"}),
        ("values.yaml", "apiVersion: v1\nkind: Pod\nspec: 1\n", {}),
        ("roles/a/tasks/main.yml", "- name: x\n  port: 1\n", {}),
        ("config.toml", "a = 1979-05-27\n[[b]]\nc = 1\n[[b]]\nc = 2\n", {"a": "1979-05-27"}),
        ("a.service", "TimeoutStopSec=90\n", {}),
    ],
)
def test_config_files(path: str, text: str, expected: dict[str, str]) -> None:
    assert values(path, text) == expected
