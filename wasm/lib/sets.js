// The algorithms of each module, by their names in the package.

import { kem, signer, verifier } from "./algorithms.js";

/** Verification by ML-DSA-65 alone. */
export const verifyOf = (module) => ({
  engine: module.engine,
  ml_dsa65: verifier(module, "ML-DSA-65"),
});

/** ML-DSA-65 and ML-KEM-768 alone. */
export const webOf = (module) => ({
  engine: module.engine,
  ml_dsa65: signer(module, "ML-DSA-65"),
  ml_kem768: kem(module, "ML-KEM-768"),
});

const falconRand = 88; // a salt of 40 bytes and a seed of 48
const dilithiumRand = 64;

/** Every algorithm. */
export const girihOf = (module) => ({
  engine: module.engine,
  // facts: objects
  ml_dsa44: signer(module, "ML-DSA-44"),
  ml_dsa65: signer(module, "ML-DSA-65"),
  ml_dsa87: signer(module, "ML-DSA-87"),
  dilithium2: signer(module, "Dilithium2", dilithiumRand),
  dilithium3: signer(module, "Dilithium3", dilithiumRand),
  dilithium5: signer(module, "Dilithium5", dilithiumRand),
  falcon512: signer(module, "Falcon-512", falconRand),
  falcon1024: signer(module, "Falcon-1024", falconRand),
  falcon512padded: signer(module, "Falcon-padded-512", falconRand),
  falcon1024padded: signer(module, "Falcon-padded-1024", falconRand),
  falcon512ct: signer(module, "Falcon-CT-512", falconRand),
  falcon1024ct: signer(module, "Falcon-CT-1024", falconRand),
  ml_kem512: kem(module, "ML-KEM-512"),
  ml_kem768: kem(module, "ML-KEM-768"),
  ml_kem1024: kem(module, "ML-KEM-1024"),
  sntrup653: kem(module, "sntrup653"),
  sntrup761: kem(module, "sntrup761"),
  sntrup857: kem(module, "sntrup857"),
  sntrup953: kem(module, "sntrup953"),
  sntrup1013: kem(module, "sntrup1013"),
  sntrup1277: kem(module, "sntrup1277"),
  ntrulpr653: kem(module, "ntrulpr653"),
  ntrulpr761: kem(module, "ntrulpr761"),
  ntrulpr857: kem(module, "ntrulpr857"),
  ntrulpr953: kem(module, "ntrulpr953"),
  ntrulpr1013: kem(module, "ntrulpr1013"),
  ntrulpr1277: kem(module, "ntrulpr1277"),
  // facts: end
});
