// Links to the pages that nights and quality checks have written.

import { get } from "./api.js";
import { make } from "./dom.js";

export async function linkReports() {
  // A link carries no token: the answer brings the cookie that lets it in, and that no script can read.
  const { reports } = await get("api/reports", {}, undefined, { credentials: "same-origin" });
  for (const old of document.querySelectorAll("nav .report")) old.remove();
  const links = reports.map((one) => make("a", { class: "report", href: one.href, title: `written ${one.written_at}` }, named(one.title)));
  document.getElementById("prefect").before(...links);
}

function named(title) {
  return title[0].toUpperCase() + title.slice(1);
}
