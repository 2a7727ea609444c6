"""The grammar of what answers others."""

from __future__ import annotations

from muniment.cli.parser.options import Commands, add_command, add_common, add_places


def add_serve(commands: Commands) -> None:
    """Adds `muniment serve`."""
    text = "answer over HTTP, until interrupted"
    parser = add_command(commands, "serve", text)
    parser.add_argument("--host", metavar="ADDRESS", help="where to listen (default: serve.host, else 127.0.0.1)")
    parser.add_argument("--port", type=int, metavar="N", help="0: any free one (default: serve.port, else 8765)")
    add_places(parser)


def add_mcp(commands: Commands) -> None:
    """Adds `muniment mcp`."""
    text = "answer one agent over stdin and stdout, by the Model Context Protocol"
    add_places(add_command(commands, "mcp", text))


def add_token(commands: Commands) -> None:
    """Adds `muniment token`."""
    text = "make, list and revoke the tokens of 'muniment serve'"
    parser = add_command(commands, "token", text)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, said in (
        ("create", "make a token and print it, this once"),
        ("list", "names, scopes and ages"),
        ("revoke", "refuse a token from now on"),
    ):
        action = add_command(actions, name, said)
        if name != "list":
            action.add_argument("name", metavar="NAME", help="what it is called here")
        if name == "create":
            action.add_argument(
                "--scope",
                choices=("read", "write"),
                default="read",
                help="read: search, ask and look; write: also index, evaluate and give feedback (default: read)",
            )
            action.add_argument(
                "--expires", default="", metavar="90d", help="hours, days or weeks that it lasts (default: for good)"
            )
        add_common(action)
