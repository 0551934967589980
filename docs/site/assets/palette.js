// The theme stores its colors at the first visit, and would then no longer follow the system. Only a choice of the reader is kept.
"use strict";

{
  const chosen = `${__md_scope.pathname}.chosen`;
  if (!localStorage.getItem(chosen)) localStorage.removeItem(`${__md_scope.pathname}.__palette`);

  addEventListener("change", (event) => {
    if (event.isTrusted && event.target.name === "__color") localStorage.setItem(chosen, "yes");
  });

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (localStorage.getItem(chosen)) return;
    for (const input of document.querySelectorAll("[name=__color]"))
      if (matchMedia(input.dataset.mdColorMedia).matches) input.dispatchEvent(new Event("change"));
  });
}
