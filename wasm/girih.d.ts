import type { Kem, PreparableKem, Signer, StreamSigner } from "./lib/types.js";
export * from "./lib/types.js";

/** The engine in use. */
export const engine: "wasm_simd128" | "portable";

export const ml_dsa44: StreamSigner, ml_dsa65: StreamSigner, ml_dsa87: StreamSigner;
export const ml_kem512: PreparableKem, ml_kem768: PreparableKem, ml_kem1024: PreparableKem;
export const falcon512: Signer, falcon1024: Signer, falcon512padded: Signer, falcon1024padded: Signer;
export const falcon512ct: Signer, falcon1024ct: Signer;
export const dilithium2: StreamSigner, dilithium3: StreamSigner, dilithium5: StreamSigner;
export const sntrup653: Kem, sntrup761: Kem, sntrup857: Kem, sntrup953: Kem, sntrup1013: Kem, sntrup1277: Kem;
export const ntrulpr653: Kem, ntrulpr761: Kem, ntrulpr857: Kem, ntrulpr953: Kem, ntrulpr1013: Kem, ntrulpr1277: Kem;
