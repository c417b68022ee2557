// Verification by ML-DSA-65 alone: the smallest module. It imports nothing.

import { loadFor } from "./lib/load.js";
import { verifyOf } from "./lib/sets.js";

const module = await loadFor(
  new URL("verify.wasm", import.meta.url),
  new URL("verify.scalar.wasm", import.meta.url),
);

export const { engine, ml_dsa65 } = verifyOf(module);
export { PublicKey, SecretKey } from "./lib/keys.js";
export { GirihError } from "./lib/module.js";
