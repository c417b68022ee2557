// girih's algorithms, each with the interface of its namesake in @noble/post-quantum.

import { loadFor } from "./lib/load.js";
import { girihOf } from "./lib/sets.js";

const module = await loadFor(
  new URL("girih.wasm", import.meta.url),
  new URL("girih.scalar.wasm", import.meta.url),
);

export const {
  /** The engine in use: "wasm_simd128", or "portable" where the host has no vectors. */
  engine,
  // facts: exports
  ml_dsa44,
  ml_dsa65,
  ml_dsa87,
  dilithium2,
  dilithium3,
  dilithium5,
  falcon512,
  falcon1024,
  falcon512padded,
  falcon1024padded,
  falcon512ct,
  falcon1024ct,
  ml_kem512,
  ml_kem768,
  ml_kem1024,
  sntrup653,
  sntrup761,
  sntrup857,
  sntrup953,
  sntrup1013,
  sntrup1277,
  ntrulpr653,
  ntrulpr761,
  ntrulpr857,
  ntrulpr953,
  ntrulpr1013,
  ntrulpr1277,
  // facts: end
} = girihOf(module);
export { PublicKey, SecretKey } from "./lib/keys.js";
export { GirihError } from "./lib/module.js";
