// The package under test, and its modules on both engines.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = new URL(
  process.env.GIRIH_PACKAGE ?? "../../build/wasm/package/",
  import.meta.url,
);

export const girih = await import(new URL("girih.js", root));
export const web = await import(new URL("web.js", root));
export const verify = await import(new URL("verify.js", root));
export const { kem, signer } = await import(new URL("lib/algorithms.js", root));
const { load } = await import(new URL("lib/load.js", root));

export const fileOf = (name) => readFile(new URL(name, root));

const { web: webOf } = await import(new URL("compiled.js", root));
/** The entry for modules that a host has compiled, by the small one. */
export const compiled = webOf(await WebAssembly.compile(await fileOf("web.wasm")));

/** Modules with every algorithm, by the name of their engine. */
export const modules = new Map([
  ["wasm_simd128", await load(new URL("girih.wasm", root))],
  ["portable", await load(new URL("girih.scalar.wasm", root))],
]);

const isKem = /^(ML-KEM|sntrup|ntrulpr)/;
const signRand = (name) =>
  name.startsWith("Falcon") ? 88 : name.startsWith("Dilithium") ? 64 : 32;

/** An algorithm of a module by its name in girih.h. */
export const algorithmOf = (module, name) =>
  isKem.test(name) ? kem(module, name) : signer(module, name, signRand(name));

/** The names of a module's algorithms. */
export function namesOf(module) {
  const names = [];
  for (let address; (address = module.invoke("wasm_algorithm_at", names.length)) !== 0;)
    names.push(module.instance.text(module.invoke("girih_name", address)));
  return names;
}

/** Fixed bytes: SHAKE256 of a label. */
export const fixed = (label, size) =>
  size === 0
    ? new Uint8Array()
    : Uint8Array.from(createHash("shake256", { outputLength: size }).update(label).digest());

export const digest = (data) => createHash("sha256").update(data).digest("hex");

/** The native library's transcripts by algorithm: digests, as native.py prints them. */
export async function nativeTranscripts() {
  const script = fileURLToPath(new URL("native.py", import.meta.url));
  const { stdout } = await promisify(execFile)("python3", [script, "6"], { maxBuffer: 1 << 24 });
  return new Map(
    JSON.parse(stdout).map(({ name, publicKey, secretKey, outputs }) => [
      name,
      [publicKey, secretKey, ...outputs],
    ]),
  );
}
