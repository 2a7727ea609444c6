"""Keys of many providers, made while a test runs: none of them stands in this file, and none opens anything."""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from functools import cache

LETTERS = string.ascii_letters + string.digits
URLSAFE = LETTERS + "-_"
HEX = "0123456789abcdef"
SMALL = string.ascii_lowercase + string.digits
CAPITALS = string.ascii_uppercase + string.digits
NOUNS = [
    "anchor",
    "barley",
    "beacon",
    "bramble",
    "candle",
    "canyon",
    "cedar",
    "cobalt",
    "comet",
    "copper",
    "coral",
    "crater",
    "ember",
    "falcon",
    "fennel",
    "garnet",
    "glacier",
    "hammock",
    "harbor",
    "heron",
    "island",
    "jasper",
    "juniper",
    "kettle",
    "lagoon",
    "lantern",
    "lemon",
    "magnet",
    "maple",
    "marble",
    "meadow",
    "nickel",
    "orchid",
    "otter",
    "pebble",
    "pepper",
    "pigeon",
    "plateau",
    "quartz",
    "quiver",
    "raven",
    "ribbon",
    "saddle",
    "saffron",
    "salmon",
    "silver",
    "spruce",
    "thunder",
    "timber",
    "tulip",
    "turnip",
    "velvet",
    "violin",
    "walnut",
    "willow",
    "winter",
]


