"""A small repository whose README and template disagree about one value, and how the README is mended."""

README = (
    "# Kestrel\n\nCopies the archive at night.\n\n"
    "| variable | default | meaning |\n| --- | --- | --- |\n"
    "| `KESTREL_GRACE` | `300` | seconds for the copy in hand |\n"
    "| `KESTREL_ROOT` | `/srv/kestrel` | what is copied |\n"
)
TEMPLATE = "# Seconds for the copy in hand.\nKESTREL_GRACE=600\n\n# What is copied.\nKESTREL_ROOT=/srv/kestrel\n"
FILES = {"README.md": README, "conf/kestrel.conf.template": TEMPLATE, "docs/other.md": "# Other\n\nNothing.\n"}
MENDED = README.replace("300", "600")
