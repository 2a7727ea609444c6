"""Keys of many providers, made while a test runs: none of them stands in this file, and none opens anything."""

from __future__ import annotations

import base64
import json
import random
import string

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
CAPITALS = string.ascii_uppercase + string.digits


class _Made:
    """Random parts, the same in every run."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def of(self, length: int, letters: str = LETTERS) -> str:
        return "".join(self._random.choice(letters) for _ in range(length))

    def encoded(self, size: int) -> str:
        return base64.b64encode(self._random.randbytes(size)).decode()

    def lines(self, count: int, width: int) -> str:
        return "\n".join(self.of(width, LETTERS + "+/") for _ in range(count))

    def block(self, kind: str, lines: int, width: int = 64) -> str:
        dashes = "-" * 5
        return f"{dashes}BEGIN {kind}{dashes}\n{self.lines(lines, width)}\n{dashes}END {kind}{dashes}"


def _token(part: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


def planted(seed: int = 11) -> dict[str, tuple[str, str]]:
    """Name -> the text as it stands in a document, and the part of it that nobody may see."""
    made = _Made(seed)
    bare = {
        "age": "AGE-SECRET-" + "KEY-1" + made.of(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
        "anthropic": "sk-" + "ant-api03-" + made.of(93, LETTERS + "-_") + "AA",
        "aws id": "AK" + "IA" + made.of(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
        "digitalocean": "dop" + "_v1_" + made.of(64, HEX),
        "github": "gh" + "p_" + made.of(36),
        "github fine-grained": "github" + "_pat_" + made.of(22) + "_" + made.of(59),
        "gitlab": "gl" + "pat-" + made.of(20),
        "google api": "AI" + "zaSy" + made.of(33, LETTERS + "-_"),
        "google oauth": "GOC" + "SPX-" + made.of(28),
        "hugging face": "h" + "f_" + made.of(34, string.ascii_letters),
        "jwt": f"{_token({'alg': 'HS256'})}.{_token({'sub': made.of(8), 'iat': 1716239022})}.{made.of(43)}",
        "npm": "np" + "m_" + made.of(36),
        "openai": "sk-" + "proj-" + made.of(74) + "T3Blbk" + "FJ" + made.of(74),
        "pypi": "pypi-" + "AgEIcHlwaS5vcmc" + made.of(80, LETTERS + "-_"),
        "sendgrid": "SG" + "." + made.of(22) + "." + made.of(43),
        "shopify": "shp" + "at_" + made.of(32, HEX),
        "slack bot": "xox" + f"b-{made.of(12, '123456789')}-{made.of(12, '123456789')}-{made.of(24)}",
        "slack hook": "https://hooks.slack"
        + f".com/services/T{made.of(8, CAPITALS)}/B{made.of(8, CAPITALS)}/{made.of(24)}",
        "stripe": "sk" + "_live_" + made.of(24),
        "tailscale": "tskey-" + "auth-" + made.of(12) + "-" + made.of(32),
        "telegram": made.of(9, "123456789") + ":" + "AA" + made.of(33, LETTERS + "_-"),
        "vault": "hv" + "s." + made.of(90),
    }
    assigned = {
        "api key": ("API_KEY={}", made.of(40)),
        "aws secret": ("aws_secret_access_key = {}", made.of(40, LETTERS + "/+")),
        "azure storage": ("AccountKey={};EndpointSuffix=core.windows.net", made.encoded(64)),
        "basic auth": ("postgres://kestrel:{}@db.internal:5432/app", made.of(16)),
        "bearer": ("curl -H 'Authorization: Bearer {}' https://kestrel.internal", made.of(40)),
        "client secret": ("client_secret: {}", made.of(40, LETTERS + "-_")),
        "datadog": ("DD_API_KEY={}", made.of(32, HEX)),
        "flag": ("kestrel --token {} run", made.of(32)),
        "json": ('{{"password": "{}"}}', made.of(24)),
        "mailchimp": ("MAILCHIMP={}-us5", made.of(32, HEX)),
        "password": ('DB_PASSWORD="{}"', made.of(20)),
        "twilio": ("account SK{}", made.of(32, HEX)),
        "wireguard": ("PrivateKey = {}", made.encoded(32)),
    }
    blocks = {
        "ec key": made.block("EC " + "PRIVATE KEY", 3),
        "openssh key": made.block("OPENSSH " + "PRIVATE KEY", 6, 70),
        "pgp key": made.block("PGP " + "PRIVATE KEY BLOCK", 12),
        "rsa key": made.block("RSA " + "PRIVATE KEY", 25),
    }
    found = {name: (key, key) for name, key in bare.items()}
    found |= {name: (text.format(key), key) for name, (text, key) in assigned.items()}
    return found | {name: (block, block.split("\n")[2]) for name, block in blocks.items()}


STAND_INS = (
    "DB_PASSWORD=changeme",
    "DB_PASSWORD=",
    "password: ${DB_PASSWORD}",
    'password: "{{ vault_password }}"',
    "API_KEY=your-api-key-here-1234",
    "API_KEY=<your api key>",
    "API_KEY=" + "x" * 32,
    "API_KEY=0123456789abcdef0123456789abcdef",
    "AWS_ACCESS_KEY_ID=AK" + "IAIOSFODNN7EXAMPLE",
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "SECRET_KEY=insert-a-long-random-string-here",
    "SESSION_SECRET=generate-with-openssl-rand-hex-32",
    'secret_key_base: <%= ENV["SECRET_KEY_BASE"] %>',
    "commit: 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "image: nginx@sha256:b0ad43f7ee5edbc0effbc14645ae7055e21bc1973aee5150745632a24a752661",
    "sha256  e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  file.tar.gz",
    "integrity: sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "--hash=sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    "api_token: 123e4567-e89b-12d3-a456-426614174000",
    "postgres://user:password@localhost:5432/db",
    "https://user:${TOKEN}@github.com/x/y",
    "https://username:password123@example.com",
    "TOKEN=gh" + "p_" + "x" * 36,
    "OPENAI_API_KEY=sk-...",
    'password = "correct horse battery staple"',
    "MYSQL_ROOT_PASSWORD=my-secret-pw",
    "ADMIN_PASSWORD=admin123",
    "JWT_SECRET=supersecretjwtkey",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJv1yVd8qzM0bq9U2c6f7Jr1vO4l8m3o2k1Zt5yWqXHe me@host",
    "token_url: https://example.com/oauth2/v1/token",
    "secret_file: /run/secrets/kestrel-2024-01-01",
    "PASSWORD_HASH=$2y$10$9L4Tc0DJbFFMB6RdSCunrOpTHdwhid4ktBJmLD00bYgqkkGOvll3m",
    "token_expires: 2026-01-02T15:04:05Z",
    "access_token = getAccessTokenFromCacheV2(oauth2Client)",
    "$ export TOKEN=$(cat /run/secrets/token)",
    "Key fingerprint = 9DC8 5822 9FC7 DD38 854A  E2D8 8D81 803C 0EBF CD88",
    "GPG_KEY=A035C8C19219BA821ECEA86B64E628F8D684696D",
    "-" * 5 + "BEGIN CERTIFICATE" + "-" * 5,
    "-" * 5 + "BEGIN RSA PRIVATE KEY" + "-" * 5 + "\n...\n" + "-" * 5 + "END RSA PRIVATE KEY" + "-" * 5,
    "password: c2VjdXJlLXBhc3N3b3Jk",
)
"""What stands in templates and documents where a key would, and opens nothing."""
