"""A headless Chromium driven through chromedriver, with the standard library only (W3C WebDriver)."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Home": "\ue011", "Escape": "\ue00c", "Shift": "\ue008"}


def missing():
    """Why no browser can be driven here, or ''."""
    for names in (["chromium", "chromium-browser", "google-chrome"], ["chromedriver"]):
        if not any(shutil.which(n) for n in names):
            return f"{names[0]} is not installed (Debian: chromium, chromium-driver)"
    return ""


class Browser:
    def __init__(self, width=1280, height=1400, dark=False, scale=1):
        self.home = tempfile.mkdtemp(prefix="btviz-chromium-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True,
                                       env={**os.environ, "HOME": self.home})
        self.base = self.session = None
        for line in self.driver.stdout:
            if "successfully on port" in line:
                self.base = "http://127.0.0.1:" + line.rstrip().rstrip(".").split()[-1]
                break
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     f"--user-data-dir={self.home}/profile", f"--window-size={width},{height}",
                     f"--force-device-scale-factor={scale}", "--hide-scrollbars"]
        if dark:
            arguments.append("--force-dark-mode")
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "goog:chromeOptions": {"args": arguments}}}})
        self.session = "/session/" + answer["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", self.session)
        except OSError:
            pass
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def post(self, path, body):
        return self.call("POST", self.session + path, body)

    def open(self, url):
        self.post("/url", {"url": "about:blank"})
        self.console()
        self.requests()
        self.post("/url", {"url": url})
        self.wait("globalThis.btviz?.readyMs > 0 || !document.getElementById('trouble').hidden")

    def js(self, expression):
        return self.post("/execute/sync", {"script": "return " + expression, "args": []})

    def run(self, script):
        """An async script: it calls done(value)."""
        return self.post("/execute/async", {
            "script": "const done = arguments[arguments.length - 1];" + script, "args": []})

    def wait(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.js(condition):
                return
            time.sleep(0.02)
        raise RuntimeError("did not happen: " + condition)

    def settle(self):
        """Lets what was asked for be drawn, and the address be kept."""
        self.run("""setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => {
            globalThis.btviz?.keep?.();
            done();
        })), 20);""")

    def click(self, selector):
        found = self.post("/element", {"using": "css selector", "value": selector})
        self.call("POST", f"{self.session}/element/{found[ELEMENT]}/click", {})
        self.settle()

    def point(self, *steps, shift=False):
        """steps: ("move", x, y), ("down",), ("up",); x, y in the window."""
        actions = []
        for step in steps:
            if step[0] == "move":
                actions.append({"type": "pointerMove", "duration": 0, "x": round(step[1]),
                                "y": round(step[2]), "origin": "viewport"})
            else:
                actions.append({"type": "pointer" + step[0].capitalize(), "button": 0})
        sources = [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
                    "actions": actions}]
        if shift:
            sources.insert(0, {"type": "key", "id": "keys", "actions":
                               [{"type": "keyDown", "value": KEYS["Shift"]}] +
                               [{"type": "pause"}] * (len(actions) - 1) +
                               [{"type": "keyUp", "value": KEYS["Shift"]}]})
        self.post("/actions", {"actions": sources})
        self.settle()

    def wheel(self, x, y, dy):
        self.post("/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": dy,
             "origin": "viewport"}]}]})
        self.settle()

    def key(self, name):
        value = KEYS.get(name, name)
        self.post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]}]})
        self.settle()

    def screenshot(self, path):
        data = self.call("GET", self.session + "/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def console(self):
        """What was written to the console since the last call: errors and warnings."""
        log = self.post("/se/log", {"type": "browser"})
        return [entry["message"] for entry in log if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The addresses that the page asked for since the last call."""
        log = self.post("/se/log", {"type": "performance"})
        messages = [json.loads(entry["message"])["message"] for entry in log]
        return [m["params"]["request"]["url"] for m in messages
                if m["method"] == "Network.requestWillBeSent"]

    def emulate(self, **features):
        """Media features: emulate(prefers_color_scheme="dark"), or media="print"."""
        media = features.pop("media", "")
        self.post("/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {
            "media": media,
            "features": [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]}})
        self.settle()
