// Brings forms, hash and views together: a form changes the hash, and the hash decides what is shown.

import { keepToken } from "./api.js";
import { NAMES as ASK, askNow, askView } from "./ask.js";
import { find, make, show } from "./dom.js";
import { driftView } from "./drift.js";
import { NAMES as EFFECTIVENESS, effectivenessView } from "./effectiveness.js";
import { showAccess } from "./feedback.js";
import { VIEWS, closing, hash, here, opened } from "./place.js";
import { closeReader, openReader } from "./reader.js";
import { linkReports } from "./reports.js";
import { NAMES as SEARCH, searchView } from "./search.js";
import { showStatus } from "./status.js";

const SHOWN = { search: searchView, ask: askView, drift: driftView, effectiveness: effectivenessView };
const FORMS = { search: SEARCH, ask: ASK, effectiveness: EFFECTIVENESS };
const STATUS_MS = 60_000;

let underWay = new AbortController();
let shown = "";

// Shows what the hash says. A document that is opened or closed leaves the view under it as it is.
async function render({ again = false } = {}) {
  const { view, query } = here();
  const open = opened(query);
  underWay.abort();
  underWay = new AbortController();
  const { signal } = underWay;
  for (const name of Object.keys(open)) query.delete(name);
  const wanted = hash(view, query);
  if (!Object.keys(open).length) closeReader();
  await attempt(async () => {
    if (again || wanted !== shown) {
      shown = "";
      frame(view, query);
      await SHOWN[view](query, signal);
      shown = wanted;
    }
    if (Object.keys(open).length) await openReader(open, signal);
  });
}

function frame(view, query) {
  for (const name of VIEWS) find(`view-${name}`).hidden = name !== view;
  for (const link of document.querySelectorAll("nav a[href^='#']")) {
    if (!link.hash.split("?")[0].endsWith(view)) link.removeAttribute("aria-current");
    else {
      link.setAttribute("aria-current", "page");
      // Coming back to a view finds it as it was left.
      link.href = hash(view, query);
    }
  }
  const q = query.get("q");
  document.title = q ? `${q} - muniment` : `${view} - muniment`;
  if (FORMS[view]) fill(find(view), query);
}

function fill(form, query) {
  for (const field of form.elements) {
    if (field.type === "checkbox") field.checked = query.getAll(field.name).includes(field.value);
    else if (field.tagName === "SELECT") field.value = query.get(field.name) || field.querySelector("[selected]")?.value || field.options[0].value;
    else if (field.name) field.value = query.get(field.name) || "";
  }
  const filters = form.querySelector("details");
  if (filters && FORMS[form.id].some((name) => name !== "q" && query.get(name))) filters.open = true;
}

async function attempt(work) {
  show("trouble");
  try {
    await work();
  } catch (error) {
    if (error.name === "AbortError") return;
    if (error.status === undefined) throw error;
    if (error.status === 401) find("token").hidden = false;
    const place = find("reader").open ? "reader-shown" : "trouble";
    show(place, make("p", { class: "trouble" }, error.message, error.hint ? ` - ${error.hint}` : ""));
    for (const name of ["search-said", "ask-said"]) show(name);
    // What was found before is no answer to what could not be asked now.
    if (!shown) for (const name of ["search-found", "search-more", "ask-answer"]) show(name);
  }
}

function submitted(view) {
  const data = new FormData(find(view));
  const query = new URLSearchParams();
  for (const name of FORMS[view]) for (const value of data.getAll(name)) if (value.trim()) query.append(name, value.trim());
  if (view === "ask") askNow(query);
  const wanted = hash(view, query);
  if (wanted === location.hash) render({ again: true });
  else location.hash = wanted;
  shown = "";
}

async function refreshStatus() {
  const { names, generations } = await showStatus();
  show("generations", generations.map((value) => make("option", { value })));
  for (const place of document.querySelectorAll(".sources")) {
    const there = [...place.querySelectorAll("input")].map((field) => field.value);
    place.hidden = names.length < 2;
    if (there.join("\n") === names.join("\n")) continue;
    const asked = here().query.getAll("source");
    const boxes = names.map((value) =>
      make("label", {}, make("input", { type: "checkbox", name: "source", value, checked: asked.includes(value) }), ` ${value}`),
    );
    place.replaceChildren(place.querySelector("legend"), ...boxes);
  }
}

function listen() {
  for (const view of Object.keys(FORMS)) {
    find(view).addEventListener("submit", (event) => {
      event.preventDefault();
      submitted(view);
    });
  }
  find("effectiveness").addEventListener("change", () => submitted("effectiveness"));
  find("token").addEventListener("submit", (event) => {
    event.preventDefault();
    keepToken(find("token-field").value.trim());
    find("token-field").value = "";
    start();
  });
  find("reader-close").addEventListener("click", () => find("reader").close());
  find("reader").addEventListener("close", () => {
    // No entry of its own: going back would open it again.
    if (Object.keys(opened(here().query)).length) history.replaceState(null, "", closing());
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
    const field = find(`${here().view}-q`);
    if (!field || find("reader").open) return;
    event.preventDefault();
    field.focus();
  });
  addEventListener("hashchange", () => render());
  // A link to a report is good for a while only.
  document.addEventListener("visibilitychange", () => document.hidden || refresh());
}

function linkPrefect() {
  const address = document.querySelector("meta[name='prefect-ui']").content;
  const link = find("prefect");
  link.hidden = !/^https?:\/\//.test(address);
  if (!link.hidden) link.href = address;
}

async function start() {
  await render({ again: true });
  await refresh();
}

// What stands around the views: the strip, the filters' values, links, and what may be done here.
async function refresh() {
  try {
    await refreshStatus();
    find("token").hidden = true;
  } catch (error) {
    show("status", "The state of the index is not known.");
    // Also where the view asks for nothing yet.
    find("token").hidden = error.status !== 401;
    return;
  }
  await Promise.all([showAccess(), linkReports()]).catch(() => undefined);
}

linkPrefect();
listen();
start();
setInterval(() => document.hidden || refresh(), STATUS_MS);
