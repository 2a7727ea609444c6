// The view that finds passages, a page of them at a time.

import { get } from "./api.js";
import { count, find, make, show } from "./dom.js";
import { passage, unchecked, wordsOnly } from "./passage.js";

export const NAMES = ["q", "kind", "type", "namespace", "source", "section", "path", "mode", "as_of"];
const LIMIT = 10;

export async function searchView(query, signal) {
  const asked = Object.fromEntries(NAMES.map((name) => [name, query.getAll(name)]));
  show("search-more");
  if (!query.get("q")) {
    show("search-said");
    show("search-found");
    return;
  }
  show("search-said", "searching …");
  const reply = await page(asked, "", signal);
  show("search-said", said(reply, reply.hits.length), wordsOnly(reply), unchecked(reply));
  show("search-found", reply.hits.map((hit) => passage(hit, reply.assembly)));
  offerMore(asked, reply, signal);
}

function page(asked, cursor, signal) {
  return get("api/search", { ...asked, limit: LIMIT, marks: true, cursor }, signal);
}

function offerMore(asked, reply, signal) {
  if (!reply.next_cursor) {
    show("search-more");
    return;
  }
  const button = make("button", { type: "button" }, "More");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const next = await page(asked, reply.next_cursor, signal);
      const items = next.hits.map((hit) => passage(hit, next.assembly));
      find("search-found").append(...items);
      show("search-said", said(next, find("search-found").children.length));
      items[0]?.querySelector("h3 a").focus();
      offerMore(asked, next, signal);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      button.disabled = false;
      show("search-said", problem.message, problem.hint ? ` - ${problem.hint}` : "");
    }
  });
  show("search-more", button);
}

function said(reply, shown) {
  const pending = reply.pending ? `; ${count(reply.pending, "chunk")} could be found by their words only` : "";
  const found = shown ? count(shown, "passage") : "Nothing was found";
  return `${found}${reply.next_cursor ? ", and more" : ""}${pending}.`;
}
