"""Verdicts: claims of small repositories against their files, through everything that judges them."""

from __future__ import annotations

import pytest

from schemas.claims import Judgement
from tasks.drift.find import judge_tree
from tests.tasks.drift.trees import tree_of

DOC = "# Settings\n\n- `MOVER_STOP_TIMEOUT` (default: `300`): grace\n"


def judged(texts: dict[str, str], order: tuple[str, ...] = ()) -> list[Judgement]:
    return list(judge_tree(tree_of(texts), order))


def said(texts: dict[str, str], order: tuple[str, ...] = ()) -> list[str]:
    return [one.verdict for one in judged(texts, order)]


def test_a_default_that_differs_from_the_template_disagrees() -> None:
    (one,) = judged({"docs/a.md": DOC, "conf/mover.conf.template": "# Grace.\nMOVER_STOP_TIMEOUT=600\n"})
    assert (one.verdict, one.claim.line, one.claim.documented) == ("disagrees", 3, "300")
    assert one.truth is not None
    assert (one.truth.path, one.truth.line, one.truth.value) == ("conf/mover.conf.template", 2, "600")


def test_the_same_value_in_another_spelling_agrees() -> None:
    assert said({"docs/a.md": DOC, "conf/mover.conf.template": "MOVER_STOP_TIMEOUT=5m\n"}) == ["agrees"]


def test_without_a_truth_nothing_is_said() -> None:
    assert said({"docs/a.md": DOC, "src/a.sh": "#!/bin/sh\necho hi\n"}) == ["unknown"]


def test_two_truths_that_disagree_are_said_as_such() -> None:
    (one,) = judged(
        {
            "docs/a.md": DOC,
            "conf/mover.conf.template": "MOVER_STOP_TIMEOUT=600\n",
            "bin/mover.sh": '#!/bin/bash\n: "${MOVER_STOP_TIMEOUT:=300}"\n',
        }
    )
    assert (one.verdict, one.reason) == ("unknown", "two truths disagree")
    assert [truth.path for truth in one.differing] == ["bin/mover.sh"]


def test_a_truth_that_agrees_with_the_winner_is_named() -> None:
    (one,) = judged(
        {
            "docs/a.md": DOC,
            "conf/mover.conf.template": "MOVER_STOP_TIMEOUT=600\n",
            "bin/mover.sh": '#!/bin/bash\n: "${MOVER_STOP_TIMEOUT:=600}"\n',
        }
    )
    assert one.verdict == "disagrees"
    assert [truth.path for truth in one.agreeing] == ["bin/mover.sh"]


def test_the_order_of_truths_can_be_chosen() -> None:
    texts = {
        "docs/a.md": DOC,
        "conf/mover.conf.template": "MOVER_STOP_TIMEOUT=600\n",
        "bin/mover.sh": '#!/bin/bash\n: "${MOVER_STOP_TIMEOUT:=900}"\n',
    }
    winners = [one.truth.reader for order in ((), ("shell",)) for one in judged(texts, order) if one.truth]
    assert winners == ["template", "shell"]


def test_a_setting_of_a_test_decides_nothing() -> None:
    assert said({"docs/a.md": DOC, "tests/a.sh": "#!/bin/bash\nMOVER_STOP_TIMEOUT=1\n"}) == ["unknown"]


def test_a_name_of_one_word_is_looked_up_only_nearby() -> None:
    doc = "# Web\n\n| Setting | Default |\n| --- | --- |\n| `port` | `80` |\n"
    far = {"web/README.md": doc, "other/deep/down/values.yaml": "port: 8080\n"}
    assert said(far) == ["unknown"]
    assert said({**far, "web/values.yaml": "port: 8080\n"}) == ["disagrees"]


def test_each_chart_is_held_against_its_own_values() -> None:
    doc = "# Chart\n\n| Parameter | Description | Default |\n| --- | --- | --- |\n| `retryCount` | tries | `3` |\n"
    texts = {
        "charts/a/README.md": doc,
        "charts/a/values.yaml": "retryCount: 3\n",
        "charts/b/README.md": doc,
        "charts/b/values.yaml": "retryCount: 5\n",
    }
    assert [(one.claim.path, one.verdict) for one in judged(texts)] == [
        ("charts/a/README.md", "agrees"),
        ("charts/b/README.md", "disagrees"),
    ]


def test_one_hop_is_followed() -> None:
    script = "#!/bin/bash\nFALLBACK=300\nMOVER_STOP_TIMEOUT=${MOVER_STOP_TIMEOUT:-$FALLBACK}\n"
    assert said({"docs/a.md": DOC, "bin/mover.sh": script}) == ["agrees"]


