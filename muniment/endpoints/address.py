"""Which addresses a setting may hold: decided from their text alone, with no look-up that would leak them."""

import re
from ipaddress import IPv6Address, ip_address

from muniment.errors import Refused, SettingsError

# Stricter than any parser, so that none can see another host in what passes than the one that was checked.
_ADDRESS = re.compile(
    r"https?://(?P<host>[a-z0-9_.-]+|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?(/[a-z0-9_.~/-]*)?", re.I
)


def check_address(url: str, setting: str, egress_ack: bool) -> None:
    """Nothing, when `url` may be contacted.

    Raises SettingsError when it is no plain http or https address, and Refused when it is on another machine and
    that was not acknowledged. Neither message repeats a password.
    """
    host = _host(url, setting)
    if not egress_ack and not is_loopback(host):
        raise Refused(
            f"{setting} names another machine, and indexed text would be sent to it: '{host}'",
            hint="set egress_ack = true if that is meant",
        )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by its very name: localhost and below, 127.0.0.0/8, ::1."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def _host(url: str, setting: str) -> str:
    if "@" in url:
        key = f"{setting.partition('.')[0]}.api_key"
        raise SettingsError(f"{setting} holds a user name or password", hint=f"put a key in {key} instead")
    wrong = SettingsError(f"{setting} is no plain http or https address: '{url}'", hint="write http://HOST:PORT")
    parts = _ADDRESS.fullmatch(url)
    if not parts or not 0 < int(parts["port"] or 80) < 65536:
        raise wrong
    host = parts["host"].lower()
    if not host.startswith("["):
        return host
    try:
        return str(IPv6Address(host[1:-1]))
    except ValueError as error:
        raise wrong from error
