"""What in a document is no word: signs of comments, rules, fences, cells, and the requests of manual pages."""

import re

_MARKS = re.compile(
    # Of reStructuredText: targets, directives and numbered items; then rules, comment signs, fences, cells.
    r"(?m)^[ \t]*\.\. (?:_[^:\n]+:.*$|[\w:-]+::[ \t]*)|^[ \t]*#\.[ \t]"
    r"|^[ \t]*+(?:#+|;+|//+)?(?:[^\S\n]|\|)*+[-=~*─━_]{3,}.*$|^[ \t]*(?:#+|;+|//+)[ \t]?"
    r"|^[ \t]*```.*$|^[ \t]*\||\|[ \t]*$"
)
# Of texts in quotes of the shell: what has to be escaped there.
_ESCAPED = re.compile(r"\\(?:(?=\$[A-Za-z_{])|(?=\"))")
# Of Markdown as sites extend it: heads of admonitions, attributes of headings and links, strong words.
_ADMONITION = re.compile(r"(?m)^[ \t]*(?:!!!|\?{3}\+?|:{3,})[ \t]*\{?[\w-]*\}?(?:[ \t]+inline)?(?:[ \t]+end)?[ \t]*")
_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]*+\{:?[ \t]*[#.][^{}\n]{0,80}\}")
_STRONG = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]{1,200})(?<=\S)\*\*(?![\w*])")
# Of reStructuredText: what roles and links are about, without their names and addresses; what announces a block.
_ROLE = re.compile(r"(?<![\w`]):(?:[a-z][\w+-]{0,30}:){1,2}`([^`<>]{0,300}[^`<>\s])(?:\s{1,9}<[^`<>]{1,500}>)?`")
_REFERENCE = re.compile(
    r"`([^`<>]{0,300}[^`<>\s])(?:\s{1,9}(?:<[^`<>]{1,500}>|(?:https?://|mailto:)[^`\s]{1,500}\s{0,9}))?`__?(?!\w)"
)
_NAMED = re.compile(r"(?<=[^\W_])__?(?=[\s,.;:)]|$)")
_ANNOUNCED = re.compile(r"(?m)::[ \t]*$")
# Of roff: lines that only name the page or a section, requests before words, and escapes.
_NAMING = re.compile(r"(?m)^\.[ \t]*(?:TH|SH|SS|Dd|Dt|Os|Sh|Ss|INDENT|UNINDENT)\b.*$")
_REQUEST = re.compile(r"(?m)^\.[ \t]*[A-Za-z]{1,2}(?:[ \t]+|$)")
_ESCAPE = re.compile(r"\\(?:f(?:\[\w{0,8}\]|\(\w\w|.)|s[-+]?\d|[&%/,|^:])")
# Of notes: comments, links with another wording and without, embeds, ids of blocks, heads of callouts, highlights.
_COMMENT = re.compile(r"%%[^%]{0,2000}%%")
_LINK = re.compile(r"!?\[\[(?!\s)(?:[^\[\]|\n]{1,500}\|)?([^\[\]|\n]{1,500})\]\]")
_NOTE_MARK = re.compile(r"(?m)(?<![ \t])[ \t]++\^[A-Za-z0-9-]+$|^[ \t]*(?:>[ \t]?)+(?:\[![\w-]{1,40}\][-+]?[ \t]*)?")
_MARKED = re.compile(r"==(?=\S)([^=\n]{1,500})(?<=\S)==")
_WRITTEN = ("doc", "readme", "note")
_SPELLED = {"\\-": "-", "\\(aq": "'", "\\(dq": '"', "\\(em": "-", "\\(en": "-", "\\e": "\\", "\\ ": " "}


def unmarked(text: str, kind: str, path: str = "") -> str:
    """The text without marks; requests are those of kind `manual` alone, links between notes those of `note`, and what
    only reStructuredText knows is so in files that are called so."""
    if kind == "manual":
        text = _ESCAPE.sub("", _REQUEST.sub("", _NAMING.sub("", text)))
        for spelled, meant in _SPELLED.items():
            text = text.replace(spelled, meant)
    if kind == "note":
        text = _MARKED.sub(r"\1", _NOTE_MARK.sub("", _LINK.sub(r"\1", _COMMENT.sub("", text))))
    if kind == "header":
        text = _ESCAPED.sub("", text)
    if kind in _WRITTEN:
        text = _REFERENCE.sub(r"\1", _ROLE.sub(r"\1", text))
        text = _STRONG.sub(r"\1", _ATTRIBUTES.sub("", _ADMONITION.sub("", text)))
    if path.endswith((".rst", ".rest")):
        text = _ANNOUNCED.sub(":", _NAMED.sub("", text)).replace("``", "`")
    return _MARKS.sub("", text)
