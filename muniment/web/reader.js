// The document that lies open over a view, at its lines.

import { Problem, get } from "./api.js";
import { find, make, show } from "./dom.js";
import { badges, dispute, stated, stands, taken, textLines } from "./passage.js";

// wanted: {chunk} or {in, file}, and {lines}.
export async function openReader(wanted, signal) {
  const cited = span(wanted.lines);
  const id = wanted.chunk ? (await readChunk(wanted.chunk, signal)).doc_id : await idOf(wanted.in, wanted.file, signal);
  if (!id) throw new Problem(404, { detail: `${wanted.file} is not in the index`, hint: "only documentation is" });
  const shown = await get(`api/documents/${encodeURIComponent(id)}`, {}, signal);
  const dialog = find("reader");
  if (!dialog.open) dialog.showModal();
  show("reader-title", shown.path);
  show("reader-shown", parts(shown, cited));
  const place = find("reader-shown");
  (place.querySelector(".cited") || place).scrollIntoView({ block: "center" });
  place.focus({ preventScroll: true });
}

export function closeReader() {
  const dialog = find("reader");
  if (dialog.open) dialog.close();
}

function span(lines) {
  const found = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(lines || "");
  return found ? { first: Number(found[1]), last: Number(found[2] || found[1]) } : null;
}

function marked({ first, last }) {
  return first === last ? `line ${first} is marked` : `lines ${first}-${last} are marked`;
}

function readChunk(id, signal) {
  return get(`api/chunks/${encodeURIComponent(id)}`, {}, signal);
}

async function idOf(source, path, signal) {
  // A pattern that means this one path.
  const pattern = `/${path.replace(/[\\*?[\]! #]/g, "\\$&")}`;
  const page = await get("api/documents", { source, path: pattern, limit: 10 }, signal);
  return page.documents.find((one) => one.path === path)?.doc_id;
}

// Each dispute stands under its line; those of lines that no chunk holds stand at the end.
function parts(shown, cited) {
  const about = [shown.source, shown.kind, shown.title, cited && marked(cited)];
  const left = [...shown.disputes];
  let end = 0;
  const texts = shown.chunks.map((one) => {
    const gap = end && one.line_start > end + 1 ? make("p", { class: "quiet" }, "⋯") : null;
    end = Math.max(end, one.line_end);
    const own = taken(left, (about) => stands(about, one.path, one.line_start, one.line_end));
    return [gap, textLines({ ...one, disputes: own }, [{ text: one.text, marked: false }], cited)];
  });
  return [
    make("p", { class: "quiet" }, about.filter(Boolean).join(" · "), " ", badges(shown)),
    stated(shown),
    texts.flat(),
    left.map((about) => dispute(about, shown.source)),
  ].flat();
}
