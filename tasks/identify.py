"""The ids and hashes that rows are known by."""

import hashlib


def doc_id(source: str, path: str) -> str:
    """The document's key: 32 hex digits that depend on nothing but the source's name and the path inside it."""
    return _digest(source, path)


def chunk_id(source: str, path: str, heading_path: tuple[str, ...], ordinal: int) -> str:
    """The chunk's key: 32 hex digits, unchanged by edits under other headings of the file."""
    return _digest(source, path, *heading_path, str(ordinal))


def claim_id(source: str, path: str, said: tuple[str, ...], ordinal: int) -> str:
    """The claim's key: 32 hex digits of what is said and where, whatever its line; `ordinal` parts equal ones."""
    return _digest(source, path, *said, str(ordinal))


def text_hash(text: str) -> str:
    """SHA-256 of a text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def _digest(*parts: str) -> str:
    # Length first, so that no two lists of parts run together into the same bytes. A folder's name need not be UTF-8.
    framed = b"".join(b"%d:%s" % (len(raw), raw) for raw in (part.encode("utf-8", "surrogateescape") for part in parts))
    return hashlib.sha256(framed).hexdigest()[:32]
