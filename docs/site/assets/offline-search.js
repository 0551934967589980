// Makes the search work under file://, where browsers allow neither workers nor requests to other files. The index arrives as
// a script, and the theme's worker runs in a hidden frame.
"use strict";

// What readers type is text: without this, `-9` in `kill -9` would exclude the pages with a 9.
window.__search = { transform: (query) => query.replace(/[-+~^:*"]+/g, " ").trim() };

if (location.protocol === "file:") {
  const indexUrl = new URL(document.currentScript.dataset.index, location.href);

  const load = (into, url) =>
    new Promise((resolve, reject) => {
      const script = into.createElement("script");
      script.src = url;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${url} cannot be loaded`));
      into.body.append(script);
    });

  const searched = new Promise((resolve) => {
    if (new URLSearchParams(location.search).has("q")) resolve();
    addEventListener("focusin", (event) => event.target.closest("[data-md-component=search]") && resolve());
  });

  // The index script calls window.searchIndexLoaded(). It is large, and loaded only for a search.
  window.__search.index = new Promise((resolve) => {
    window.searchIndexLoaded = resolve;
    searched.then(() => load(document, indexUrl));
  });

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.scope = frame.contentWindow;
      this.scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.loaded = load(frame.contentDocument, new URL(url, location.href));
    }

    postMessage(data) {
      this.loaded.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.scope.frameElement.remove();
    }
  };
}
