"""The tools: what an agent may ask of an index, and in which words it is told so."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import getdoc
from traceback import format_tb
from typing import Annotated, Any, Self, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from muniment import bounds
from muniment.api import Index
from muniment.errors import MunimentError
from muniment.inert import inert
from muniment.mcp.rendered import rendered, rendered_context, seen_chunk, seen_excerpts, seen_hits, shortened
from muniment.mcp.work import Work
from schemas.replies import Answered, Assembled, Searched
from schemas.shown import DriftReply, Feedback, IndexStatus, ReadChunk

T = TypeVar("T")
_log = logging.getLogger(__name__)
Rule = Callable[[Any], str]
"""Says why a call may not be made, from the HTTP request that carries it; nothing where it may."""


_READING = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_LOGGING = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def allowed(_request: object) -> str:
    """Nothing: whoever starts a process of ours over stdio may do what it can."""
    return ""


@dataclass(frozen=True, slots=True)
class Terms:
    """Who may do what, and who is told of it."""

    asking: Rule = allowed
    writing: Rule = allowed
    answered: Callable[[str], object] = allowed
    """Takes the outcome of each question: answered, or why not."""


ANYBODY = Terms()
"""Those of a process that its one client has started."""


def make_tools(index: Index, work: Work, terms: Terms) -> list[Tool]:
    """Every tool, as the SDK takes it."""
    own = Tools(index, work, terms)
    reading = (own.ask, own.search, own.read, own.assemble_context, own.drift, own.status)
    return [*(_tool(call, _READING) for call in reading), _tool(own.report_used, _LOGGING)]


def _tool(call: Callable[..., Any], annotations: ToolAnnotations) -> Tool:
    tool = Tool.from_function(call, description=getdoc(call), annotations=annotations)
    named = tool.fn_metadata.arg_model
    strict: Any = type(tool.name, (_Told, named), {"__module__": __name__})
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema()
    return tool


class _Told(BaseModel):
    """Arguments that are not taken are told without their values, and without the address of somebody's page."""

    # A parameter with a slip in its name would filter nothing, and nobody would notice.
    model_config = ConfigDict(extra="forbid")

    @classmethod
    def model_validate(cls, obj: Any, **how: Any) -> Self:
        """The arguments; raises ValidationError."""
        try:
            return super().model_validate(obj, **how)
        except ValidationError as error:
            told = [_told_without(one["msg"], one["loc"]) for one in error.errors(include_url=False)]
            raise ValidationError.from_exception_data(error.title, told, hide_input=True) from None


def _told_without(said: str, where: tuple[int | str, ...]) -> InitErrorDetails:
    return InitErrorDetails(type=PydanticCustomError("refused", "{said}", {"said": said}), loc=where, input=None)


class Tools:
    """The tools of one server; the docstring of each is what agents are told of it."""

    def __init__(self, index: Index, work: Work, terms: Terms) -> None:
        self._index = index
        self._work = work
        self._terms = terms

    async def ask(
        self,
        *,
        question: Annotated[bounds.Words, Field(description="a whole question")],
        ctx: Context,
        max_docs: bounds.MaxDocs | None = None,
        model: bounds.ModelName = "",
        namespace: bounds.Namespaces = [],  # noqa: B006
        source: bounds.Sources = [],  # noqa: B006 - never changed; a schema's default
        path: bounds.Paths = [],  # noqa: B006
        today: bounds.Today | None = None,
        as_of: bounds.Generation | None = None,
    ) -> Annotated[CallToolResult, RootModel[Answered]]:
        """Answer a question from the documents, with the file and lines that each sentence stands on.

        Numbers in brackets are ids of citations. Where reason is not empty there is no answer, and excerpts are what
        comes closest. disputes are lines that the answer stands on and that a deciding file contradicts: give both.
        """
        _obey(self._terms.asking, ctx)
        answered = await _told(
            self._work.work_long,
            lambda: self._index.ask(
                question,
                max_docs=max_docs,
                model=model,
                namespace=namespace,
                source=source,
                path=path,
                today=today,
                as_of=as_of,
            ),
        )
        self._terms.answered(answered.reason or "answered")
        return rendered(seen_excerpts(answered))

    async def search(
        self,
        *,
        question: Annotated[bounds.Words, Field(description="words, a name, or a whole question")],
        limit: Annotated[int, Field(ge=1, le=50, description="most passages")] = 8,
        mode: bounds.Mode = "hybrid",
        kind: bounds.Kinds = [],  # noqa: B006
        type: bounds.Types = [],  # noqa: A002, B006
        namespace: bounds.Namespaces = [],  # noqa: B006
        section: bounds.Sections = [],  # noqa: B006
        source: bounds.Sources = [],  # noqa: B006
        path: bounds.Paths = [],  # noqa: B006
        min_relevance: bounds.Relevance = 0.0,
        as_of: bounds.Generation | None = None,
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
                namespace=namespace,
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
        chunk_id: Annotated[bounds.ChunkId, Field(description="as a hit, an excerpt or a part names it")],
        before: Annotated[int, Field(ge=0, le=10, description="chunks before it in its document")] = 1,
        after: Annotated[int, Field(ge=0, le=10, description="chunks after it")] = 1,
    ) -> Annotated[CallToolResult, RootModel[ReadChunk]]:
        """Read one chunk with its neighbours in the document, verbatim: when a passage alone does not say enough."""
        call = partial(self._index.read, chunk_id, before=before, after=after)
        return rendered(seen_chunk(await _told(self._work.work, call)))

    async def assemble_context(
        self,
        *,
        question: Annotated[bounds.Words, Field(description="what the context is for")],
        max_tokens: Annotated[int, Field(ge=100, le=100_000, description="budget, by an upper estimate")] = 2_000,
        kind: bounds.Kinds = [],  # noqa: B006
        type: bounds.Types = [],  # noqa: A002, B006
        namespace: bounds.Namespaces = [],  # noqa: B006
        section: bounds.Sections = [],  # noqa: B006
        source: bounds.Sources = [],  # noqa: B006
        path: bounds.Paths = [],  # noqa: B006
        min_relevance: bounds.Relevance = 0.0,
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
                namespace=namespace,
                section=section,
                source=source,
                path=path,
                min_relevance=min_relevance,
            ),
        )
        return rendered_context(assembled)

    async def report_used(
        self,
        assembly: bounds.AssemblyId,
        used: bounds.Used,
        ctx: Context,
    ) -> Annotated[CallToolResult, RootModel[Feedback]]:
        """Say which chunks of a search, an answer or a context you used; it is counted, and shows which types help.

        Adds a line to the log and changes nothing else.
        """
        _obey(self._terms.writing, ctx)
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
        return rendered(shortened(found, source, limit))

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
        raise ToolError(inert(f"{error.message}\nhint: {error.hint}" if error.hint else error.message)) from error
    except (
        Exception
    ) as error:  # the last door: where it happened goes to the log, and no message that quotes a question
        _log.error("a bug in muniment: %s\n%s", type(error).__name__, "".join(format_tb(error.__traceback__)))
        raise ToolError("a bug in muniment; its log says where") from None
