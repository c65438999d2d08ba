"use strict";
// Parts with data-live="MILLISECONDS" are fetched again as often, and replaced where they have changed. Forms with data-auto
// are sent when a field changes, and their answer replaces the part that the attribute names. Without this script all pages
// work: they are loaded again by hand.
(() => {
  const fetchPart = async (url, id) => {
    const answer = await fetch(url, { credentials: "same-origin", cache: "no-store" });
    if (!answer.ok) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(id);
  };
  const replace = (old, fresh) => {
    if (old.innerHTML === fresh.innerHTML) return;
    const active = document.activeElement;
    if (old.contains(active) && /^(INPUT|SELECT|TEXTAREA)$/.test(active.tagName)) return;
    const href = old.contains(active) ? active.getAttribute("href") : null;
    const scrolled = [...old.querySelectorAll(".sheet")].map((x) => [x.scrollTop, x.scrollLeft]);
    old.replaceChildren(...fresh.childNodes);
    [...old.querySelectorAll(".sheet")].forEach((x, i) => { if (scrolled[i]) [x.scrollTop, x.scrollLeft] = scrolled[i]; });
    if (href) for (const a of old.querySelectorAll("a")) if (a.getAttribute("href") === href) { a.focus(); break; }
  };
  for (const part of document.querySelectorAll("[data-live]")) {
    const wait = Math.max(500, Number(part.dataset.live));
    const again = async () => {
      let next = wait;
      if (!document.hidden) {
        try {
          const fresh = await fetchPart(location.href, part.id);
          if (fresh) {
            replace(part, fresh);
            if (!fresh.hasAttribute("data-live")) return;
          }
        } catch { next = 5 * wait; } // the console has ended, or the machine sleeps
      }
      setTimeout(again, next);
    };
    setTimeout(again, wait);
  }
  for (const form of document.querySelectorAll("form[data-auto]")) {
    let timer = 0, last = 0;
    const send = async () => {
      const part = document.getElementById(form.dataset.auto), turn = ++last;
      const url = new URL(form.action);
      url.search = new URLSearchParams([...new FormData(form)].filter(([, v]) => v !== "")).toString();
      part.classList.add("busy");
      part.setAttribute("aria-busy", "true");
      try {
        const fresh = await fetchPart(url, part.id);
        if (turn === last && fresh) { part.replaceChildren(...fresh.childNodes); history.replaceState(null, "", url); }
      } finally {
        if (turn === last) { part.classList.remove("busy"); part.removeAttribute("aria-busy"); }
      }
    };
    form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(send, 350); });
    form.addEventListener("submit", (e) => { if (!e.submitter || !e.submitter.name) { e.preventDefault(); send(); } });
  }
  document.addEventListener("submit", (e) => {
    const ask = e.target.dataset ? e.target.dataset.confirm : "";
    if (ask && !confirm(ask)) e.preventDefault();
  });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    const search = document.querySelector("[data-search]");
    if (search) { e.preventDefault(); search.focus(); }
  });
})();
