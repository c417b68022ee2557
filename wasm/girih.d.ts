import type { Kem, PreparableKem, Signer, StreamSigner } from "./lib/types.js";
export * from "./lib/types.js";

/** The engine in use. */
export const engine: "wasm_simd128" | "portable";

// facts: types
export const ml_dsa44: StreamSigner;
export const ml_dsa65: StreamSigner;
export const ml_dsa87: StreamSigner;
export const dilithium2: StreamSigner;
export const dilithium3: StreamSigner;
export const dilithium5: StreamSigner;
export const falcon512: Signer;
export const falcon1024: Signer;
export const falcon512padded: Signer;
export const falcon1024padded: Signer;
export const falcon512ct: Signer;
export const falcon1024ct: Signer;
export const ml_kem512: PreparableKem;
export const ml_kem768: PreparableKem;
export const ml_kem1024: PreparableKem;
export const sntrup653: Kem;
export const sntrup761: Kem;
export const sntrup857: Kem;
export const sntrup953: Kem;
export const sntrup1013: Kem;
export const sntrup1277: Kem;
export const ntrulpr653: Kem;
export const ntrulpr761: Kem;
export const ntrulpr857: Kem;
export const ntrulpr953: Kem;
export const ntrulpr1013: Kem;
export const ntrulpr1277: Kem;
// facts: end
