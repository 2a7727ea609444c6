// The view that answers a question with the lines that the answer stands on.

import { post } from "./api.js";
import { count, make, show } from "./dom.js";
import { dispute, fileLink, passage, placeLink, unchecked, wordsOnly } from "./passage.js";

export const NAMES = ["q", "namespace", "source", "path", "as_of"];
const replies = new Map();
let wanted = "";

// A link only fills the question in: a page of somebody else's may hold one, and asking may cost.
export function askNow(query) {
  wanted = keyOf(query);
  replies.delete(wanted);
}

function keyOf(query) {
  return JSON.stringify(NAMES.map((name) => query.getAll(name)));
}

export async function askView(query, signal) {
  const key = keyOf(query);
  if (wanted === key && !replies.has(key)) {
    show("ask-said", "asking …");
    show("ask-answer");
    const filters = Object.fromEntries(["namespace", "source", "path"].map((name) => [name, query.getAll(name)]));
    const as_of = query.get("as_of") ? Number(query.get("as_of")) : null;
    replies.set(key, await post("api/ask", { question: query.get("q"), ...filters, as_of }, signal));
  }
  const reply = replies.get(key);
  show("ask-said", reply ? said(reply) : query.get("q") ? "Press Ask to ask this." : "");
  show("ask-answer", reply ? answer(reply) : null);
}

function said(reply) {
  if (!reply.answer) return `No answer: ${reply.detail || reply.reason.replaceAll("_", " ")}.`;
  if (reply.total) return `Added up from what the documents say, confidence ${Math.round(reply.confidence * 100)} %.`;
  const sure = reply.confidence < 0.5 ? "Possibly related" : "Answered";
  const by = reply.model === "none" ? "in the documents' own sentences" : `by ${reply.model}`;
  return `${sure} ${by}, confidence ${Math.round(reply.confidence * 100)} %.`;
}

function answer(reply) {
  const cited = new Set(reply.citations.map((one) => one.id));
  const rest = reply.excerpts.filter((one) => !cited.has(one.id));
  const first = reply.citations[0] || reply.excerpts[0];
  return [
    reply.answer ? make("div", { class: "answer" }, linked(reply.answer, reply.citations)) : null,
    reply.disputes.map((one) => dispute(one, (holder(reply, one) || first).source)),
    wordsOnly(reply),
    unchecked(reply),
    reply.total ? payments(reply.total) : null,
    reply.citations.length ? [make("h3", {}, "Sources"), list(reply, reply.citations)] : null,
    rest.length ? others(reply, rest) : null,
  ].flat();
}

// `[2]` in an answer opens the second excerpt's lines.
function linked(text, citations) {
  const byId = new Map(citations.map((one) => [`[${one.id}]`, one]));
  return text.split(/(\[\d+\])/).map((part) => {
    const one = byId.get(part);
    if (!one) return part;
    const link = placeLink(one);
    link.setAttribute("aria-label", `source ${one.id}: ${link.textContent}`);
    link.textContent = part;
    return link;
  });
}

function holder(reply, about) {
  return reply.citations.find((one) => one.disputes.some((other) => other.path === about.path && other.line === about.line));
}

function list(reply, excerpts) {
  return make("ol", { class: "passages" }, excerpts.map((one) => passage(one, reply.assembly)));
}

function others(reply, rest) {
  const title = reply.answer ? `${count(rest.length, "other passage")} that came close` : "What comes closest";
  return make("details", { open: !reply.answer }, make("summary", {}, title), list(reply, rest));
}

// What became of each document of a total; those of other payees and periods are not worth a line.
function payments(total) {
  const rows = total.documents
    .filter((one) => one.outcome !== "other")
    .map((one) => make("li", {}, fileLink(one.document.source, one.document.path, 1), `: ${one.outcome}`, one.reason && `, ${one.reason}`));
  const title = `What became of ${count(rows.length, "document")}`;
  return make("details", {}, make("summary", {}, title), make("ul", {}, rows));
}
