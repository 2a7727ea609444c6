"""Widths, windows and prefixes of embedding models that people serve."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """What must be known about a model before it is asked anything."""

    dimension: int = 0
    """0 where the name covers several sizes."""
    max_tokens: int = 512
    """The smallest window in common use, for a model nobody knows."""
    document_prefix: str = ""
    query_prefix: str = ""


_RETRIEVE = "Represent this sentence for searching relevant passages: "
# The model promises 8,192 tokens; Ollama and llama.cpp read 2,048 (ollama/ollama#7741, #11214).
_NOMIC = Model(768, 2048, "search_document: ", "search_query: ")
_MXBAI = Model(1024, 512, query_prefix=_RETRIEVE)
_MINILM = Model(384, 256)

# As their makers publish them: nomic-ai, mixedbread-ai, sentence-transformers, BAAI, Snowflake, google, Qwen, OpenAI.
KNOWN_MODELS: dict[str, Model] = {
    "nomic-embed-text": _NOMIC,
    "nomic-embed-text-v1.5": _NOMIC,
    "nomic-embed-text-v2-moe": Model(768, 512, "search_document: ", "search_query: "),
    "mxbai-embed-large": _MXBAI,
    "mxbai-embed-large-v1": _MXBAI,
    "all-minilm": _MINILM,
    "all-minilm-l6-v2": _MINILM,
    "bge-m3": Model(1024, 8192),
    "bge-large": Model(1024, 512, query_prefix=_RETRIEVE),
    "bge-large-en-v1.5": Model(1024, 512, query_prefix=_RETRIEVE),
    "snowflake-arctic-embed": Model(0, 512, query_prefix=_RETRIEVE),
    "snowflake-arctic-embed2": Model(1024, 8192, query_prefix="query: "),
    "embeddinggemma": Model(768, 2048, "title: none | text: ", "task: search result | query: "),
    "qwen3-embedding": Model(
        0,
        8192,
        query_prefix="Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
    ),
    "text-embedding-3-small": Model(1536, 8191),
    "text-embedding-3-large": Model(3072, 8191),
    "text-embedding-ada-002": Model(1536, 8191),
}


def plain_name(model: str) -> str:
    """A model's name as Ollama compares it: in lower case, `name` for `name:latest`."""
    return model.lower().removesuffix(":latest")


def find_model(model: str) -> Model:
    """What is known of a model, whatever its owner or tag; the cautious defaults for one that nobody knows."""
    name = plain_name(model).rsplit("/", 1)[-1].split(":", 1)[0]
    return KNOWN_MODELS.get(name, Model())
