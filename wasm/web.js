// ML-DSA-65 and ML-KEM-768 alone, for pages: a small module.

import { loadFor } from "./lib/load.js";
import { webOf } from "./lib/sets.js";

const module = await loadFor(
  new URL("web.wasm", import.meta.url),
  new URL("web.scalar.wasm", import.meta.url),
);

export const { engine, ml_dsa65, ml_kem768 } = webOf(module);
export { PublicKey, SecretKey } from "./lib/keys.js";
export { GirihError } from "./lib/module.js";
