"""Documents are data: what in them addresses the software that reads them is blanked before anything is made of it."""

import re
import unicodedata

# Controls but tab and newline, zero-width and bidirectional marks, tags and variation selectors, line separators.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_ESCAPE = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -~])|\x9b[0-?]*[ -/]*[@-~]")
_ELEMENTS = (
    "a abbr acronym applet audio b base bdi bdo big blink blockquote body br button canvas center cite code col"
    " colgroup dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form frame frameset"
    " h[1-6] head hr html i iframe img input ins kbd li link mark marquee math meta meter noembed noframes noscript"
    " object ol p param picture plaintext pre q s samp script select small span strike strong style sub summary sup svg"
    " table tbody td template textarea tfoot th thead title tr track tt u ul video wbr xmp"
).replace(" ", "|")
"""Of HTML, those that do, hide or format something; a name in angle brackets that is none is a placeholder, which the
sentence can't do without: `setup email add <ADDRESS>`."""
_TAG = rf"</?(?:{_ELEMENTS})(?:[\s/][^<>\n]{{0,2000}})?>|</?[a-z][^<>\n=]{{0,200}}=[^<>\n]{{0,2000}}>"
_MARKUP = re.compile(
    r"<!--[\s\S]*?(?:-->|\Z)|<(script|style|iframe|svg|object|form)\b[\s\S]*?(?:</\1\s*>|\Z)"
    rf"|!\[[^\]\n]{{0,500}}\](?:\([^)\n]*\)|\[[^\]\n]*\])|{_TAG}",
    re.I,
)
_OPEN_TAG = re.compile(
    rf"</?(?:{_ELEMENTS})[\s/][^<>]*=[^<>]*>?|</?[a-z][^<>]*\bon[a-z]{{3,}}\s*=[^<>]*>?|{_TAG}|<!--", re.I
)
"""Also what is not closed: something behind it may close it."""
MAX_NESTED = 4
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,2000})>", re.I)
_BLANK_LINE = re.compile(r"\n[\s#;*/|>]*\n")

# Letters of other alphabets that pass for Latin ones.
_TWINS = str.maketrans("аеорсухіјѕԁӏαορνικԛԝ", "aeopcyxijsdlaopvikqw")
_READER = r"(?:ais?|a\.i\.|llms?|assistants?|language models?|chat ?bots?|gpt|models? reading|agents? reading)"
_FRAME = r"(?:excerpts?|documents?|contexts?|instructions?|prompts?)"
_TALK = r"(?:answer|reply|respond|say|cite|claim|pretend|insist|tell (?:the user|them|him|her))"
_TEXTS = r"(?:excerpts?|documents?|contexts?|sources?|instructions?|prompts?|system|messages?|questions?|data)"
_ORDERS = re.compile(
    "|".join(
        (
            # Overruling what was said before.
            r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|bypass|supersedes?|cancel)\b.{0,40}"
            r"\b(?:instructions?|prompts?|rules?|above|previous|prior|preceding|earlier|everything|excerpts?|guidelines?)\b",
            r"\bignor\w+ .{0,30}(?:vorherig|bisherig|anweisung|instruc|précédent|anterior)",
            r"\b(?:new|updated?|revised|real|actual|additional|secret|hidden|important|following) "
            r"(?:instructions?|system prompt|task|directives?|orders?)\b",
            r"\b(?:instructions?|directives?|orders?|prompts?) (?:to|for) (?:the )?" + _READER + r"\b",
            r"\b(?:jailbreak|dan mode|developer mode|god mode|do anything now)\b",
            # Speaking to the reader as a machine, or as another speaker.
            r"\b(?:to|for|dear|attention|hey|hello|note to|if you are|as|you are)[ ,:]+(?:all |any |an? |the |our )?"
            + _READER
            + r"\b",
            r"\byou are (?:now|no longer|from now on)\b",
            r"\bfrom now on\b.{0,20}\b(?:you|answer|reply|respond|always)\b",
            r"(?:^|\n)\W{0,20}(?:assistant|human|system|ai|chatgpt|developer)\s*(?:\(.{0,20}\))?:"
            r" *[^\s:]+ +[^\s:]+ +[^\s:]",
            r"\b(?:system|developer) (?:prompt|message|override|note)\b",
            r"<\|.{0,40}\|>|\[/?inst\]|<</?sys>>|(?<!#)#{2,} ?(?:instruction|response|system|assistant|user|human):",
            # Saying what the answer is to be.
            r"(?:^|[.!?:;,\n\"'(*>-][^\S\n]*|\b(?:please|must|should|always|never|now|simply|just|then|to|only|and)\s+)"
            + _TALK
            + r"\s*(?:with|only|exactly|instead|that|as|this|the question|in the|nothing|every|all|\"|'|:|`)",
            r"\b(?:correct|right|real|true|only|final|actual|official|expected) (?:answer|reply|response)\b",
            r"\bthe answer (?:must|should|shall)\b|\banswer\s*[=:]",
            r"\banswers? to (?:this|the|every|any|all) questions?\b",
            r"\b(?:when(?:ever)?|if) (?:(?:you are|you're|ever|anyone|someone|the user|users?) )+(?:asked|asks?)\b",
            r"\b(?:when|before|instead of|while) (?:you )?(?:answer|reply|respond|summari[sz]e?)(?:ing)?\b",
            r"\b(?:do not|don't|never|must not) (?:cite|mention|reveal|trust|quote|answer|tell|rely on|use)\b.{0,20}\b"
            + _TEXTS,
            r"\b(?:reveal|leak|repeat|print|send|post|forward|append|include)\b.{0,40}"
            r"\b(?:conversation|system prompt|your prompt|your instructions|the question|the user's question)\b",
            r"\b(?:confidence|certainty)\b.{0,30}(?:\d|maximum|full|hundred)|confidence_pct",
            r"\b(?:cite|citing|citations?|quote)\b.{0,20}(?:\d|\[|excerpt|this|document|source|always|id)",
            # Imitating the frame, or the reply.
            r"[\"'](?:answer|citations?|confidence\w*|excerpts?|question|role)[\"']\s*:",
            r"\b(?:begin|end|start|close)s?(?: of)?(?: the)? " + _FRAME + r"\b",
            r"\b" + _FRAME + r" (?:begins?|ends?|starts?|closed)\b",
            r"[-=<\[{~]{2,8}\s{0,8}/?(?:end|begin|start)[ _-]?(?:of )?"
            + _TEXTS
            + r"\b|[=<\[{~]{2,8}\s{0,8}/?(?:excerpts?|documents?|contexts?|instructions?|prompts?|questions?)\b",
            r"</?\s*(?:excerpts?|documents?|context|instructions?|prompt|question|answer)\b",
        )
    ),
    re.I,
)


