"""One file for each reader, and every truth that it must give: option, value, kind, line."""

from schemas.claims import ValueKind

Expected = tuple[str, str, ValueKind, int]

EXAMPLES: dict[str, tuple[str, str, list[Expected]]] = {
    "template": (
        "conf/oven.conf.template",
        """\
# Seconds until the door locks.
DOOR_DELAY=30
#GLOW_COLOUR='warm red'
# Note: this is no setting
tray = "two trays"   # counted from below
timer: off
""",
        [
            ("DOOR_DELAY", "30", "number", 2),
            ("GLOW_COLOUR", "warm red", "string", 3),
            ("tray", "two trays", "string", 5),
            ("timer", "off", "boolean", 6),
        ],
    ),
    "env": (
        "oven.env.example",
        """\
export OVEN_HOST=localhost
OVEN_KEY=
# OVEN_PORT=8443
OVEN_URL=https://${OVEN_HOST}/
""",
        [
            ("OVEN_HOST", "localhost", "string", 1),
            ("OVEN_KEY", "", "string", 2),
            ("OVEN_PORT", "8443", "number", 3),
            ("OVEN_URL", "https://${OVEN_HOST}/", "computed", 4),
        ],
    ),
    "ini": (
        "oven.ini",
        """\
[mail]
port = 25 ; plain
;secure = no
[mail.auth]
user name = baker
""",
        [
            ("mail.port", "25", "number", 2),
            ("mail.secure", "no", "boolean", 3),
            ("mail.auth.user name", "baker", "string", 5),
        ],
    ),
    "systemd": (
        "oven.service",
        """\
[Service]
TimeoutStopSec=90
Environment="OVEN_MODE=low heat" OVEN_FAN=1
""",
        [
            ("Service.TimeoutStopSec", "90", "number", 2),
            ("OVEN_MODE", "low heat", "string", 3),
            ("OVEN_FAN", "1", "number", 3),
        ],
    ),
    "toml": (
        "oven.toml",
        """\
name = "oven"
[heat]
upper = 2_200
# lower = 180
zones = ["a", "b"]
fan.on = true
""",
        [
            ("name", "oven", "string", 1),
            ("heat.upper", "2_200", "number", 3),
            ("heat.lower", "180", "number", 4),
            ("heat.zones", "[a, b]", "list", 5),
            ("heat.fan.on", "true", "boolean", 6),
        ],
    ),
    "yaml": (
        "chart/values.yaml",
        """\
image:
  tag: "1.30"
  pull: Always
resources: {}
hosts: [one, two]
pools:
  - name: www
    size: 5
token:
secret: !vault abc
port: "{{ oven_port }}"
debug: no
---
later: 2
""",
        [
            ("image.tag", "1.30", "string", 2),
            ("image.pull", "Always", "string", 3),
            ("resources", "{}", "map", 4),
            ("hosts", "[one, two]", "list", 5),
            ("pools.name", "www", "string", 7),
            ("pools.size", "5", "number", 8),
            ("token", "", "null", 9),
            ("secret", "abc", "computed", 10),
            ("port", "{{ oven_port }}", "computed", 11),
            ("debug", "no", "boolean", 12),
            ("later", "2", "number", 14),
        ],
    ),
    "dockerfile": (
        "Dockerfile",
        """\
FROM scratch
ARG BASE_TAG=1.2
ARG UNSET
ENV OVEN_HOME=/oven \\
    # a comment inside
    OVEN_NAME="hot oven"
ENV OVEN_LEGACY some words
ENV OVEN_TAG=${BASE_TAG}
""",
        [
            ("BASE_TAG", "1.2", "number", 2),
            ("OVEN_HOME", "/oven", "string", 4),
            ("OVEN_NAME", "hot oven", "string", 6),
            ("OVEN_LEGACY", "some words", "string", 7),
            ("OVEN_TAG", "${BASE_TAG}", "computed", 8),
        ],
    ),
    "compose": (
        "compose.yaml",
        """\
services:
  oven:
    image: example/oven:${OVEN_TAG:-stable}
    ports: ["${OVEN_PORT:-80}:80"]
    environment:
      OVEN_MODE: low
      OVEN_PASSED: ${OVEN_PASSED}
      OVEN_FAN: ${OVEN_FAN:-1}
  helper:
    environment:
      - HELPER_LEVEL=3
      - HELPER_PASSED
""",
        [
            ("OVEN_TAG", "stable", "string", 3),
            ("OVEN_PORT", "80", "number", 4),
            ("OVEN_MODE", "low", "string", 6),
            ("OVEN_FAN", "1", "number", 8),
            ("HELPER_LEVEL", "3", "number", 11),
        ],
    ),
    "json-schema": (
        "oven.schema.json",
        """\
{"properties": {
  "heat": {"type": "object", "properties": {
    "upper": {"type": "integer", "default": 220},
    "zones": {"default": ["a", "b"]}
  }},
  "on": {"default": true},
  "note": {"default": null},
  "extra": {"default": {}}
}}
""",
        [
            ("heat.upper", "220", "number", 3),
            ("heat.zones", "[a, b]", "list", 4),
            ("on", "true", "boolean", 6),
            ("note", "", "null", 7),
            ("extra", "{}", "map", 8),
        ],
    ),
    "shell": (
        "bake.sh",
        """\
#!/bin/sh
: "${BAKE_HEAT:=220}"
BAKE_TRAY="${BAKE_TRAY:-upper tray}"
readonly BAKE_LIMIT=$((60 * 5))
BAKE_ZONES=(a b)
[ -z "$BAKE_FAN" ] && BAKE_FAN=yes
if [ -z "$BAKE_LOG" ]; then BAKE_LOG=/var/log/bake; fi
BAKE_COPY="${BAKE_OTHER:-$BAKE_HEAT}"
count=3
case $1 in --count) count=$2 ;; esac
cat <<EOF
${BAKE_TEXT:-done}
EOF
""",
        [
            ("BAKE_HEAT", "220", "number", 2),
            ("BAKE_TRAY", "upper tray", "string", 3),
            ("BAKE_LIMIT", "300", "number", 4),
            ("BAKE_ZONES", "[a, b]", "list", 5),
            ("BAKE_FAN", "yes", "boolean", 6),
            ("BAKE_LOG", "/var/log/bake", "string", 7),
            ("BAKE_COPY", "${BAKE_OTHER:-$BAKE_HEAT}", "computed", 8),
            ("BAKE_OTHER", "$BAKE_HEAT", "computed", 8),
            ("count", "3", "number", 9),
            ("--count", "3", "number", 9),
            ("BAKE_TEXT", "done", "string", 12),
        ],
    ),
    "python": (
        "bake.py",
        """\
DEFAULT_HEAT = 60 * 4
ZONES = ["a", "b"]
RULES = {"mail": {"port": 25}}
TRAY = os.getenv("BAKE_TRAY", "upper")
FAN = env.bool("BAKE_FAN", default=True)
parser.add_argument("--crust", type=int, default=DEFAULT_HEAT)
parser.add_argument("--dry", action="store_true")
class Oven:
    door: str = "closed"
    lamp: int = Field(default=2)
    def __init__(self, size=3): ...
def bake(minutes=45, *, note=None): ...
""",
        [
            ("DEFAULT_HEAT", "240", "number", 1),
            ("ZONES", "[a, b]", "list", 2),
            ("RULES.mail.port", "25", "number", 3),
            ("BAKE_TRAY", "upper", "string", 4),
            ("TRAY", 'os.getenv("BAKE_TRAY", "upper")', "computed", 4),
            ("BAKE_FAN", "True", "boolean", 5),
            ("FAN", "True", "boolean", 5),
            ("--crust", "DEFAULT_HEAT", "computed", 6),
            ("--dry", "False", "boolean", 7),
            ("Oven.door", "closed", "string", 9),
            ("Oven.lamp", "2", "number", 10),
            ("Oven.size", "3", "number", 11),
            ("bake.minutes", "45", "number", 12),
            ("bake.note", "", "null", 12),
        ],
    ),
    "php": (
        "bake.php",
        """\
<?php
const TOO_OLD = 2 * 86400;
define('CRUST', 'dark');
$heat = getenv('BAKE_HEAT') ?: 220;
$tray = $_ENV['BAKE_TRAY'] ?? 'upper';
$fan = setting('BAKE_FAN', true);
$conf['mail']['port'] = 25;
""",
        [
            ("TOO_OLD", "172800", "number", 2),
            ("CRUST", "dark", "string", 3),
            ("BAKE_HEAT", "220", "number", 4),
            ("BAKE_TRAY", "upper", "string", 5),
            ("BAKE_FAN", "true", "boolean", 6),
            ("conf.mail.port", "25", "number", 7),
        ],
    ),
    "go": (
        "bake.go",
        """\
package bake
const Wait = 5 * time.Second
const (
	Zones int = 3 // in all
)
var DefaultOven = Oven{
	Door: "closed",
}
type Oven struct {
	Lamp int `env:"BAKE_LAMP" envDefault:"2"`
}
func main() {
	flag.Int("heat", 220, "upper heat")
	fs.StringVar(&tray, "tray", "upper", "which tray")
	fan := getEnv("BAKE_FAN", "on")
	os.Setenv("BAKE_FORCED", "1")
}
""",
        [
            ("Wait", "5s", "string", 2),
            ("Zones", "3", "number", 4),
            ("Door", "closed", "string", 7),
            ("BAKE_LAMP", "2", "number", 10),
            ("--heat", "220", "number", 13),
            ("--tray", "upper", "string", 14),
            ("BAKE_FAN", "on", "string", 15),
        ],
    ),
    "rust": (
        "bake.rs",
        """\
pub const HEAT: u32 = 2_200;
const TRAY: &str = "upper";
const COMPUTED: u32 = heat();
""",
        [("HEAT", "2_200", "number", 1), ("TRAY", "upper", "string", 2)],
    ),
    "c": (
        "bake.h",
        """\
#define HEAT 220 /* upper */
#define TRAY "upper // tray"
#define WAIT (60 * 5)
#define SQUARE(x) 4
""",
        [("HEAT", "220", "number", 1), ("TRAY", "upper // tray", "string", 2), ("WAIT", "300", "number", 3)],
    ),
    "jinja": (
        "tasks/main.yml",
        """\
- name: bake
  heat: "{{ bake_heat | default(220) }}"
  tray: "{{ item.tray | default('upper', true) }}"
  skip: "{{ bake_skip | default(omit) }}"
""",
        [("bake_heat", "220", "number", 2), ("item.tray", "upper", "string", 3)],
    ),
}
