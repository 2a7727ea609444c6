"""The forms in which documentation holds keys, one line of a table each: what is written around a key."""

from __future__ import annotations

import json

BARE: dict[str, str] = {
    "sentence": "Log in with {} before you start.",
    "span": "Log in with `{}` before you start.",
    "bold": "**{}**",
    "quote": "> It answered: {}",
    "html": "<p>It answered: <code>{}</code></p>",
    "argument": "```\nkestrel login {}\n```",
    "parenthesis": "Ask for it (ours is {}).",
    "link": "[the console](https://kestrel.internal/login/{})",
    "cell": "| Where | What |\n| --- | --- |\n| staging | {} |",
    "comment": "```sh\nkestrel sync  # {}\n```",
}
"""Nothing says what it is: only a key that can be told by itself is found so."""

NAMED: dict[str, str] = {
    "env": "{name}={key}",
    "export": '```sh\nexport {name}="{key}"\n```',
    "yaml": "```yaml\nkestrel:\n  {name}: {key}\n```",
    "yaml quoted": "```yaml\n  - {name}: '{key}'\n```",
    "ini": "[kestrel]\n{name} = {key}",
    "json": '```json\n{{\n  "host": "kestrel.internal",\n  "{name}": "{key}"\n}}\n```',
    "json line": 'Send `{{"{name}":"{key}","user":"kestrel"}}` to it.',
    "escaped json": '```sh\nkestrel post "{{\\"{name}\\": \\"{key}\\"}}"\n```',
    "toml": '```toml\n{name} = "{key}"\n```',
    "php": "```php\n'{name}' => '{key}',\n```",
    "python": '```python\nclient = Client("kestrel", {name}="{key}")\n```',
    "javascript": "```js\nconst {name} = '{key}';\n```",
    "flag": "```\nkestrel run --{name} {key} --now\n```",
    "flag equals": "    kestrel run --{name}={key}",
    "docker": "```\ndocker run -e {name}={key} kestrel\n```",
    "item": "- {name}: `{key}`",
    "term": "* **{name}**: {key}",
    "row": "| Setting | Value |\n| --- | --- |\n| `{name}` | `{key}` |",
    "column": "| Host | {name} | Since |\n| --- | --- | --- |\n| staging | {key} | 2024 |",
    "html row": "<tr><td>{name}</td><td>{key}</td></tr>",
    "xml": "```xml\n<{name}>{key}</{name}>\n```",
    "attribute": '```xml\n<add key="{name}" value="{key}" />\n```',
    "query": "https://kestrel.internal/v1/jobs?{name}={key}&page=2",
    "header": "```\ncurl -H '{name}: {key}' https://kestrel.internal/v1\n```",
    "sentence": "The {name} is `{key}`, until the end of the year.",
    "sentence for": "The {name} for the staging host is {key}.",
    "quote": "> {name}: {key}",
    "next line": "{name}:\n\n    {key}",
    "next fence": "{name}:\n\n```\n{key}\n```",
    "heading": "## {name}\n\n```\n{key}\n```",
    "field": ":{name}: {key}",
    "definition": "{name}\n:   {key}",
    "commented": "```sh\n# {name}: {key}\n```",
    "powershell": "```powershell\n$env:{name} = '{key}'\n```",
    "batch": "```bat\nset {name}={key}\n```",
    "arrow": "{name} -> {key}",
}
"""A name stands beside it."""

BROKEN: dict[str, str] = {
    "backslash": "```sh\nkestrel login {0}\\\n{1}\n```",
    "wrapped": "```\n{0}\n{1}\n```",
    "wrapped quote": "> {0}\n> {1}",
    "wrapped items": "    {0}\n    {1}",
    "joined": '```python\nkey = (\n    "{0}"\n    "{1}"\n)\n```',
    "added": '```js\nconst key = "{0}" +\n  "{1}";\n```',
}
"""Over two lines."""

CODE = frozenset(
    [
        "env",
        "export",
        "toml",
        "php",
        "python",
        "javascript",
        "flag",
        "flag equals",
        "docker",
        "xml",
        "query",
        "header",
        "powershell",
        "batch",
    ]
)
"""The forms of `NAMED` in which a name is one word."""

AROUND: dict[str, str] = {
    "as it is": "{}",
    "fence": "```\n{}\n```",
    "indented": "    {}",
    "item": "- run this:\n\n      {}",
    "quote": "> {}",
    "prompt": "```console\n$ {}\n```",
    "comment": "# {}",
}
"""Around each line of a command, an address or a file; `around_block` repeats what stands before the brace."""

BLOCKS: dict[str, str] = {
    "as it is": "{}",
    "fence": "```\n{}\n```",
    "indented": "\t{}",
    "list": "- the key:\n\n      {}",
    "quote": "> {}",
    "comment": "# {}",
    "yaml": "```yaml\nkey: |\n  {}\n```",
    "diff": "```diff\n+{}\n```",
}
"""Around each line of a private key."""


def around_block(form: str, block: str) -> str:
    """The text in a form, what stands before the brace on the line being repeated on each of its lines."""
    before, _, after = form.partition("{}")
    *above, prefix = before.split("\n")
    return "\n".join([*above, *(prefix + line for line in block.split("\n"))]) + after


def as_string(block: str) -> dict[str, str]:
    """The block on one line, as in JSON and in an environment."""
    quoted = json.dumps(block)
    return {
        "json": f'```json\n{{"type": "service_account", "private_key": {quoted}}}\n```',
        "env": f"PRIVATE_KEY={quoted}",
        "escaped": f"```\nkestrel post {json.dumps(json.dumps({'private_key': block}))}\n```",
        "concatenated": "```java\nString key = "
        + " +\n    ".join(json.dumps(f"{line}\n") for line in block.split("\n"))
        + ";\n```",
    }