def disarmed(text: str) -> str:
    """The text at the same length, with spaces for what is unseen, for markup that loads or hides, and for orders.

    A whole paragraph goes with an order in it, or with an escape sequence: what stands next to one was put there by
    the same hand.
    """
    shown = _MARKUP.sub(_spaces, _AUTOLINK.sub(r" \1 ", text))
    start, kept = 0, []
    for end in [*(gap.start() for gap in _BLANK_LINE.finditer(text)), len(text)]:
        piece, whole = shown[start:end], text[start:end]
        hostile = _ESCAPE.search(whole) or _ORDERS.search(_as_read(whole)) or _ORDERS.search(_as_read(piece))
        kept.append(_spaced(piece) if hostile else piece)
        start = end
    return _UNSEEN.sub(" ", "".join(kept))


def plain_text(text: str) -> str:
    """A model's wording without anything that a terminal, a Markdown viewer or a browser would act on."""
    text = _MARKUP.sub("", _AUTOLINK.sub(r"\1", _ESCAPE.sub("", text)))
    text = _UNSEEN.sub("", re.sub(r"\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])", r"\1", text))
    # Again, since what is taken out may have held another tag apart; but nobody writes so many into one another.
    for _ in range(MAX_NESTED):
        text = _OPEN_TAG.sub("", text)
    if _OPEN_TAG.search(text):
        text = text.replace("<", "")
    return re.sub(r"\s+", " ", text).strip()


def _as_read(text: str) -> str:
    """The text as a model would read it: without what hides words from a pattern."""
    seen = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).lower().translate(_TWINS)
    seen = re.sub(r"\b(?:\w[ ._-]){3,}\w\b", lambda spread: re.sub(r"[ ._-]", "", spread.group()), seen)
    plain = re.sub(r"(?<=\w)[*_`~]{1,8}|[*_`~]{1,8}(?=\w)", "", seen)
    joined = re.sub(r"(?<![ \t])[ \t]*\n[\s#;*/|>]*", " ", plain)
    return f"{plain}\n{joined}"  # once more on one line, for an order that wraps


def _spaces(found: re.Match[str]) -> str:
    return _spaced(found.group())


def _spaced(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
