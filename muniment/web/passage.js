// A passage of a document: where it stands, its lines, and what is known against it, in place.

import { make, pieces } from "./dom.js";
import { helped } from "./feedback.js";
import { opening } from "./place.js";

export function lines(one) {
  return one.line_start === one.line_end ? `${one.line_start}` : `${one.line_start}-${one.line_end}`;
}

export function placeLink(one) {
  const href = opening({ chunk: one.chunk_id, lines: lines(one) });
  return make("a", { href }, `${one.path}:${lines(one)}`);
}

export function fileLink(source, path, line) {
  return make("a", { href: opening({ in: source, file: path, lines: line }) }, `${path}:${line}`);
}

export function badges(one) {
  if (one.gone) return make("span", { class: "badge bad", title: "the file is not there any more" }, "gone");
  if (one.changed_since_index) {
    return make("span", { class: "badge", title: "its file is not the one that was indexed" }, "changed since index");
  }
  return null;
}

export function dispute(one, source) {
  return make(
    "p",
    { class: "dispute", role: "note" },
    make("strong", {}, `${one.option} disagrees: `),
    "documented ",
    make("code", {}, one.documented || "(empty)"),
    " at ",
    fileLink(source, one.path, one.line),
    ", really ",
    make("code", {}, one.actual || "(empty)"),
    " at ",
    fileLink(source, one.truth_path, one.truth_line),
  );
}

// The lines of a text with their numbers; each dispute stands under its line. cited: {first, last}, shown as such.
export function textLines(one, parts, cited = null) {
  const left = [...(one.disputes || [])];
  const shown = byLine(parts).map((line, index) => {
    const number = one.line_start + index;
    const hit = cited && cited.first <= number && number <= cited.last;
    const row = make("div", { class: hit ? "line cited" : "line", "data-line": number }, line.length ? line : "\n");
    return [row, ...taken(left, (about) => stands(about, one.path, number)).map((about) => dispute(about, one.source))];
  });
  return make("div", { class: "text" }, shown.flat(), left.map((about) => dispute(about, one.source)));
}

function byLine(parts) {
  const found = [[]];
  for (const part of parts) {
    part.text.split("\n").forEach((text, index) => {
      if (index) found.push([]);
      const plain = text.replace(/\r$/, "");
      if (plain) found.at(-1).push(part.marked ? make("mark", {}, plain) : plain);
    });
  }
  if (found.length > 1 && !found.at(-1).length) found.pop();
  return found;
}

// Whether either side of a dispute stands in these lines.
export function stands(about, path, first, last = first) {
  const inside = (line) => first <= line && line <= last;
  return (about.path === path && inside(about.line)) || (about.truth_path === path && inside(about.truth_line));
}

// What is wanted of a list, which loses it.
export function taken(list, wanted) {
  const found = list.filter(wanted);
  for (const one of found) list.splice(list.indexOf(one), 1);
  return found;
}

// What the document states of itself, where it states anything.
export function stated(one) {
  const said = [one.doc_date && make("time", { datetime: one.doc_date }, one.doc_date), one.correspondent, one.namespace, one.tags.join(", ")];
  const parts = said.filter(Boolean).flatMap((part) => [" · ", part]);
  return parts.length ? make("p", { class: "quiet stated" }, parts.slice(1)) : null;
}

// An item of a list of hits or excerpts; assembly: the one that gathered it.
export function passage(one, assembly) {
  const about = [one.source, one.kind, one.type !== one.kind && one.type, one.title || one.section].filter(Boolean);
  return make(
    "li",
    { class: "passage" },
    make("h3", {}, one.id ? `[${one.id}] ` : null, placeLink(one), " ", badges(one)),
    make("p", { class: "quiet" }, about.join(" · ")),
    stated(one),
    textLines(one, one.marked ? pieces(one.marked) : [{ text: one.text, marked: false }]),
    one.also?.length ? make("p", { class: "quiet" }, `the same text: ${one.also.join(", ")}`) : null,
    helped(one, assembly),
  );
}

export function wordsOnly(reply) {
  return reply.words_only ? make("p", { class: "quiet" }, `searched by its words alone: ${reply.words_only}`) : null;
}

export function unchecked(reply) {
  return Object.entries(reply.unchecked || {}).map(([source, why]) =>
    make("p", { class: "quiet" }, `${source}: not compared with its files as they are now: ${why}`),
  );
}
