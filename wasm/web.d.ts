import type { PreparableKem, Signer } from "./lib/types.js";
export * from "./lib/types.js";

export const engine: "wasm_simd128" | "portable";
export const ml_dsa65: Signer;
export const ml_kem768: PreparableKem;
