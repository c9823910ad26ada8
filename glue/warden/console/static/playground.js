"use strict";
// A link has the paste behind its #, which no browser sends: it is put into the form and sent as a paste is.
(() => {
  const form = document.getElementById("paste");
  const own = form.dataset.link ? `#s=${form.dataset.link}` : "";
  const follow = () => {
    if (location.hash.startsWith("#s=") && location.hash !== own) {
      form.elements.link.value = location.hash.slice(3);
      form.submit();
    }
  };
  if (own && !location.hash.startsWith("#s=")) history.replaceState(null, "", location.pathname + own);
  else if (own && form.dataset.posted) history.replaceState(null, "", location.pathname + own);
  else follow();
  addEventListener("hashchange", follow);
})();
