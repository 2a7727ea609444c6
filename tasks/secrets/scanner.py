"""The patterns of detect-secrets, without the rest of it, which tries keys out over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from muniment.ondemand import put_off

# Those of its detectors that know a provider by its keys. Left out: any text of high entropy, which a commit, a
# checksum and a lock file are as well; its words for passwords, which templates are full of (`tasks.secrets.labels`
# weighs the value too); passwords in addresses, which `tasks.secrets.spoken` tells from examples; addresses of
# machines, which are no secrets.
DETECTORS = (
    *("artifactory", "aws", "azure_storage_key", "cloudant", "discord", "github_token", "gitlab_token"),
    *("ibm_cloud_iam", "ibm_cos_hmac", "mailchimp", "npm", "openai", "pypi_token", "sendgrid", "slack"),
    *("softlayer", "square_oauth", "stripe", "telegram_token", "twilio"),
)
_LOOSE = {
    *("artifactory", "cloudant", "discord", "ibm_cloud_iam", "ibm_cos_hmac", "mailchimp", "softlayer"),
    "twilio",
}
"""Their patterns begin with so little that ordinary text may fit them: the value has to look random as well."""

_AROUND = re.compile(r"\(\?<?[!=](?:\[[^\]]*\]|[^()\[\]])*\)")


class Pattern(NamedTuple):
    """One of the scanner's."""

    kind: str
    """As it says it to a person."""
    text: str
    """As re2 reads it."""
    loose: bool


def scanner_patterns() -> Iterator[Pattern]:
    """The patterns of every detector in `DETECTORS`."""
    for name, detector in _detectors():
        for pattern in detector.denylist:
            yield Pattern(detector.secret_type, _as_re2(pattern), name in _LOOSE)


def _detectors() -> Iterator[tuple[str, Any]]:
    # Half of what the scanner loads is for its command line, the other half to ask providers.
    put_off("detect_secrets")
    if client := put_off("requests"):
        client.__dict__["Response"] = object  # two detectors name it in a signature
    from detect_secrets.plugins.base import RegexBasedDetector

    modules = {name: import_module(f"detect_secrets.plugins.{name}") for name in DETECTORS}
    if client and client.__dict__.get("Response") is object:
        del client.__dict__["Response"]
    for name, module in modules.items():
        for found in vars(module).values():
            if isinstance(found, type) and issubclass(found, RegexBasedDetector) and found is not RegexBasedDetector:
                yield name, found()


def _as_re2(pattern: re.Pattern[str]) -> str:
    """The pattern without what re2 does not know: looking around, and repeating more than a thousand times.

    What stands around a key is looked at by `tasks.secrets.keys` for all rules alike.
    """
    text = _AROUND.sub("", pattern.pattern).replace(",1024}", ",}")
    return f"(?i){text}" if pattern.flags & re.IGNORECASE else text
