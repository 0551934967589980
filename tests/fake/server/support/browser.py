"""Drives headless Chromium by its own protocol, over a pair of pipes. Needs only the standard library."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = int(os.environ.get("PATIENCE", 60))  # seconds; the browser and the page are waited for by what they show, never for a fixed time


# Stops the clicks that miss the element `aim.at`.
GUARD_CLICKS = """(() => {
  if ('aim' in window) return;
  window.aim = null;
  const guard = (event) => {
    if (!window.aim) return;
    if (!window.aim.at.contains(event.target)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (event.type === 'click') {
      window.aim.hit = true;
    }
  };
  for (const type of ['mousedown', 'mouseup', 'click']) window.addEventListener(type, guard, true);
})()"""


def find_chromium():
    return next((found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None)


class Browser:
    """One page in a browser of its own. Collects what the page reports as errors."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="tally-page-")
        to_browser, self.to_browser = os.pipe()
        self.from_browser, from_browser = os.pipe()
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", program, "--headless=new",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.unread, self.number, self.session = b"", 0, None
        self.errors, self.dialogs = [], []
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.folder)
        self.session = self.call("Target.attachToTarget", targetId=self.first_page(), flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def first_page(self):
        """The browser answers before it has opened its page."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for target in self.call("Target.getTargets")["targetInfos"]:
                if target["type"] == "page":
                    return target["targetId"]
        raise TimeoutError("the browser opens no page")

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.unread:
            if not select.select([self.from_browser], [], [], PATIENCE)[0]:
                raise TimeoutError("the browser says nothing")
            read = os.read(self.from_browser, 1 << 20)
            if not read:
                raise EOFError("the browser has ended")
            self.unread += read
        message, self.unread = self.unread.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")

    def call(self, method, **params):
        self.send(method, **params)
        expected = self.number
        while True:
            answer = self.receive()
            if answer.get("id") == expected:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(each.get("value", each.get("description"))) for each in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(params["message"])
            self.send("Page.handleJavaScriptDialog", accept=True)

    def open(self, url):
        self.call("Page.navigate", url=url)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def run(self, script):
        """The value of an expression."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def wait(self, script, what=None):
        """Waits until an expression is true, and returns its value."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = self.run(f"(() => {{ try {{ return {script}; }} catch {{ return null; }} }})()")
            if value or value == {}:  # an element
                return value
            self.run("new Promise((resolve) => requestAnimationFrame(() => resolve()))")
        raise AssertionError(f"the page never shows {what or script}; it shows: {self.run('document.body.innerText')[:3000]}")

    def see(self, text, where="body"):
        """Waits for a text in a visible element: hidden ones have an innerText, too."""
        self.wait(f"[document.querySelector({json.dumps(where)})].every("
                  f"(each) => each.checkVisibility() && each.innerText.includes({json.dumps(text)}))", f"{text!r} in {where}")

    def click(self, selector, text=None):
        """Clicks the first visible element that the selector and the text describe, with the mouse.

        The page may draw or move elements between the search and the click. A click that misses reaches no element, and
        is repeated."""
        self.run(GUARD_CLICKS)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            place = self.wait(
                f"""(() => {{
                  const found = [...document.querySelectorAll({json.dumps(selector)})].find((each) =>
                    each.checkVisibility() && ({json.dumps(text)} === null || each.textContent.trim() === {json.dumps(text)}));
                  if (!found) return null;
                  found.scrollIntoView({{block: 'center', inline: 'center'}});
                  const box = found.getBoundingClientRect();
                  if (!found.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))) return null;
                  window.aim = {{at: found, hit: false}};
                  return {{x: box.x + box.width / 2, y: box.y + box.height / 2}};
                }})()""", f"{selector} {text or ''}")
            self.send("Input.dispatchMouseEvent", type="mousePressed", button="left", clickCount=1, **place)
            self.call("Input.dispatchMouseEvent", type="mouseReleased", button="left", clickCount=1, **place)
            if self.run("(() => { const {hit} = window.aim; window.aim = null; return hit; })()"):
                return
        raise AssertionError(f"no click reaches {selector} {text or ''}")

    def place(self, selector, share):
        """The point at that share of the width of an element."""
        return self.wait(f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                         f" return {{x: box.x + box.width * {share}, y: box.y + box.height / 2}}; }})()", selector)

    def hover(self, selector, share=0.5):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", **self.place(selector, share))

    def drag(self, selector, start, end):
        """Drags the mouse over an element, from one share of its width to another."""
        for kind, share, button in (("mousePressed", start, "left"), ("mouseMoved", end, "left"), ("mouseReleased", end, "left")):
            self.call("Input.dispatchMouseEvent", type=kind, button=button, buttons=0 if kind == "mouseReleased" else 1, clickCount=1,
                      **self.place(selector, share))

    KEYS = {"Enter": (13, "\r"), "Tab": (9, ""), "Escape": (27, ""), "ArrowDown": (40, ""), "ArrowUp": (38, ""),
            "ArrowLeft": (37, ""), "ArrowRight": (39, ""), "End": (35, ""), "Home": (36, ""), " ": (32, " ")}

    def press(self, key, shift=False):
        code, text = self.KEYS[key] if key in self.KEYS else (ord(key.upper()), key)
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      text=text if kind == "keyDown" else "", modifiers=8 if shift else 0)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def fill(self, selector, value):
        """Enters a value as a user would, and tells the page. Waits until a select offers it."""
        self.wait(f"[document.querySelector({json.dumps(selector)})].every((each) => !each.matches('select') ||"
                  f" [...each.options].some((option) => option.value === {json.dumps(value)}))", f"{selector} with {value}")
        self.run(f"""(() => {{
          const field = document.querySelector({json.dumps(selector)});
          field.focus();
          field.value = {json.dumps(value)};
          for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, {{bubbles: true}}));
        }})()""")

    def downloaded(self, name):
        """Waits until a file has been downloaded, and returns its text."""
        path = os.path.join(self.folder, name)
        end = time.monotonic() + PATIENCE
        while not os.path.exists(path):
            assert time.monotonic() < end, f"the page downloads no {name}"
            self.run("new Promise((resolve) => requestAnimationFrame(() => resolve()))")
        with open(path, encoding="utf-8") as file:
            return file.read()

    def picture(self, path):
        self.run("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
