// The view of what was used of what was gathered: a share and its interval for each group.

import { get } from "./api.js";
import { count, make, makeSvg, show } from "./dom.js";
import { table } from "./drift.js";

export const NAMES = ["by", "window_hours"];

export async function effectivenessView(query, signal) {
  const by = query.get("by") || "kind";
  const reply = await get("api/effectiveness", { by, window_hours: query.get("window_hours") || "168" }, signal);
  const rows = reply.effects.map((one) => [one.name || "(none)", bar(one), share(one), `${one.used} of ${one.assembled}`, one.trend]);
  show(
    "effectiveness-found",
    make("p", {}, `${count(reply.assemblies, "assembly", "assemblies")}, ${reply.used} of ${count(reply.assembled, "chunk")} used.`),
    rows.length ? table(`Use by ${by}`, [by, "0 to 100 %", "share", "chunks", "trend"], rows) : null,
    reply.unreadable ? make("p", { class: "quiet" }, `${count(reply.unreadable, "line")} of the log could not be read.`) : null,
  );
}

function share(one) {
  if (one.ratio === null) return "not enough data";
  return `${percent(one.ratio)} % (${percent(one.low)}-${percent(one.high)} %)`;
}

function percent(ratio) {
  return Math.round(ratio * 100);
}

// The bar is the share, the line across it its 95 % interval; the cell beside it says both in words.
function bar(one) {
  const known = one.ratio !== null;
  return makeSvg(
    "svg",
    { viewBox: "0 0 100 12", class: "bar", "aria-hidden": "true", preserveAspectRatio: "none" },
    makeSvg("rect", { class: "ground", x: 0, y: 2, width: 100, height: 8 }),
    known && makeSvg("rect", { class: "share", x: 0, y: 2, width: 100 * one.ratio, height: 8 }),
    known && makeSvg("rect", { class: "interval", x: 100 * one.low, y: 5, width: 100 * (one.high - one.low), height: 2 }),
  );
}
