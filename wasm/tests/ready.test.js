// The entry without a top-level await.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { girih, root, verify, web } from "./package.js";

const ready = await import(new URL("ready.js", root));
const entries = { girih, web, verify };

// A copy of the package, whose files come and go.
const folder = mkdtempSync(join(tmpdir(), "girih-"));
after(() => rmSync(folder, { recursive: true }));

test("its functions give the algorithms of the entries of their names, once loaded", async () => {
  for (const [name, entry] of Object.entries(entries)) {
    const loading = ready[name]();
    assert.equal(ready[name](), loading);
    const algorithms = await loading;
    const names = Object.keys(entry).filter((one) => !(one in ready));
    assert.deepEqual(Object.keys(algorithms).sort(), names.sort());
    assert.equal(algorithms.engine, entry.engine);
    assert.ok(Object.isFrozen(algorithms));
  }
  const { ml_dsa65 } = await ready.web();
  const message = new Uint8Array(9);
  const { publicKey, secretKey } = ml_dsa65.keygen();
  const key = new ready.PublicKey((await ready.verify()).ml_dsa65, publicKey);
  assert.ok(key.verify(ml_dsa65.sign(message, secretKey), message));
});

const flags = ["--experimental-require-module"].filter((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);

/** What Node says of a require() of an entry, which has to be loaded when it returns. */
function required(entry) {
  const path = fileURLToPath(new URL(entry, root));
  const program = `console.log(typeof require(${JSON.stringify(path)}).PublicKey)`;
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, "-e", program], {
    encoding: "utf8",
  });
  return stdout.trim() || stderr;
}

const canRequire = process.features.require_module !== undefined || flags.length > 0;
test("it is loaded without waiting, unlike the others", { skip: !canRequire }, () => {
  assert.equal(required("ready.js"), "function");
  assert.match(required("web.js"), /ERR_REQUIRE_ASYNC_MODULE/);
});

test("a module that could not be loaded is asked for again", async () => {
  cpSync(fileURLToPath(root), folder, { recursive: true });
  rmSync(join(folder, "web.wasm"));
  const copied = await import(pathToFileURL(join(folder, "ready.js")));
  await assert.rejects(copied.web(), /web.wasm/);
  writeFileSync(join(folder, "web.wasm"), "<!doctype html>");
  await assert.rejects(copied.web(), /web\.wasm cannot be compiled: .*magic/);
  copyFileSync(fileURLToPath(new URL("web.wasm", root)), join(folder, "web.wasm"));
  assert.equal((await copied.web()).ml_dsa65.info.type, web.ml_dsa65.info.type);
});
