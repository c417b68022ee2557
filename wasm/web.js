// ML-DSA-65 and ML-KEM-768 alone, for pages: a small module.

import { kem, signer } from "./lib/algorithms.js";
import { loadFor } from "./lib/load.js";

const module = await loadFor(new URL("web.wasm", import.meta.url), new URL("web.scalar.wasm", import.meta.url));

export const engine = module.engine;
export const ml_dsa65 = signer(module, "ML-DSA-65");
export const ml_kem768 = kem(module, "ML-KEM-768");
export { PublicKey, SecretKey } from "./lib/keys.js";
export { GirihError } from "./lib/module.js";
