"""Keys that are told by their own form: the patterns of a maintained scanner, and those that it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from tasks.secrets.looked import Looked, Rule
from tasks.secrets.scanner import scanner_patterns
from tasks.secrets.spoken import RULES as SPOKEN
from tasks.secrets.values import is_token, looks_random, stands_in

JWT = "JSON web token"

_OWN: dict[str, str] = {
    "1Password token": r"ops_eyJ[A-Za-z0-9_-]{200,}",
    "age key": r"AGE-SECRET-KEY-1([0-9A-Z]{58})",
    "Airtable token": r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}",
    "Anthropic key": r"sk-ant-[a-z0-9]+-[A-Za-z0-9_-]{80,}",
    "Atlassian token": r"ATATT3[A-Za-z0-9_=-]{50,}",
    "Azure client secret": r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
    "Azure signature": r"(?i)[?&]sig=((?:[A-Za-z0-9_-]|%2B|%2F|/|\+){40,50})",
    "Buildkite token": r"bkua_[0-9a-f]{40}",
    "CircleCI token": r"CCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}",
    "Cloudflare key": r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}",
    "Databricks token": r"dapi[0-9a-f]{32}",
    "DigitalOcean token": r"do[opr]_v1_[0-9a-f]{64}",
    "Discord token": r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}",
    "Discord webhook": r"https://(?:canary\.|ptb\.)?discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/[0-9]{17,20}/([A-Za-z0-9_-]{60,80})",
    "Docker Hub token": r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,32}",
    "Doppler token": r"dp\.(?:pt|st|sa|ct|scim|audit)\.(?:[a-z0-9_-]+\.)?[A-Za-z0-9]{40,44}",
    "Figma token": r"figd_[A-Za-z0-9_-]{40}",
    "GitHub token": r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
    "Google API key": r"AIza[A-Za-z0-9_-]{35}",
    "Google OAuth secret": r"GOCSPX-[A-Za-z0-9_-]{28}",
    "Google OAuth token": r"ya29\.[A-Za-z0-9_-]{40,}",
    "Grafana token": r"glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}",
    "Grafana key": r"glc_[A-Za-z0-9+/=]{40,}",
    "Groq key": r"gsk_[A-Za-z0-9]{52}",
    "Heroku key": r"HRKU-AA[A-Za-z0-9_-]{58}",
    "Hugging Face token": r"hf_[A-Za-z]{34}",
    JWT: r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}",
    "Linear key": r"lin_api_[A-Za-z0-9]{40}",
    "Mailgun key": r"key-[0-9a-f]{32}",
    "Mapbox token": r"sk\.eyJ[A-Za-z0-9_-]{60,}\.[A-Za-z0-9_-]{20,24}",
    "Netlify token": r"nfp_[A-Za-z0-9]{36}",
    "New Relic key": r"NRAK-[A-Z0-9]{27}",
    "Notion token": r"ntn_[0-9]{11}[A-Za-z0-9]{35}",
    "npm token": r"npm_[A-Za-z0-9]{36}",
    "OpenAI key": r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}",
    "PlanetScale token": r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32,}",
    "Postman key": r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
    "Pulumi token": r"pul-[0-9a-f]{40}",
    "RubyGems key": r"rubygems_[0-9a-f]{48}",
    "Sendinblue key": r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}",
    "Sentry token": r"sntry[su]_[A-Za-z0-9+/=_-]{50,}",
    "Shopify token": r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    "Slack app token": r"xapp-[0-9]-[A-Z0-9]+-[0-9]+-[0-9a-f]{64}",
    "SonarQube token": r"sq[apu]_[0-9a-f]{40}",
    "Stripe webhook secret": r"whsec_[A-Za-z0-9+/=]{32,}",
    "Supabase token": r"sbp_[0-9a-f]{40}",
    "Tailscale key": r"tskey-(?:auth|api|client)-[A-Za-z0-9]+-[A-Za-z0-9]+",
    "Teams webhook": r"https://[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[0-9a-f@-]{73}/[A-Za-z]+/([0-9a-f]{32}/[0-9a-f-]{36})",
    "Terraform token": r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}",
    "Vault token": r"hv[sbr]\.[A-Za-z0-9_-]{24,}",
    "Zapier webhook": r"https://hooks\.zapier\.com/hooks/catch/[0-9]{5,10}/([a-z0-9]{6,10})",
    "bearer token": r"(?i)\bbearer[ ]+([A-Za-z0-9._~+/=-]{20,})",
    "one-time password": r"(?i)otpauth://[ht]otp/[^\s\"'<>]{0,120}?[?&]secret=([A-Z2-7]{16,})",
    "service account key": r"\"private_key_id\\?\"\s{0,3}:\s{0,3}\\?\"([0-9a-f]{40})",
}  # fmt: skip
_OWN_LOOSE = {"bearer token", "Discord token", "Azure client secret", "Azure signature"}


_COUNTED = re.compile(r"\{([0-9]+)(?:,[0-9]*)?\}")


def _uncounted(count: re.Match[str]) -> str:
    # Counting what may begin anywhere takes re2 a hundred times as long; who counts comes after.
    return "*" if count[1] == "0" else "+"


class Rules:
    """All rules, and which of them a text has to be searched for."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        import re2

        self._rules = [(rule, re2.compile(rule.pattern)) for rule in rules]
        self._all = re2.Set.SearchSet()
        for rule, _ in self._rules:
            self._all.Add(_COUNTED.sub(_uncounted, rule.pattern))
        self._all.Compile()

    def matching(self, text: str) -> list[tuple[Rule, Any]]:
        """The rules whose pattern is somewhere in the text, by one pass over it; the more telling ones first."""
        return [self._rules[place] for place in sorted(self._all.Match(text) or ())]


@lru_cache(maxsize=1)
def load_rules() -> Rules:
    """The rules, made once a process."""
    return Rules((*_distinct(), *SPOKEN))


def _distinct() -> Iterator[Rule]:
    for found in scanner_patterns():
        yield Rule(found.kind, found.text, _random if found.loose else _real)
    for name, pattern in _OWN.items():
        judge = _random if name in _OWN_LOOSE else _signed if name == JWT else _real
        yield Rule(name, pattern, judge)


def _real(match: Any, looked: Looked) -> tuple[int, int] | None:
    """The judge for a form that only keys have: it must not be an example."""
    return None if stands_in(_telling(match)) else _span(match, looked)


def _random(match: Any, looked: Looked) -> tuple[int, int] | None:
    """The judge for a form that begins with so little that ordinary text may fit it."""
    past = match.end()
    ends = not (looked.text[past - 1].isalnum() and looked.text[past : past + 1].isalnum())
    return _span(match, looked) if ends and looks_random(_telling(match)) else None


def _signed(match: Any, looked: Looked) -> tuple[int, int] | None:
    return _span(match, looked) if is_token(match.group()) else None


def _telling(match: Any) -> str:
    """The part of a match that has to be a key: its longest group, or all of it."""
    value = max((group for group in match.groups() if group), key=len, default="")
    return value if len(value) >= 12 else match.group()


def _span(match: Any, looked: Looked) -> tuple[int, int] | None:
    """Where the match stands, if no word goes on where it begins: in the middle of a digest anything may stand."""
    start, past = match.span()
    before = looked.text[start - 1] if start else ""
    goes_on = looked.text[start].isalnum() and (before.isalnum() or before == "_")
    return None if goes_on else (start, past)
