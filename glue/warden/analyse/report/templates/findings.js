(async () => {
  "use strict";
  const root = document.documentElement, at = id => document.getElementById(id);
  root.classList.add("js");
  const bytes = Uint8Array.from(atob(at("data").textContent), char => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const {texts, columns} = JSON.parse(await new Response(stream).text());
  const lower = texts.map(text => text.toLowerCase());
  const size = columns.rule.length, STEP = 100, PRINTED = 5000;
  const orders = {
    severity: ["not evaluated", "critical", "high", "medium", "low", "info"],
    effect: ["", "deny", "warn", "dryrun", "waived"],
  };
  const marks = {deny: "\u2715 denied", warn: "! warned", dryrun: "dry run", waived: "waived"};
  const byEffect = document.querySelector("#findings th[data-sort=effect]"), heading = at("h-findings");
  const named = [document.title, heading.textContent];
  const controls = [...document.querySelectorAll(".tools [id]")].map(control => control.id);
  const body = document.querySelector("#findings tbody"), shown = at("shown"), page = at("page");
  const searched = Object.entries(columns).filter(([name]) => name !== "kind").map(([, column]) => column);
  let state = {}, found = [], timer;

  const text = (name, row) => !(name in columns) || columns[name][row] < 0 ? "" : texts[columns[name][row]];
  const number = value => value.toLocaleString("en");
  const el = (name, className, ...parts) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...parts);
    return element;
  };
  // A name that breaks behind its dots, hyphens and underscores, and not inside of words.
  const breaking = name => name.split(/(?<=[._-])/).flatMap(part => [part, el("wbr")]);

  // Where a text stands among all texts: sorted once, when it is first needed.
  let ranks;
  const rank = () => {
    if (ranks) return ranks;
    const collator = new Intl.Collator("en", {numeric: true}), order = texts.map((_, index) => index);
    order.sort((one, other) => collator.compare(texts[one], texts[other]));
    ranks = new Int32Array(texts.length + 1);
    order.forEach((index, place) => { ranks[index] = place; });
    ranks[texts.length] = texts.length;
    return ranks;
  };
  const sorted = rows => {
    const name = state.sort || (byEffect ? "effect" : "");  // what denies comes first
    if (!name) return rows;
    const column = columns[name], last = texts.length;
    const key = name in orders
      ? row => orders[name].indexOf(text(name, row))
      : (places => row => places[column[row] < 0 ? last : column[row]])(rank());
    const sign = state.desc ? -1 : 1;
    return rows.sort((one, other) => sign * (key(one) - key(other)) || one - other);
  };
  const matching = () => {
    const words = (state.q || "").toLowerCase().split(/\s+/).filter(Boolean);
    const hits = words.map(word => Uint8Array.from(lower, each => each.includes(word) ? 1 : 0));
    const exact = controls.slice(1).filter(name => state[name])
      .map(name => [columns[name], state[name] === "-" ? -1 : texts.indexOf(state[name])]);
    const impossible = exact.some(([, index], place) => index < 0 && state[controls.slice(1).filter(n => state[n])[place]] !== "-");
    const rows = [];
    for (let row = 0; row < size && !impossible; row++) {
      if (exact.every(([column, index]) => column[row] === index) && hits.every(hit => searched.some(column => hit[column[row]] === 1))) rows.push(row);
    }
    return rows;
  };
  const drawn = row => {
    const [severity, rule, effect, cluster, topic, owner, message, fix, path, actual, patch, waiver] =
      ["severity", "rule", "effect", "cluster", "topic", "owner", "message", "fix", "path", "actual", "patch", "waiver"].map(name => text(name, row));
    const name = rule && el(at("rule-" + rule) ? "a" : "span", "", el("code", "rule", rule));
    if (name.localName === "a") name.href = "#rule-" + rule;
    const said = el("td", "", message), when = text("when", row);
    if (when) said.append(el("br"), el("span", "soft", when));
    if (fix && !when) said.append(el("br"), el("span", "soft", fix));
    if (path || patch || waiver) {
      const more = el("details", "", el("summary", "", "evidence"));
      if (path) more.append(el("div", "", el("code", "", path), ...("actual" in columns ? [el("span", "soft", actual ? " is " : " is not set: the default is in force"), el("code", "", actual)] : [])));
      if (waiver) more.append(el("div", "", el("span", "soft", "waiver "), waiver));
      if (patch) more.append(el("div", "", el("span", "soft", "patch "), el("code", "", patch)));
      said.append(more);
    }
    return el("tr", "",
      ...(byEffect ? [el("td", "inline", effect ? el("span", "effect " + effect, marks[effect] || effect) : "")] : []),
      el("td", "inline sev t-" + severity.split(" ")[0], el("i", "dot"), el("span", "", severity)),
      el("td", "inline", name || "", !byEffect && effect && effect !== "deny" ? el("span", "soft", " (" + effect + ")") : ""),
      el("td", "name", el("span", "", ...breaking(topic)), el("br"), el("span", "soft", cluster + (owner ? " · " + owner : " · no owner"))),
      said);
  };
  const pages = () => Math.max(1, Math.ceil(found.length / STEP));
  const draw = () => {
    const first = (state.page - 1) * STEP, part = document.createDocumentFragment();
    for (const row of found.slice(first, first + STEP)) part.append(drawn(row));
    body.replaceChildren(part);
    page.value = state.page;
    page.max = pages();
    at("pages").textContent = "of " + number(pages());
    for (const [id, off] of [["first", state.page === 1], ["back", state.page === 1], ["next", state.page === pages()], ["last", state.page === pages()]]) at(id).disabled = off;
    shown.textContent = found.length
      ? number(first + 1) + " to " + number(Math.min(first + STEP, found.length)) + " of " + number(found.length) + (found.length < size ? " that match, " + number(size) + " in all" : "")
      : size ? "No finding matches." : "Nothing was found.";
    for (const th of document.querySelectorAll("#findings th[data-sort]")) {
      th.setAttribute("aria-sort", th.dataset.sort !== state.sort ? "none" : state.desc ? "descending" : "ascending");
    }
    const filters = controls.filter(name => state[name]);
    const words = filters.map(name => name === "q" ? "\u201c" + state.q + "\u201d" : name + " " + (at(name).selectedOptions[0]?.text || state[name])).join(", ");
    at("clear").hidden = !words && !state.sort;
    document.title = words ? words + " \u00b7 " + named[0] : named[0];
    heading.textContent = words ? named[1] + ": " + words : named[1];
  };
  const remember = () => {
    const hash = new URLSearchParams();
    for (const name of [...controls, "sort"]) if (state[name]) hash.set(name, state[name]);
    if (state.desc) hash.set("desc", "1");
    if (state.page > 1) hash.set("page", state.page);
    history.replaceState(null, "", hash.size ? "#" + hash : location.pathname + location.search);
  };
  const update = () => {
    found = sorted(matching());
    state.page = Math.min(Math.max(1, Math.floor(state.page) || 1), pages());
    for (const name of controls) at(name).value = state[name] || "";
    draw();
  };
  const change = (changes, keep) => {
    state = {...state, page: 1, ...changes};
    update();
    if (!keep) remember();
  };
  const fromHash = () => {
    if (location.hash.startsWith("#rule-")) {
      const rule = at(decodeURIComponent(location.hash.slice(1)));
      if (rule) { rule.open = true; rule.scrollIntoView(); }
    }
    const hash = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    const read = Object.fromEntries([...hash].filter(([name]) => [...controls, "sort", "desc", "page"].includes(name)));
    if (!(read.sort in columns)) delete read.sort;
    if (!state.page || hash.size) change({...Object.fromEntries([...controls, "sort", "desc"].map(name => [name, ""])), ...read, page: Number(read.page) || 1}, true);
  };
  const turn = to => { state.page = Math.min(Math.max(1, to), pages()); draw(); remember(); };

  at("q").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => change({q: at("q").value}), 120); });
  for (const name of controls.slice(1)) at(name).addEventListener("change", () => change({[name]: at(name).value}));
  at("clear").addEventListener("click", () => change(Object.fromEntries([...controls, "sort", "desc"].map(name => [name, ""]))));
  page.addEventListener("change", () => turn(Math.floor(Number(page.value)) || 1));
  for (const [id, to] of [["first", () => 1], ["back", () => state.page - 1], ["next", () => state.page + 1], ["last", pages]]) at(id).addEventListener("click", () => turn(to()));
  document.addEventListener("click", event => {
    const sort = event.target.closest("th[data-sort] button");
    if (sort) {
      const name = sort.parentElement.dataset.sort, again = state.sort === name;
      change({sort: again && state.desc ? "" : name, desc: again && !state.desc ? "1" : ""});
      return;
    }
    const unfold = event.target.closest("[data-unfold]");
    if (unfold) {
      for (const row of unfold.closest("section").querySelectorAll("tr.rest")) row.classList.remove("rest");
      unfold.parentElement.remove();
      return;
    }
    const only = event.target.closest("[data-only]");
    if (!only) return;
    change({...Object.fromEntries([...controls, "sort", "desc"].map(name => [name, ""])), [only.dataset.only]: only.dataset.value});
    at("h-findings").scrollIntoView();
    at(only.dataset.only).focus({preventScroll: true});
  });
  addEventListener("hashchange", () => {
    fromHash();
    if (location.hash.includes("=")) heading.scrollIntoView();
  });
  // What is printed is what matches, not the hundred rows in view.
  addEventListener("beforeprint", () => {
    body.replaceChildren(...found.slice(0, PRINTED).map(drawn));
    shown.textContent = number(Math.min(found.length, PRINTED)) + " of " + number(found.length) + (found.length > PRINTED ? ": filter to print the others" : "");
    for (const rule of document.querySelectorAll(".rules details")) if (rule.dataset.found !== "0") rule.open = true;
  });
  addEventListener("afterprint", draw);
  fromHash();
  root.dataset.ready = "1";
})();