COMMENTED = "".join(f"# The limit of {name}.\n#APP_{name}_LIMIT={value}\n\n" for value, name in enumerate("ABCDEF"))


def code(values: list[int]) -> str:
    names = [
        f'{name} = os.getenv("APP_{name}_LIMIT", "{value}")\n' for value, name in zip(values, "ABCDEF", strict=False)
    ]
    return "import os\n\n" + "".join(names)


def test_commented_settings_are_defaults_where_most_of_them_are() -> None:
    found = judged({"app.conf.example": COMMENTED, "app/settings.py": code([0, 1, 2, 3, 4, 9])})
    assert [(one.claim.option, one.truth.value) for one in found if one.verdict == "disagrees" and one.truth] == [
        ("APP_F_LIMIT", "9")
    ]


@pytest.mark.parametrize("values", [[7, 8, 9, 7, 4, 5], [0, 1, 2]], ids=["examples", "too few to learn from"])
def test_commented_settings_are_examples_until_shown_otherwise(values: list[int]) -> None:
    assert "disagrees" not in said({"app.conf.example": COMMENTED, "app/settings.py": code(values)})


@pytest.mark.parametrize("value", ["https://tower.example.com", "/path/to/tower"])
def test_a_commented_value_that_is_plainly_made_up_is_no_default(value: str) -> None:
    template = COMMENTED.replace("LIMIT=5", f"LIMIT={value}")
    assert "disagrees" not in said({"app.conf.example": template, "app/settings.py": code([0, 1, 2, 3, 4, 9])})


def test_a_line_that_sets_one_value_and_names_another_contradicts_nobody() -> None:
    line = "global:\n  scrape_interval: 15s  # default: 1m\n"
    assert "disagrees" not in said({"prometheus/values.yaml": line})
    assert said({"prometheus/values.yaml": line.replace("15s", "60s")}) == ["agrees"]


def test_a_file_of_credentials_decides_nothing() -> None:
    doc = DOC.replace("MOVER_STOP_TIMEOUT", "SMTP_PASSWORD")
    assert said({"docs/a.md": doc, ".env": "SMTP_PASSWORD=hunter2\n"}) == ["unknown"]


def test_a_file_that_names_another_default_on_its_line_contradicts_nobody() -> None:
    texts = {
        "docs/a.md": "```yaml\nretry_limit: 10  # default is 60\n```\n",
        "roles/a/defaults/main.yml": "retry_limit: 10  # default is 60\n",
    }
    assert "disagrees" not in said(texts)
    assert "disagrees" in said({**texts, "roles/a/defaults/main.yml": "retry_limit: 10\n"})


def test_an_example_sets_what_its_comments_call_another_default() -> None:
    text = "# The log's target.\n# Default: STDERR\nlogtarget = /var/log/mover.log\n"
    assert "disagrees" not in said({"config-examples/mover.cf": text})
    assert said({"conf/mover.cf": text}) == ["disagrees"]


def test_what_a_deployment_sets_is_no_default_where_code_reads_the_option() -> None:
    compose = "services:\n  mover:\n    image: mover\n    environment:\n      MOVER_STOP_TIMEOUT: 900\n"
    texts = {"docs/a.md": DOC, "docker/compose.yml": compose}
    assert said(texts) == ["disagrees"]
    read = {**texts, "src/a.py": 'import os\n\nTIMEOUT = read(os.getenv("MOVER_STOP_TIMEOUT", None))\n'}
    assert said(read) == ["unknown"]
    assert said({**texts, "mover.conf.example": "#MOVER_STOP_TIMEOUT=300\n#OTHER=1\n"}) == ["unknown"]


def test_a_comment_in_yaml_speaks_of_keys_where_it_stands() -> None:
    text = "cert:\n  root: {}\n    # How many are kept.\n    # Defaults to nil.\n    # keptCount:\n\nkeptCount: 10\n"
    assert "disagrees" not in said({"charts/a/values.yaml": text})
    assert said({"charts/a/values.yaml": "# How many are kept. Defaults to 5.\nkeptCount: 10\n"}) == ["disagrees"]


def test_a_name_with_a_slash_is_no_name_without_one() -> None:
    doc = "# Options\n\n| Name | Default |\n| --- | --- |\n| mover/hostname | mover.me |\n"
    assert said({"docs/a.md": doc, "Dockerfile": "FROM x\nARG MOVER_HOSTNAME=mover.invalid\n"}) == ["unknown"]


def test_the_variable_of_a_function_is_no_option_of_other_scripts() -> None:
    script = '#!/bin/bash\ncheck() {\n  # Wait so many seconds (default 5).\n  local WAIT="$(ask wait)"\n}\n'
    retire = '#!/bin/bash\nretire() {\n  declare APP="$1" WAIT="${3:-60}"\n}\n'
    assert "disagrees" not in said({"bin/check": script, "bin/retire": retire})


