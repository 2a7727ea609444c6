// The view of what is documented and not true.

import { get } from "./api.js";
import { count, make, show } from "./dom.js";
import { fileLink } from "./passage.js";

export async function driftView(query, signal) {
  const reply = await get("api/drift", {}, signal);
  show("drift-found", reply.claims.map(claims), night(reply.night));
}

function claims(one) {
  const { agrees = 0, disagrees = 0, unknown = 0 } = one.counts;
  const rows = one.disputes.map((about) => [
    make("code", {}, about.option),
    [make("code", {}, about.documented || "(empty)"), " ", fileLink(one.source, about.path, about.line)],
    [make("code", {}, about.actual || "(empty)"), " ", fileLink(one.source, about.truth_path, about.truth_line)],
  ]);
  return make(
    "section",
    {},
    make("h3", {}, one.source),
    make("p", {}, `${count(agrees + disagrees + unknown, "documented value")}: ${disagrees} disagreeing, ${agrees} agreeing, ${unknown} that could not be told.`),
    rows.length ? table(`Values of ${one.source} that disagree`, ["option", "documented", "really"], rows) : null,
  );
}

function night(last) {
  if (!last) return make("p", { class: "quiet" }, "There was no nightly run yet (muniment nightly).");
  return make("section", {}, make("h3", {}, `The last night: ${last.verdict}`), make("p", { class: "quiet" }, last.finished_at), last.drift.map(found));
}

function found(one) {
  const rows = one.open.map((about) => [
    about.new ? "new" : "open",
    fileLink(one.source, about.path, about.line),
    about.message,
  ]);
  if (!rows.length) return make("p", {}, `${one.source}: no findings.`);
  return table(`Findings in ${one.source}`, ["", "where", "what"], rows);
}

export function table(caption, heads, rows) {
  const head = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text || make("span", { class: "unseen" }, "state"))));
  const body = rows.map((cells) => make("tr", {}, cells.map((cell) => make("td", {}, [cell].flat()))));
  return make(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
    make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, body)),
  );
}
