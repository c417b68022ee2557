// The package without a top-level await: functions that load a module, and give the promise of its
// algorithms. For workers that must not miss a message.

import { loadFor } from "./lib/load.js";
import { girihOf, verifyOf, webOf } from "./lib/sets.js";

/** A function that loads a module once. After a failure, the next call tries again. */
function entry(loaded, algorithmsOf) {
  let algorithms;
  return () =>
    (algorithms ??= loaded().then(
      (module) => Object.freeze(algorithmsOf(module)),
      (error) => {
        algorithms = undefined;
        throw error;
      },
    ));
}

// (Bundlers look for this form of a URL.)
export const girih = entry(
  () =>
    loadFor(new URL("girih.wasm", import.meta.url), new URL("girih.scalar.wasm", import.meta.url)),
  girihOf,
);
export const web = entry(
  () => loadFor(new URL("web.wasm", import.meta.url), new URL("web.scalar.wasm", import.meta.url)),
  webOf,
);
export const verify = entry(
  () =>
    loadFor(
      new URL("verify.wasm", import.meta.url),
      new URL("verify.scalar.wasm", import.meta.url),
    ),
  verifyOf,
);
export { PublicKey, SecretKey } from "./lib/keys.js";
export { GirihError } from "./lib/module.js";
