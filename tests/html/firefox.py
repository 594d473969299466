#!/usr/bin/env python3
"""The page in a headless Firefox, spoken to in its own protocol (Marionette: a length, a colon, JSON):
firefox.py BTVIZ TESTDATA OUTPUT-FOLDER. Exit code 77: skipped, and why."""
import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

BTVIZ, TESTDATA, FOLDER = sys.argv[1:4]
BROWSER = shutil.which("firefox-esr") or shutil.which("firefox")
faults = []


def check(what, holds, detail=""):
    faults.extend([] if holds else [what])
    print(("ok" if holds else "NOT OK") + f" - {what}" + (f": {detail}" if detail and not holds else ""), flush=True)


class Firefox:
    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="btviz-firefox-")
        profile = os.path.join(self.home, "profile")
        os.mkdir(profile)
        with open(os.path.join(profile, "user.js"), "w", encoding="ascii") as file:
            file.write('user_pref("marionette.port", 0);\nuser_pref("app.update.auto", false);\n')
        self.process = subprocess.Popen(
            [BROWSER, "--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", profile, "--window-size=1280,1400"],
            env={**os.environ, "HOME": self.home}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = socket.create_connection(("127.0.0.1", self.port(profile)), timeout=60)
        self.stream = self.socket.makefile("rb")
        self.count = 0
        self.receive()
        self.call("WebDriver:NewSession", {})

    def port(self, profile):
        for _ in range(600):
            try:
                with open(os.path.join(profile, "MarionetteActivePort"), encoding="ascii") as file:
                    return int(file.read())
            except (FileNotFoundError, ValueError):
                time.sleep(0.1)
        raise RuntimeError("Firefox does not listen")

    def receive(self):
        size = b""
        while not size.endswith(b":"):
            size += self.stream.read(1)
        return json.loads(self.stream.read(int(size[:-1])))

    def call(self, name, arguments):
        self.count += 1
        text = json.dumps([0, self.count, name, arguments])
        self.socket.sendall(f"{len(text)}:{text}".encode("ascii"))
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(error["message"])
        return result

    def open(self, url):
        self.call("WebDriver:Navigate", {"url": url})
        for _ in range(400):
            if self.js("window.btviz?.readyMs > 0 || !document.getElementById('trouble').hidden"):
                return
            time.sleep(0.05)
        raise RuntimeError("the page is never ready")

    def js(self, expression):
        return self.call("WebDriver:ExecuteScript", {"script": "return " + expression, "args": []})["value"]

    def console(self):
        """Errors and warnings that pages caused, the policy's among them."""
        self.call("Marionette:SetContext", {"value": "chrome"})
        found = self.js("""Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError &&
            m.sourceName.startsWith('file:')).map(m => m.errorMessage)""")
        self.call("Marionette:SetContext", {"value": "content"})
        return found

    def drag(self, x0, x1, y):
        move = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0} for x in (x0, (x0 + x1) / 2, x1)]
        self.call("WebDriver:PerformActions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                move[0], {"type": "pointerDown", "button": 0}, *move[1:], {"type": "pointerUp", "button": 0}]}]})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("WebDriver:TakeScreenshot", {"full": False})["value"]))

    def close(self):
        try:
            self.call("Marionette:Quit", {"flags": ["eForceQuit"]})
        except (OSError, RuntimeError, ValueError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.socket.close()
        shutil.rmtree(self.home, ignore_errors=True)


def main():
    if not BROWSER:
        print("skipped: firefox is not installed (Debian: firefox-esr)")
        sys.exit(77)
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, "firefox.html")
    trace = os.path.join(TESTDATA, "real", "raid0-bad.tar.xz")
    subprocess.run([BTVIZ, "-t", trace, "-o", path], check=True, stderr=subprocess.PIPE)
    firefox = Firefox()
    try:
        firefox.open("file://" + path)
        page = "window.btviz"
        trouble = firefox.js("document.getElementById('trouble').textContent")
        check("the page is shown from disk", not trouble, trouble)
        print(f"# ready after {firefox.js(page + '.readyMs'):.0f} ms")
        gaps = firefox.js("document.querySelectorAll('.gaps ol button').length")
        check("with its gaps", gaps == 7, gaps)
        inked = firefox.js(f"""(() => {{ const c = {page}.charts[0].canvas, d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] !== 255 || d[i + 2] !== 255; return n / (d.length / 4); }})()""")
        check("and its panels", 0.2 < inked < 0.95, inked)
        box = firefox.js("(() => { const b = document.querySelector('.over').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()")
        firefox.drag(box[0] + 0.3 * box[2], box[0] + 0.5 * box[2], box[1] + 100)
        span = firefox.js(f"{page}.view.t1 - {page}.view.t0")
        check("dragging zooms", 1 < span < 5, span)
        firefox.screenshot(os.path.join(FOLDER, "firefox-zoomed.png"))
        firefox.js("document.querySelector('.gaps ol button').click()")
        start = firefox.js(f"[{page}.view.t0, {page}.view.t1]")
        check("a click on a gap zooms to it", start[0] < 0.5 < start[1] < 3, start)
        firefox.js("document.getElementById('reset').click()")
        firefox.screenshot(os.path.join(FOLDER, "firefox.png"))
        check("no error in the console", not (log := firefox.console()), log)
        firefox.js("(() => { const s = document.createElement('script'); s.textContent = 'document.title = \"bad\"'; document.body.append(s); })()")
        check("the policy holds", firefox.js("document.title") != "bad" and any("Content-Security-Policy" in m or "Content Security" in m
                                                                               for m in firefox.console()), firefox.console())
    finally:
        firefox.close()
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
