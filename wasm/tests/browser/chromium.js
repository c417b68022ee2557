// A headless Chromium, driven over the DevTools protocol through pipes; and a plain file server.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const names = ["chromium-headless-shell", "chromium", "google-chrome"];

/** Serves a folder. `requests` has the method and path of each request. */
export async function serve(folder) {
  const types = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
  };
  const requests = [];
  const server = createServer(async ({ method, url }, response) => {
    const path = new URL(url, "http://localhost").pathname;
    requests.push(`${method} ${url}`);
    try {
      const content = await readFile(join(folder, path.endsWith("/") ? `${path}index.html` : path));
      response
        .writeHead(200, {
          "content-type": types[extname(path) || ".html"] ?? "application/octet-stream",
        })
        .end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    close: () => server.close(),
  };
}

/** A tab, and the workers that it starts. */
class Tab {
  complaints = []; // of the console
  worker = undefined; // the newest one's session
  constructor(browser, session) {
    this.browser = browser;
    this.session = session;
  }

  send(method, parameters = {}, session = this.session) {
    return this.browser.send(method, parameters, session);
  }

  async evaluate(expression, session = this.session) {
    const { result, exceptionDetails } = await this.send(
      "Runtime.evaluate",
      {
        expression,
        awaitPromise: true,
        returnByValue: true,
        userGesture: true,
        allowUnsafeEvalBlockedByCSP: false,
      },
      session,
    );
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** The value of an expression once it is truthy. */
  async until(expression) {
    for (const end = Date.now() + 60_000; ; await delay(20)) {
      const value = await this.evaluate(expression);
      if (value) return value;
      if (Date.now() > end)
        throw new Error(`${expression} stays ${value}; ${this.complaints.join("; ")}`);
    }
  }

  async go(url) {
    await this.send("Page.navigate", { url });
    await this.until(
      `document.readyState === "complete" && location.href === ${JSON.stringify(url)}`,
    );
  }

  /** The middle of an element, which is scrolled into view. */
  place(selector) {
    return this.evaluate(`(() => {
      const found = document.querySelector(${JSON.stringify(selector)});
      found.scrollIntoView({ block: "center", behavior: "instant" });
      const { x, y, width, height } = found.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    })()`);
  }

  async click(selector) {
    const where = await this.place(selector);
    for (const type of ["mousePressed", "mouseReleased"])
      await this.send("Input.dispatchMouseEvent", {
        type,
        ...where,
        button: "left",
        clickCount: 1,
      });
  }

  async press(key) {
    const common = { key, code: key, windowsVirtualKeyCode: { Tab: 9, Enter: 13 }[key] };
    await this.send("Input.dispatchKeyEvent", {
      type: "keyDown",
      text: { Enter: "\r" }[key],
      ...common,
    });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  }

  type(text) {
    return this.send("Input.insertText", { text });
  }

  async choose(selector, ...files) {
    const { result } = await this.send("Runtime.evaluate", {
      expression: `document.querySelector(${JSON.stringify(selector)})`,
    });
    await this.send("DOM.setFileInputFiles", { files, objectId: result.objectId });
  }

  async drop(selector, ...files) {
    const where = await this.place(selector);
    for (const type of ["dragEnter", "dragOver", "drop"])
      await this.send("Input.dispatchDragEvent", {
        type,
        ...where,
        data: { items: [], files, dragOperationsMask: 1 },
      });
  }

  async screenshot() {
    const {
      cssContentSize: { width, height },
    } = await this.send("Page.getLayoutMetrics");
    const clip = { x: 0, y: 0, width, height, scale: 1 };
    return Buffer.from(
      (await this.send("Page.captureScreenshot", { clip, captureBeyondViewport: true })).data,
      "base64",
    );
  }

  async resize(width, height = 900, isDark = false) {
    await this.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
    const features = [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }];
    await this.send("Emulation.setEmulatedMedia", { features });
  }
}

export class Browser {
  #waiting = new Map(); // by the number of a command: what its answer settles
  #tabs = new Map(); // by session
  #next = 0;
  #rest = "";

  static async start() {
    const browser = new Browser();
    browser.folder = await mkdtemp(join(tmpdir(), "girih-chromium-"));
    const flags = [
      "--headless",
      "--no-sandbox",
      "--hide-scrollbars",
      "--disable-gpu",
      "--no-first-run",
      "--remote-debugging-pipe",
      `--user-data-dir=${browser.folder}/profile`,
      "about:blank",
    ];
    for (const name of names) {
      browser.process = spawn(name, flags, {
        stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      });
      if (
        await new Promise((resolve) =>
          browser.process.once("spawn", () => resolve(true)).once("error", () => resolve(false)),
        )
      )
        break;
    }
    if (browser.process.pid === undefined) throw new Error(`there is none of ${names.join(", ")}`);
    browser.process.stdio[4].setEncoding("utf8").on("data", (text) => browser.#read(text));
    await browser.send("Browser.setDownloadBehavior", {
      behavior: "allow",
      downloadPath: browser.folder,
      eventsEnabled: true,
    });
    return browser;
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#next;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, method }));
  }

  #read(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const message of messages) this.#take(JSON.parse(message));
  }

  #take({ id, result, error, method, params, sessionId }) {
    if (id !== undefined) {
      const { resolve, reject, method: asked } = this.#waiting.get(id);
      this.#waiting.delete(id);
      return error ? reject(new Error(`${asked}: ${error.message}`)) : resolve(result);
    }
    const tab = this.#tabs.get(sessionId);
    if (method === "Target.attachedToTarget" && tab) tab.worker = params.sessionId;
    if (method === "Runtime.exceptionThrown")
      tab?.complaints.push(params.exceptionDetails.exception?.description);
    if (method === "Log.entryAdded") tab?.complaints.push(params.entry.text);
    if (method === "Browser.downloadProgress" && params.state === "completed") this.downloaded?.();
  }

  async tab() {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, sessionId);
    this.#tabs.set(sessionId, tab);
    for (const domain of ["Page", "Runtime", "Log", "DOM"]) await tab.send(`${domain}.enable`);
    await tab.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: true,
    });
    return tab;
  }

  /** The path of the file that `action` makes the browser download, as `name`. */
  async download(name, action) {
    const path = join(this.folder, name);
    await rm(path, { force: true });
    const done = new Promise((resolve) => (this.downloaded = resolve));
    await action();
    await done;
    return path;
  }

  /** Bytes of memory that all of its processes have to themselves. */
  async memory() {
    const { processInfo } = await this.send("SystemInfo.getProcessInfo");
    const own = ({ id }) => {
      const [, resident, shared] = readFileSync(`/proc/${id}/statm`, "utf8").split(" ");
      return 4096 * (resident - shared);
    };
    return processInfo.map(own).reduce((a, b) => a + b);
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    await this.send("Browser.close").catch(() => {});
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}