def test_code_in_two_places_with_two_values_decides_nothing() -> None:
    texts = {
        "docs/a.md": "- `--buffer-size` (default: `16`): room\n",
        "a/a.py": "BUFFER_SIZE = 8\n",
        "b/b.py": "BUFFER_SIZE = 4\n",
    }
    assert said(texts) == ["unknown"]
    del texts["b/b.py"]
    assert said(texts) == ["disagrees"]


def test_a_comment_is_held_against_its_own_file_first() -> None:
    text = "[Init]\n# Where it is kept. Default: /tmp/mover-{}\nscratch_file = {}\n"
    texts = {"conf/a.conf": text.format("a", "/run/a"), "conf/b.conf": text.format("b", "/run/b")}
    found = judged(texts)
    assert [(one.verdict, one.truth.path if one.truth else "") for one in found] == [
        ("disagrees", "conf/a.conf"),
        ("disagrees", "conf/b.conf"),
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("file.go", "package file\n\nconst maxDepth = 4\n"),
        ("file.go", "package file\n\nconst MaxDepth = 4\n"),
        ("file.py", "_MAX_DEPTH = 4\n"),
    ],
)
def test_a_constant_of_another_package_is_no_option(path: str, text: str) -> None:
    doc = "- `--max-depth` (default: `-1`): how far down\n"
    assert said({"docs/a.md": doc, f"lib/{path}": text}) == ["unknown"]
    assert said({"lib/README.md": doc, f"lib/{path}": text}) == ["disagrees"]


def test_a_word_in_a_title_names_no_function() -> None:
    doc = "# {}\n\n`batch_size` (default: `100`): how many\n"
    code = "def mover(batch_size=10): ...\n"
    assert said({"docs/a.md": doc.format("More mover options"), "src/a.py": code}) == ["unknown"]
    assert said({"docs/a.md": doc.format("mover()"), "src/a.py": code}) == ["disagrees"]


def test_in_settings_only_the_key_right_above_counts() -> None:
    doc = "# Mover `web`\n\n`tower_mode` (default: `ip6`): how\n"
    assert said({"docs/a.md": doc, "mover.yml": "modules:\n  web:\n    http:\n      tower_mode: ip4\n"}) == ["unknown"]
    assert said({"docs/a.md": doc, "conf/x.yml": "modules:\n  web:\n    tower_mode: ip4\n"}) == ["disagrees"]


def test_a_set_with_nothing_in_it_is_no_plain_list() -> None:
    texts = {"docs/a.md": '`missing_values` (default: `{0, None, ""}`)\n', "a.py": "MISSING_VALUES = ['', 0, None]\n"}
    assert "disagrees" not in said(texts)


def test_a_flag_that_two_commands_have_is_not_held_against_the_other() -> None:
    text = (
        "import argparse\n\nboot = argparse.ArgumentParser()\n"
        "boot.add_argument(\n    '--target-folder',\n    default='/',\n)\n"
        "make = argparse.ArgumentParser()\nmake.add_argument(\n    '--target-folder',\n    default=paths[0],\n"
        "    help='where to, default: /etc/mover.yaml',\n)\n"
    )
    assert "disagrees" not in said({"mover/arguments.py": text})


def test_keys_below_names_that_someone_chose_are_no_defaults() -> None:
    doc = "# Probes\n\n| Key | Default |\n| --- | --- |\n| `preferred_protocol` | `ip6` |\n"
    modules = "modules:\n  web:\n    http:\n      preferred_protocol: ip4\n"
    assert said({"docs/a.md": doc, "mover.yml": modules}) == ["unknown"]
    assert said({"docs/a.md": doc, "example.yml": "preferred_protocol: ip4\n"}) == ["unknown"]
    profiles = "[profiles.local]\npreferred_protocol = 'ip4'\n"
    assert said({"docs/a.md": doc, "src/profiles.toml": profiles}) == ["unknown"]


def test_the_name_of_the_constant_is_as_good_as_its_value() -> None:
    text = (
        'HUGE = 0x7FFFFFFF\n\n\ndef wind(most_turns=HUGE):\n    """Winds.\n\n    Args:\n'
        '        most_turns: how often. Defaults to `HUGE`.\n    """\n'
    )
    assert said({"mover/wind.py": text}) == ["agrees"]


def test_a_docstring_speaks_of_its_own_function() -> None:
    text = (
        'MODEL_DIR = "~/.mover/models"\n\n\ndef fetch(model_dir):\n    """Fetches.\n\n    Args:\n'
        '        model_dir: where to. Defaults to "~/.mover".\n    """\n'
    )
    assert said({"mover/fetch.py": text}) == ["unknown"]


