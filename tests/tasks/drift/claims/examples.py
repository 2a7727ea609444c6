"""For each shape of claim, texts in which it is found and texts in which it is not."""

from __future__ import annotations

from textwrap import dedent
from typing import NamedTuple

from tasks.drift.tree import TextFile, text_file


class Example(NamedTuple):
    """A file, and what it claims."""

    path: str
    text: str
    claims: str = ""
    """One a line: line number, option, and value, parted by blanks; `_` in a value stands for a blank."""

    @property
    def file(self) -> TextFile:
        found = text_file(self.path, dedent(self.text).encode())
        assert isinstance(found, TextFile)
        return found

    @property
    def expected(self) -> list[tuple[int, str, str]]:
        rows = [line.split() for line in self.claims.strip().splitlines()]
        return [(int(number), option, value.replace("_", " ")) for number, option, value in rows]


TABLES = [
    Example(
        "docs/bells.md",
        """\
        | Setting | Default | Meaning |
        | ------- | :-----: | ------- |
        | `BELL_TONE` | `b flat` | pitch |
        | `BELL_COUNT` | 8 | how many |
        | [`bell.rope`](#rope) | **hemp** | what it hangs from |
        | `--swing`, `-s` | 12 degrees (half) | angle |
        """,
        "3 BELL_TONE b_flat\n4 BELL_COUNT 8\n5 bell.rope hemp\n6 --swing 12_degrees_(half)",
    ),
    Example(
        "README.md",
        """\
        Type | Name | Default value
        --- | --- | ---
        int | depth | 4
        str | mode | `a \\| b`
        str | tone | `c | d`
        """,
        "3 depth 4\n4 mode a_|_b\n5 tone c_|_d",
    ),
    Example(
        "README.md",
        """\
        <table>
        <tr><th>Key</th><th>Default</th></tr>
        <tr><td><code>tower.height</code></td><td><code>31</code></td></tr>
        <tr><td>tower.steps</td><td>
          140
        </td></tr>
        </table>
        """,
        "3 tower.height 31\n5 tower.steps 140",
    ),
    Example(
        "docs/bells.rst",
        """\
        .. list-table::
           :header-rows: 1

           * - Option
             - Default
           * - ``ring_hours``
             - ``7``

        ==========  =======
        Option      Default
        ==========  =======
        ring_mode   solemn
        ==========  =======

        +------------+---------+
        | Option     | Default |
        +============+=========+
        | ring_years | ``2``   |
        +------------+---------+
        """,
        "7 ring_hours 7\n12 ring_mode solemn\n18 ring_years 2",
    ),
    Example(
        "docs/bells.adoc",
        """\
        |===
        |Option |Default |Text

        |`frame.wood`
        |`oak`
        |what it is made of

        |`frame.bolts` |16 |how many
        |===
        """,
        "5 frame.wood oak\n8 frame.bolts 16",
    ),
]

