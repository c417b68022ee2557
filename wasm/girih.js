// girih's algorithms, each with the interface of its namesake in @noble/post-quantum.

import { kem, signer } from "./lib/algorithms.js";
import { loadFor } from "./lib/load.js";

const module = await loadFor(new URL("girih.wasm", import.meta.url), new URL("girih.scalar.wasm", import.meta.url));

/** The engine in use: "wasm_simd128", or "portable" where the host has no vectors. */
export const engine = module.engine;
export { PublicKey, SecretKey } from "./lib/keys.js";
export { GirihError } from "./lib/module.js";

// ML-DSA (FIPS 204).
export const ml_dsa44 = signer(module, "ML-DSA-44");
export const ml_dsa65 = signer(module, "ML-DSA-65");
export const ml_dsa87 = signer(module, "ML-DSA-87");

// ML-KEM (FIPS 203).
export const ml_kem512 = kem(module, "ML-KEM-512");
export const ml_kem768 = kem(module, "ML-KEM-768");
export const ml_kem1024 = kem(module, "ML-KEM-1024");

// Falcon (round 3): a salt of 40 bytes and a seed of 48.
const falconRand = 88;
export const falcon512 = signer(module, "Falcon-512", falconRand);
export const falcon1024 = signer(module, "Falcon-1024", falconRand);
export const falcon512padded = signer(module, "Falcon-padded-512", falconRand);
export const falcon1024padded = signer(module, "Falcon-padded-1024", falconRand);
export const falcon512ct = signer(module, "Falcon-CT-512", falconRand);
export const falcon1024ct = signer(module, "Falcon-CT-1024", falconRand);

// Dilithium (round 3.1).
const dilithiumRand = 64;
export const dilithium2 = signer(module, "Dilithium2", dilithiumRand);
export const dilithium3 = signer(module, "Dilithium3", dilithiumRand);
export const dilithium5 = signer(module, "Dilithium5", dilithiumRand);

// NTRU Prime (round 3).
export const sntrup653 = kem(module, "sntrup653");
export const sntrup761 = kem(module, "sntrup761");
export const sntrup857 = kem(module, "sntrup857");
export const sntrup953 = kem(module, "sntrup953");
export const sntrup1013 = kem(module, "sntrup1013");
export const sntrup1277 = kem(module, "sntrup1277");
export const ntrulpr653 = kem(module, "ntrulpr653");
export const ntrulpr761 = kem(module, "ntrulpr761");
export const ntrulpr857 = kem(module, "ntrulpr857");
export const ntrulpr953 = kem(module, "ntrulpr953");
export const ntrulpr1013 = kem(module, "ntrulpr1013");
export const ntrulpr1277 = kem(module, "ntrulpr1277");
