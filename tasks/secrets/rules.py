"""What keys look like: the patterns of a maintained scanner, and those that it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

# Those of its detectors that know a provider by its keys. Left out: any text of high entropy, which a commit, a
# checksum and a lock file are as well; its words for passwords, which templates are full of (`ASSIGNED` weighs the
# value too); addresses of machines, which are no secrets.
_DETECTORS = (
    *("artifactory", "aws", "azure_storage_key", "basic_auth", "cloudant", "discord", "github_token", "gitlab_token"),
    *("ibm_cloud_iam", "ibm_cos_hmac", "mailchimp", "npm", "openai", "pypi_token", "sendgrid", "slack"),
    *("softlayer", "square_oauth", "stripe", "telegram_token", "twilio"),
)
_LOOSE = {
    *("artifactory", "cloudant", "discord", "ibm_cloud_iam", "ibm_cos_hmac", "mailchimp", "softlayer"),
    "twilio",
}
"""Their patterns begin with so little that ordinary text may fit them: the value has to look random as well."""

_AROUND = re.compile(r"\(\?<?[!=](?:\[[^\]]*\]|[^()\[\]])*\)")

ASSIGNED = "assigned secret"
BASIC_AUTH = "basic_auth"
JWT = "JSON web token"

_OWN: dict[str, str] = {
    "age key": r"AGE-SECRET-KEY-1([0-9A-Z]{58})",
    "Anthropic key": r"sk-ant-[a-z0-9]+-[A-Za-z0-9_-]{80,}",
    "Atlassian token": r"ATATT3[A-Za-z0-9_=-]{50,}",
    "bearer token": r"(?i)\bbearer[ ]+([A-Za-z0-9._~+/=-]{20,})",
    "Databricks token": r"dapi[0-9a-f]{32}",
    "DigitalOcean token": r"do[opr]_v1_[0-9a-f]{64}",
    "GitHub token": r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
    "Google API key": r"AIza[A-Za-z0-9_-]{35}",
    "Google OAuth secret": r"GOCSPX-[A-Za-z0-9_-]{28}",
    "Google OAuth token": r"ya29\.[A-Za-z0-9_-]{40,}",
    "Grafana token": r"glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}",
    "Hugging Face token": r"hf_[A-Za-z]{34}",
    JWT: r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}",
    "npm token": r"npm_[A-Za-z0-9]{36}",
    "OpenAI key": r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}",
    "Sentry token": r"sntry[su]_[A-Za-z0-9+/=_-]{50,}",
    "Shopify token": r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    "Slack app token": r"xapp-[0-9]-[A-Z0-9]+-[0-9]+-[0-9a-f]{64}",
    "Stripe webhook secret": r"whsec_[A-Za-z0-9+/=]{32,}",
    "Tailscale key": r"tskey-(?:auth|api|client)-[A-Za-z0-9]+-[A-Za-z0-9]+",
    "Vault token": r"hv[sbr]\.[A-Za-z0-9_-]{24,}",
    ASSIGNED: r"(?i)(?:pass(?:word|wd|phrase)|pwd|secret|token|credentials?|(?:api|auth|access|account|encryption"
    r"|master|private|secret|signing)[_-]?key)"
    r"[\w.\-\[\]]{0,40}[\"'`]?(?:[ \t]{0,4}(?::=|=>|==?|:)[ \t]{0,4}|[ ])[\"'`]?([^\s\"'`<>,;|()]{12,})",
}  # fmt: skip
_OWN_LOOSE = {ASSIGNED, "bearer token"}


@dataclass(frozen=True)
class Rule:
    """A kind of key, by what it looks like."""

    name: str
    """As a person is told of it."""
    pattern: Any
    """Of re2, which takes time in proportion to the text whatever it holds."""
    loose: bool = False
    """Whether the value has to look random as well."""
    form: str = ""
    """`BASIC_AUTH`, `JWT` or `ASSIGNED`, where the value takes another look."""


class Rules:
    """All rules, and which of them a text has to be searched for."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        import re2

        self._rules = rules
        self._all = re2.Set.SearchSet()
        for rule in rules:
            self._all.Add(rule.pattern.pattern)
        self._all.Compile()

    def matching(self, text: str) -> list[Rule]:
        """The rules whose pattern is somewhere in the text, by one pass over it; the more telling ones first."""
        return [self._rules[place] for place in sorted(self._all.Match(text) or ())]


@lru_cache(maxsize=1)
def load_rules() -> Rules:
    """The rules, made once a process: a part of a second, half of it the scanner's import."""
    return Rules((*_scanner(), *_own()))


def _own() -> Iterator[Rule]:
    import re2

    for name, pattern in _OWN.items():
        yield Rule(name, re2.compile(pattern), name in _OWN_LOOSE, name if name in (ASSIGNED, JWT) else "")


def _scanner() -> Iterator[Rule]:
    import re2
    from detect_secrets.plugins.base import RegexBasedDetector

    for name in _DETECTORS:
        module = import_module(f"detect_secrets.plugins.{name}")
        for found in vars(module).values():
            if (
                isinstance(found, type)
                and issubclass(found, RegexBasedDetector)
                and found.__module__ == module.__name__
            ):
                detector = found()
                for pattern in detector.denylist:
                    form = BASIC_AUTH if name == BASIC_AUTH else ""
                    yield Rule(detector.secret_type, re2.compile(_as_re2(pattern)), name in _LOOSE, form)


def _as_re2(pattern: re.Pattern[str]) -> str:
    """The pattern without what re2 does not know: looking around, and repeating more than a thousand times.

    What stands around a key is looked at by `tasks.secrets.keys` for all rules alike.
    """
    text = _AROUND.sub("", pattern.pattern).replace(",1024}", ",}")
    return f"(?i){text}" if pattern.flags & re.IGNORECASE else text
