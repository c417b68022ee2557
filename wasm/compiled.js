// The package for hosts that compile WebAssembly before a program runs, and never while it runs, such as
// Cloudflare Workers and the edge of Next.js: a program imports the module and gives it to a function.

import { described } from "./lib/bytes.js";
import { Module } from "./lib/module.js";
import { girihOf, verifyOf, webOf } from "./lib/sets.js";

/** The exports of a compiled module; nothing of another object. */
function exportsOf(compiled) {
  try {
    return WebAssembly.Module.exports(compiled).map(({ name }) => name);
  } catch {
    return undefined;
  }
}

/** A function of a compiled module of this package. */
const entry = (algorithmsOf) => (compiled) => {
  const names = exportsOf(compiled);
  if (!names)
    throw new TypeError(`compiled: expected a WebAssembly.Module, got ${described(compiled)}`);
  if (!names.includes("wasm_algorithm_at"))
    throw new TypeError("compiled: this WebAssembly.Module is not one of girih's");
  return Object.freeze(algorithmsOf(new Module(compiled)));
};

/** The algorithms of girih.wasm, of web.wasm, and of verify.wasm, or of those beside them without vectors. */
export const girih = entry(girihOf);
export const web = entry(webOf);
export const verify = entry(verifyOf);
export { PublicKey, SecretKey } from "./lib/keys.js";
export { GirihError } from "./lib/module.js";