def test_a_service_of_a_deployment_has_variables_of_its_own() -> None:
    doc = "`cluster_name` (default: `mover-cluster`)\n"
    compose = "services:\n  queue:\n    image: queue\n    environment:\n      CLUSTER_NAME: MkU3OEVBNTcw\n"
    assert said({"docs/a.md": doc, "docker-compose.yml": compose}) == ["unknown"]


@pytest.mark.parametrize(
    "path",
    [
        "t/unit/config.py",
        "fstest/testserver/config.py",
        "playwright/config.py",
        "api-tests/config.py",
        "cmd/bench/config.py",
        "config/tutorials/config.py",
    ],
)
def test_more_folders_of_tests_decide_nothing(path: str) -> None:
    assert said({"docs/a.md": DOC, path: "MOVER_STOP_TIMEOUT = 1\n"}) == ["unknown"]


def test_the_set_up_of_the_documentation_tool_is_no_default() -> None:
    text = "# If true, it is shown. Default is True.\nhtml_show_mover = False\n"
    assert "disagrees" not in said({"docs/source/conf.py": text})
    assert said({"mover/conf.py": text}) == ["disagrees"]


def test_values_of_another_trial_decide_nothing() -> None:
    doc = "# Chart\n\n| Parameter | Default |\n| --- | --- |\n| `replicaCount` | `3` |\n"
    texts = {
        "charts/a/README.md": doc,
        "charts/b/values.yaml": "x: 1\n",
        "charts/b/ha-values.yaml": "replicaCount: 2\n",
    }
    assert said(texts) == ["unknown"]


def test_a_file_of_credentials_is_known_to_decide_though_not_what() -> None:
    doc = DOC.replace("MOVER_STOP_TIMEOUT", "TOWER_PORT").replace("300", "1200")
    texts = {"docs/a.md": doc, "tools/cli.py": "import os\n\nPORT = os.getenv('TOWER_PORT', '9200')\n"}
    assert said(texts) == ["disagrees"]
    (one,) = judged({**texts, "docker/.env": "TOWER_PORT=1200\n"})
    assert one.verdict == "unknown"
    assert "1200" not in (one.truth.value if one.truth else "")


def test_a_capital_makes_no_name_of_a_word_in_a_title() -> None:
    doc = "# The Service Configuration\n\n`kind` (default: `oidc`): how\n"
    assert said({"docker/README.md": doc, "helm/values.yaml": "web:\n  service:\n    kind: ClusterIP\n"}) == ["unknown"]


def test_a_test_speaks_of_nothing_but_itself() -> None:
    text = "def test_it():\n    # `create_table_first` (default: `True`) is left out.\n    pass\n"
    assert "disagrees" not in said({"tests/a/test_it.py": text, "mover/a.py": "CREATE_TABLE_FIRST = False\n"})


def test_a_name_with_several_values_in_one_document_means_several_things() -> None:
    row = "# {}\n\n`top_hits` (default: `{}`): how many\n\n"
    doc = row.format("Tower", 10) + row.format("Nave", 12)
    texts = {"docs/a.md": doc, "src/session.py": "TOP_HITS = 6\n"}
    assert said(texts) == ["unknown", "unknown"]
    assert said({**texts, "docs/a.md": doc.replace("12", "6")}) == ["disagrees", "agrees"]


def test_the_variable_of_a_script_is_no_parameter_of_something_else() -> None:
    doc = "`max_tries` (default: `3`): how often\n"
    script = "#!/bin/bash\nMAX_TRIES=5\n"
    assert said({"tools/a/README.md": doc, "docker/launch.sh": script}) == ["unknown"]
    assert said({"docker/README.md": doc, "docker/launch.sh": script}) == ["disagrees"]
    assert said({"docs/a.md": doc.replace("max_tries", "--max-tries"), "docker/launch.sh": script}) == ["disagrees"]


def test_a_docstring_does_not_speak_of_another_method() -> None:
    text = (
        'class Mover:\n    def start(self, config):\n        """Starts.\n\n        Args:\n'
        "            config: a map of\n                - timeout: how long (default: 30)\n"
        '        """\n\n    def move(self, timeout=10): ...\n'
    )
    assert "disagrees" not in said({"mover/a.py": text})


def test_a_word_in_settings_far_away_is_no_option() -> None:
    doc = "# Service\n\n`kind` (default: `oidc`): how\n"
    far = "web:\n  service:\n    kind: ClusterIP\n"
    assert said({"docs/admin/conf/a.md": doc, "helm/a/b/values.yaml": far}) == ["unknown"]