class Made:
    """Random parts, the same in every run."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def of(self, length: int, letters: str = LETTERS) -> str:
        return "".join(self._random.choice(letters) for _ in range(length))

    def number(self, length: int) -> str:
        return self.of(length, "123456789")

    def encoded(self, size: int) -> str:
        return base64.b64encode(self._random.randbytes(size)).decode()

    def uuid(self) -> str:
        return str(uuid.UUID(bytes=self._random.randbytes(16), version=4))

    def noun(self) -> str:
        return self._random.choice(NOUNS)

    def words(self) -> str:
        """Two words."""
        return self.noun() + self.noun()

    def numbered(self) -> str:
        """A word and a number, as people make passwords."""
        return self.noun() + self.number(self._random.choice((1, 2)))

    def mixed(self) -> str:
        """Two words, a number and a sign."""
        return self.noun().capitalize() + self._random.choice("!&+=?~^") + self.noun() + self.number(2)

    def lines(self, count: int, width: int) -> str:
        return "\n".join(self.of(width, LETTERS + "+/") for _ in range(count))

    def block(self, kind: str, lines: int, width: int = 64) -> str:
        dashes = "-" * 5
        return f"{dashes}BEGIN {kind}{dashes}\n{self.lines(lines, width)}\n{dashes}END {kind}{dashes}"


def _token(part: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


def _basic(user: str, password: str) -> str:
    return base64.b64encode(f"{user}:{password}".encode()).decode()


def bare(made: Made) -> dict[str, str]:
    """Kind -> a key that is told from anything else by its own form."""
    return {
        "1password": "ops" + "_eyJ" + made.of(250),
        "age": "AGE-SECRET-" + "KEY-1" + made.of(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
        "airtable": "pat" + made.of(14) + "." + made.of(64, HEX),
        "anthropic": "sk-" + "ant-api03-" + made.of(93, URLSAFE) + "AA",
        "atlassian": "ATA" + "TT3" + made.of(180, URLSAFE) + "=" + made.of(8, CAPITALS),
        "aws id": "AK" + "IA" + made.of(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
        "azure client secret": made.of(3) + "8Q~" + made.of(34, LETTERS + "_~-"),
        "buildkite": "bku" + "a_" + made.of(40, HEX),
        "circleci": "CCI" + "PAT_" + made.of(22) + "_" + made.of(40, HEX),
        "cloudflare origin": "v1.0-" + made.of(24, HEX) + "-" + made.of(146, HEX),
        "databricks": "da" + "pi" + made.of(32, HEX),
        "digitalocean": "dop" + "_v1_" + made.of(64, HEX),
        "discord bot": "M" + made.of(25) + "." + made.of(6) + "." + made.of(38, URLSAFE),
        "discord hook": "https://discord" + f".com/api/webhooks/{made.number(19)}/{made.of(68, URLSAFE)}",
        "docker hub": "dckr" + "_pat_" + made.of(27, URLSAFE),
        "doppler": "dp" + ".pt." + made.of(43),
        "figma": "fig" + "d_" + made.of(40, URLSAFE),
        "github": "gh" + "p_" + made.of(36),
        "github app": "gh" + "s_" + made.of(36),
        "github fine-grained": "github" + "_pat_" + made.of(22) + "_" + made.of(59),
        "gitlab": "gl" + "pat-" + made.of(20),
        "google api": "AI" + "zaSy" + made.of(33, URLSAFE),
        "google chat hook": "https://chat.googleapis"
        + f".com/v1/spaces/{made.of(11, CAPITALS)}/messages?key={'AI' + 'za' + made.of(35)}"
        + f"&token={made.of(43, URLSAFE)}",
        "google oauth": "GOC" + "SPX-" + made.of(28),
        "grafana": "gls" + "a_" + made.of(32) + "_" + made.of(8, HEX),
        "groq": "gs" + "k_" + made.of(52),
        "heroku new": "HRKU" + "-AA" + made.of(58, URLSAFE),
        "hugging face": "h" + "f_" + made.of(34, string.ascii_letters),
        "jwt": f"{_token({'alg': 'HS256'})}.{_token({'sub': made.of(8), 'iat': 1716239022})}.{made.of(43)}",
        "linear": "lin" + "_api_" + made.of(40),
        "mailchimp": made.of(32, HEX) + "-us" + made.number(1),
        "mailgun": "key" + "-" + made.of(32, HEX),
        "mapbox": "sk" + f".eyJ{made.of(80)}.{made.of(22)}",
        "netlify": "nf" + "p_" + made.of(36),
        "new relic": "NR" + "AK-" + made.of(27, CAPITALS),
        "notion": "nt" + "n_" + made.number(11) + made.of(35),
        "npm": "np" + "m_" + made.of(36),
        "openai": "sk-" + "proj-" + made.of(74) + "T3Blbk" + "FJ" + made.of(74),
        "planetscale": "pscale" + "_tkn_" + made.of(43, URLSAFE),
        "postman": "PM" + "AK-" + made.of(24, HEX) + "-" + made.of(34, HEX),
        "pulumi": "pul" + "-" + made.of(40, HEX),
        "pypi": "pypi-" + "AgEIcHlwaS5vcmc" + made.of(80, URLSAFE),
        "rubygems": "rubygems" + "_" + made.of(48, HEX),
        "sendgrid": "SG" + "." + made.of(22) + "." + made.of(43),
        "sendinblue": "xkey" + "sib-" + made.of(64, HEX) + "-" + made.of(16),
        "sentry": "sntry" + "s_" + made.of(120),
        "shopify": "shp" + "at_" + made.of(32, HEX),
        "slack app": "xap" + f"p-1-{made.of(11, CAPITALS)}-{made.number(13)}-{made.of(64, HEX)}",
        "slack bot": "xox" + f"b-{made.number(12)}-{made.number(12)}-{made.of(24)}",
        "slack hook": "https://hooks.slack"
        + f".com/services/T{made.of(8, CAPITALS)}/B{made.of(8, CAPITALS)}/{made.of(24)}",
        "sonar": "sq" + "p_" + made.of(40, HEX),
        "square": "sq0" + "csp-" + made.of(43, URLSAFE),
        "stripe": "sk" + "_live_" + made.of(24),
        "stripe hook": "wh" + "sec_" + made.of(32),
        "supabase": "sb" + "p_" + made.of(40, HEX),
        "tailscale": "tskey-" + "auth-" + made.of(12) + "-" + made.of(32),
        "teams flow": f"https://prod-{made.number(2)}.westeurope.logic.azure"
        + f".com:443/workflows/{made.of(32, HEX)}/triggers/manual/paths/invoke?api-version=2016-06-01"
        + f"&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig={made.of(43, URLSAFE)}",
        "teams hook": "https://kestrel.webhook.office"
        + f".com/webhookb2/{made.uuid()}@{made.uuid()}/IncomingWebhook/{made.of(32, HEX)}/{made.uuid()}",
        "telegram": made.number(9) + ":" + "AA" + made.of(33, URLSAFE),
        "terraform": made.of(14) + ".atlas" + "v1." + made.of(67, URLSAFE),
        "twilio": "S" + "K" + made.of(32, HEX),
        "vault": "hv" + "s." + made.of(90),
        "zapier hook": "https://hooks.zapier" + f".com/hooks/catch/{made.number(8)}/{made.of(7, SMALL)}/",
    }


def named(made: Made) -> dict[str, tuple[str, str]]:
    """Kind -> a name and a key that is told by it: as it stands it could be anything random."""
    return {
        "api key": ("API_KEY", made.of(40)),
        "api key in words": ("API key", made.of(32, HEX)),
        "aws secret": ("aws_secret_access_key", made.of(40, LETTERS + "/+")),
        "app key": ("APP_KEY", "base64:" + made.encoded(32)),
        "auth token": ("authToken", made.of(32, SMALL)),
        "camel": ("secretAccessKey", made.of(40, LETTERS + "/+")),
        "client secret": ("client_secret", made.of(40, URLSAFE)),
        "cloudflare": ("CLOUDFLARE_API_TOKEN", made.of(40, URLSAFE)),
        "credential": ("credential", made.encoded(24)),
        "datadog": ("DD_API_KEY", made.of(32, HEX)),
        "encryption key": ("ENCRYPTION_KEY", made.of(64, HEX)),
        "heroku": ("HEROKU_API_KEY", made.uuid()),
        "password": ("password", made.of(20)),
        "password in words": ("Password", made.of(16)),
        "password with signs": ("DB_PASSWORD", made.of(24, LETTERS + "!#%^*-_=+?")),
        "passphrase": ("passphrase", made.of(28)),
        "preshared": ("PresharedKey", made.encoded(32)),
        "private key": ("PrivateKey", made.encoded(32)),
        "secret key": ("SECRET_KEY", made.of(50, LETTERS + "!@#%^*-_=+")),
        "snyk": ("SNYK_TOKEN", made.uuid()),
        "token": ("token", made.of(32)),
        "token of ids": ("api_token", made.uuid()),
        "webhook secret": ("WEBHOOK_SECRET", made.of(40, HEX)),
    }


def chosen(made: Made) -> dict[str, tuple[str, str]]:
    """Kind -> a name and a password that somebody made of words."""
    return {
        "mixed": ("MYSQL_ROOT_PASSWORD", made.mixed()),
        "mixed in words": ("Password", made.mixed()),
        "numbered": ("password", made.numbered()),
        "numbered variable": ("DB_PASS", made.numbered()),
        "words": ("password", made.words()),
        "words variable": ("ADMIN_PASSWORD", made.words()),
    }


def spoken(made: Made) -> dict[str, tuple[str, str]]:
    """Kind -> a command, address or line of a file whose form says where the password stands, and the password."""
    some = (made.words, made.numbered, made.mixed, lambda: made.of(14))
    texts = {
        "amqp": "amqp://kestrel:{}@queue.internal:5672/jobs",
        "ansible": "[web]\nweb1 ansible_user=kestrel ansible_ssh_pass={} ansible_become=yes",
        "basic auth": "postgres://kestrel:{}@db.internal:5432/app",
        "chpasswd": "echo 'kestrel:{}' | chpasswd",
        "connection string": "Server=db.internal;Database=jobs;User Id=kestrel;Password={};Encrypt=true",
        "curl": "curl -u kestrel:{} https://kestrel.internal/v1",
        "curl long": "curl --user 'kestrel:{}' https://kestrel.internal/v1",
        "docker env": "docker run -d -e MYSQL_ROOT_PASSWORD={} -p 3306:3306 mysql:8",
        "docker login": "docker login -u kestrel -p {} docker.internal",
        "git": "git clone https://kestrel:{}@git.internal/ops/runbooks.git",
        "git credentials": "https://kestrel:{}@git.internal",
        "htpasswd": "htpasswd -b /etc/nginx/htpasswd kestrel {}",
        "jdbc": "jdbc:mysql://db.internal/jobs?user=kestrel&password={}&useSSL=true",
        "ldapsearch": "ldapsearch -x -D cn=kestrel,dc=ops -w {} -b dc=ops",
        "mongo": "mongodb+srv://kestrel:{}@cluster0.internal/app?retryWrites=true",
        "mysql": "mysql -uroot -p{} kestrel < dump.sql",
        "mysqldump": "mysqldump --user=root --password={} kestrel > dump.sql",
        "mysql env": "MYSQL_PWD={} mysql -u root kestrel",
        "netrc": "machine api.kestrel.internal login ops password {}",
        "netrc lines": "machine api.kestrel.internal\n  login ops\n  password {}",
        "openssl": "openssl enc -aes-256-cbc -pass pass:{} -in a.tar",
        "pgpass": "db.internal:5432:kestrel:ops:{}",
        "pip": "pip install --index-url https://kestrel:{}@pypi.internal/simple kestrel",
        "pip conf": "[global]\nindex-url = https://kestrel:{}@pypi.internal/simple",
        "psql": "PGPASSWORD={} psql -h db.internal -U ops kestrel",
        "redis": "redis://:{}@cache.internal:6379/0",
        "redis-cli": "redis-cli -h cache.internal -a {} ping",
        "rsync": "RSYNC_PASSWORD={} rsync -a a/ ops@backup.internal::data/",
        "smb": "smbclient //files.internal/ops -U kestrel%{}",
        "sshpass": "sshpass -p {} ssh ops@kestrel.internal",
        "sshpass quoted": "sshpass -p '{}' ssh ops@kestrel.internal",
        "sudo": "echo '{}' | sudo -S systemctl restart kestrel",
        "wget": "wget --user=kestrel --password={} https://kestrel.internal/a.tar",
        "wifi": 'network={{\n  ssid="kestrel"\n  psk="{}"\n}}',
        "zip": "7z x -p{} backup.7z",
    }
    found = {}
    for place, (name, text) in enumerate(texts.items()):
        key = some[place % len(some)]()
        found[name] = (text.format(key), key)
    return found


def written(made: Made) -> dict[str, tuple[str, str]]:
    """Kind -> a random key as it stands in a text of its own form, and the key."""
    texts = {
        "azure sas": (
            "https://kestrel.blob.core.windows.net/jobs?sv=2022-11-02&ss=b&srt=sco&sp=rl&se=2030-01-01T00:00:00Z"
            "&sig={}%3D",
            made.of(43),
        ),
        "azure storage": ("AccountName=kestrel;AccountKey={};EndpointSuffix=core.windows.net", made.encoded(64)),
        "azure bus": (
            "Endpoint=sb://kestrel.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}",
            made.encoded(32),
        ),
        "basic header": ("curl -H 'Authorization: Basic {}' https://kestrel.internal", _basic("ops", made.words())),
        "bearer": ("curl -H 'Authorization: Bearer {}' https://kestrel.internal", made.of(40)),
        "docker config": (
            '{{\n  "auths": {{\n    "docker.internal": {{\n      "auth": "{}"\n    }}\n  }}\n}}',
            _basic("kestrel", made.of(20)),
        ),
        "gcp id": ('{{"type": "service_account", "private_key_id": "{}"}}', made.of(40, HEX)),
        "gpg": ("gpg --batch --passphrase {} -d a.gpg", made.of(20)),
        "npmrc": ("//registry.kestrel.internal/:_authToken={}", made.uuid()),
        "npmrc new": ("//registry.kestrel.internal/:_authToken={}", "np" + "m_" + made.of(36)),
        "npmrc old": ("//registry.kestrel.internal/:_auth={}", _basic("ops", made.of(16))),
        "npmrc password": (
            "//registry.kestrel.internal/:_password={}",
            base64.b64encode(made.of(18).encode()).decode(),
        ),
        "otp": ("otpauth://totp/kestrel:ops?secret={}&issuer=kestrel", made.of(32, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")),
        "psk": ('10.0.0.1 10.0.0.2 : PSK "{}"', made.of(32)),
        "query": ("curl https://kestrel.internal/v1?api_key={}", made.of(32, HEX)),
        "wireguard": ("[Interface]\nAddress = 10.0.0.2/32\nPrivateKey = {}\nDNS = 10.0.0.1", made.encoded(32)),
        "wireguard shared": ("[Peer]\nPresharedKey = {}\nAllowedIPs = 0.0.0.0/0", made.encoded(32)),
    }
    return {name: (text.format(key), key) for name, (text, key) in texts.items()}


def blocks(made: Made) -> dict[str, str]:
    """Kind -> a private key of several lines."""
    mac = made.of(64, HEX)
    return {
        "ec key": made.block("EC " + "PRIVATE KEY", 3),
        "encrypted key": made.block("ENCRYPTED " + "PRIVATE KEY", 24),
        "openssh key": made.block("OPENSSH " + "PRIVATE KEY", 6, 70),
        "openvpn key": made.block("OpenVPN " + "Static key V1", 16, 32),
        "pgp key": made.block("PGP " + "PRIVATE KEY BLOCK", 12),
        "pkcs8 key": made.block("PRIVATE" + " KEY", 25),
        "putty key": "PuTTY-User-Key-" + f"File-3: ssh-ed25519\nEncryption: none\nComment: ops\nPublic-Lines: 2\n"
        f"{made.lines(1, 64)}\n{made.of(16)}\nPrivate-Lines: 1\n{made.of(44)}\nPrivate-MAC: {mac}",
        "rsa key": made.block("RSA " + "PRIVATE KEY", 25),
        "ssh2 key": "---- BEGIN SSH2 ENCRYPTED " + f"PRIVATE KEY ----\n{made.lines(12, 70)}\n---- END SSH2 ENCRYPTED "
        "PRIVATE KEY ----",
    }


def _body(block: str) -> list[str]:
    return [line for line in block.split("\n") if " " not in line]


@cache
def planted(seed: int = 11) -> dict[str, tuple[str, str]]:
    """Name -> the text as it stands in a document, and the part of it that nobody may see: one of each kind."""
    made = Made(seed)
    found = {name: (key, key) for name, key in bare(made).items()}
    assigned = named(made) | {f"chosen {name}": pair for name, pair in chosen(made).items()}
    found |= {name: (f"{label}{': ' if ' ' in label else '='}{key}", key) for name, (label, key) in assigned.items()}
    found |= spoken(made) | written(made)
    return found | {name: (block, max(_body(block), key=len)) for name, block in blocks(made).items()}
