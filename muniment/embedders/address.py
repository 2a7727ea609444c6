"""Which addresses an embedder may be given: decided from their text alone, with no look-up that would leak them."""

import re
from ipaddress import IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from muniment.errors import Refused, SettingsError

# A parser that drops or folds other characters could see another host than the one that was checked.
_PLAIN = re.compile(r"[!-\[\]-~]+")


def check_address(url: str, setting: str, egress_ack: bool) -> None:
    """Nothing, when `url` may be contacted.

    Raises SettingsError when it is no plain http or https address, and Refused when it is on another machine and
    that was not acknowledged. Neither message repeats a password.
    """
    host = _split(url, setting).hostname or ""
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


def _split(url: str, setting: str) -> SplitResult:
    if "@" in url:
        raise SettingsError(f"{setting} holds a user name or password", hint="put a key in embedder.api_key instead")
    wrong = SettingsError(f"{setting} is no plain http or https address: '{url}'", hint="write http://HOST:PORT")
    try:
        parts = urlsplit(url)
        usable = parts.port != 0 and parts.hostname and parts.scheme in ("http", "https")
    except ValueError as error:
        raise wrong from error
    if not usable or parts.query or parts.fragment or not _PLAIN.fullmatch(url):
        raise wrong
    return parts
