// The package in a headless Chromium: every algorithm gives the bytes of the native library.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { algorithmOf, fixed, modules, nativeTranscripts, root } from "../package.js";
import { transcript } from "../transcript.js";
import { Browser, serve } from "./chromium.js";

let browser, tab, server;
before(async () => {
  server = await serve(fileURLToPath(root));
  browser = await Browser.start();
  tab = await browser.tab();
  await tab.go(`${server.url}package.json`);
  const source = readFileSync(new URL("../transcript.js", import.meta.url), "utf8");
  await tab.evaluate(`(async () => {
    globalThis.girih = await import("/girih.js");
    const url = URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: "text/javascript" }));
    Object.assign(globalThis, await import(url));
  })()`);
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("Chromium takes the module with vectors", async () => {
  assert.equal(await tab.evaluate("girih.engine"), "wasm_simd128");
});

test("every algorithm gives the native library's bytes", async () => {
  const native = await nativeTranscripts();
  assert.ok(native.size > 20);
  for (const [name, expected] of native) {
    const inputs = {};
    const recorded = (label, size) => Uint8Array.from((inputs[label] = [...fixed(label, size)]));
    transcript(algorithmOf(modules.get("wasm_simd128"), name), name, recorded);
    const found = await tab.evaluate(`(async () => {
      const inputs = ${JSON.stringify(inputs)};
      const algorithm = Object.values(girih).find(({ info }) => info?.type === ${JSON.stringify(name)});
      const outputs = transcript(algorithm, ${JSON.stringify(name)}, (label) => Uint8Array.from(inputs[label]));
      const digest = async (data) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))];
      return Promise.all(outputs.map(digest));
    })()`);
    assert.deepEqual(
      found.map((digest) => Buffer.from(digest).toString("hex")),
      expected,
      name,
    );
  }
});
