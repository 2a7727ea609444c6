"""Small PDFs, written out by hand."""

import zlib


def text_pdf(*pages: str, packed: bool = False) -> bytes:
    """A PDF whose pages hold these lines in a fixed-width font."""
    return stream_pdf(*(_drawn(page) for page in pages), packed=packed)


def stream_pdf(*streams: bytes, packed: bool = False) -> bytes:
    """A PDF whose pages are drawn by these content streams."""
    count = len(streams)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    ]
    for number, stream in enumerate(streams):
        contents = 5 + 2 * number
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
            b" /Contents %d 0 R >>" % contents
        )
        held = zlib.compress(stream, 9) if packed else stream
        named = b" /Filter /FlateDecode" if packed else b""
        objects.append(b"<< /Length %d%s >>\nstream\n%s\nendstream" % (len(held), named, held))
    return _file(objects)


def _drawn(page: str) -> bytes:
    lines = [line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in page.split("\n")]
    shown = "".join(f"({line}) Tj T*\n" for line in lines)
    return f"BT /F1 10 Tf 12 TL 50 800 Td\n{shown}ET".encode("cp1252")


def _file(objects: list[bytes]) -> bytes:
    made = b"%PDF-1.4\n"
    places = []
    for number, held in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, held)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(made))
    return made + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + trailer
