// Where the page is: its hash names the view, what was asked there, and the document that lies open over it.

export const VIEWS = ["search", "ask", "drift", "effectiveness"];
const OPEN = ["chunk", "in", "file", "lines"];

// `#search?q=heron&chunk=ID&lines=3-5` -> {view, query: URLSearchParams}; a view that there is not is the first.
export function here() {
  const [view, query = ""] = split(location.hash.slice(1));
  return { view: VIEWS.includes(view) ? view : VIEWS[0], query: new URLSearchParams(query) };
}

function split(text) {
  const at = text.indexOf("?");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

export function hash(view, query) {
  const text = query.toString();
  return text ? `#${view}?${text}` : `#${view}`;
}

// The hash of this view with a document open over it: {chunk} or {in, file}, and {lines}.
export function opening(document) {
  const { view, query } = here();
  for (const name of OPEN) query.delete(name);
  for (const [name, value] of Object.entries(document)) query.set(name, value);
  return hash(view, query);
}

export function closing() {
  return opening({});
}

// What of the query says which document is open.
export function opened(query) {
  return Object.fromEntries(OPEN.filter((name) => query.has(name)).map((name) => [name, query.get(name)]));
}
