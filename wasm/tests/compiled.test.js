// The entry for hosts that compile no WebAssembly at run time, and the names of the package's files.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { fileOf, girih, root, verify, web } from "./package.js";

const compiledEntry = await import(new URL("compiled.js", root));
const entries = { girih, web, verify };
const files = ["girih", "web", "verify"].flatMap((name) => [`${name}.wasm`, `${name}.scalar.wasm`]);

// A program's folder, with the package installed.
const folder = mkdtempSync(join(tmpdir(), "girih-"));
mkdirSync(join(folder, "node_modules"));
symlinkSync(fileURLToPath(root), join(folder, "node_modules", "girih"));
after(() => rmSync(folder, { recursive: true }));

function run(program) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", program],
    { cwd: folder, encoding: "utf8" },
  );
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

test("the package's files are named through it", () => {
  const found = run(
    `for (const file of ${JSON.stringify(files)}) console.log(import.meta.resolve("girih/" + file))`,
  );
  assert.deepEqual(
    found.split("\n").map((url) => url.slice(url.lastIndexOf("/") + 1)),
    files,
  );
});

/** What a host at the edge lacks or forbids, once the program's modules are compiled. */
const forbidding = `
  const forbidden = (name) => () => { throw new Error(name + " is forbidden here"); };
  for (const name of ["compile", "compileStreaming", "instantiateStreaming", "validate"]) WebAssembly[name] = forbidden(name);
  WebAssembly.instantiate = forbidden("instantiate");
  const { exports } = WebAssembly.Module;
  WebAssembly.Module = Object.assign(function () { throw new Error("compiling is forbidden here"); }, { exports });
  for (const name of ["process", "fetch", "FinalizationRegistry"]) delete globalThis[name];
`;

for (const file of files)
  test(`${file}, once it is compiled, runs where nothing may be compiled`, () => {
    const name = file.split(".")[0];
    const program = `
      import { readFileSync } from "node:fs";
      const compiled = new WebAssembly.Module(readFileSync(new URL(import.meta.resolve("girih/${file}"))));
      ${forbidding}
      const { ${name}: entry, PublicKey } = await import("girih/compiled");
      const { engine, ml_dsa65, ml_kem768 } = entry(compiled);
      const message = new Uint8Array(9);
      if (ml_dsa65.sign) {
        const { publicKey, secretKey } = ml_dsa65.keygen();
        const key = ml_dsa65.prepareSigningKey(secretKey);
        console.log(engine, new PublicKey(ml_dsa65, publicKey).verify(key.sign(message), message));
        key.free();
        ml_kem768.encapsulate(ml_kem768.keygen().publicKey);
      } else {
        const key = ml_dsa65.prepareVerifyingKey(new Uint8Array(ml_dsa65.lengths.publicKey));
        console.log(engine, !key.verify(new Uint8Array(ml_dsa65.lengths.signature), message));
        key.free();
      }`;
    assert.equal(run(program), `${file.includes("scalar") ? "portable" : "wasm_simd128"} true`);
  });

test("a compiled module has the algorithms of its entry", async () => {
  for (const [name, entry] of Object.entries(entries)) {
    const algorithms = compiledEntry[name](await WebAssembly.compile(await fileOf(`${name}.wasm`)));
    const names = Object.keys(entry).filter(
      (one) => !["PublicKey", "SecretKey", "GirihError"].includes(one),
    );
    assert.deepEqual(Object.keys(algorithms).sort(), names.sort());
    for (const one of names) assert.notEqual(entry[one], undefined, one);
    for (const { info, lengths } of Object.values(algorithms).filter(({ info }) => info))
      assert.deepEqual(
        lengths,
        Object.values(entry).find((one) => one.info?.type === info.type).lengths,
      );
  }
});

test("objects that are no module of the package are refused", async () => {
  const bytes = await fileOf("web.wasm");
  const compiled = await WebAssembly.compile(bytes);
  const foreign = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  const pretending = Object.create(WebAssembly.Module.prototype);
  for (const entry of [compiledEntry.girih, compiledEntry.web, compiledEntry.verify]) {
    for (const wrong of [
      undefined,
      null,
      "web.wasm",
      bytes,
      bytes.buffer,
      new URL("web.wasm", root),
      { default: compiled },
      pretending,
    ])
      assert.throws(
        () => entry(wrong),
        /^TypeError: compiled: expected a WebAssembly.Module, got /,
      );
    assert.throws(
      () => entry(foreign),
      /^TypeError: compiled: this WebAssembly.Module is not one of girih's/,
    );
  }
  assert.throws(() => compiledEntry.girih(compiled), /this module has no ML-DSA-44/);
});
