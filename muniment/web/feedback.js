// Saying that a passage helped, for whoever may write.

import { get, post } from "./api.js";
import { make } from "./dom.js";

// The buttons are there all along; the style shows them to whoever may press them.
export async function showAccess() {
  const { scope } = await get("api/access");
  document.body.classList.toggle("may-write", scope === "write");
}

export function helped(one, assembly) {
  const button = make("button", { type: "button", class: "helped", "aria-label": `this helped: ${one.path}, line ${one.line_start}` }, "This helped");
  const said = make("span", { class: "quiet", role: "status" });
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await post("api/feedback", { assembly, used: [one.chunk_id] });
      said.textContent = "Noted.";
    } catch (problem) {
      button.disabled = false;
      said.textContent = problem.message;
    }
  });
  return make("p", { class: "saying" }, button, " ", said);
}
