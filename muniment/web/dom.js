// Elements made from plain values. Nothing here reads markup: every string becomes text.

// What could hide a word or turn a line around, as `muniment/inert.py` has it.
const LIVE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

export function inert(text) {
  return String(text).replace(LIVE, (found) => {
    const code = found.codePointAt(0);
    const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return `\\${letter}${code.toString(16).padStart(digits, "0")}`;
  });
}

// make("a", {href: "#ask"}, "text", element, ...): null and false are left out. Addresses are ours, never a document's.
export function make(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function makeSvg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== null && value !== false) element.setAttribute(key, inert(value));
  }
  add(element, children);
  return element;
}

export function show(place, ...children) {
  const element = typeof place === "string" ? find(place) : place;
  element.replaceChildren();
  add(element, children);
}

function add(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : inert(child));
  }
}

export function find(id) {
  return document.getElementById(id);
}

const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

// A passage as the server marks it -> [{text, marked}]. Its own marks are the only tags in there: those of the
// document are spelled with entities, and come out as text.
export function pieces(marked) {
  const found = [];
  let inside = false;
  for (const part of marked.split(/(<\/?mark>)/)) {
    if (part === "<mark>" || part === "</mark>") inside = part === "<mark>";
    else if (part) found.push({ text: part.replace(/&(?:amp|lt|gt|quot|#x27);/g, (one) => ENTITIES[one]), marked: inside });
  }
  return found;
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