FOUND: dict[str, list[Example]] = {
    "table": TABLES,
    "value-table": [
        Example(
            "charts/bell/README.md",
            """\
            | Name         | Description | Value    |
            | ------------ | ----------- | -------- |
            | `rope.metal` | wire rope   | `false`  |
            """,
            "3 rope.metal false",
        )
    ],
    "typed": [
        Example(
            "docs/configuration.md",
            """\
            ```yml
            tower:
              # Seconds between strokes.
              [ pause: <int> | default = 3 ]
              [ voice: <string> | default = "low" ]
            ```
            """,
            '4 pause 3\n5 voice "low"',
        )
    ],
    "numpydoc": [
        Example(
            "bells.py",
            '''\
            def ring(times, loud, tone):
                """Ring.

                times : int, default 3
                loud: bool, optional, default: True
                tone : str (default="low")
                """
            ''',
            '4 times 3\n5 loud True\n6 tone "low"',
        )
    ],
    "paren": [
        Example(
            "README.md",
            """\
            - `--strokes N` is how often it rings (default 12).
            - `--pause` waits between them (default: 2 seconds)
            - `--tone` (string, default = `low`) sets the pitch
            - `--loud` (default is yes) or softly
            - `LEVEL_TOP` (defaults to "high") and `LEVEL_LOW` (defaults to "deep")
            - `ROPE_ONE` and `ROPE_TWO` [default: 30]
            """,
            "1 --strokes 12\n2 --pause 2_seconds\n3 --tone low\n4 --loud yes\n"
            '5 LEVEL_TOP "high"\n5 LEVEL_LOW "deep"\n6 ROPE_ONE 30\n6 ROPE_TWO 30',
        ),
        Example(
            "bin/ring",
            """\
            #!/bin/bash
            # BELL_DIR
            #   Where the recordings lie
            #   (default: /srv/bells).
            usage="
              -n, --number N   strokes (default 12)
              -q               be quiet
            "
            """,
            "4 BELL_DIR /srv/bells\n6 --number 12",
        ),
        Example(
            "ring.py",
            """\
            def parse(parser, top):
                parser.add_argument("-n", "--strokes", default=12, help="how often it rings (default: 12)")
                parser.add_argument("--pause", help="seconds between strokes "
                    "(default 2)")
                parser.add_argument("--top", default=top, help="the top (default: %(default)s)")
            """,
            "2 --strokes 12\n4 --pause 2",
        ),
    ],
    "own-line": [
        Example(
            "docs/settings.md",
            """\
            ### `bell.rope`

            What it hangs from.

            **Default value**: `hemp`

            ### BELL_COUNT

            - Default: 8

            BELL_FRAME
            : The wood of the frame.

                Default: oak.
            """,
            "5 bell.rope hemp\n9 BELL_COUNT 8\n14 BELL_FRAME oak",
        ),
        Example(
            "man/ring.8",
            """\
            .TH RING 8
            .SH OPTIONS
            .TP
            .BI \\-\\-strokes " N"
            How often.
            Default: 12
            """,
            "6 --strokes 12",
        ),
        Example(
            "conf/ring.conf",
            """\
            # How often it rings.
            # Default: 12
            #strokes = 9

            # Where it is.
            ## Default: "north"
            tower = "south"
            """,
            '2 strokes 12\n6 tower "north"',
        ),
    ],
    "prose": [
        Example(
            "docs/manual.md",
            """\
            The bell rings for `ring.minutes`, which
            defaults to `5`, and stops. The default value of `ring.tone` is "low". The
            `--swing` flag has a default of 12.

            `--rope` chooses the rope. The default is `hemp`.
            """,
            '2 ring.minutes 5\n2 ring.tone "low"\n3 --swing 12\n5 --rope hemp',
        ),
        Example(
            "conf/ring.yml",
            """\
            strokes: 12  # how often it rings; defaults to 10
            # Values: [ low | high ]  Default: low
            tone: high
            """,
            "1 strokes 10\n2 tone low",
        ),
    ],
    "arrow": [
        Example(
            "docs/environment.md",
            """\
            ##### RING_LEVEL

            - **low** => softly
            - high => loudly

            ##### RING_TOWER

            - **empty** => north
            - south => the other one
            """,
            "3 RING_LEVEL low\n8 RING_TOWER north",
        )
    ],
    "marked-value": [
        Example(
            "docs/manual.md",
            """\
            `RING_TONE`: `low` (default) or `high`.

            - `ring.mode`
              - "solemn" (default): for funerals
              - "merry": for weddings
            """,
            '1 RING_TONE low\n4 ring.mode "solemn"',
        ),
        Example("conf/ring.conf", "# 0 : softly (default)\n# 1 : loudly\nloudness = 1\n", "1 loudness 0"),
    ],
    "switched": [
        Example(
            "docs/manual.md",
            "`RING_SUNDAYS` is enabled by default.\n\n- `ring.nights`: disabled by default\n",
            "1 RING_SUNDAYS enabled\n3 ring.nights disabled",
        )
    ],
    "key-comment": [
        Example(
            "README.md",
            """\
            ```bash
            RING_PORT=8088  # default
            RING_HOST=tower  # change this
            ```
            """,
            "2 RING_PORT 8088",
        )
    ],
    "role": [
        Example(
            "README.md",
            """\
            # Ansible role: bells

            ## Role Variables

            The defaults are in `defaults/main.yml`:

                bells_count: 8
                bells_frame:
                  wood: oak

            The frame is of wood, for example of oak.

                bells_tone: low

            For example:

                bells_count: 3
            """,
            "7 bells_count 8\n9 bells_frame.wood oak\n13 bells_tone low",
        )
    ],
}
"""Shape -> examples, each with all that the shape finds there."""

