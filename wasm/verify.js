// Verification by ML-DSA-65 alone: the smallest module. It imports nothing.

import { verifier } from "./lib/algorithms.js";
import { loadFor } from "./lib/load.js";

const module = await loadFor(new URL("verify.wasm", import.meta.url), new URL("verify.scalar.wasm", import.meta.url));

export const engine = module.engine;
export const ml_dsa65 = verifier(module, "ML-DSA-65");
export { PublicKey, SecretKey } from "./lib/keys.js";
export { GirihError } from "./lib/module.js";
