"use strict";
// New decisions come in at the top while the page is open, with the filter of its address.
(() => {
  const live = document.getElementById("live");
  const rows = document.getElementById("rows");
  const pause = document.getElementById("pause");
  if (matchMedia("(max-width: 860px)").matches) document.querySelector(".facets").open = false;
  if (!live) return;
  const most = 500;
  let held = null;
  const show = (html) => {
    const made = document.createElement("tbody");
    made.innerHTML = html;
    for (const row of made.rows) row.classList.add("new");
    rows.prepend(...made.rows);
    while (rows.rows.length > most) rows.lastElementChild.remove();
    const none = document.querySelector(".none");
    if (none) none.remove();
  };
  const source = new EventSource(live.dataset.stream);
  source.onopen = () => { live.textContent = "live"; live.classList.add("on"); pause.hidden = false; };
  source.onerror = () => { live.textContent = "not connected, trying again"; live.classList.remove("on"); };
  source.onmessage = (event) => {
    const html = JSON.parse(event.data).html;
    if (held === null) show(html);
    else held.push(html);
  };
  pause.onclick = () => {
    if (held === null) held = [];
    else { held.forEach(show); held = null; }
    pause.textContent = held === null ? "Pause" : "Go on";
  };
})();
