// The view that finds passages.

import { get } from "./api.js";
import { count, find, show } from "./dom.js";
import { passage, unchecked } from "./passage.js";

export const NAMES = ["q", "kind", "source", "section", "path"];
const LIMIT = 10;

export async function searchView(query, signal) {
  const asked = Object.fromEntries(NAMES.map((name) => [name, query.getAll(name)]));
  if (!query.get("q")) {
    show("search-said");
    show("search-found");
    return;
  }
  show("search-said", "searching …");
  const reply = await get("api/search", { ...asked, limit: LIMIT, marks: true }, signal);
  show("search-said", said(reply), unchecked(reply));
  show("search-found", reply.hits.map((hit) => passage(hit)));
  find("search-found").dataset.assembly = reply.assembly;
}

function said(reply) {
  const pending = reply.pending ? `; ${count(reply.pending, "chunk")} could be found by their words only` : "";
  const found = reply.hits.length ? count(reply.hits.length, "passage") : "Nothing was found";
  return `${found}${pending}.`;
}
