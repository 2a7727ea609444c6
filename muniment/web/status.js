// The strip that says what is served: generation, commit, age. It also knows the sources and generations to filter by.

import { get } from "./api.js";
import { count, make, show } from "./dom.js";

const SECONDS = [
  [86400, "day"],
  [3600, "hour"],
  [60, "minute"],
];

export async function showStatus() {
  const status = await get("api/index/status");
  const sources = Object.values(status.sources);
  show(
    "status",
    make("span", {}, `generation ${status.number}`),
    sources.map((one) => make("span", {}, `${one.name} ${one.commit ? one.commit.slice(0, 10) : ""}`.trim())),
    make("time", { datetime: status.published_at, title: status.published_at }, `published ${age(status.age_s)}`),
    make("span", {}, count(sources.reduce((sum, one) => sum + one.documents, 0), "document")),
    status.pending ? make("span", {}, `${count(status.pending, "vector")} to come`) : null,
    status.running ? make("span", { class: "badge" }, "a run is under way") : null,
  );
  return { names: Object.keys(status.sources), generations: status.kept.map((one) => one.number) };
}

function age(seconds) {
  const found = SECONDS.find(([size]) => seconds >= size);
  return found ? `${count(Math.floor(seconds / found[0]), found[1])} ago` : "just now";
}
