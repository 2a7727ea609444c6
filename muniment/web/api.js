// Requests to this page's own server, and the token that they carry.

const KEPT = "muniment-token";

export class Problem extends Error {
  constructor(status, said) {
    super(said.detail || `the server answered ${status}`);
    this.status = status;
    this.hint = said.hint || "";
  }
}

export function keepToken(token) {
  sessionStorage.setItem(KEPT, token);
}

export function hasToken() {
  return Boolean(sessionStorage.getItem(KEPT));
}

// query: name -> value or list of values; empty ones are left out.
// more: what `fetch` is told besides.
export function get(path, query = {}, signal = undefined, more = {}) {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== "" && one !== undefined && one !== null) asked.append(name, one);
  }
  const text = asked.toString();
  return send(text ? `${path}?${text}` : path, { signal, ...more });
}

export function post(path, body, signal = undefined) {
  const headers = { "content-type": "application/json" };
  return send(path, { method: "POST", body: JSON.stringify(body), headers, signal });
}

async function send(path, options) {
  const token = sessionStorage.getItem(KEPT);
  const headers = { ...options.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  let answer;
  try {
    answer = await fetch(path, { credentials: "omit", ...options, headers, redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { detail: "the server does not answer", hint: "is 'muniment serve' still running?" });
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, said);
  return said;
}
