"""The tools: what an agent may ask of an index, and in which words it is told so."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from inspect import getdoc
from traceback import format_tb
from typing import Annotated, Any, Literal, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import ConfigDict, Field, RootModel

from muniment.api import Index
from muniment.errors import MunimentError
from muniment.mcp.rendered import rendered, rendered_context, seen_chunk, seen_excerpts, seen_hits
from muniment.mcp.work import Work
from schemas.replies import Answered, Assembled, Searched
from schemas.shown import DriftReply, Feedback, IndexStatus, ReadChunk

T = TypeVar("T")
_log = logging.getLogger(__name__)
Rule = Callable[[Any], str]
"""Says why a call may not be made, from the HTTP request that carries it; nothing where it may."""


_MANY = 50
"""Values of one filter."""
Value = Annotated[str, Field(min_length=1, max_length=300)]
Values = Annotated[list[Value], Field(max_length=_MANY)]
Words = Annotated[str, Field(min_length=1, max_length=5_000)]
Generation = Annotated[int, Field(ge=1, lt=2**53, description="an earlier generation; status lists those kept")]
ChunkId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Kinds = Annotated[
    list[Literal["header", "readme", "manual", "template", "doc", "note", "record"]],
    Field(max_length=_MANY, description="only these kinds of document"),
]
Types = Annotated[Values, Field(description="only these types of note, in any case")]
Sections = Annotated[Values, Field(description="only these sections, in any case")]
Sources = Annotated[Values, Field(description="only these sources; status names them")]
Paths = Annotated[Values, Field(description="only paths that match one of these gitignore patterns")]
Relevance = Annotated[float, Field(ge=0, le=1, description="leave out passages that answer with less probability")]

_READING = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_LOGGING = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def allowed(_request: object) -> str:
    """Nothing: whoever starts a process of ours over stdio may do what it can."""
    return ""


def make_tools(index: Index, work: Work, asking: Rule, writing: Rule) -> list[Tool]:
    """Every tool, as the SDK takes it."""
    own = Tools(index, work, asking, writing)
    reading = (own.ask, own.search, own.read, own.assemble_context, own.drift, own.status)
    return [*(_tool(call, _READING) for call in reading), _tool(own.report_used, _LOGGING)]


def _tool(call: Callable[..., Any], annotations: ToolAnnotations) -> Tool:
    tool = Tool.from_function(call, description=getdoc(call), annotations=annotations)
    # A parameter with a slip in its name would filter nothing, and nobody would notice.
    named = tool.fn_metadata.arg_model
    strict: Any = type(named.__name__, (named,), {"model_config": ConfigDict(extra="forbid"), "__module__": __name__})
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema()
    return tool


class Tools:
    """The tools of one server; the docstring of each is what agents are told of it."""

    def __init__(self, index: Index, work: Work, asking: Rule, writing: Rule) -> None:
        self._index = index
        self._work = work
        self._asking = asking
        self._writing = writing

    async def ask(
        self,
        *,
        question: Annotated[Words, Field(description="a whole question")],
        ctx: Context,
        max_docs: Annotated[int, Field(ge=1, le=20, description="most excerpts; default: the settings'")] | None = None,
        model: Annotated[str, Field(max_length=200, description="none, or as the settings allow")] = "",
        source: Sources = [],  # noqa: B006 - never changed; a schema's default
        path: Paths = [],  # noqa: B006
        today: Annotated[date, Field(description="what 'last November' is counted from")] | None = None,
        as_of: Generation | None = None,
    ) -> Annotated[CallToolResult, RootModel[Answered]]:
        """Answer a question from the documents, with the file and lines that each sentence stands on.

        Numbers in brackets are ids of citations. Where reason is not empty there is no answer, and excerpts are what
        comes closest. disputes are lines that the answer stands on and that a deciding file contradicts: give both.
        """
        _obey(self._asking, ctx)
        answered = await _told(
            self._work.work_long,
            lambda: self._index.ask(
                question, max_docs=max_docs, model=model, source=source, path=path, today=today, as_of=as_of
            ),
        )
        return rendered(seen_excerpts(answered))

    async def search(
        self,
        *,
        question: Annotated[Words, Field(description="words, a name, or a whole question")],
        limit: Annotated[int, Field(ge=1, le=50, description="most passages")] = 8,
        mode: Literal["hybrid", "lexical", "vector"] = "hybrid",
        kind: Kinds = [],  # noqa: B006
        type: Types = [],  # noqa: A002, B006
        section: Sections = [],  # noqa: B006
        source: Sources = [],  # noqa: B006
        path: Paths = [],  # noqa: B006
        min_relevance: Relevance = 0.0,
        as_of: Generation | None = None,
    ) -> Annotated[CallToolResult, RootModel[Searched]]:
        """Find passages of the documents, verbatim, best first, each with its file and lines.

        relevance is how probable it is that the passage answers. changed_since_index and gone tell whether the file
        still says so; disputes are lines that a deciding file contradicts.
        """
        searched = await _told(
            self._work.work,
            lambda: self._index.search(
                question,
                limit=limit,
                mode=mode,
                kind=kind,
                type=type,
                section=section,
                source=source,
                path=path,
                min_relevance=min_relevance,
                as_of=as_of,
            ),
        )
        return rendered(seen_hits(searched))

    async def read(
        self,
        chunk_id: Annotated[ChunkId, Field(description="as a hit, an excerpt or a part names it")],
        before: Annotated[int, Field(ge=0, le=10, description="chunks before it in its document")] = 1,
        after: Annotated[int, Field(ge=0, le=10, description="chunks after it")] = 1,
    ) -> Annotated[CallToolResult, RootModel[ReadChunk]]:
        """Read one chunk with its neighbours in the document, verbatim: when a passage alone does not say enough."""
        call = partial(self._index.read, chunk_id, before=before, after=after)
        return rendered(seen_chunk(await _told(self._work.work, call)))

    async def assemble_context(
        self,
        *,
        question: Annotated[Words, Field(description="what the context is for")],
        max_tokens: Annotated[int, Field(ge=100, le=100_000, description="budget, by an upper estimate")] = 2_000,
        kind: Kinds = [],  # noqa: B006
        type: Types = [],  # noqa: A002, B006
        section: Sections = [],  # noqa: B006
        source: Sources = [],  # noqa: B006
        path: Paths = [],  # noqa: B006
        min_relevance: Relevance = 0.0,
    ) -> Annotated[CallToolResult, RootModel[Assembled]]:
        """Collect the best passages for a question as one text within a budget of tokens.

        Each part stands under a line with its type and place, such as [manual] docs/restore.md:12-20. Say with
        report_used which parts were of use: assembly is the id of this context, and parts name their chunks.
        """
        assembled = await _told(
            self._work.work,
            lambda: self._index.assemble(
                question,
                max_tokens=max_tokens,
                kind=kind,
                type=type,
                section=section,
                source=source,
                path=path,
                min_relevance=min_relevance,
            ),
        )
        return rendered_context(assembled)

    async def report_used(
        self,
        assembly: Annotated[str, Field(pattern=r"^[0-9]{8}-[0-9A-Za-z_-]{1,64}$", description="its id")],
        used: Annotated[list[ChunkId], Field(min_length=1, max_length=100, description="ids of chunks it gathered")],
        ctx: Context,
    ) -> Annotated[CallToolResult, RootModel[Feedback]]:
        """Say which chunks of a search, an answer or a context you used; it is counted, and shows which types help.

        Adds a line to the log and changes nothing else.
        """
        _obey(self._writing, ctx)
        return rendered(await _told(self._work.work, partial(self._index.report_used, assembly, used)))

    async def drift(
        self,
        source: Annotated[str, Field(max_length=300, description="only this source")] = "",
        limit: Annotated[int, Field(ge=1, le=500, description="most disagreements and findings of a source")] = 20,
    ) -> Annotated[CallToolResult, RootModel[DriftReply]]:
        """List documented values that disagree with the files that decide, and what the last nightly run found.

        counts are of all claims, however many are listed. Which side of a disagreement is right is not known.
        """
        found = await _told(self._work.work, self._index.drift)
        return rendered(_shortened(found, source, limit))

    async def status(self) -> Annotated[CallToolResult, RootModel[IndexStatus]]:
        """Tell what is indexed: sources, commits, counts, the generation and its age."""
        return rendered(await _told(self._work.work, self._index.status))


def _obey(rule: Rule, ctx: Context) -> None:
    if why := rule(ctx.request_context.request):
        raise ToolError(why)


async def _told(work: Callable[[Callable[[], T]], Any], call: Callable[[], T]) -> T:
    """What the call returns; a failure that has a name is told to the agent, with what to do about it."""
    try:
        result: T = await work(call)
        return result
    except MunimentError as error:
        raise ToolError(f"{error.message}\nhint: {error.hint}" if error.hint else error.message) from error
    except (
        Exception
    ) as error:  # the last door: where it happened goes to the log, and no message that quotes a question
        _log.error("a bug in muniment: %s\n%s", type(error).__name__, "".join(format_tb(error.__traceback__)))
        raise ToolError("a bug in muniment; its log says where") from None


def _shortened(found: DriftReply, source: str, limit: int) -> DriftReply:
    """The reply with so many of each list, of that source alone where one is named, and without the nights before."""
    claims = tuple(replace(one, disputes=one.disputes[:limit]) for one in found.claims if source in ("", one.source))
    night = found.night and replace(
        found.night,
        drift=tuple(
            replace(one, open=one.open[:limit], fixed=one.fixed[:limit], nights=())
            for one in found.night.drift
            if source in ("", one.source)
        ),
    )
    return replace(found, claims=claims, night=night)
