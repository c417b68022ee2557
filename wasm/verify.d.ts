import type { Verifier } from "./lib/types.js";
export * from "./lib/types.js";

export const engine: "wasm_simd128" | "portable";
export const ml_dsa65: Verifier;