NOT_FOUND: dict[str, list[Example]] = {
    "table": [
        Example("README.md", "| Tower | Height |\n| --- | --- |\n| `north` | 31 |\n"),
        Example("README.md", "| Setting | Default |\n| --- | --- |\n| the height of the tower | 31 |\n"),
        Example("README.md", "| Key | Default |\n| --- | --- |\n| `key` | `1` on Sundays, else `2` |\n"),
        Example("README.md", "```\n| Key | Default |\n| --- | --- |\n| `key` | 5 |\n```\n"),
        Example("CHANGELOG.md", "| Key | Default |\n| --- | --- |\n| `key` | 5 |\n"),
    ],
    "value-table": [
        Example("README.md", "| Name | Weight | Value |\n| --- | --- | --- |\n| `bell` | 5 | 7 |\n"),
        Example("docs/x.md", "| Name | Description | Value |\n| --- | --- | --- |\n| `bell` | big | 7 |\n"),
    ],
    "typed": [
        Example("docs/x.md", "```\n[ pause: <int> ]\ndefault = 3\n```\n"),
        Example("conf/x.conf", "[ pause: <int> | default = 3 ]\n"),
    ],
    "numpydoc": [
        Example("x.py", 'def ring(times=3):\n    """Ring.\n\n    times : int\n    """\n'),
        Example("x.py", 'def ring(times=3):\n    return {"times": int, "default": 3}\n'),
    ],
    "paren": [
        Example("README.md", "The bell of the tower (default behaviour) rings.\n"),
        Example("README.md", "`ring(times, default=None)` rings.\n"),
        Example("README.md", "- `--tone` sets the pitch (default: `low` on Sundays)\n"),
        Example("README.md", "- `--tone` sets the pitch (default: the pitch of the frame)\n"),
        Example("README.md", "- `--tone` was lower previously (default 5 or 6)\n"),
        Example("README.md", "How often it rings (default 12).\n"),
        Example("ring.py", 'def ring(times=3):\n    call("x (default 5)", TIMES_MAX)\n'),
        Example("ring.py", 'TEXT = """\n# TIMES_MAX\n#   strokes (default 5)\n"""\n'),
    ],
    "own-line": [
        Example("docs/x.md", "# Installation\n\nDefault: 5\n"),
        Example("docs/x.md", "### `rope`\n\nDefault: `hemp` on Sundays, `wire` otherwise\n"),
        Example("docs/x.md", "### `rope`\n\n- Bells\n    - Default: `hemp`\n"),
        Example("docs/x.md", "### `rope`\n\nDefault: `hemp` (in winter: `wire`)\n"),
        Example("x/values.yaml", "# - name: bell\n#   default: 5\nbells: []\n"),
    ],
    "prose": [
        Example("docs/x.md", "By default the bell rings 12 times.\n"),
        Example("docs/x.md", "`RING_TONE` used to default to 5.\n"),
        Example("docs/x.md", "If `RING_TONE` is high then `RING_PAUSE` and `RING_ROPE` matter; it defaults to 5.\n"),
        Example("docs/x.md", "`RING_TONE` defaults to whatever the frame allows.\n"),
        Example("docs/x.md", "When run at night `RING_TONE` is ignored and the tone then defaults to `5`.\n"),
        Example("docs/x.rst", "RING_TONE\n=========\n\n.. versionchanged:: 2.0\n   Defaults to ``5`` now.\n"),
        Example("conf/x.conf", "# Most towers default to 64.\nbells = 8\n"),
        Example("conf/x.conf", "# Must be longer than the pause, which defaults to 64.\nbells = 8\n"),
    ],
    "arrow": [
        Example("docs/x.md", "##### RING_LEVEL\n\n- **low** => softly\n- **high** => loudly\n"),
        Example("docs/x.md", "##### RING_LEVEL\n\n- **empty** => whatever the frame of the tower allows\n- 1 => low\n"),
    ],
    "marked-value": [
        Example("docs/x.md", "Raise the level from 2 (default) to 3.\n"),
        Example("docs/x.md", "There are `solemn`, `merry` (default) and `mute`.\n"),
    ],
    "switched": [
        Example("docs/x.md", "Towers with `bells` have lights enabled by default.\n"),
        Example("docs/x.md", "Ringing on Sundays is enabled by default.\n"),
    ],
    "key-comment": [
        Example("README.md", "```bash\nRING_PORT=8088  # the default port of the tower is another\n```\n"),
        Example("conf/ring.env.example", "RING_PORT=8088  # default\n"),
    ],
    "role": [
        Example("README.md", "# Bells\n\n## Variables\n\n    bells_count: 8\n"),
        Example("README.md", "Ansible\n\n## Role Variables\n\nFor example:\n\n    bells_count: 8\n"),
        Example(
            "README.md", "# Ansible\n\n## Role Variables\n\nAll:\n\n    bells:\n      - tone: low\n      - tone: high\n"
        ),
        Example("README.md", "# Ansible\n\n## Role Variables\n\n## Example Playbook\n\nA play:\n\n    hosts: all\n"),
    ],
}
"""Shape -> files in which it finds nothing."""
