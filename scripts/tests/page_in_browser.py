"""Loads a page in a headless browser at several widths and tells what is wrong with it.

A small server hands out the page and one that shows it in a frame; that one measures the frame and
sends back what it found. So any browser will do that can be started without a window.
"""

import json
import shutil
import subprocess
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CHROMIUM = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
BROWSERS = {
    "chromium": CHROMIUM, "chromium-browser": CHROMIUM, "google-chrome": CHROMIUM,
    "google-chrome-stable": CHROMIUM, "chrome": CHROMIUM,
    "firefox": ["--headless", "--no-remote"], "firefox-esr": ["--headless", "--no-remote"],
}  # fmt: skip
# The browser reports each request for something outside the page, and still makes it.
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors *; "
    "report-uri /violation"
)
LIMIT_S = 300  # ends a browser that hangs

PROBE = """<!DOCTYPE html><meta charset="utf-8"><body><script>
const widths = WIDTHS, found = {};
const frame = document.createElement("iframe");
frame.style.border = 0;
const settled = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
const measure = page => {
  const root = page.documentElement, limit = root.clientWidth;
  const overflow = e => getComputedStyle(e).overflowX;
  const scrolls = e => e && (/auto|scroll/.test(overflow(e)) || scrolls(e.parentElement));
  const named = e => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 40);
  const sideways = e => e.scrollWidth > e.clientWidth;
  const wide = [...page.body.querySelectorAll("*")].filter(
    e => e.getBoundingClientRect().right > limit + 1 && !scrolls(e));
  return {
    width: limit, content: root.scrollWidth,
    wide: wide.slice(0, 5).map(named),
    scrolling: [...page.querySelectorAll(".scroll")].filter(sideways).length,
  };
};
frame.onload = async () => {
  const page = frame.contentDocument;
  found.images = page.images.length;
  const broken = i => !i.complete || !i.naturalWidth;
  found.broken = [...page.images].filter(broken).map(i => i.alt || i.src.slice(0, 80));
  found.requests = frame.contentWindow.performance.getEntriesByType("resource").map(e => e.name);
  found.links = [...page.querySelectorAll("a[href]")].map(a => a.getAttribute("href"));
  found.lost = found.links.filter(h => h[0] === "#" && !page.getElementById(h.slice(1)));
  found.viewport = page.querySelector("meta[name=viewport]")?.content ?? "";
  found.folded = page.querySelectorAll("details").length;
  for (const open of [false, true]) {
    if (open) page.querySelectorAll("details").forEach(e => e.open = true);
    for (const width of widths) {
      frame.style.width = width + "px";
      await settled();
      found[width + (open ? " open" : "")] = measure(page);
    }
  }
  await fetch("/found", {method: "POST", body: JSON.stringify(found)});
};
frame.style.width = widths[0] + "px"; frame.style.height = "900px";
frame.src = "/page";
document.body.append(frame);
</script>"""


@dataclass
class Visit:
    """What the server was asked for and told."""

    found: dict = field(default_factory=dict)
    asked: list = field(default_factory=list)  # paths besides those of this module
    violations: list = field(default_factory=list)  # what the page wanted from elsewhere
    done: threading.Event = field(default_factory=threading.Event)


def browser():
    """(path, arguments) of a browser of this machine, or None."""
    for name, arguments in BROWSERS.items():
        if path := shutil.which(name):
            return path, arguments
    return None


def handler_of(visit, page, widths):
    class Handler(BaseHTTPRequestHandler):
        def answer(self, body, *headers):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            for header in headers:
                self.send_header(*header)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            if self.path == "/":
                self.answer(PROBE.replace("WIDTHS", json.dumps(widths)).encode())
            elif self.path == "/page":
                self.answer(page, ("Content-Security-Policy-Report-Only", POLICY))
            else:
                if self.path != "/favicon.ico":  # the browser's own idea
                    visit.asked.append(self.path)
                self.send_error(404)

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/violation":
                visit.violations.append(json.loads(body)["csp-report"]["blocked-uri"])
            else:
                visit.found = json.loads(body)
            self.answer(b"")
            if self.path == "/found":
                visit.done.set()

        def log_message(self, *_):
            pass

    return Handler


@contextmanager
def served(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def visited(page, widths, folder):
    """Loads the bytes of a page; `folder` is for the browser's profile."""
    path, arguments = browser()
    profile = ["--profile", str(folder)] if "firefox" in path else [f"--user-data-dir={folder}"]
    visit = Visit()
    with served(handler_of(visit, page, list(widths))) as address:
        process = subprocess.Popen(
            [path, *arguments, *profile, address],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            assert visit.done.wait(LIMIT_S), f"{path} did not load the page within {LIMIT_S} s"
        finally:
            process.terminate()
            process.wait(timeout=900)
    return visit
